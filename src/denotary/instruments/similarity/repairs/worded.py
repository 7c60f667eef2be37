"""What word lists alone reach: baselines that are fitted, for a reader to hold every fitted repair against.

Pairs that were written to be matched can still be told apart by the words that their writer reached for: by those that
the second text adds and drops, and even by the second text alone, which says nothing of the first. Whatever a fitted
repair has no more of than these, it need not have from meaning.

Sources: Poliak et al., Hypothesis Only Baselines in Natural Language Inference (2018); Gururangan et al., Annotation
Artifacts in Natural Language Inference Data (2018).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from denotary.canonical import sha256
from denotary.errors import InputError
from denotary.instruments.similarity.overlap import words
from denotary.instruments.similarity.repairs import linear
from denotary.instruments.similarity.repairs.base import Frozen, certain, fitted_on
from denotary.instruments.similarity.repairs.records import FittedRepair
from denotary.instruments.similarity.repairs.simple import both_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.repairs.base import Scored

PENALTY: Final = 1000.0
"""Of 10, 100 and 1,000 the one that serves best over anchors of half A of the shipped corpus, cross-fitted."""
LEAST: Final = 3
"""Pairs of the fitted half that hold a word, for it to have a weight."""
_DIGITS: Final = 12
"""Of a kept hash: among 10,000 words two alike by chance are one in 5,000,000."""
READS: Final = {
    "words": "words added and removed",
    "second-text": "second text alone",
}
"""The kinds, and what each reads of a pair."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A logistic model of which words the second text adds and drops, or of which words it holds.

    Attributes:
        kind: one of ``READS``.
    """

    kind: str
    name: str = ""

    def fit(self, half: Corpus) -> Frozen:
        """Fit one weight a word."""
        same = both_kinds(half)
        rows = [self._row(a, b) for a, b in zip(half.pairs.first, half.pairs.second, strict=True)]
        held = Counter(word for row in rows for word in row)
        known = [{word: 1.0 for word in row if held[word] >= LEAST} for row in rows]
        record = FittedRepair(
            schema="denotary.similarity-repair/1",
            name=self.name or READS[self.kind],
            kind=self.kind,
            settings=self._settings(),
            parameters=linear.fit(known, same, PENALTY),
            fitted_on=fitted_on(half),
        )
        return self.load(record)

    def load(self, record: FittedRepair) -> Frozen:
        """Return the frozen baseline of a record.

        Raises:
            InputError: it was fitted on other words of the texts.
        """
        if record.settings != self._settings():
            raise InputError(f"the repair {record.name} was fitted on other words", hint="fit it again")

        def score(first: Sequence[str], second: Sequence[str]) -> Scored:
            rows = [dict.fromkeys(self._row(a, b), 1.0) for a, b in zip(first, second, strict=True)]
            return certain(linear.sigmoid(linear.log_odds(record.parameters, rows)))

        return Frozen(record, score)

    def _settings(self) -> dict[str, str]:
        return {"reads": READS[self.kind]}

    def _row(self, first: str, second: str) -> list[str]:
        """Return hashes of the words of a pair, each once: the file of a repair holds no text."""
        here = set(words(second))
        if self.kind == "second-text":
            return _named("has", here)
        before = set(words(first))
        return _named("adds", here - before) + _named("drops", before - here)


def _named(how: str, of: set[str]) -> list[str]:
    return [f"{how} {_hash(word)}" for word in sorted(of)]


@lru_cache(maxsize=1 << 16)
def _hash(word: str) -> str:
    return sha256(word.encode("utf-8", "surrogatepass"))[:_DIGITS]
