"""Are confidences honest: reliability bins and the scores computed from them.

Bins are closed on the right, (i/B, (i + 1)/B], the first also on the left; edges are the correctly rounded
fractions, in the precision the confidences came in, so a confidence of 0.3 lies on the edge it names.
Equal-width expected calibration error: Guo et al., ICML 2017. The plug-in error is biased upwards, the more
so the fewer cases a bin holds: print :func:`null_error` beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.errors import InputError
from denotary.statistics import binomial, checks
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

BINS = 15
"""Bins of the published figures."""

_PART = 2**14
"""Cases binned at once, so that what lies between stays in the cache."""

_BLOCK = 2**22
"""Random numbers held at once when the null distribution is simulated."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Sufficient statistics of reliability bins; arrays of shape (G, B), G = 1 without groups.

    Attributes:
        count: cases in the bin.
        correct: correct cases in the bin.
        confidence: sum of confidences in the bin.
        cross: sum of confidences of the correct cases in the bin.
        edges: upper ends of the bins, shape (B,).
        squares: sum of squared confidences in the bin; None in a table by groups, which has no use for it.
    """

    count: IntArray
    correct: IntArray
    confidence: FloatArray
    cross: FloatArray
    edges: FloatArray
    squares: FloatArray | None

    def gaps(self) -> FloatArray:
        """Return |accuracy - mean confidence| of each bin, 0 where it is empty."""
        return np.abs(self.correct - self.confidence) / np.maximum(self.count, 1)

    def accuracy(self) -> FloatArray:
        """Return the accuracy of each bin, NaN where it is empty."""
        return quotient(self.correct, self.count)

    def mean_confidence(self) -> FloatArray:
        """Return the mean confidence of each bin, NaN where it is empty."""
        return quotient(self.confidence, self.count)


@dataclass(frozen=True, slots=True)
class BrierScore:
    """The Brier score and its decomposition over bins; Murphy, J. Appl. Meteorol. 12 (1973).

    score = reliability - resolution + uncertainty + within, where ``within`` collects the variance of
    confidences inside bins (Stephenson et al., Weather and Forecasting 23, 2008); it is 0 when every bin
    holds one distinct confidence.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


@dataclass(frozen=True, slots=True)
class NullError:
    """The calibration error that perfectly calibrated confidences would show.

    Attributes:
        observed: expected calibration error of the data.
        expected: its mean under perfect calibration, at these confidences.
        p: share of simulated errors at least as large as the observed one, (1 + hits) / (1 + repeats).
        repeats: simulated data sets.
    """

    observed: float
    expected: float
    p: float
    repeats: int


def equal_width(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = BINS,
    group: ArrayLike | None = None,
    groups: int | None = None,
) -> Reliability:
    """Return reliability bins of equal width.

    Args:
        confidence: one value a case in [0, 1], shape (N,).
        correct: whether the answer was right, shape (N,).
        bins: number of bins.
        group: code of the case's group, shape (N,); one group by default.
        groups: number of groups, if more than the largest code + 1.

    Raises:
        InputError: NaN, a confidence outside [0, 1] (1.0000001 included), or unequal length.
    """
    scores, right = _checked(confidence, correct)
    given = np.asarray(confidence).dtype
    precision = given if given.kind == "f" else scores.dtype
    checks.fits("bins", checks.positive("bins", bins), 2)
    edges = (np.arange(1, bins + 1) / bins).astype(precision).astype(np.float64)
    near = 4.0 * bins * float(np.finfo(precision).eps)
    if group is None:
        return _tabulate(_cells(scores, right, edges, near), scores, 1, edges, squares=True)
    code, size = checks.codes("group", group, groups)
    checks.same_length({"confidence": scores, "group": code})
    checks.fits("group by bins", size, bins, 2)
    return _tabulate(_cells(scores, right, edges, near, code), scores, size, edges, squares=False)


def equal_mass(confidence: ArrayLike, correct: ArrayLike, bins: int = BINS) -> Reliability:
    """Return reliability bins of about equal size; equal confidences always share a bin.

    Ties can leave fewer bins than asked for; arguments and errors as :func:`equal_width`.
    """
    scores, right = _checked(confidence, correct)
    # More bins than cases are as many as there are cases.
    ranked, bins = np.sort(scores), min(checks.positive("bins", bins), max(scores.size, 1))
    # In whole numbers: the product of a rounded quotient can lie just above the number of cases.
    ends = -(-np.arange(1, bins + 1) * ranked.size // bins) - 1
    edges = np.unique(ranked[ends]) if ranked.size else np.ones(1)
    return _tabulate(2 * np.searchsorted(edges, scores) + right, scores, 1, edges, squares=True)


def expected_calibration_error(table: Reliability) -> FloatArray:
    """Return the mean gap weighted by bin size, one value a group, shape (G,); NaN for an empty group."""
    return quotient((table.gaps() * table.count).sum(axis=1), table.count.sum(axis=1))


def maximum_calibration_error(table: Reliability) -> FloatArray:
    """Return the largest gap of any bin, one value a group, shape (G,); NaN for an empty group."""
    return np.where(table.count.sum(axis=1) > 0, table.gaps().max(axis=1), np.nan)


def accuracy_intervals(table: Reliability, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return exact two-sided intervals of each bin's accuracy, shape (G, B); [0, 1] where it is empty."""
    tail = (1.0 - checks.probability("confidence", confidence)) / 2.0
    return (
        binomial.lower(table.correct, table.count, tail),
        binomial.upper(table.correct, table.count, tail),
    )


def brier(table: Reliability) -> BrierScore:
    """Return the Brier score of a table without groups, and its decomposition over the bins.

    Raises:
        InputError: a table with groups.
    """
    if table.squares is None:
        raise InputError(f"table is by groups ({table.count.shape[0]}); the Brier score takes one without")
    count = table.count[0]
    n = float(count.sum())
    if n == 0.0:
        return BrierScore(*[math.nan] * 5)
    held = count > 0
    mean = table.confidence[0][held] / count[held]
    rate = table.correct[0][held] / count[held]
    base = float(table.correct.sum()) / n
    score = float((table.squares - 2.0 * table.cross + table.correct).sum()) / n
    reliability = float(count[held] @ (mean - rate) ** 2) / n
    resolution = float(count[held] @ (rate - base) ** 2) / n
    uncertainty = base * (1.0 - base)
    spread = float((table.squares[0][held] - count[held] * mean**2).sum())
    covariance = float((table.cross[0][held] - count[held] * mean * rate).sum())
    return BrierScore(score, reliability, resolution, uncertainty, (spread - 2.0 * covariance) / n)


def negative_log_likelihood(confidence: ArrayLike, correct: ArrayLike, floor: float = 0.0) -> float:
    """Return the mean negative log likelihood in nats; NaN without cases.

    Args:
        confidence: one value a case in [0, 1], shape (N,).
        correct: whether the answer was right, shape (N,).
        floor: confidences are moved into [floor, 1 - floor]. With 0 the result is infinite where a case was
            given no chance, as it should be.

    Raises:
        InputError: as :func:`equal_width`, or a floor outside [0, 0.5).
    """
    from scipy.special import xlog1py, xlogy

    scores, right = _checked(confidence, correct)
    least = float(checks.floats("floor", floor, low=0.0, high=0.5 - 1e-9, ndim=0))
    if scores.size == 0:
        return math.nan
    held = np.clip(scores, least, 1.0 - least)
    return -float(np.mean(xlogy(right, held) + xlog1py(~right, -held)))


def null_error(
    confidence: ArrayLike, correct: ArrayLike, bins: int = BINS, *, repeats: int = 1000, seed: int = 0
) -> NullError:
    """Compare the equal-width error with what perfect calibration would show by chance.

    Correctness is redrawn from the confidences themselves: a consistency resampling after Broecker and
    Smith, Weather and Forecasting 22 (2007). Takes about repeats x N x 10 ns.

    Args:
        confidence: one value a case in [0, 1], shape (N,).
        correct: whether the answer was right, shape (N,).
        bins: number of bins.
        repeats: simulated data sets.
        seed: of the simulation.

    Raises:
        InputError: as :func:`equal_width`, no case, or no repeat.
    """
    scores, _ = _checked(confidence, correct)
    if scores.size == 0:
        raise InputError("confidence is empty; an error needs at least one case")
    table = equal_width(confidence, correct, bins)
    observed = float(expected_calibration_error(table)[0])
    repeats = checks.draws("repeats", repeats)
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    held = table.count[0] > 0
    starts = np.append(0, np.cumsum(table.count[0][held])[:-1])
    sums = table.confidence[0][held]
    rng = np.random.Generator(np.random.Philox(seed))
    errors = np.empty(repeats)
    step = max(1, _BLOCK // scores.size)
    for start in range(0, repeats, step):
        rows = min(step, repeats - start)
        hits = np.add.reduceat(rng.random((rows, scores.size)) < ranked, starts, axis=1, dtype=np.float64)
        errors[start : start + rows] = np.abs(hits - sums).sum(axis=1) / scores.size
    reached = int(np.sum(errors >= observed - 1e-12))
    return NullError(observed, float(errors.mean()), (1 + reached) / (1 + repeats), repeats)


def _checked(confidence: ArrayLike, correct: ArrayLike) -> tuple[FloatArray, BoolArray]:
    """Return confidences in [0, 1] and flags of one length."""
    scores = checks.floats("confidence", confidence, low=0.0, high=1.0, ndim=1)
    right = checks.flags("correct", correct, ndim=1)
    checks.same_length({"confidence": scores, "correct": right})
    return scores, right


def _cells(
    scores: FloatArray, right: BoolArray, edges: FloatArray, near: float, group: IntArray | None = None
) -> IntArray:
    """Return 2 x (group x bins + bin) + right of each case, in parts that stay in the cache.

    A bin is the index of the first edge not below the score. The product with the number of bins names it, but for
    scores so close to an edge, within ``near`` of a bin, that rounding could matter: those are searched for.
    """
    cells = np.empty(scores.size, dtype=np.int64)
    for start in range(0, scores.size, _PART):
        part = slice(start, start + _PART)
        cell, place = cells[part], scores[part] * edges.size
        cell[:] = place  # rounds down
        place -= cell
        doubtful = np.flatnonzero((place < near) | (place > 1.0 - near))
        cell[doubtful] = np.searchsorted(edges, scores[part][doubtful])
        cell *= 2
        if group is not None:
            cell += group[part] * (2 * edges.size)
        cell += right[part]
    return cells


def _tabulate(
    cell: IntArray, scores: FloatArray, groups: int, edges: FloatArray, *, squares: bool
) -> Reliability:
    """Return the sufficient statistics of the cells 2 x (group x bins + bin) + right."""
    shape = (groups, edges.size, 2)

    def sums(weights: FloatArray | None = None) -> NDArray[Any]:
        return np.bincount(cell, weights, groups * edges.size * 2).reshape(shape)

    count, confidence = sums(), sums(scores)
    return Reliability(
        count=count.sum(axis=2),
        correct=count[:, :, 1],
        confidence=confidence.sum(axis=2),
        cross=confidence[:, :, 1],
        edges=edges,
        squares=sums(scores * scores).sum(axis=2) if squares else None,
    )
