"""The order-free betting bound: finite-sample valid for units with siblings, in any order of the units.

For X in [0, 1] per unit and a hypothetical mean m, the capital sum_j w_j prod_i (1 - lambda_j (X_i - m)) with
lambda_j = (1 - f_j) / (1 - m) has expectation at most 1 whenever the true mean is m or more, so by Markov's
inequality it reaches 1/alpha with probability at most alpha. The bound is the largest m whose capital stays
below 1/alpha. Betting as a source of bounds: Waudby-Smith and Ramdas, JRSS B 86 (2024); here the bets are
fixed beforehand, so the capital is a product and the order of the units does not matter.

For a ratio R of expectations the same holds for Y = (wrong - R assigned) / size with lambda =
(1 - f) / (1 - R): wrong <= assigned <= size gives Y <= 1 - R, hence factors of at least f. The estimand is
the unit-weighted ratio E[wrong / size] / E[assigned / size]; a mean is the ratio with assigned = size = 1.

With u = wrong / size, a = assigned / size and t = -log(1 - R) a factor is 1 + (1 - f) ((a - u) expm1(t) - u).
The log capital is increasing and convex in t, so Newton's method started at the far right descends to the
root.
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

FARTHEST = 50.0
"""-log(1 - R) beyond which R rounds to 1."""

_STEPS = 200
"""Newton needs about ten steps; the limit only guards the loop."""

_WEIGHT_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Mixture:
    """The bets of the gate, fixed in the policy before any answer is seen.

    Attributes:
        fractions: what is left of the capital after a unit that failed entirely, each in [0, 1).
        weights: share of the capital on each bet; positive, summing to 1.
    """

    fractions: tuple[float, ...] = (0.0, 0.1, 0.2, 0.4)
    weights: tuple[float, ...] = (0.8, 0.1, 0.05, 0.05)

    def __post_init__(self) -> None:
        """Refuse bets under which the bound would not be valid."""
        if not self.fractions or len(self.fractions) != len(self.weights):
            raise InputError(f"mixture: {len(self.fractions)} fractions but {len(self.weights)} weights")
        if not all(0.0 <= fraction < 1.0 for fraction in self.fractions):
            raise InputError(f"mixture: every fraction must lie in [0, 1), got {self.fractions}")
        if (
            not all(0.0 < weight <= 1.0 for weight in self.weights)
            or abs(sum(self.weights) - 1.0) > _WEIGHT_SLACK
        ):
            raise InputError(f"mixture: weights must be positive and sum to 1, got {self.weights}")


RISK = Mixture()
"""Bets for harm rates near 0: four fifths on no failure at all, the rest on few."""

DIFFERENCE = Mixture(
    fractions=(0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98),
    weights=(0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1),
)
"""Bets for paired differences, whose variance is not known beforehand: bold to timid."""


def upper_mean(
    values: ArrayLike,
    counts: ArrayLike | None = None,
    alpha: float = 0.05,
    *,
    mixture: Mixture = RISK,
) -> float:
    """Return the upper bound of the mean of per-unit values in [0, 1].

    Args:
        values: one value a unit, or the distinct values, shape (K,).
        counts: how many units have each value, shape (K,); one each by default.
        alpha: chance that the true mean lies above the bound.
        mixture: the bets.

    Returns:
        A bound in [0, 1], never below the observed mean; 1 without units.

    Raises:
        InputError: a value outside [0, 1], a bad count, or columns of unequal length.
    """
    x = checks.floats("values", values, low=0.0, high=1.0, ndim=1)
    ones = np.ones_like(x)
    return upper_ratio(x, ones, ones, counts, alpha, mixture=mixture)


def lower_mean(
    values: ArrayLike,
    counts: ArrayLike | None = None,
    alpha: float = 0.05,
    *,
    mixture: Mixture = RISK,
) -> float:
    """Return the lower bound of the mean of per-unit values in [0, 1]; arguments as :func:`upper_mean`."""
    x = checks.floats("values", values, low=0.0, high=1.0, ndim=1)
    return 1.0 - upper_mean(1.0 - x, counts, alpha, mixture=mixture)


def upper_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    size: ArrayLike,
    counts: ArrayLike | None = None,
    alpha: float = 0.05,
    *,
    mixture: Mixture = RISK,
) -> float:
    """Return the upper bound of the unit-weighted ratio, such as wrong among assigned.

    Args:
        numerator: per unit, 0 <= numerator <= denominator, shape (K,).
        denominator: per unit, at most ``size``, shape (K,).
        size: the unit's planned size in the slice, above 0, shape (K,).
        counts: how many units share each row, shape (K,); one each by default.
        alpha: chance that the true ratio lies above the bound.
        mixture: the bets.

    Returns:
        A bound in [0, 1], never below the observed unit-weighted ratio; 1 without units or when every
        denominator is 0.

    Raises:
        InputError: a value out of order, a bad count, or columns of unequal length.
    """
    target = -np.log(checks.probability("alpha", alpha))
    u, a, c = _shares(numerator, denominator, size, counts)
    if _log_capital(FARTHEST, u, a, c, mixture)[0] < target:
        return 1.0
    t = FARTHEST
    for _ in range(_STEPS):
        value, slope = _log_capital(t, u, a, c, mixture)
        step = (value - target) / slope
        t -= step
        if step <= 1e-15 * t:
            break
    return max(float(-np.expm1(-t)), float(np.sum(c * u) / np.sum(c * a)))


def lower_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    size: ArrayLike,
    counts: ArrayLike | None = None,
    alpha: float = 0.05,
    *,
    mixture: Mixture = RISK,
) -> float:
    """Return the lower bound of the unit-weighted ratio; arguments as :func:`upper_ratio`."""
    top = checks.floats("numerator", numerator, low=0.0, ndim=1)
    bottom = checks.floats("denominator", denominator, low=0.0, ndim=1)
    checks.same_length({"numerator": top, "denominator": bottom})
    checks.at_most("numerator", top, "denominator", bottom)
    return 1.0 - upper_ratio(bottom - top, bottom, size, counts, alpha, mixture=mixture)


def upper_difference(
    values: ArrayLike,
    counts: ArrayLike | None = None,
    alpha: float = 0.05,
    *,
    mixture: Mixture = DIFFERENCE,
) -> float:
    """Return the upper bound of the mean of per-unit paired differences in [-1, 1].

    The differences are mapped to [0, 1]; arguments otherwise as :func:`upper_mean`.
    """
    d = checks.floats("values", values, low=-1.0, high=1.0, ndim=1)
    return 2.0 * upper_mean((d + 1.0) / 2.0, counts, alpha, mixture=mixture) - 1.0


def p_value(
    numerator: ArrayLike,
    denominator: ArrayLike,
    size: ArrayLike,
    limit: float,
    counts: ArrayLike | None = None,
    *,
    mixture: Mixture = RISK,
) -> float:
    """Return the p-value of "the ratio is ``limit`` or more".

    It is at most alpha iff the upper bound is within the limit: the reciprocal of the capital at the limit,
    at most 1. Arguments otherwise as :func:`upper_ratio`.
    """
    t = -np.log1p(-checks.probability("limit", limit))
    u, a, c = _shares(numerator, denominator, size, counts)
    return float(np.exp(-max(0.0, _log_capital(t, u, a, c, mixture)[0])))


def log_factors(u: FloatArray, a: FloatArray, limit: float, mixture: Mixture = RISK) -> FloatArray:
    """Return the log of each unit's factor at a hypothetical ratio, one column a bet.

    Args:
        u: numerator / size, shape (K,), 0 <= u <= a.
        a: denominator / size, shape (K,), at most 1.
        limit: the hypothetical ratio, in (0, 1).
        mixture: the bets.

    Returns:
        Logs of shape (K, J); -inf where a unit failed entirely under a bet that leaves nothing.
    """
    growth = limit / (1.0 - limit)
    stakes = 1.0 - np.asarray(mixture.fractions)
    with np.errstate(divide="ignore"):
        return np.log1p(np.multiply.outer((a - u) * growth - u, stakes))


def _shares(
    numerator: ArrayLike, denominator: ArrayLike, size: ArrayLike, counts: ArrayLike | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return u = numerator / size, a = denominator / size and the multiplicities of their distinct pairs."""
    top = checks.floats("numerator", numerator, low=0.0, ndim=1)
    bottom = checks.floats("denominator", denominator, low=0.0, ndim=1)
    whole = checks.floats("size", size, low=np.finfo(np.float64).tiny, ndim=1)
    c = np.ones(top.size, dtype=np.int64) if counts is None else checks.counts("counts", counts, ndim=1)
    checks.same_length({"numerator": top, "denominator": bottom, "size": whole, "counts": c})
    checks.at_most("numerator", top, "denominator", bottom)
    checks.at_most("denominator", bottom, "size", whole)
    pairs, position = np.unique((top / whole) + 1j * (bottom / whole), return_inverse=True)
    multiplicity = np.bincount(position, weights=c, minlength=pairs.size).astype(np.int64)
    held = multiplicity > 0
    return pairs.real[held], pairs.imag[held], multiplicity[held]


def _log_capital(
    t: float, u: FloatArray, a: FloatArray, c: IntArray, mixture: Mixture
) -> tuple[float, float]:
    """Return the log capital at t = -log(1 - R) and its derivative in t."""
    stakes = 1.0 - np.asarray(mixture.fractions)
    excess = np.multiply.outer((a - u) * np.expm1(t) - u, stakes)
    dead = (excess <= -1.0) & (c > 0)[:, np.newaxis]
    alive = ~dead.any(axis=0)
    excess = np.where(dead, 0.0, excess)
    logs = np.where(alive, c @ np.log1p(excess), -np.inf) + np.log(np.asarray(mixture.weights))
    slopes = c @ (np.multiply.outer((a - u) * np.exp(t), stakes) / (1.0 + excess))
    peak = float(logs.max())
    if not np.isfinite(peak):
        return -np.inf, 0.0
    shares = np.exp(logs - peak)
    total = float(shares.sum())
    return peak + float(np.log(total)), float(shares @ slopes) / total
