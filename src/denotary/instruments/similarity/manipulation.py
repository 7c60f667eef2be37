"""The manipulation check: was overlap held equal between the decisions? It is made before any score is looked at.

A corpus in which opposite pairs share more words than same ones makes every lexical score look inverted, and one
in which they share fewer makes it look as if it read meaning. So the difference of overlap, same less opposite,
must lie within a tolerance with its whole interval, in every stratum, task and half; a p-value alone would pass a
small corpus for being small.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.instruments.similarity.baselines import content_jaccard
from denotary.instruments.similarity.pairs import CLOSE, DISTANT
from denotary.statistics import bootstrap
from denotary.suites.loading import safe_name
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import FloatArray

TOLERANCE = 0.02
"""Largest difference of mean overlap, same less opposite, that is called balanced."""
SEPARATION = 0.30
"""Least difference of mean overlap between the poles, by its lower bound."""
FEWEST = 10
"""Anchors of a task in a half below which balance cannot be told: two anchors alike have an interval of no width."""
FLIPS = 10_000
"""Random sign flips of the permutation test."""
SIGNS = 1 << 23
"""Signs held at once: all flips of an anchor corpus of usual size; the draws do not depend on it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of mean overlap with its 95 % interval over anchors; NaN where it does not exist."""

    value: float
    low: float
    high: float
    anchors: int


@dataclass(frozen=True, slots=True)
class Balance:
    """Same less opposite within one stratum.

    Attributes:
        pole: ``close`` or ``distant``.
        p: two-sided permutation p of no difference, the decision exchanged within anchors; shown, never a bar.
    """

    pole: str
    difference: Difference
    p: float

    @property
    def holds(self) -> bool:
        """Whether the whole interval lies within the tolerance."""
        return self.difference.low >= -TOLERANCE and self.difference.high <= TOLERANCE


@dataclass(frozen=True, slots=True)
class Check:
    """The manipulation check of one task in one half.

    Attributes:
        balance: of each stratum.
        separation: overlap at the close pole less that at the distant one.
        coupling: same less opposite over all pairs: what a reader of the score would see without strata.
    """

    task: str
    half: str
    anchors: int
    balance: tuple[Balance, ...]
    separation: Difference
    coupling: Difference

    @property
    def holds(self) -> bool:
        """Whether there are anchors enough, overlap is balanced in every stratum and the poles lie apart."""
        return not self.faults

    @property
    def faults(self) -> list[str]:
        """What does not hold, one sentence each."""
        where = " ".join(filter(None, (self.task, self.half and f"half {self.half}")))
        faults = [
            f"{where}, {item.pole} pairs: overlap of same less opposite {shown(item.difference)} "
            f"does not lie within ±{TOLERANCE}"
            if np.isfinite(item.difference.value)
            else f"{where}, {item.pole} pairs: overlap of same and opposite cannot be compared; one of them is absent"
            for item in self.balance
            if not item.holds
        ]
        if self.anchors < FEWEST:
            faults.append(f"{where}: {plural(self.anchors, 'anchor')}; balance can be told from {FEWEST} on")
        if not self.separation.low >= SEPARATION:
            faults.append(
                f"{where}: the poles lie {shown(self.separation)} apart; expected at least {SEPARATION}"
                if np.isfinite(self.separation.value)
                else f"{where}: there are no close or no distant pairs, so that the poles cannot be compared"
            )
        return faults


def shown(found: Difference) -> str:
    """Return a difference with its interval as text."""
    if np.isnan(found.low):
        return f"{found.value:+.3f} [no interval: {found.anchors} anchors]"
    return f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def checks(pairs: Pairs) -> list[Check]:
    """Return the manipulation check of every task in every half; pairs without a half are one of their own."""
    return [
        _check(pairs.where(mask), task, half)
        for task in sorted(set(pairs.task))
        for half in sorted(set(pairs.half))
        for mask in [pairs.of(task=task, half=half)]
        if mask.any()
    ]


def all_faults(pairs: Pairs, found: Sequence[Check]) -> list[str]:
    """Return what does not hold of a corpus, one sentence each: of its checks, and of its anchors as units."""
    if not found:
        return ["no pairs"]
    return [*(fault for check in found for fault in check.faults), *_repeated(pairs)]


def _repeated(pairs: Pairs) -> Iterator[str]:
    """Yield what is wrong where pairs stand once more under another anchor, which is no further evidence.

    Texts that differ in case, width, spacing or punctuation alone are one, and so is a pair turned round.
    """
    first: dict[tuple[str, bool, str, str], str] = {}
    again = []
    for task, same, alike, anchor in zip(
        pairs.task, pairs.same.tolist(), pairs.wordings, pairs.anchor, strict=True
    ):
        known = first.setdefault((task, same, *alike), anchor)
        if known != anchor:
            again.append((known, anchor))
    if again:
        names = " and ".join(safe_name(name) for name in again[0])
        yield f"{plural(len(again), 'pair')} under a second anchor, first of {names}; equal pairs must share theirs"


def content_checks(pairs: Pairs) -> list[Check]:
    """Return the same figures of overlap without closed-class words: they describe a corpus and are no bar.

    Overlap was matched on all words. Pairs that are alike in it may still differ in which words they share, and a score
    that weighs content words more then leans with them.
    """
    return checks(replace(pairs, overlap=content_jaccard(list(pairs.first), list(pairs.second))))


def require(pairs: Pairs) -> list[Check]:
    """Return the checks of a corpus that passes all of them.

    Raises:
        InputError: it does not; nothing may be concluded from any score on it.
    """
    found = checks(pairs)
    faults = all_faults(pairs, found)
    if faults:
        raise InputError(
            "the manipulation check fails, so that no score on this corpus could be told from wording: "
            + "; ".join(faults),
            hint="match the overlap of same and opposite variants anchor by anchor: denotary similarity check",
        )
    return found


def _check(pairs: Pairs, task: str, half: str) -> Check:
    close, same = pairs.close, pairs.same
    return Check(
        task=task,
        half=half,
        anchors=len(set(pairs.anchor)),
        balance=tuple(
            Balance(pole, _difference(pairs, same & mask, ~same & mask), _p(pairs, mask))
            for pole, mask in ((CLOSE, close), (DISTANT, ~close))
        ),
        separation=_difference(pairs, close, ~close),
        coupling=_difference(pairs, same, ~same),
    )


def _difference(pairs: Pairs, first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Difference:
    """Return the difference of mean overlap between two sets of pairs, anchors resampled."""
    sums = np.column_stack(
        [column for mask in (first, second) for column in _sums(pairs.codes, pairs.overlap, mask)]
    )
    draws = bootstrap.resampled_sums(sums)
    total = sums.sum(axis=0)[np.newaxis]
    anchors = int(np.any(sums[:, [1, 3]] > 0, axis=1).sum())
    found = bootstrap.interval(float(_mean_difference(total)[0]), _mean_difference(draws), units=anchors)
    return Difference(found.value, found.low, found.high, anchors)


def _mean_difference(sums: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        difference: FloatArray = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    return difference


def _sums(codes: NDArray[np.int64], values: FloatArray, mask: NDArray[np.bool_]) -> Iterator[FloatArray]:
    size = int(codes.max(initial=-1)) + 1
    yield np.bincount(codes[mask], values[mask], size).astype(np.float64)
    yield np.bincount(codes[mask], minlength=size).astype(np.float64)


def _p(pairs: Pairs, mask: NDArray[np.bool_]) -> float:
    """Return the p of exchanging the decisions within anchors; NaN where an anchor lacks one of them."""
    same, opposite = (list(_sums(pairs.codes, pairs.overlap, mask & of)) for of in (pairs.same, ~pairs.same))
    held = (same[1] > 0) | (opposite[1] > 0)
    if not held.any() or np.any((same[1][held] != 1) | (opposite[1][held] != 1)):
        return float("nan")
    differences = (same[0] - opposite[0])[held]
    rng = np.random.Generator(np.random.Philox(0))
    at_once = max(1, SIGNS // len(differences))
    reached = 0
    for start in range(0, FLIPS, at_once):
        signs = rng.integers(0, 2, size=(min(at_once, FLIPS - start), len(differences)))
        moved = (2.0 * signs - 1.0) @ differences
        # A hair of slack, so that sums that differ by rounding alone count as equal.
        reached += int(np.sum(np.abs(moved) >= abs(differences.sum()) - 1e-12))
    return (1 + reached) / (1 + FLIPS)
