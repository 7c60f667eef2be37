"""What a repair is: fitted on the pairs of one half, then frozen; a frozen repair scores pairs and may abstain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from denotary.canonical import digest
from denotary.instruments.similarity.configurations import Configuration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.repairs.records import FittedOn, FittedRepair
    from denotary.statistics.checks import BoolArray, FloatArray

UNDECIDED = 0.5
"""Score of a pair on which a repair abstains; from above it on a pair is approved as the same."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a repair says of N pairs.

    Attributes:
        scores: how surely both texts mean the same, in [0, 1], 0.5 where it abstains.
        abstained: where it does not tell.
        failed: where nothing came back in time or in form; such a pair is judged wrongly decided, whatever is right.
    """

    scores: FloatArray
    abstained: BoolArray
    failed: BoolArray

    def order(self, same: BoolArray) -> FloatArray:
        """Return the scores, a failure at the wrong end of what is right, shape (N,)."""
        return np.where(self.failed, np.where(same, 0.0, 1.0), self.scores)

    def approved(self, same: BoolArray) -> BoolArray:
        """Return what is approved, a failure wrongly whatever is right, shape (N,)."""
        return np.where(self.failed, ~same, self.scores > UNDECIDED)


@dataclass(frozen=True, slots=True, repr=False)
class Frozen:
    """A fitted repair that nothing changes any more.

    Attributes:
        record: all that was fitted, as it stands in a file.
        score: pairs to what it says of them.
    """

    record: FittedRepair
    score: Callable[[Sequence[str], Sequence[str]], Scored]

    def __repr__(self) -> str:
        return f"<Frozen {self.record.name} {self.digest[:12]}>"

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of the record."""
        return digest(self.record)

    def scores(self, first: Sequence[str], second: Sequence[str]) -> FloatArray:
        """Return one score a pair: 0.5 where it abstains, 1 where it failed, for an error approves."""
        found = self.score(first, second)
        return np.where(found.failed, 1.0, found.scores)

    def abstains(self, first: Sequence[str], second: Sequence[str]) -> BoolArray:
        """Return where it abstains, shape (N,)."""
        return self.score(first, second).abstained

    def configuration(self) -> Configuration:
        """Return the repair as a configuration of the audit, with its digest as checkpoint."""
        settings = {"repair": self.record.kind, "digest": self.digest, **self.record.settings}
        return Configuration(self.record.name, self.digest, self.scores, settings)


class Repair(Protocol):
    """A way to decide whether two texts mean the same, before anything was fitted."""

    @property
    def name(self) -> str:
        """As printed."""

    def fit(self, half: Corpus) -> Frozen:
        """Return the repair fitted on the pairs of one half.

        Raises:
            InputError: there are not both kinds of pairs.
        """


def fitted_on(half: Corpus) -> FittedOn:
    """Return the record of what a repair was fitted on."""
    from denotary.instruments.similarity.repairs.contents import pair_hashes
    from denotary.instruments.similarity.repairs.records import FittedOn

    return FittedOn(
        corpus=half.name,
        corpus_sha256=half.digest,
        halves=half.pairs.values("half"),
        pairs=len(half.pairs),
        anchors=len(set(half.pairs.anchor)),
        pair_hashes=tuple(sorted(set(pair_hashes(half.pairs)))),
    )


def certain(scores: FloatArray) -> Scored:
    """Return scores of something that neither abstains nor fails."""
    none = np.zeros(len(scores), dtype=np.bool_)
    return Scored(scores, none, none)
