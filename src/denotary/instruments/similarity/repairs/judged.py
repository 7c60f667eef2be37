"""A judge of pairs as a repair: its share of *same*, at the cutoff that serves best on the half it is fitted on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.instruments.similarity.operating import best_cutoff
from denotary.instruments.similarity.repairs.base import Frozen, Scored, fitted_on
from denotary.instruments.similarity.repairs.records import FittedRepair
from denotary.instruments.similarity.repairs.simple import around, both_kinds, decided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.repairs.judges import Judge

_SCALE = 0.1
"""How fast the score of a judge moves away from 0.5 beside the cutoff; it changes no order and no decision."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge before its cutoff is chosen."""

    voice: Judge
    name: str = ""

    def fit(self, half: Corpus) -> Frozen:
        """Choose the cutoff on the pairs that it answered.

        Raises:
            InputError: it answered no pair of one kind.
        """
        same = both_kinds(half)
        heard = self.voice.judge(list(half.pairs.first), list(half.pairs.second))
        told = ~heard.failed & ~heard.abstained
        if len(set(same[told])) < len(set(same)):
            raise InputError(
                f"the judge {self.voice.name} decided no pair of one kind", hint="look at its label map"
            )
        cutoff, _ = best_cutoff(heard.scores[told], same[told])
        record = FittedRepair(
            schema="denotary.similarity-repair/1",
            name=self.name or f"judge {self.voice.name}",
            kind="judge",
            settings=dict(self.voice.identity),
            parameters={"cutoff": float(f"{cutoff:.8g}")},
            fitted_on=fitted_on(half),
        )
        return self.load(record)

    def load(self, record: FittedRepair) -> Frozen:
        """Return the frozen repair of a record.

        Raises:
            InputError: it was fitted with another judge.
        """
        if record.settings != dict(self.voice.identity):
            raise InputError(f"the repair {record.name} was fitted with another judge", hint="fit it again")
        cutoff = record.parameters["cutoff"]

        def score(first: Sequence[str], second: Sequence[str]) -> Scored:
            heard = self.voice.judge(first, second)
            unknown = heard.abstained | heard.failed
            return Scored(
                decided(around(heard.scores, cutoff, _SCALE), unknown), heard.abstained, heard.failed
            )

        return Frozen(record, score)
