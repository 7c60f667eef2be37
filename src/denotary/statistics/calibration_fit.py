"""Maps that make confidences honest: temperature, Platt scaling, isotonic regression.

Fitted on the fit role only; the threshold role refuses its records (:mod:`denotary.statistics.threshold`).
None of them changes which candidate is first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray

_LARGEST_SCORE = 1e100
"""Squares of larger ones could overflow."""

_LARGEST = 1e6
"""Stands for an infinite temperature, its reciprocal for one of zero."""

_STRIDE = 10.0
"""A Newton step changes the temperature by at most this factor."""

_RESOLUTION = 1e-15

_ROWS = 4096
"""Rows of logits handled at once, so that their exponentials stay in the cache."""

_STEPS = 100
_GRADIENT = 1e-12


@dataclass(frozen=True, slots=True)
class Temperature:
    """A fitted temperature.

    Attributes:
        value: logits are divided by it.
        gradient: derivative of the mean negative log likelihood in 1 / value, there.
        steps: evaluations of the gradient.
        finite: False if the likelihood has no optimum at a finite positive temperature: the right column is
            the largest in every row (value 1e-6), or is on average no larger than any (value 1e6).
    """

    value: float
    gradient: float
    steps: int
    finite: bool


@dataclass(frozen=True, slots=True)
class Platt:
    """A logistic map of a score: 1 / (1 + exp(-(slope x + intercept)))."""

    slope: float
    intercept: float

    def __call__(self, scores: ArrayLike) -> FloatArray:
        """Return confidences of the shape of ``scores``."""
        from scipy.special import expit

        with np.errstate(over="ignore"):  # beyond the largest number the confidence is 0 or 1
            return np.asarray(expit(self.slope * checks.floats("scores", scores) + self.intercept))


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A non-decreasing map: linear between knots, constant beyond them; arrays of shape (B,)."""

    knots: FloatArray
    values: FloatArray

    def __call__(self, scores: ArrayLike) -> FloatArray:
        """Return confidences of the shape of ``scores``."""
        return np.interp(checks.floats("scores", scores), self.knots, self.values)


def temperature(logits: ArrayLike, label: ArrayLike) -> Temperature:
    """Return the temperature of least negative log likelihood; Guo et al., ICML 2017.

    The likelihood is convex in 1 / T. Newton's method in 1 / T is kept inside a bracket of the root of the
    gradient, and all sums are in double precision whatever the logits came in. For a single confidence c use
    the two columns 0 and log(c / (1 - c)).

    Args:
        logits: shape (N, K), of magnitude 1e100 at most.
        label: the right column of each row, shape (N,).

    Raises:
        InputError: not finite, no row, a label that is no column, or unequal length.
    """
    z = checks.floats("logits", logits, low=-_LARGEST_SCORE, high=_LARGEST_SCORE, ndim=2)
    right, _ = checks.codes("label", label, z.shape[1])
    checks.same_length({"logits": z, "label": right})
    if z.size == 0:
        raise InputError("logits is empty; a temperature needs at least one case")
    target = float(np.mean(z[np.arange(right.size), right]))
    if target >= float(np.mean(z.max(axis=1))):
        return Temperature(1.0 / _LARGEST, 0.0, 0, finite=False)
    if target <= float(np.mean(z)):
        return Temperature(_LARGEST, _slope_at(z, 0.0, target)[0], 1, finite=False)
    low, high, beta = 0.0, np.inf, 1.0
    gradient, step = np.inf, 0
    while step < _STEPS and abs(gradient) > _GRADIENT and high - low > _RESOLUTION * beta:
        gradient, curvature = _slope_at(z, beta, target)
        step += 1
        low, high = (beta, high) if gradient < 0.0 else (low, beta)
        newton = beta - gradient / curvature if curvature > 0.0 else np.inf
        least, most = max(low, beta / _STRIDE), min(high, beta * _STRIDE)
        if abs(gradient) > _GRADIENT:
            beta = newton if least < newton < most else float(np.sqrt(least * most))
    return Temperature(1.0 / beta, gradient, step, finite=True)


def platt(scores: ArrayLike, correct: ArrayLike) -> Platt:
    """Return Platt's map with his smoothed targets; Lin, Lin and Weng, Machine Learning 68 (2007).

    Args:
        scores: one score a case of magnitude 1e100 at most, shape (N,).
        correct: whether the answer was right, shape (N,).

    Raises:
        InputError: not finite, no case, or unequal length.
    """
    from scipy.special import expit

    x, right = _scored(scores, correct)
    checks.floats("scores", x, low=-_LARGEST_SCORE, high=_LARGEST_SCORE)
    centre, scale = float(x.mean()), float(x.std()) or 1.0
    design = np.column_stack([(x - centre) / scale, np.ones(x.size)])
    hits, misses = int(right.sum()), int((~right).sum())
    wanted = np.where(right, (hits + 1.0) / (hits + 2.0), 1.0 / (misses + 2.0))
    weights = np.array([0.0, np.log((hits + 1.0) / (misses + 1.0))])
    loss = _logistic_loss(design @ weights, wanted)
    for _ in range(_STEPS):
        chance = expit(design @ weights)
        gradient = design.T @ (chance - wanted)
        hessian = (design.T * (chance * (1.0 - chance))) @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        length = 1.0
        while (moved := _logistic_loss(design @ (weights - length * step), wanted)) > loss + 1e-12 * abs(
            loss
        ):
            length /= 2.0
        weights = weights - length * step
        loss = moved
        if float(np.abs(gradient).max()) <= _GRADIENT * x.size:
            break
    slope = float(weights[0]) / scale
    return Platt(slope, float(weights[1]) - slope * centre)


def isotonic(scores: ArrayLike, correct: ArrayLike) -> Isotonic:
    """Return the least-squares non-decreasing map, by pooling adjacent violators; equal scores are pooled.

    Args:
        scores: one finite score a case, shape (N,).
        correct: whether the answer was right, shape (N,).

    Raises:
        InputError: not finite, no case, or unequal length.
    """
    x, right = _scored(scores, correct)
    distinct, position, count = np.unique(x, return_inverse=True, return_counts=True)
    hits = np.bincount(position, weights=right, minlength=distinct.size).astype(np.float64)
    sizes = _pool(hits, count)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    level = np.add.reduceat(hits, starts) / np.add.reduceat(count, starts)
    knots = np.stack([distinct[starts], distinct[ends - 1]], axis=1).ravel()
    keep = np.append(True, knots[1:] != knots[:-1])
    return Isotonic(knots[keep], np.repeat(level, 2)[keep])


def _slope_at(z: FloatArray, beta: float, target: float) -> tuple[float, float]:
    """Return the derivative and curvature of the mean negative log likelihood in the inverse temperature."""
    mean, spread = 0.0, 0.0
    for start in range(0, z.shape[0], _ROWS):
        rows = z[start : start + _ROWS]
        shifted = rows - rows.max(axis=1, keepdims=True)
        weight = np.exp(beta * shifted)
        total = weight.sum(axis=1)
        first = np.einsum("ij,ij->i", weight, shifted) / total
        second = np.einsum("ij,ij,ij->i", weight, shifted, shifted) / total
        mean += float((first + rows.max(axis=1)).sum())
        spread += float((second - first * first).sum())
    return mean / z.shape[0] - target, spread / z.shape[0]


def _scored(scores: ArrayLike, correct: ArrayLike) -> tuple[FloatArray, checks.BoolArray]:
    """Return checked scores and flags, at least one."""
    x = checks.floats("scores", scores, ndim=1)
    right = checks.flags("correct", correct, ndim=1)
    if checks.same_length({"scores": x, "correct": right}) == 0:
        raise InputError("scores is empty; a map needs at least one case")
    return x, right


def _logistic_loss(linear: FloatArray, wanted: FloatArray) -> float:
    """Return the cross entropy of soft targets."""
    return float(np.sum(np.logaddexp(0.0, linear) - wanted * linear))


def _pool(hits: FloatArray, count: IntArray) -> IntArray:
    """Return how many neighbouring scores each pooled block holds."""
    tops: list[float] = []
    bottoms: list[float] = []
    sizes: list[float] = []
    for hit, number in zip(hits.tolist(), count.tolist(), strict=True):
        tops.append(hit)
        bottoms.append(number)
        sizes.append(1)
        while len(tops) > 1 and tops[-2] * bottoms[-1] >= tops[-1] * bottoms[-2]:
            for column in (tops, bottoms, sizes):
                last = column.pop()
                column[-1] += last
    return np.array(sizes, dtype=np.int64)
