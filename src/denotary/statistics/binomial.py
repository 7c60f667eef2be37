"""Binomial proportions: one-sided exact bounds for gates, Wilson and Korn-Graubard for description.

The exact (Clopper-Pearson) upper bound is the largest p with P(X <= k | n, p) >= alpha. It equals the beta
quantile with parameters (k + 1, n - k); Clopper and Pearson, Biometrika 26 (1934). It may gate a claim only
where every trial is its own independent unit; trials with siblings go to :mod:`denotary.statistics.betting`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray

_DEDUPLICATE_FROM = 64
"""Shorter inputs are computed pair by pair: sorting them costs more than it saves."""

_BESIDE_MEDIAN = 0.5 - 1e-8
"""At the median two quantiles of t are 0 and have no ratio; here it has reached its limit."""

_POLISH_FROM = 10_000
"""From this n on the library's inverse beta loses digits (1e-8 relative at n = 1e9); one Newton step on the
tail brings the error below 1e-12 up to n = 1e7 and below 1e-10 up to n = 1e10."""


def upper(failures: ArrayLike, trials: ArrayLike, alpha: float = 0.05) -> FloatArray:
    """Return the exact one-sided upper bound of each proportion.

    Args:
        failures: counts k, any shape that broadcasts with ``trials``.
        trials: counts n; n = 0 yields 1.
        alpha: chance, per bound, that the true proportion lies above it.

    Returns:
        Bounds in [0, 1], of the broadcast shape; 1 where k = n.

    Raises:
        InputError: a negative or fractional count, k above n, or alpha outside (0, 1).
    """
    k, n = _pairs(failures, trials)
    return _by_pair(k, n, checks.probability("alpha", alpha), _upper_of_pairs)


def lower(failures: ArrayLike, trials: ArrayLike, alpha: float = 0.05) -> FloatArray:
    """Return the exact one-sided lower bound of each proportion; 0 where k = 0 or n = 0.

    Arguments, shapes and errors as in :func:`upper`.
    """
    k, n = _pairs(failures, trials)
    return _by_pair(k, n, checks.probability("alpha", alpha), _lower_of_pairs)


def upper_bound(failures: int, trials: int, alpha: float = 0.05) -> float:
    """Return :func:`upper` of one pair as a number."""
    return float(upper(failures, trials, alpha))


def lower_bound(failures: int, trials: int, alpha: float = 0.05) -> float:
    """Return :func:`lower` of one pair as a number."""
    return float(lower(failures, trials, alpha))


def p_value(failures: ArrayLike, trials: ArrayLike, limit: float) -> FloatArray:
    """Return P(X <= k | n, limit), the exact p-value of "the proportion is ``limit`` or more".

    It is at most alpha iff :func:`upper` is within the limit; 1 where n = 0.

    Args:
        failures: counts k, any shape that broadcasts with ``trials``.
        trials: counts n.
        limit: the hypothetical proportion, in (0, 1).

    Raises:
        InputError: as in :func:`upper`.
    """
    from scipy.special import betaincc

    k, n = _pairs(failures, trials)
    p = checks.probability("limit", limit)
    inner = np.where(k < n, n - k, 1)
    tail = np.where(k == 0, np.exp(n * np.log1p(-p)), betaincc(k + 1.0, inner.astype(np.float64), p))
    return np.where(k == n, 1.0, tail)


def wilson(failures: ArrayLike, trials: ArrayLike, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return the two-sided Wilson score interval; Wilson, JASA 22 (1927). For description only.

    Args:
        failures: counts k, any shape that broadcasts with ``trials``.
        trials: counts n; n = 0 yields [0, 1].
        confidence: nominal coverage of the interval.

    Returns:
        Lower ends (exactly 0 where k = 0) and upper ends (exactly 1 where k = n).

    Raises:
        InputError: as in :func:`upper`.
    """
    from scipy.special import ndtri

    k, n = _pairs(failures, trials)
    z = -float(ndtri((1.0 - checks.probability("confidence", confidence)) / 2.0))
    trials_or_one = np.maximum(n, 1)
    rate = k / trials_or_one
    scale = 1.0 + z * z / trials_or_one
    centre = (rate + z * z / (2.0 * trials_or_one)) / scale
    half = z / scale * np.sqrt(rate * (1.0 - rate) / trials_or_one + (z / (2.0 * trials_or_one)) ** 2)
    low = np.where(k == 0, 0.0, np.clip(centre - half, 0.0, 1.0))
    high = np.where(k == n, 1.0, np.clip(centre + half, 0.0, 1.0))
    return low, high


def design_effect(failures: ArrayLike, trials: ArrayLike, counts: ArrayLike | None = None) -> float:
    """Return how much siblings inflate the variance of the pooled proportion sum(k) / sum(n).

    Linearised (Taylor) variance of the ratio over units divided by its variance under simple random sampling
    of trials, p (1 - p) / (N - 1); equals 1 when every unit holds one trial.

    Args:
        failures: per-unit counts, shape (U,).
        trials: per-unit counts, shape (U,).
        counts: how many units share each pair, shape (U,); one each by default.

    Returns:
        The design effect. When no variance can be seen (all or none failed, or fewer than two units) it is
        the mean unit size, as if siblings always failed together: the cautious end.

    Raises:
        InputError: as in :func:`upper`, or columns of unequal length.
    """
    k = checks.counts("failures", failures, ndim=1)
    n = checks.counts("trials", trials, ndim=1)
    c = np.ones_like(k) if counts is None else checks.counts("counts", counts, ndim=1)
    checks.same_length({"failures": k, "trials": n, "counts": c})
    checks.at_most("failures", k, "trials", n)
    c = np.where(n > 0, c, 0)
    # Products of counts may exceed 64 bits.
    weights = c.astype(np.float64)
    units, total = float(weights.sum()), float(weights @ n)
    if total == 0.0:
        return 1.0
    rate = float(weights @ k) / total
    if units == 1 or rate in {0.0, 1.0}:
        return total / units
    variance = units / (units - 1) * float(weights @ (k - rate * n) ** 2) / total**2
    return variance / (rate * (1.0 - rate) / (total - 1))


def korn_graubard(
    failures: ArrayLike,
    trials: ArrayLike,
    units: ArrayLike,
    effect: ArrayLike,
    confidence: float = 0.95,
) -> tuple[FloatArray, FloatArray]:
    """Return the two-sided exact interval at the effective sample size. For description only.

    The effective size is n / effect x (t(n - 1) / t(units - 1))**2, at most n, and the counts scale with it;
    Korn and Graubard, Survey Methodology 24 (1998).

    Args:
        failures: pooled counts k, any shape.
        trials: pooled counts n; n = 0 yields [0, 1].
        units: number of independent units behind each pair; fewer than two yields [0, 1].
        effect: design effect of each pair, above 0, from :func:`design_effect`.
        confidence: nominal coverage of the interval.

    Returns:
        Lower and upper ends in [0, 1].

    Raises:
        InputError: as in :func:`upper`, or a design effect that is not above 0.
    """
    from scipy.special import betainccinv, betaincinv, stdtrit

    k, n = _pairs(failures, trials)
    tail = (1.0 - checks.probability("confidence", confidence)) / 2.0
    number = checks.counts("units", units)
    inflation = checks.floats("effect", effect, low=np.finfo(np.float64).tiny)
    try:
        k, n, number, inflation = np.broadcast_arrays(k, n, number, inflation)
    except ValueError:
        raise InputError(
            f"units of shape {number.shape} and effect of shape {inflation.shape} do not fit pairs of shape {k.shape}"
        ) from None
    known = (n > 1) & (number > 1)
    safe_n, safe_units = np.where(known, n, 2), np.where(known, number, 2)
    outer = min(tail, _BESIDE_MEDIAN)
    shrink = (stdtrit(safe_n - 1.0, outer) / stdtrit(safe_units - 1.0, outer)) ** 2
    size = np.minimum(safe_n / inflation * shrink, safe_n)
    hits = size * np.minimum(k, safe_n) / safe_n
    misses = size - hits
    none, every = hits <= 0.0, misses <= 0.0
    low = betaincinv(np.where(none, 1.0, hits), misses + 1.0, tail)
    high = betainccinv(hits + 1.0, np.where(every, 1.0, misses), tail)
    low = np.where(none | ~known, 0.0, low)
    high = np.where(every | ~known, 1.0, high)
    return low, high


def _pairs(failures: ArrayLike, trials: ArrayLike) -> tuple[IntArray, IntArray]:
    """Return checked and broadcast counts k and n."""
    k = checks.counts("failures", failures)
    n = checks.counts("trials", trials)
    checks.at_most("failures", k, "trials", n)
    pair: tuple[IntArray, ...] = np.broadcast_arrays(k, n)
    return pair[0], pair[1]


def _by_pair(
    k: IntArray,
    n: IntArray,
    alpha: float,
    bound: Callable[[IntArray, IntArray, float], FloatArray],
) -> FloatArray:
    """Apply ``bound`` to the distinct pairs and spread the answers; groups of a panel repeat pairs a lot."""
    flat_k, flat_n = k.ravel(), n.ravel()
    base = int(flat_n.max(initial=0)) + 1
    if flat_k.size < _DEDUPLICATE_FROM or base > 2**31:
        return bound(flat_k, flat_n, alpha).reshape(k.shape)
    distinct, position = np.unique(flat_k * base + flat_n, return_inverse=True)
    spread: FloatArray = bound(distinct // base, distinct % base, alpha)[position.reshape(k.shape)]
    return spread


def _upper_of_pairs(k: IntArray, n: IntArray, alpha: float) -> FloatArray:
    """Return the upper bounds of flat arrays of pairs."""
    from scipy.special import betaincc, betainccinv

    result = np.ones(k.shape)
    none = (k == 0) & (n > 0)
    result[none] = -np.expm1(np.log(alpha) / n[none])
    inner = (k > 0) & (k < n)
    a: FloatArray = k[inner].astype(np.float64) + 1.0
    b: FloatArray = (n - k)[inner].astype(np.float64)
    root: FloatArray = betainccinv(a, b, alpha)
    large = n[inner] > _POLISH_FROM
    excess = betaincc(a[large], b[large], root[large]) - alpha
    root[large] += excess / _beta_density(root[large], a[large], b[large])
    result[inner] = root
    return result


def _lower_of_pairs(k: IntArray, n: IntArray, alpha: float) -> FloatArray:
    """Return the lower bounds of flat arrays of pairs."""
    from scipy.special import betainc, betaincinv

    result = np.zeros(k.shape)
    every = (k == n) & (n > 0)
    result[every] = np.exp(np.log(alpha) / n[every])
    inner = (k > 0) & (k < n)
    a: FloatArray = k[inner].astype(np.float64)
    b: FloatArray = (n - k)[inner].astype(np.float64) + 1.0
    root: FloatArray = betaincinv(a, b, alpha)
    large = n[inner] > _POLISH_FROM
    excess = betainc(a[large], b[large], root[large]) - alpha
    root[large] -= excess / _beta_density(root[large], a[large], b[large])
    result[inner] = root
    return result


def _beta_density(x: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the beta density, the derivative of the tail that the Newton step needs."""
    from scipy.special import betaln, xlog1py, xlogy

    density: FloatArray = np.exp(xlogy(a - 1.0, x) + xlog1py(b - 1.0, -x) - betaln(a, b))
    return density
