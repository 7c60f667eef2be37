"""Tails of the binomial distribution for any number of trials: the library's own end where 32 bits do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray

_LIBRARY = 2.0**31
"""From this number of trials on the library's sums answer NaN; the incomplete beta function goes on."""


def at_most(hits: ArrayLike, trials: ArrayLike, rate: ArrayLike) -> FloatArray:
    """Return P(X <= hits) of a binomial X.

    Args:
        hits: counts k, any shape that broadcasts; at most ``trials``.
        trials: counts n.
        rate: chances p in [0, 1].

    Raises:
        InputError: a negative or fractional count, more hits than trials, a rate outside [0, 1], or shapes that do not
            fit.
    """
    from scipy.special import bdtr, betaincc

    k, n, p = _read(hits, trials, rate)
    few = n < _LIBRARY
    small = bdtr(np.where(few, k, 0).astype(np.float64), np.where(few, n, 1), p)
    large = betaincc(k + 1.0, np.maximum(n - k, 1.0), p)
    return np.where(k == n, 1.0, np.where(few, small, large))


def at_least(hits: ArrayLike, trials: ArrayLike, rate: ArrayLike) -> FloatArray:
    """Return P(X >= hits) of a binomial X; arguments and errors as :func:`at_most`."""
    from scipy.special import bdtrc, betainc

    k, n, p = _read(hits, trials, rate)
    few = n < _LIBRARY
    small = bdtrc(np.where(few, np.maximum(k - 1, 0), 0).astype(np.float64), np.where(few, n, 1), p)
    large = betainc(np.maximum(k, 1.0), n - k + 1.0, p)
    return np.where(k == 0, 1.0, np.where(few, small, large))


def _read(hits: ArrayLike, trials: ArrayLike, rate: ArrayLike) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the arguments, checked and of one shape."""
    k, n = checks.counts("hits", hits), checks.counts("trials", trials)
    p = checks.floats("rate", rate, low=0.0, high=1.0)
    checks.at_most("hits", k, "trials", n)
    try:
        shape = np.broadcast_shapes(k.shape, n.shape, p.shape)
    except ValueError:
        raise InputError(f"rate of shape {p.shape} does not fit hits of shape {k.shape}") from None
    return np.broadcast_to(k, shape), np.broadcast_to(n, shape), np.broadcast_to(p, shape)
