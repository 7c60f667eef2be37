"""Two systems on the same units: exact tests, their floors, multiplicity, intervals and margins.

Differences are harm-oriented: positive where the first system is worse, so that an upper bound within a
margin means "not worse by more than the margin". Repeats of an item are averaged before they come here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import betting, bootstrap, checks, tails

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray

_TIE = 1e-12
"""Means of repeats that differ by rounding alone are ties."""


@dataclass(frozen=True, slots=True)
class SignTest:
    """Exact two-sided test on discordant units.

    Attributes:
        positive: units with a positive difference (for McNemar: only the first flag is set).
        negative: units with a negative difference (only the second flag is set).
        ties: units without a difference; they carry no information and are reported.
        p: exact two-sided p-value; 1 without discordant units.
        floor: the smallest p that this many discordant units could have given.
    """

    positive: int
    negative: int
    ties: int
    p: float
    floor: float

    def could_reject(self, alpha: float = 0.05) -> bool:
        """Say whether any outcome of these discordant units could have been significant at ``alpha``."""
        return self.floor <= alpha


class MarginVerdict(StrEnum):
    """What a margin test supports."""

    WITHIN = "within"
    """The upper bound of the difference is within the margin."""
    BEYOND = "beyond"
    """The lower bound of the difference is beyond the margin."""
    UNDECIDED = "undecided"
    """Neither: more units are needed. A p-value of 1 is not equivalence."""


@dataclass(frozen=True, slots=True)
class MarginTest:
    """Mean difference against a margin, with finite-sample valid one-sided bounds.

    Attributes:
        difference: observed mean of the per-unit differences; NaN without units.
        low: lower bound of the mean, one-sided at the test's alpha.
        high: upper bound of the mean, one-sided at the test's alpha.
        margin: largest difference that is tolerated.
        verdict: what follows.
    """

    difference: float
    low: float
    high: float
    margin: float
    verdict: MarginVerdict


def discordant_p(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the exact two-sided p-values of discordant counts: McNemar's test and the sign test alike.

    min(1, 2 P(X <= min(b, c))) with X binomial(b + c, 1/2); McNemar, Psychometrika 12 (1947).

    Args:
        first: units discordant one way, any shape that broadcasts with ``second``.
        second: units discordant the other way.

    Returns:
        P-values; 1 where both counts are 0.

    Raises:
        InputError: a negative or fractional count, or shapes that do not fit.
    """
    b, c = _broadcast(checks.counts("first", first), checks.counts("second", second))
    total = checks.counts("first + second", b + c)
    return np.minimum(1.0, 2.0 * tails.at_most(np.minimum(b, c), total, 0.5))


def p_floor(discordant: ArrayLike) -> FloatArray:
    """Return the smallest two-sided p-value that n discordant units can give: 2**(1 - n), at most 1.

    Raises:
        InputError: a negative or fractional count.
    """
    n = checks.counts("discordant", discordant)
    return np.minimum(1.0, np.exp2(1.0 - n.astype(np.float64)))


def sign_test(differences: ArrayLike) -> SignTest:
    """Return the exact two-sided sign test over item means.

    Args:
        differences: one mean difference an item, shape (N,); within 1e-12 of 0 is a tie.

    Raises:
        InputError: not finite, or not one axis.
    """
    d = checks.floats("differences", differences, ndim=1)
    return _signs(int(np.sum(d > _TIE)), int(np.sum(d < -_TIE)), d.size)


def mcnemar(first: ArrayLike, second: ArrayLike) -> SignTest:
    """Return McNemar's exact test of two flags on the same units.

    Args:
        first: one flag a unit, shape (N,).
        second: the other system's flag, shape (N,).

    Raises:
        InputError: a value other than 0 and 1, or unequal length.
    """
    a, b = checks.flags("first", first, ndim=1), checks.flags("second", second, ndim=1)
    checks.same_length({"first": a, "second": b})
    return _signs(int(np.sum(a & ~b)), int(np.sum(b & ~a)), a.size)


def holm(p_values: ArrayLike) -> FloatArray:
    """Return Holm's step-down adjusted p-values; Holm, Scandinavian Journal of Statistics 6 (1979).

    Args:
        p_values: one p-value a claim, shape (N,), each in [0, 1].

    Raises:
        InputError: a value outside [0, 1] or not finite.
    """
    p = checks.floats("p_values", p_values, low=0.0, high=1.0, ndim=1)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def ratio_difference(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    counts: ArrayLike | None = None,
    *,
    resamples: int = bootstrap.RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> bootstrap.Interval:
    """Return the paired cluster bootstrap of the difference of two ratios over the same units.

    Args:
        first: the first system's per-unit numerators and denominators, shape (K,) each.
        second: the second system's, aligned on the same units.
        counts: how many units share each row, shape (K,); one each by default.
        resamples: number of resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Returns:
        The interval of first - second. For description: it gates nothing.

    Raises:
        InputError: not finite, a negative denominator, or columns of unequal length.
    """
    columns = [checks.sums(name, part, ndim=1)[:, np.newaxis] for name, part in _named(first, second)]
    found = ratio_differences(
        (columns[0], columns[1]),
        (columns[2], columns[3]),
        counts,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    return found[0]


def ratio_differences(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    counts: ArrayLike | None = None,
    *,
    resamples: int = bootstrap.RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[bootstrap.Interval]:
    """Return :func:`ratio_difference` of each column, all columns from the same resamples.

    Args:
        first: the first system's per-unit numerators and denominators, shape (K, M) each.
        second: the second system's, aligned on the same units and columns.
        counts: how many units share each row, shape (K,); one each by default.
        resamples: number of resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Raises:
        InputError: as :func:`ratio_difference`.
    """
    parts = {
        name: checks.sums(name, part, ndim=2, **({"low": 0.0} if "denominator" in name else {}))
        for name, part in _named(first, second)
    }
    rows = checks.same_length(parts)
    c = np.ones(rows, dtype=np.int64) if counts is None else checks.counts("counts", counts, ndim=1)
    if len({part.shape for part in parts.values()}) > 1:
        raise InputError(f"columns of shapes {', '.join(str(part.shape) for part in parts.values())}")
    table = np.stack(list(parts.values()), axis=2)
    columns = table.shape[1]
    sums = bootstrap.resampled_sums(table.reshape(rows, columns * 4), c, resamples=resamples, seed=seed)
    draws = _difference(sums.reshape(len(sums), columns, 4))
    observed = _difference(np.tensordot(c, table, axes=(0, 0))[np.newaxis])[0]
    units = c @ ((table[:, :, 1] > 0) | (table[:, :, 3] > 0))
    return [
        bootstrap.interval(float(observed[m]), draws[:, m], units=int(units[m]), confidence=confidence)
        for m in range(columns)
    ]


def margin_test(
    differences: ArrayLike,
    margin: float,
    counts: ArrayLike | None = None,
    alpha: float = 0.05,
) -> MarginTest:
    """Test whether the mean per-unit difference stays within a margin (non-inferiority).

    Args:
        differences: per-unit differences in [-1, 1], harm-oriented, shape (K,).
        margin: largest tolerated mean difference, in [0, 1).
        counts: how many units share each difference, shape (K,); one each by default.
        alpha: error probability of each one-sided bound.

    Raises:
        InputError: a difference outside [-1, 1], a margin outside [0, 1), or a bad count.
    """
    d = checks.floats("differences", differences, low=-1.0, high=1.0, ndim=1)
    limit = tolerated(margin)
    high = betting.upper_difference(d, counts, alpha)
    low = -betting.upper_difference(-d, counts, alpha)
    weights = np.ones(d.size) if counts is None else checks.counts("counts", counts, ndim=1)
    total = float(weights.sum())
    observed = float(weights @ d) / total if total else math.nan
    return MarginTest(observed, low, high, limit, margin_verdict(low, high, limit))


def tolerated(margin: float) -> float:
    """Return a margin, checked.

    Raises:
        InputError: it is not in [0, 1).
    """
    limit = float(checks.floats("margin", margin, low=0.0, ndim=0))
    if limit >= 1.0:
        raise InputError(f"margin is {limit:g}; expected a number in [0, 1)")
    return limit


def margin_verdict(low: float, high: float, margin: float) -> MarginVerdict:
    """Return what the bounds of a difference say of a margin."""
    if high <= margin:
        return MarginVerdict.WITHIN
    return MarginVerdict.BEYOND if low > margin else MarginVerdict.UNDECIDED


def _signs(positive: int, negative: int, total: int) -> SignTest:
    """Return the test of discordant counts."""
    discordant = positive + negative
    return SignTest(
        positive,
        negative,
        total - discordant,
        float(discordant_p(positive, negative)),
        float(p_floor(discordant)),
    )


def _broadcast(first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """Return both counts in their common shape."""
    try:
        pair: tuple[IntArray, ...] = np.broadcast_arrays(first, second)
    except ValueError:
        raise InputError(
            f"first of shape {first.shape} does not fit second of shape {second.shape}"
        ) from None
    return pair[0], pair[1]


def _named(
    first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike]
) -> list[tuple[str, ArrayLike]]:
    """Return the four columns of two ratios with their names."""
    names = ("first numerator", "first denominator", "second numerator", "second denominator")
    return list(zip(names, (*first, *second), strict=True))


def _difference(sums: FloatArray) -> FloatArray:
    """Return the difference of two ratios from sums of shape (..., 4); NaN where a denominator is 0."""
    kept = (sums[..., 1] > 0) & (sums[..., 3] > 0)
    safe = np.where(kept[..., np.newaxis], sums, 1.0)
    return np.where(kept, safe[..., 0] / safe[..., 1] - safe[..., 2] / safe[..., 3], np.nan)
