"""Repairs without a model of meaning: another encoder at its own cutoff, and a cutoff that depends on overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.instruments.similarity.operating import best_cutoff
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.repairs import linear
from denotary.instruments.similarity.repairs.base import UNDECIDED, Frozen, certain, fitted_on
from denotary.instruments.similarity.repairs.records import FittedRepair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.configurations import Configuration
    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.repairs.base import Scored
    from denotary.statistics.checks import BoolArray, FloatArray

PENALTY = 1.0


def both_kinds(half: Corpus) -> BoolArray:
    """Return the decisions of a half, shape (N,).

    Raises:
        InputError: all pairs are of one kind.
    """
    same = half.pairs.same
    if same.all() or not same.any():
        raise InputError(f"the pairs of {half.name} are all of one kind; a fit needs same and opposite ones")
    return same


def around(scores: FloatArray, cutoff: float, scale: float) -> FloatArray:
    """Return scores moved to [0, 1], in their order, the cutoff at 0.5."""
    return linear.sigmoid((scores - cutoff) / scale)


@dataclass(frozen=True, slots=True)
class Encoder:
    """Another encoder, at the cutoff that serves best on the half that it is fitted on."""

    configuration: Configuration
    name: str = ""

    def fit(self, half: Corpus) -> Frozen:
        """Choose the cutoff; the scores keep their order."""
        same = both_kinds(half)
        scores = self.configuration.scores(list(half.pairs.first), list(half.pairs.second))
        cutoff, _ = best_cutoff(scores, same)
        record = FittedRepair(
            schema="denotary.similarity-repair/1",
            name=self.name or f"encoder {self.configuration.name}",
            kind="encoder",
            settings=self.configuration.settings,
            parameters={"cutoff": float(f"{cutoff:.8g}"), "scale": float(f"{max(scores.std(), 1e-6):.8g}")},
            fitted_on=fitted_on(half),
        )
        return self.load(record)

    def load(self, record: FittedRepair) -> Frozen:
        """Return the frozen repair of a record."""
        cutoff, scale = record.parameters["cutoff"], record.parameters["scale"]

        def score(first: Sequence[str], second: Sequence[str]) -> Scored:
            return certain(around(self.configuration.scores(first, second), cutoff, scale))

        return Frozen(record, score)


@dataclass(frozen=True, slots=True)
class Overlap:
    """A logistic model of cosine, overlap and their product: a cutoff that depends on how much wording is shared."""

    configuration: Configuration
    name: str = ""

    def fit(self, half: Corpus) -> Frozen:
        """Fit the three weights."""
        same = both_kinds(half)
        rows = self._rows(list(half.pairs.first), list(half.pairs.second))
        record = FittedRepair(
            schema="denotary.similarity-repair/1",
            name=self.name or f"overlap-conditioned {self.configuration.name}",
            kind="overlap",
            settings=self.configuration.settings,
            parameters=linear.fit(rows, same, PENALTY),
            fitted_on=fitted_on(half),
        )
        return self.load(record)

    def load(self, record: FittedRepair) -> Frozen:
        """Return the frozen repair of a record."""

        def score(first: Sequence[str], second: Sequence[str]) -> Scored:
            return certain(linear.sigmoid(linear.log_odds(record.parameters, self._rows(first, second))))

        return Frozen(record, score)

    def _rows(self, first: Sequence[str], second: Sequence[str]) -> list[dict[str, float]]:
        scores = self.configuration.scores(first, second)
        shared = [overlap(a, b) for a, b in zip(first, second, strict=True)]
        return [
            {"cosine": float(c), "overlap": o, "cosine x overlap": float(c) * o}
            for c, o in zip(scores, shared, strict=True)
        ]


def decided(scores: FloatArray, abstained: BoolArray) -> FloatArray:
    """Return scores with 0.5 where nothing is told."""
    return np.where(abstained, UNDECIDED, scores)
