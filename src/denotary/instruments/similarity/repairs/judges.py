"""Judges of pairs: whoever, asked about two texts, gives a label; a label map says which labels mean the same.

Nothing that a judge does ends a run: an error, a time-out or a label that nobody declared is a failure of that pair,
and a failure counts as a wrong decision.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.instruments.similarity.repairs.base import UNDECIDED, Scored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

TIMEOUT = 30.0
"""Seconds that one answer may take."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Which labels of a judge mean what; compared case-folded.

    Attributes:
        same: both texts mean the same.
        opposite: they do not.
        undecided: the judge does not tell; the pair is one of abstention.
    """

    same: tuple[str, ...]
    opposite: tuple[str, ...]
    undecided: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that no label has two meanings.

        Raises:
            InputError: one has, or one decision has no label.
        """
        every = [name.casefold() for name in (*self.same, *self.opposite, *self.undecided)]
        if not self.same or not self.opposite or len(set(every)) != len(every):
            raise InputError("a label map needs labels for same and for opposite, each label once")

    def score(self, label: str) -> float | None:
        """Return 1 for same, 0 for opposite, 0.5 for undecided; None for a label that is not declared."""
        for names, value in ((self.same, 1.0), (self.opposite, 0.0), (self.undecided, UNDECIDED)):
            if label.strip().casefold() in {name.casefold() for name in names}:
                return value
        return None

    def share(self, scores: Mapping[str, Any]) -> float | None:
        """Return the weight of same among same and opposite, in [0, 1]; None if that is not known."""
        sums = {1.0: 0.0, 0.0: 0.0}
        for label, weight in scores.items():
            meaning = self.score(str(label))
            if isinstance(weight, bool) or not isinstance(weight, Real) or not math.isfinite(weight):
                return None
            if weight < 0 or meaning is None:
                return None
            if meaning in sums:
                sums[meaning] += float(weight)
        total = sums[1.0] + sums[0.0]
        return sums[1.0] / total if total > 0 else None


class Judge(Protocol):
    """Says of pairs whether both texts mean the same."""

    @property
    def name(self) -> str:
        """As printed."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What its answers depend on, as far as that can be known here, without keys."""

    def judge(self, first: Sequence[str], second: Sequence[str]) -> Scored:
        """Return what it says of every pair."""


@dataclass(frozen=True, slots=True, repr=False)
class AskedJudge:
    """A judge that is asked pair by pair.

    Attributes:
        ask: two texts to a label, to a mapping of labels to weights, or to a share of same in [0, 1].
        both: whether each pair is asked in both orders and the less sure answer counts, as for a judge of entailment.
        workers: pairs asked at once.
    """

    name: str
    ask: Callable[[str, str], Any]
    labels: Labels
    about: Mapping[str, str]
    both: bool = False
    workers: int = 1

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, label map and what the answers depend on."""
        names = (self.labels.same, self.labels.opposite, self.labels.undecided)
        return {"name": self.name, "labels": digest(names)[:16], "both": str(self.both), **self.about}

    def judge(self, first: Sequence[str], second: Sequence[str]) -> Scored:
        """Ask about every pair; each distinct one once."""
        pairs = list(zip(first, second, strict=True))
        asked = dict.fromkeys([*pairs, *((b, a) for a, b in pairs if self.both)])
        with ThreadPoolExecutor(self.workers) as pool:
            answers = dict(zip(asked, pool.map(lambda pair: self._one(*pair), asked), strict=True))
        found = [self._of(answers, pair) for pair in pairs]
        failed = np.array([value is None for value in found], dtype=np.bool_)
        scores = np.array([UNDECIDED if value is None else value for value in found], dtype=np.float64)
        return Scored(scores, (scores == UNDECIDED) & ~failed, failed)

    def _of(self, answers: Mapping[tuple[str, str], float | None], pair: tuple[str, str]) -> float | None:
        given = [answers[pair], answers[pair[::-1]]] if self.both else [answers[pair]]
        known = [value for value in given if value is not None]
        return min(known) if len(known) == len(given) else None

    def _one(self, first: str, second: str) -> float | None:
        try:
            answer = self.ask(first, second)
        except (Exception, SystemExit):  # noqa: BLE001 - whatever a judge does is a failure of this pair, counted as such
            return None
        if isinstance(answer, str):
            return self.labels.score(answer)
        if isinstance(answer, dict):
            return self.labels.share(answer)
        if isinstance(answer, bool) or not isinstance(answer, Real):
            return None
        share = float(answer)
        return share if 0.0 <= share <= 1.0 else None
