"""Anytime-valid evidence for fresh, accruing units of one frozen system (monitoring).

The capital of :mod:`denotary.statistics.betting` at a fixed limit is a test supermartingale in the order of
arrival (an e-process), so by Ville's inequality it may be looked at after every unit: it exceeds 1/alpha at
any time with probability at most alpha if the rate is at the limit or above; Ramdas et al., Statistical
Science 38 (2023). The running minimum of the bounds is a confidence sequence. It does not license asking
successive releases on one sealed suite: that is adaptive reuse and needs declared looks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import betting, checks, planning
from denotary.statistics.betting import Mixture

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray

MONITORING = Mixture((0.0, 0.1, 0.2, 0.4), (0.25, 0.25, 0.25, 0.25))
"""Bets of a monitor, which must survive failures: equal weights, unlike the gate's."""

_DISTINCT = 256
"""Distinct values a sequence of bounds may hold: per-unit shares have few."""

_CELLS = 2**18
"""Prefix x value x bet cells computed at once, so that they stay in the cache."""

_STEPS = 60
_TOLERANCE = 1e-13


def log_e_process(
    values: ArrayLike, limit: float, group: ArrayLike | None = None, mixture: Mixture = MONITORING
) -> FloatArray:
    """Return the log e-value against "the mean is ``limit`` or more" after each unit, per group.

    Args:
        values: per-unit failure shares in [0, 1] in order of arrival, shape (N,).
        limit: the mean to be excluded, in (0, 1).
        group: code of the stream each unit belongs to, shape (N,); one stream by default.
        mixture: the bets.

    Returns:
        Logs of shape (N,); the claim "mean below limit" is certified once log(1 / alpha) is reached.

    Raises:
        InputError: a value outside [0, 1], a bad limit or code, or unequal length.
    """
    x, order, starts = _streams(values, group)
    level = checks.probability("limit", limit)
    factors = betting.log_factors(x[order], np.ones(x.size), level, mixture)
    dead = np.isneginf(factors)
    logs = _cumulate(np.where(dead, 0.0, factors), starts)
    logs = np.where(_cumulate(dead, starts) > 0, -np.inf, logs) + np.log(mixture.weights)
    result = np.empty(x.size)
    result[order] = np.logaddexp.reduce(logs, axis=1)
    return result


def upper_sequence(
    values: ArrayLike,
    alpha: float = 0.05,
    group: ArrayLike | None = None,
    mixture: Mixture = MONITORING,
) -> FloatArray:
    """Return the anytime-valid upper bound of the mean after each unit, per group.

    Args:
        values: per-unit failure shares in [0, 1] in order of arrival, shape (N,); at most 256 distinct ones.
        alpha: chance that a stream's true mean ever lies above its bound.
        group: code of the stream each unit belongs to, shape (N,); one stream by default.
        mixture: the bets.

    Returns:
        Bounds of shape (N,), never rising within a stream.

    Raises:
        InputError: a value outside [0, 1], too many distinct values, a bad code, or unequal length.
    """
    x, order, starts = _streams(values, group)
    target = -np.log(checks.probability("alpha", alpha))
    distinct, position = np.unique(x[order], return_inverse=True)
    if distinct.size > _DISTINCT:
        raise InputError(f"values has {distinct.size} distinct values; round them up to at most {_DISTINCT}")
    bounds = np.ones(x.size)
    rows = max(1, _CELLS // (max(distinct.size, 1) * len(mixture.fractions)))
    counts = _cumulate(position[:, np.newaxis] == np.arange(distinct.size), starts)
    for start in range(0, x.size, rows):
        part = slice(start, start + rows)
        bounds[part] = _solve(counts[part].astype(np.float64), distinct, target, mixture)
    for begin, end in pairwise(np.append(starts, x.size)):
        np.minimum.accumulate(bounds[begin:end], out=bounds[begin:end])
    result = np.empty(x.size)
    result[order] = bounds
    return result


def units_to_certify(
    limit: float, failures: int = 0, alpha: float = 0.05, mixture: Mixture = MONITORING
) -> int:
    """Return after how many units the e-process certifies "rate below limit" despite some failures.

    Args:
        limit: the rate to be excluded, in (0, 1).
        failures: units that fail entirely.
        alpha: error probability over all looks.
        mixture: the bets.

    Raises:
        InputError: a bad argument, or more than 2**50 units.
    """
    k = int(checks.counts("failures", failures, ndim=0))
    level = checks.probability("limit", limit)
    target = -np.log(checks.probability("alpha", alpha))
    logs = betting.log_factors(np.array([0.0, 1.0]), np.ones(2), level, mixture)
    lost = k * logs[1] if k else np.zeros(len(mixture.fractions))
    fixed = lost + np.log(mixture.weights)

    def capital(successes: float) -> float:
        return float(np.logaddexp.reduce(fixed + successes * logs[0]))

    high = 1.0
    while capital(high) < target:
        high *= 2.0
        if high > planning.MOST_UNITS:
            raise InputError(f"limit {level:g} with {k} failures needs more than 2**50 units")
    low = 0.0
    while high - low > 1.0:
        middle = np.floor((low + high) / 2.0)
        low, high = (low, middle) if capital(middle) >= target else (middle, high)
    return int(high) + k


def _streams(values: ArrayLike, group: ArrayLike | None) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the values, the order that gathers each stream, and where streams start in that order."""
    x = checks.floats("values", values, low=0.0, high=1.0, ndim=1)
    if group is None:
        return x, np.arange(x.size), np.zeros(min(x.size, 1), dtype=np.int64)
    codes = checks.members("group", group)
    checks.same_length({"values": x, "group": codes})
    order = np.argsort(codes, kind="stable")
    gathered = codes[order]
    return x, order, np.flatnonzero(np.append(True, gathered[1:] != gathered[:-1])[: x.size])


def _cumulate(rows: FloatArray | checks.BoolArray, starts: IntArray) -> FloatArray:
    """Return running sums down each stream, shape (N, J)."""
    total = np.cumsum(rows, axis=0, dtype=np.float64)
    before = np.vstack([np.zeros((1, total.shape[1])), total])[starts]
    lengths = np.diff(np.append(starts, total.shape[0]))
    within: FloatArray = total - np.repeat(before, lengths, axis=0)
    return within


def _solve(counts: FloatArray, distinct: FloatArray, target: float, mixture: Mixture) -> FloatArray:
    """Return the bound of each prefix by Newton's method from a point to the right of the root.

    A factor is linear in x, so by the weighted inequality of arithmetic and geometric means the capital is at
    least that of sum(x) failures and sum(1 - x) successes, and one bet alone is less than the mixture: both
    roots lie to the right, and theirs is in closed form.
    """
    fractions, weights = np.asarray(mixture.fractions), np.log(mixture.weights)
    failed, passed = counts @ distinct, counts @ (1.0 - distinct)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lost = np.where(failed[:, np.newaxis] > 0.0, np.multiply.outer(failed, np.log(fractions)), 0.0)
        growth = (target - weights - lost) / passed[:, np.newaxis]
        t = np.log1p(np.expm1(growth) / (1.0 - fractions)).min(axis=1)
    bounds = np.ones(t.size)
    solvable = t < betting.FARTHEST
    t, held = t[solvable], counts[solvable]
    for _ in range(_STEPS):
        value, slope = _log_capital(t, held, distinct, fractions, weights)
        step = (value - target) / slope
        t = t - step
        if np.all(np.abs(step) <= _TOLERANCE * t):
            break
    bounds[solvable] = np.maximum(-np.expm1(-t), failed[solvable] / held.sum(axis=1))
    return bounds


def _log_capital(
    t: FloatArray, counts: FloatArray, distinct: FloatArray, fractions: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the log capital of each prefix at its own t = -log(1 - m), and the derivative in t."""
    stakes = 1.0 - fractions
    logs = np.tile(weights, (t.size, 1))
    slopes = np.zeros(logs.shape)
    rise, grown = np.expm1(t), np.exp(t)
    for value, count in zip(distinct, counts.T, strict=True):
        gain = (1.0 - value) * rise - value
        factor = 1.0 + np.multiply.outer(gain, stakes)
        dead = (factor <= 0.0) & (count > 0)[:, np.newaxis]
        safe = np.where(factor <= 0.0, 1.0, np.multiply.outer(gain, stakes))
        logs += np.where(dead, -np.inf, count[:, np.newaxis] * np.log1p(safe))
        slopes += np.multiply.outer(count * (1.0 - value) * grown, stakes) / (1.0 + safe)
    total = np.logaddexp.reduce(logs, axis=1)
    shares = np.exp(logs - total[:, np.newaxis])
    return total, (shares * slopes).sum(axis=1)
