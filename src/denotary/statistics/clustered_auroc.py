"""Stratified AUROC of cases that share anchors: the weighted mean over strata, with anchors resampled.

An anchor may hold any number of cases of either kind in any stratum; drawing it twice repeats them all. With one
case of each kind in every stratum this is :func:`denotary.statistics.auroc.anchor_bootstrap`. Within a stratum,
sorted by score, the weighted number of won comparisons is a sum of products with a cumulative sum, so that a resample
costs as much as there are cases. Two scores of the same cases are compared on the same resamples. All of it is whole
numbers, so no figure depends on the order of adding.

Two things mend what percentiles miss. They are taken further out by Student's law with the anchors of the rarer kind
(the expanded percentile interval: Hesterberg, What Teachers Should Know About the Bootstrap, 2015, section 4.1). And no
resample holds a loss that the sample lacks, so the interval always reaches to the exact bound of comparisons that were
all won, over as many as have no anchor in common: nobody can be surer after a loss than without one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import bootstrap, checks
from denotary.statistics.auroc import stratified_auroc
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from denotary.statistics.bootstrap import Interval
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

_MOST_STRATA = 10_000
"""Each costs a pass over its cases a resample."""

_TOGETHER = 250
"""Resamples evaluated together: their counts fit the memory that a processor has near."""

_LEAST_TAIL = 1e-12
"""Of a percentile: beyond it lie the least and the greatest of all resamples."""

_KEPT_CELLS = 2**23
"""Cells of a table of draws up to which it is kept: the rows of an audit resample the same few sets of anchors."""


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a score separates two kinds of cases within strata.

    Attributes:
        value: mean AUROC over strata that hold both kinds, weighted by their number of cases; NaN without any.
        low: lower end of the two-sided interval; see ``method``.
        high: upper end of it.
        by_stratum: AUROC within each stratum; NaN where a kind is missing, shape (S,).
        anchors: independent anchors behind it.
        cases: cases in strata that hold both kinds.
        method: how the interval was made; empty if there is none.
    """

    value: float
    low: float
    high: float
    by_stratum: tuple[float, ...]
    anchors: int
    cases: int
    method: str


@dataclass(frozen=True, slots=True)
class SeparationDifference:
    """How much better one score separates two kinds of cases than another does, on the same cases.

    Attributes:
        value: stratified AUROC of the one less that of the other, in [-1, 1]; NaN without any.
        low: lower end of the two-sided percentile interval; NaN where no resample differs from another.
        high: upper end of it.
        anchors: independent anchors behind it.
        cases: cases in strata that hold both kinds.
    """

    value: float
    low: float
    high: float
    anchors: int
    cases: int


def separation(
    scores: ArrayLike,
    positive: ArrayLike,
    stratum: ArrayLike,
    anchor: ArrayLike,
    *,
    resamples: int = bootstrap.RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Separation:
    """Return the stratified AUROC with an interval over anchors.

    However few comparisons are lost, the lower end is at most the exact bound of a proportion that was never missed
    in K trials, where K comparisons of a stratum have no anchor in common: they are independent, each won with a
    chance that is the AUROC. The upper end is held alike. With few anchors of a kind that bound is most of what is
    known, and the interval is as wide as that. How often each end misses: ``docs/explanation/validity.md``.

    Args:
        scores: one finite score a case, shape (N,); higher means more positive.
        positive: whether the case is positive, shape (N,).
        stratum: code of its stratum, shape (N,).
        anchor: code of its anchor, shape (N,).
        resamples: bootstrap resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Raises:
        InputError: not finite, a bad code, unequal length, or more than 10,000 strata with both kinds.
    """
    resamples = checks.draws("resamples", resamples)
    by_stratum = stratified_auroc(scores, positive, stratum)
    design = _Design.of(by_stratum, scores, positive, stratum, anchor)
    parts = tuple(map(float, by_stratum))
    if not design.cases:
        return Separation(math.nan, math.nan, math.nan, parts, 0, 0, "")
    value = design.mean(by_stratum)
    draws = design.draws(scores, resamples, seed)
    found = bootstrap.interval(value, draws, units=design.units, confidence=design.expanded(confidence))
    low, high, method = _ends(found, *design.reach(confidence))
    return Separation(value, low, high, parts, design.units, design.cases, method)


def separation_difference(
    scores: ArrayLike,
    others: ArrayLike,
    positive: ArrayLike,
    stratum: ArrayLike,
    anchor: ArrayLike,
    *,
    resamples: int = bootstrap.RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> SeparationDifference:
    """Return the stratified AUROC of one score less that of another, both from the same resampled anchors.

    Args:
        scores: one finite score a case, shape (N,); higher means more positive.
        others: another score of the same cases, shape (N,).
        positive: whether the case is positive, shape (N,).
        stratum: code of its stratum, shape (N,).
        anchor: code of its anchor, shape (N,).
        resamples: bootstrap resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Raises:
        InputError: as :func:`separation`.
    """
    resamples = checks.draws("resamples", resamples)
    one = stratified_auroc(scores, positive, stratum)
    checks.same_length(
        {"scores": checks.floats("scores", scores), "others": checks.floats("others", others, ndim=1)}
    )
    other = stratified_auroc(others, positive, stratum)
    design = _Design.of(one, scores, positive, stratum, anchor)
    if not design.cases:
        return SeparationDifference(math.nan, math.nan, math.nan, 0, 0)
    value = design.mean(one) - design.mean(other)
    draws = design.draws(scores, resamples, seed) - design.draws(others, resamples, seed)
    found = bootstrap.interval(value, draws, units=design.units, confidence=design.expanded(confidence))
    known = found.state is bootstrap.State.OK
    low, high = (found.low, found.high) if known else (math.nan, math.nan)
    return SeparationDifference(value, low, high, design.units, design.cases)


@dataclass(frozen=True, slots=True)
class _Design:
    """The cases of strata that hold both kinds, whatever their scores.

    Attributes:
        used: which strata hold both kinds, shape (S,).
        weight: share of the cases in each of those.
        rows: places of their cases, stratum after stratum.
        ends: where a stratum ends among ``rows``, but for the last.
        positive: of each of ``rows``.
        unit: number of its anchor among the anchors of ``rows``, from 0 on.
        units: how many anchors that are.
    """

    used: BoolArray
    weight: FloatArray
    rows: IntArray
    ends: IntArray
    positive: BoolArray
    unit: IntArray
    units: int

    @classmethod
    def of(
        cls,
        by_stratum: FloatArray,
        scores: ArrayLike,
        positive: ArrayLike,
        stratum: ArrayLike,
        anchor: ArrayLike,
    ) -> _Design:
        values = checks.floats("scores", scores, ndim=1)
        labels = checks.flags("positive", positive, ndim=1)
        codes, size = checks.codes("stratum", stratum, len(by_stratum))
        anchors = checks.members("anchor", anchor)
        checks.same_length({"scores": values, "anchor": anchors})
        used = ~np.isnan(by_stratum)
        kept = np.flatnonzero(used[codes]) if codes.size else np.zeros(0, dtype=np.int64)
        count = np.bincount(codes[kept], minlength=size)[used]
        if len(count) > _MOST_STRATA:
            raise InputError(
                f"stratum has {len(count)} strata with both kinds; at most {_MOST_STRATA:,} are resampled"
            )
        rows = kept[np.argsort(codes[kept], kind="stable")]
        distinct, unit = np.unique(anchors[rows], return_inverse=True)
        return cls(
            used, count / max(len(rows), 1), rows, np.cumsum(count)[:-1], labels[rows], unit, len(distinct)
        )

    @property
    def cases(self) -> int:
        return len(self.rows)

    def mean(self, by_stratum: FloatArray) -> float:
        """Return the mean over the strata that hold both kinds."""
        return float(by_stratum[self.used] @ self.weight)

    def expanded(self, confidence: float) -> float:
        """Return the confidence whose percentiles lie as far out as Student's law with the anchors of the rarer kind.

        A resample spreads by the root of (n - 1) / n too little, and a normal law takes the spread for known.
        """
        from scipy.special import ndtr, stdtrit

        tail = (1.0 - checks.probability("confidence", confidence)) / 2.0
        n = max(2, min(len(np.unique(self.unit[self.positive == kind])) for kind in (True, False)))
        return 1.0 - 2.0 * max(_LEAST_TAIL, float(ndtr(math.sqrt(n / (n - 1)) * stdtrit(n - 1, tail))))

    def reach(self, confidence: float) -> tuple[float, int]:
        """Return the exact lower bound of the AUROC if every comparison were won, and over how many disjoint ones.

        Over any set of strata of weight W the AUROC is at least W times the least of theirs, and all of the K
        comparisons of that stratum are won with a chance of that AUROC to the power of K.
        """
        tail = (1.0 - confidence) / 2.0
        parts = zip(np.split(self.positive, self.ends), np.split(self.unit, self.ends), strict=True)
        order = sorted(
            ((_disjoint(*part), w) for part, w in zip(parts, self.weight, strict=True)), reverse=True
        )
        shares = np.minimum(np.cumsum([w for _, w in order]), 1.0)
        return max(
            (float(share) * tail ** (1.0 / count) if count else 0.0, count)
            for (count, _), share in zip(order, shares, strict=True)
        )

    def draws(self, scores: ArrayLike, resamples: int, seed: int) -> FloatArray:
        """Return the stratified AUROC of resampled anchors, shape (B,); the same anchors for every score."""
        checks.draws("resamples", resamples, self.units)
        values = checks.floats("scores", scores, ndim=1)[self.rows]
        columns = (np.split(column, self.ends) for column in (values, self.positive, self.unit))
        strata = [_Stratum.of(*of) for of in zip(*columns, strict=True)]
        return _draws(strata, self.weight, self.units, resamples, seed)


@dataclass(frozen=True, slots=True)
class _Stratum:
    """Cases of one stratum: the units of both kinds, and how many negatives lie below each positive.

    ``below`` counts negatives with a lower score, ``upto`` those with a score not above.
    """

    positive: IntArray
    negative: IntArray
    below: IntArray
    upto: IntArray

    @classmethod
    def of(cls, scores: FloatArray, positive: BoolArray, unit: IntArray) -> _Stratum:
        order = np.argsort(scores[~positive], kind="stable")
        low = scores[~positive][order]
        high = scores[positive]
        return cls(
            unit[positive],
            unit[~positive][order],
            np.searchsorted(low, high, "left"),
            np.searchsorted(low, high, "right"),
        )

    def auroc(self, drawn: IntArray) -> FloatArray:
        """Return the AUROC of each resample from how often each unit was drawn, shape (U, B); NaN without one kind."""
        high, low = drawn[self.positive], drawn[self.negative]
        reached = np.zeros((len(low) + 1, drawn.shape[1]), dtype=np.int64)
        np.cumsum(low, axis=0, out=reached[1:])
        beaten = reached[self.below]
        beaten += reached[self.upto]
        wins = np.einsum("pb,pb->b", high, beaten) / 2.0
        return quotient(wins, high.sum(axis=0) * reached[-1])


def _draws(strata: list[_Stratum], weight: FloatArray, units: int, resamples: int, seed: int) -> FloatArray:
    """Return the weighted mean AUROC of each resample, shape (B,)."""
    made = _counts if units * resamples <= _KEPT_CELLS else _counts.__wrapped__
    counts = made(units, resamples, seed)
    values = np.zeros(resamples)
    for start in range(0, resamples, _TOGETHER):
        part = slice(start, start + _TOGETHER)
        drawn = np.ascontiguousarray(counts[part].T, dtype=np.int64)
        for w, stratum in zip(weight, strata, strict=True):
            values[part] += w * stratum.auroc(drawn)
    return values


@lru_cache(maxsize=64)
def _counts(units: int, resamples: int, seed: int) -> NDArray[np.integer]:
    """Return how often each unit is drawn, shape (resamples, units), in the smallest whole numbers that hold it."""
    rng = np.random.Generator(np.random.Philox(seed))
    counts = rng.multinomial(units, np.full(units, 1.0 / units), size=resamples)
    return counts.astype(np.min_scalar_type(int(counts.max())))


def _disjoint(positive: BoolArray, unit: IntArray) -> int:
    """Return how many comparisons of a positive with a negative there can be of which no two share an anchor.

    Anchors with one kind alone are compared with each other, what is left of them with anchors that hold both kinds,
    and those with one another.
    """
    ahead, behind = (set(unit[positive == kind].tolist()) for kind in (True, False))
    both = len(ahead & behind)
    fewer, more = sorted((len(ahead) - both, len(behind) - both))
    mixed = min(more - fewer, both)
    return fewer + mixed + (both - mixed) // 2


def _ends(found: Interval, reach: float, disjoint: int) -> tuple[float, float, str]:
    """Return the ends of the interval and their method."""
    resampled = found.state is bootstrap.State.OK
    alike = found.state is bootstrap.State.DEGENERATE and found.value in {0.0, 1.0}
    if not disjoint or not (resampled or alike):
        return math.nan, math.nan, ""
    low, high = min(found.low, reach), max(found.high, 1.0 - reach)
    if alike:
        return low, high, f"exact, {disjoint:,} disjoint comparisons, all alike"
    method = f"anchors resampled, {found.resamples:,} times"
    reached = low < found.low or high > found.high
    return low, high, f"{method}, and {disjoint:,} disjoint comparisons" if reached else method
