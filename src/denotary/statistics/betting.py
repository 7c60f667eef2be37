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
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from denotary.statistics.checks import FloatArray, IntArray

FARTHEST = 50.0
"""-log(1 - R) beyond which R rounds to 1."""

_STEPS = 200
"""Newton needs about ten steps; the limit only guards the loop."""

_CONVERGED = 1e-15
"""Relative step at which rounding ends Newton's descent."""

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
    rows = _shares(numerator, denominator, size, counts)
    if rows.count.size == 0:
        return 1.0
    return float(_bounds(rows, checks.probability("alpha", alpha), mixture)[0])


def upper_ratios(
    columns: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike],
    row: ArrayLike,
    rows: int,
    alpha: float = 0.05,
    *,
    mixture: Mixture = RISK,
) -> FloatArray:
    """Return :func:`upper_ratio` of many rows at once: the slices and measures of a panel.

    Args:
        columns: numerator, denominator, size and counts of every type of every row, shape (T,) each.
        row: the row each type belongs to, ascending, shape (T,).
        rows: number of rows R.
        alpha: chance, per row, that its true ratio lies above its bound.
        mixture: the bets.

    Returns:
        Bounds of shape (R,); 1 for a row without units.

    Raises:
        InputError: as :func:`upper_ratio`, or a row that is out of order or not below ``rows``.
    """
    rows = int(checks.counts("rows", rows, ndim=0))
    code, _ = checks.codes("row", row, rows)
    if np.any(code[1:] < code[:-1]):
        raise InputError(f"row[{int(np.argmax(code[1:] < code[:-1])) + 1}] is out of order; rows must ascend")
    u, a, c = _checked(*columns)
    checks.same_length({"numerator": u, "row": code})
    held = c > 0
    present, starts = np.unique(code[held], return_index=True)
    bounds = np.ones(rows)
    if present.size:
        types = _Rows(u[held], a[held], c[held], starts)
        bounds[present] = _bounds(types, checks.probability("alpha", alpha), mixture)
    return bounds


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
    rows = _shares(numerator, denominator, size, counts)
    if rows.count.size == 0:
        return 1.0
    return float(np.exp(-np.maximum(0.0, _log_capital(np.array([t]), rows, mixture)[0][0])))


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


@dataclass(frozen=True, slots=True)
class _Rows:
    """The types of one or more rows, one row after the other; arrays of shape (T,), starts of shape (R,).

    Attributes:
        u: numerator / size.
        a: denominator / size.
        count: units of this type, above 0.
        starts: where each row starts; every row has a type.
    """

    u: FloatArray
    a: FloatArray
    count: IntArray
    starts: IntArray

    def sums(self, values: NDArray[Any]) -> FloatArray:
        """Return the sums of ``values`` within each row."""
        total: FloatArray = np.add.reduceat(values, self.starts, axis=0, dtype=np.float64)
        return total


def _checked(
    numerator: ArrayLike, denominator: ArrayLike, size: ArrayLike, counts: ArrayLike | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return u = numerator / size, a = denominator / size and the multiplicities."""
    top = checks.floats("numerator", numerator, low=0.0, ndim=1)
    bottom = checks.floats("denominator", denominator, low=0.0, ndim=1)
    whole = checks.floats("size", size, low=np.finfo(np.float64).tiny, ndim=1)
    c = np.ones(top.size, dtype=np.int64) if counts is None else checks.counts("counts", counts, ndim=1)
    checks.same_length({"numerator": top, "denominator": bottom, "size": whole, "counts": c})
    checks.at_most("numerator", top, "denominator", bottom)
    checks.at_most("denominator", bottom, "size", whole)
    return top / whole, bottom / whole, c


def _shares(numerator: ArrayLike, denominator: ArrayLike, size: ArrayLike, counts: ArrayLike | None) -> _Rows:
    """Return one row of the distinct types, or an empty one."""
    u, a, c = _checked(numerator, denominator, size, counts)
    pairs, position = np.unique(u + 1j * a, return_inverse=True)
    multiplicity = np.bincount(position, weights=c, minlength=pairs.size).astype(np.int64)
    held = multiplicity > 0
    return _Rows(pairs.real[held], pairs.imag[held], multiplicity[held], np.zeros(1, dtype=np.int64))


def _bounds(rows: _Rows, alpha: float, mixture: Mixture) -> FloatArray:
    """Return the bound of each row by Newton's method on all rows together."""
    target = -np.log(alpha)
    t = np.full(rows.starts.size, FARTHEST)
    value, slope = _log_capital(t, rows, mixture)
    bounded = value >= target
    moving = bounded.copy()
    for _ in range(_STEPS):
        step = np.where(moving, (value - target) / np.where(moving, slope, 1.0), 0.0)
        t = t - step
        moving &= step > _CONVERGED * t
        if not moving.any():
            break
        value, slope = _log_capital(t, rows, mixture)
    units = np.where(bounded, rows.sums(rows.count * rows.a), 1.0)
    observed = rows.sums(rows.count * rows.u) / units
    return np.where(bounded, np.maximum(-np.expm1(-t), observed), 1.0)


def _log_capital(t: FloatArray, rows: _Rows, mixture: Mixture) -> tuple[FloatArray, FloatArray]:
    """Return each row's log capital at its own t = -log(1 - R), and the derivative in t, shape (R,)."""
    stakes = 1.0 - np.asarray(mixture.fractions)
    lengths = np.diff(np.append(rows.starts, rows.count.size))
    spread, count = np.repeat(t, lengths), rows.count[:, np.newaxis]
    gap = rows.a - rows.u
    excess = np.multiply.outer(gap * np.expm1(spread) - rows.u, stakes)
    dead = excess <= -1.0
    excess[dead] = 0.0
    logs = rows.sums(count * np.log1p(excess)) + np.log(np.asarray(mixture.weights))
    logs[rows.sums(dead) > 0.0] = -np.inf
    slopes = rows.sums(count * np.multiply.outer(gap * np.exp(spread), stakes) / (1.0 + excess))
    peak = np.maximum(logs.max(axis=1), np.finfo(np.float64).min)
    shares = np.exp(logs - peak[:, np.newaxis])
    total = shares.sum(axis=1)
    with np.errstate(divide="ignore"):
        value = np.where(total > 0.0, peak + np.log(total), -np.inf)
    return value, (shares * slopes).sum(axis=1) / np.where(total > 0.0, total, 1.0)
