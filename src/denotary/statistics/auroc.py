"""Separation of two kinds of cases by a score: AUROC with its variance, strata, anchors and exact tests.

AUROC is the chance that a positive scores above a negative, a tie counting one half. At AUROC 0 or 1 the
DeLong variance and every bootstrap collapse to zero width: print the exact p-value and its floor instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import comb, exp, log
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.errors import InputError
from denotary.statistics import bootstrap, checks
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

_ENUMERATE = 14
"""Up to this many anchors all sign flips are enumerated."""

_EXACT_CASES = 200
"""Up to this many cases the unrestricted permutation distribution is computed exactly."""

_COUNTED = 1000
"""Up to so many of the rarer kind the arrangements are counted in whole numbers."""

_BLOCK = 1000
"""Random flips compared at once."""


@dataclass(frozen=True, slots=True)
class Auroc:
    """AUROC and the variance of its estimate.

    Attributes:
        value: NaN unless both kinds of cases exist.
        variance: DeLong's; NaN unless there are two of each kind.
        positives: number of positive cases.
        negatives: number of negative cases.
    """

    value: float
    variance: float
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A two-sided permutation test of AUROC = 1/2.

    Attributes:
        value: the observed AUROC.
        p: share of arrangements at least as far from 1/2, the observed one included.
        floor: the smallest p that any outcome of this design could give, at the arrangements that were compared.
        arrangements: how many were compared; all of them if exact.
        exact: whether all were compared.
    """

    value: float
    p: float
    floor: float
    arrangements: int
    exact: bool


def auroc(scores: ArrayLike, positive: ArrayLike) -> Auroc:
    """Return AUROC with DeLong's variance; DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988).

    Args:
        scores: one finite score a case, shape (N,); higher means more positive.
        positive: whether the case is positive, shape (N,).

    Raises:
        InputError: not finite, or unequal length.
    """
    values, labels = _cases(scores, positive)
    _, position = np.unique(values, return_inverse=True)
    width = int(position.max(initial=-1)) + 1
    high = np.bincount(position[labels], minlength=width)
    low = np.bincount(position[~labels], minlength=width)
    m, n = int(high.sum()), int(low.sum())
    if m == 0 or n == 0:
        return Auroc(math.nan, math.nan, m, n)
    beaten = (np.cumsum(low) - low / 2.0) / n
    beating = (m - np.cumsum(high) + high / 2.0) / m
    value = float(high @ beaten) / m
    if min(m, n) == 1:
        return Auroc(value, math.nan, m, n)
    spread_high = float(high @ (beaten - value) ** 2) / (m - 1)
    spread_low = float(low @ (beating - value) ** 2) / (n - 1)
    return Auroc(value, spread_high / m + spread_low / n, m, n)


def delong_interval(found: Auroc, confidence: float = 0.95) -> tuple[float, float]:
    """Return the normal interval clipped to [0, 1]; NaN where the variance is zero or unknown.

    Args:
        found: AUROC and its variance.
        confidence: nominal coverage, in (0, 1).

    Raises:
        InputError: a confidence outside (0, 1).
    """
    from scipy.special import ndtri

    tail = (1.0 - checks.probability("confidence", confidence)) / 2.0
    if not found.variance > 0.0:
        return math.nan, math.nan
    half = -float(ndtri(tail)) * found.variance**0.5
    return max(0.0, found.value - half), min(1.0, found.value + half)


def stratified_auroc(
    scores: ArrayLike, positive: ArrayLike, stratum: ArrayLike, strata: int | None = None
) -> FloatArray:
    """Return the AUROC within each stratum, shape (S,); NaN where a kind of case is missing.

    Args:
        scores: one finite score a case, shape (N,).
        positive: whether the case is positive, shape (N,).
        stratum: code of the case's stratum, shape (N,).
        strata: number of strata, if more than the largest code + 1.

    Raises:
        InputError: not finite, a bad code, or unequal length.
    """
    values, labels = _cases(scores, positive)
    codes, size = checks.codes("stratum", stratum, strata)
    checks.same_length({"scores": values, "stratum": codes})
    order = np.lexsort((values, codes))
    ranked, group, label = values[order], codes[order], labels[order]
    fresh = np.append(True, (ranked[1:] != ranked[:-1]) | (group[1:] != group[:-1]))[: order.size]
    block = np.cumsum(fresh) - 1
    high = np.bincount(block, weights=label)
    low = np.bincount(block, weights=~label)
    owner = group[fresh]
    m, n = np.bincount(owner, high, size), np.bincount(owner, low, size)
    before = np.cumsum(n) - n
    wins = np.bincount(owner, high * (np.cumsum(low) - low / 2.0 - before[owner]), size)
    return quotient(wins, m * n)


def anchor_bootstrap(
    positive: ArrayLike,
    negative: ArrayLike,
    *,
    resamples: int = bootstrap.RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> bootstrap.Interval:
    """Return the mean AUROC over strata with anchors resampled jointly in all of them.

    An anchor holds one positive and one negative score a stratum; drawing it twice repeats both everywhere.
    With w the draws, AUROC is the quadratic form w' P w / A**2 of the comparison matrix P, so the mean over
    strata needs only the mean matrix.

    Args:
        positive: positive score of each anchor, shape (S, A), or (A,) for one stratum.
        negative: negative score of each anchor, same shape.
        resamples: number of resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Raises:
        InputError: not finite, or shapes that differ.
    """
    high, low = _anchors(positive, negative)
    anchors = high.shape[1]
    wins = np.sum([_doubled_wins(h, v) for h, v in zip(high, low, strict=True)], axis=0, dtype=np.float64)
    pairs = high.shape[0] * anchors**2
    draws = bootstrap.resampled_sums(np.eye(anchors), resamples=resamples, seed=seed)
    values = np.einsum("bi,bi->b", draws @ wins, draws) / (2 * pairs)
    observed = float(wins.sum()) / (2 * pairs)
    return bootstrap.interval(observed, values, units=anchors, confidence=confidence)


def anchor_permutation(
    positive: ArrayLike, negative: ArrayLike, *, flips: int = 10_000, seed: int = 0
) -> PermutationTest:
    """Test AUROC = 1/2 by exchanging the two scores within anchors.

    Exchanging two scores leaves the ranks of all scores of the stratum as they are, so the number of wins, which is
    the sum of the positives' ranks less a constant, moves by a rank difference an anchor. With s the flips (0 or 1)
    the doubled number of wins is c + d' s in whole numbers, and arrangements are compared exactly.

    Args:
        positive: positive score of each anchor, shape (S, A), or (A,) for one stratum.
        negative: negative score of each anchor, same shape; flips are joint over strata.
        flips: random flips when there are too many anchors to enumerate.
        seed: of the flips.

    Raises:
        InputError: not finite, shapes that differ, or no flip.
    """
    high, low = _anchors(positive, negative)
    anchors = high.shape[1]
    ranks = [_doubled_midranks(np.concatenate(both)) for both in zip(high, low, strict=True)]
    ours, theirs = np.sum(ranks, axis=0).reshape(2, anchors)
    pairs = high.shape[0] * anchors**2
    wins = int(ours.sum()) - high.shape[0] * anchors * (anchors + 1)
    moves = (theirs - ours).astype(np.float64)
    exact = anchors <= _ENUMERATE
    total = 2**anchors if exact else checks.draws("flips", flips)
    reached = 0
    for drawn in _flips(anchors, total, None if exact else seed):
        moved = wins + drawn.astype(np.float64) @ moves
        reached += int(np.sum(np.abs(moved - pairs) >= abs(wins - pairs)))
    p = reached / total if exact else (1 + reached) / (1 + total)
    floor = min(1.0, 2.0 ** (1 - anchors))
    return PermutationTest(
        wins / (2 * pairs), p, floor if exact else max(floor, 1 / (1 + total)), total, exact
    )


def permutation_floor(positives: int, negatives: int) -> float:
    """Return the smallest two-sided p of an unrestricted permutation: 2 / C(m + n, m), at most 1.

    Raises:
        InputError: a negative or fractional count.
    """
    m = int(checks.counts("positives", positives, ndim=0))
    n = int(checks.counts("negatives", negatives, ndim=0))
    if min(m, n) <= _COUNTED:
        return min(1.0, 2 / comb(m + n, m))
    from scipy.special import betaln

    # C(m + n, m) is 1 / ((m + n + 1) B(m + 1, n + 1)).
    return 2.0 * exp(log(m + n + 1.0) + float(betaln(m + 1.0, n + 1.0)))


def exact_permutation(scores: ArrayLike, positive: ArrayLike) -> PermutationTest:
    """Test AUROC = 1/2 over all ways to choose the positives: the exact Mann-Whitney test, ties included.

    Counts subsets by size and doubled midrank sum, one case at a time.

    Args:
        scores: one finite score a case, shape (N,), N at most 200.
        positive: whether the case is positive, shape (N,).

    Raises:
        InputError: not finite, unequal length, one kind missing, or more than 200 cases.
    """
    values, labels = _cases(scores, positive)
    m, n = int(labels.sum()), int((~labels).sum())
    if min(m, n) == 0:
        raise InputError(f"{m} positive and {n} negative cases; the test needs both kinds")
    if m + n > _EXACT_CASES:
        raise InputError(
            f"{m + n} cases; the exact test takes at most {_EXACT_CASES}: use the DeLong interval"
        )
    doubled = _doubled_midranks(values)
    ways = np.zeros((m + 1, int(doubled.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    centre = m * (m + n + 1)
    far = np.abs(np.arange(ways.shape[1]) - centre) >= abs(int(doubled[labels].sum()) - centre)
    p = float(ways[m, far].sum() / ways[m].sum())
    observed = (float(doubled[labels].sum()) / 2.0 - m * (m + 1) / 2.0) / (m * n)
    return PermutationTest(observed, p, permutation_floor(m, n), comb(m + n, m), exact=True)


def _cases(scores: ArrayLike, positive: ArrayLike) -> tuple[FloatArray, BoolArray]:
    """Return checked scores and labels of one length."""
    values = checks.floats("scores", scores, ndim=1)
    labels = checks.flags("positive", positive, ndim=1)
    checks.same_length({"scores": values, "positive": labels})
    return values, labels


def _anchors(positive: ArrayLike, negative: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return scores of shape (S, A)."""
    high = checks.floats("positive", positive)
    low = checks.floats("negative", negative)
    if high.shape != low.shape or high.ndim not in {1, 2} or high.size == 0:
        raise InputError(
            f"positive {high.shape} and negative {low.shape}; expected one shape (strata, anchors)"
        )
    return np.atleast_2d(high), np.atleast_2d(low)


def _flips(anchors: int, total: int, seed: int | None) -> Iterator[NDArray[Any]]:
    """Yield blocks of flips, shape (block, A): all of them, or random ones where a seed is given."""
    rng = np.random.Generator(np.random.Philox(seed or 0))
    for start in range(0, total, _BLOCK):
        count = min(_BLOCK, total - start)
        if seed is None:
            yield (np.arange(start, start + count)[:, np.newaxis] >> np.arange(anchors)) & 1
        else:
            octets = rng.integers(0, 256, size=(count, -(-anchors // 8)), dtype=np.uint8)
            yield np.unpackbits(octets, axis=1, count=anchors)


def _doubled_midranks(values: FloatArray) -> IntArray:
    """Return twice the ranks from 1 on, ties at their mean rank, shape (N,)."""
    _, position, tie = np.unique(values, return_inverse=True, return_counts=True)
    ranks: IntArray = (2 * np.cumsum(tie) - tie + 1)[position]
    return ranks


def _doubled_wins(first: FloatArray, second: FloatArray) -> IntArray:
    """Return 2 where the row's score is above the column's, 1 where they tie, shape (A, A)."""
    ahead = first[:, np.newaxis] > second[np.newaxis]
    level = first[:, np.newaxis] == second[np.newaxis]
    wins: IntArray = 2 * ahead.astype(np.int64) + level
    return wins
