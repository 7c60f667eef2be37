"""Stratified AUROC of cases that share anchors: the weighted mean over strata, with anchors resampled.

An anchor may hold any number of cases of either kind in any stratum; drawing it twice repeats them all. With one
case of each kind in every stratum this is :func:`denotary.statistics.auroc.anchor_bootstrap`. Within a stratum,
sorted by score, the weighted number of won comparisons is a sum of products with a cumulative sum, so that a resample
costs as much as there are cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import bootstrap, checks
from denotary.statistics.auroc import stratified_auroc
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from denotary.statistics.bootstrap import Interval
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

_MOST_STRATA = 10_000
"""Each costs a pass over its cases a resample."""


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

    Where every comparison is won (or lost) no resample differs from another. The interval then reaches to the exact
    bound of a proportion that was never missed in ``anchors // 2`` trials: anchors taken two and two are independent
    comparisons, each won with a chance that is the AUROC.

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
    values = checks.floats("scores", scores, ndim=1)
    labels = checks.flags("positive", positive, ndim=1)
    codes, size = checks.codes("stratum", stratum, len(by_stratum))
    units = checks.members("anchor", anchor)
    checks.same_length({"scores": values, "anchor": units})
    used = ~np.isnan(by_stratum)
    kept = used[codes] if codes.size else np.zeros(0, dtype=np.bool_)
    weight = np.bincount(codes[kept], minlength=size) / max(int(kept.sum()), 1)
    distinct, unit = np.unique(units[kept], return_inverse=True)
    parts = tuple(map(float, by_stratum))
    if not kept.any():
        return Separation(math.nan, math.nan, math.nan, parts, 0, 0, "")
    value = float(by_stratum[used] @ weight[used])
    checks.draws("resamples", resamples, len(distinct))
    if int(used.sum()) > _MOST_STRATA:
        raise InputError(
            f"stratum has {int(used.sum())} strata with both kinds; at most {_MOST_STRATA:,} are resampled"
        )
    order = np.argsort(codes[kept], kind="stable")
    ends = np.cumsum(np.bincount(codes[kept], minlength=size)[used])[:-1]
    strata = [
        _Stratum.of(values[kept][mine], labels[kept][mine], unit[mine]) for mine in np.split(order, ends)
    ]
    draws = np.concatenate(list(_draws(strata, weight[used], len(distinct), resamples, seed)))
    found = bootstrap.interval(value, draws, units=len(distinct), confidence=confidence)
    low, high, method = _ends(found, len(distinct), confidence)
    return Separation(value, low, high, parts, len(distinct), int(kept.sum()), method)


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

    def auroc(self, drawn: FloatArray) -> FloatArray:
        """Return the AUROC of each resample from how often each unit was drawn, shape (B, U); NaN without one kind."""
        high, low = drawn[:, self.positive], drawn[:, self.negative]
        reached = np.concatenate([np.zeros((len(drawn), 1)), np.cumsum(low, axis=1)], axis=1)
        beaten = (reached[:, self.below] + reached[:, self.upto]) / 2.0
        return quotient(np.einsum("bp,bp->b", high, beaten), high.sum(axis=1) * low.sum(axis=1))


def _draws(
    strata: list[_Stratum], weight: FloatArray, units: int, resamples: int, seed: int
) -> Iterator[FloatArray]:
    rng = np.random.Generator(np.random.Philox(seed))
    even = np.full(units, 1.0 / units)
    counts = rng.multinomial(units, even, size=resamples).astype(np.float64)
    for start in range(0, resamples, bootstrap.BLOCK):
        drawn = counts[start : start + bootstrap.BLOCK]
        yield sum(
            (w * part.auroc(drawn) for w, part in zip(weight, strata, strict=True)), np.zeros(len(drawn))
        )


def _ends(found: Interval, anchors: int, confidence: float) -> tuple[float, float, str]:
    """Return the ends of the interval and their method."""
    if found.state is bootstrap.State.OK:
        return found.low, found.high, f"anchors resampled, {found.resamples:,} times"
    pairs = anchors // 2
    if found.state is not bootstrap.State.DEGENERATE or found.value not in {0.0, 1.0} or pairs == 0:
        return math.nan, math.nan, ""
    reach = ((1.0 - confidence) / 2.0) ** (1.0 / pairs)
    ends = (reach, 1.0) if found.value == 1.0 else (0.0, 1.0 - reach)
    return *ends, f"exact, {pairs:,} disjoint pairs of anchors, all alike"
