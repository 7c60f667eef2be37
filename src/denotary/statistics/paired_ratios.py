"""The gating bound of a paired difference of rates or ratios over the same units, many rows at once.

Per unit let w and a be events and population over the planned size, for a first and a second system, and let R = E[w]
/ E[a] be a system's unit-weighted ratio. With r the second system's ratio, R1 - R2 >= d is the same as E[w1 - r a1 -
w2 + r a2 + d (1 - a1)] >= d, a statement about the mean of per-unit values in [-1, 1]: that is what
:func:`denotary.statistics.betting.upper_difference` bounds. For a rate a1 = a2 = 1, r cancels and the bound is that of
the mean difference.

For a ratio r is not known. A tenth of alpha buys a two-sided betting interval for it, and a difference is excluded only
if it is excluded for every r in that interval. The interval is cut into cells, and in each cell every unit takes the
worse of its values at both ends, so no r in between is missed. A difference d that is excluded excludes every larger
one, because values rise with d; so starting from a difference that is excluded and going down step by step to the
bound of the values at the last one stays valid wherever it stops (Tarski's fixed points of a monotone function).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.statistics import betting, checks
from denotary.statistics.paired import MarginTest, margin_verdict, tolerated

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

Columns = tuple["ArrayLike", "ArrayLike", "ArrayLike", "ArrayLike", "ArrayLike", "ArrayLike"]
"""Events and population of the first system, those of the second, planned size, and number of such units."""

NUISANCE: Final = 0.1
"""Share of alpha that buys the interval of the second system's ratio."""

CELLS: Final = 8
"""Parts into which that interval is cut."""

_STEPS: Final = 200
"""Each step is a valid bound; about ten are needed where most units are in the population."""

_SETTLED: Final = 1e-9
"""Change of a bound below which going on is not worth while."""


@dataclass(frozen=True, slots=True)
class _Shares:
    """The types of R rows, one after the other; arrays of shape (T,).

    Attributes:
        first_events: events over planned size, first system.
        first_population: population over planned size, first system.
        second_events: the same of the second system.
        second_population: the same of the second system.
        count: units of each type.
        row: row of each type, ascending.
    """

    first_events: FloatArray
    first_population: FloatArray
    second_events: FloatArray
    second_population: FloatArray
    count: IntArray
    row: IntArray


def upper_differences(
    columns: Columns, row: ArrayLike, rows: int, alpha: float = 0.05, *, ratio: bool = False
) -> FloatArray:
    """Return the upper bound of each row's unit-weighted difference, first system less second.

    Args:
        columns: types of every row, shape (T,) each; 0 <= events <= population <= size, size above 0.
        row: the row each type belongs to, ascending, shape (T,).
        rows: number of rows R.
        alpha: chance, per row, that its true difference lies above its bound.
        ratio: whether the answers decide who is in the population; a rate's population is the planned size.

    Returns:
        Bounds in [-1, 1], shape (R,); 1 for a row without units, and where one system has no population.

    Raises:
        InputError: a value out of order, a bad count, columns of unequal length, or rows out of order.
    """
    rows = int(checks.counts("rows", rows, ndim=0))
    shares = _checked(columns, row, rows)
    if not ratio:
        return _bounds(shares.first_events - shares.second_events, shares.count, shares.row, rows, alpha)
    return _ratio_bounds(shares, rows, checks.probability("alpha", alpha))


def margin_test(columns: Columns, margin: float, alpha: float = 0.05, *, ratio: bool = False) -> MarginTest:
    """Test whether the unit-weighted difference, first less second, stays within a margin.

    For a rate it is :func:`denotary.statistics.paired.margin_test` of the per-unit differences.

    Args:
        columns: types of the units, shape (K,) each, as :func:`upper_differences` takes them.
        margin: largest tolerated difference, in [0, 1).
        alpha: error probability of each one-sided bound.
        ratio: whether the answers decide who is in the population.

    Raises:
        InputError: as :func:`upper_differences`, or a margin outside [0, 1).
    """
    limit = tolerated(margin)
    one = np.zeros(checks.counts("counts", columns[5], ndim=1).size, dtype=np.int64)
    high = float(upper_differences(columns, one, 1, alpha, ratio=ratio)[0])
    low = -float(
        upper_differences((*columns[2:4], *columns[:2], *columns[4:]), one, 1, alpha, ratio=ratio)[0]
    )
    return MarginTest(
        _observed(_checked(columns, one, 1)), low, high, limit, margin_verdict(low, high, limit)
    )


def _observed(shares: _Shares) -> float:
    """Return the observed difference of the unit-weighted ratios; NaN where one does not exist."""
    c = shares.count
    first, second = float(c @ shares.first_population), float(c @ shares.second_population)
    if first == 0.0 or second == 0.0:
        return math.nan
    return float(c @ shares.first_events) / first - float(c @ shares.second_events) / second


def _checked(columns: Columns, row: ArrayLike, rows: int) -> _Shares:
    names = ("first events", "first population", "second events", "second population")
    parts = [checks.floats(name, part, low=0.0, ndim=1) for name, part in zip(names, columns, strict=False)]
    size = checks.floats("size", columns[4], low=np.finfo(np.float64).tiny, ndim=1)
    count = checks.counts("counts", columns[5], ndim=1)
    code, _ = checks.codes("row", row, rows)
    checks.same_length(dict(zip((*names, "size", "counts", "row"), (*parts, size, count, code), strict=True)))
    for events, population in ((0, 1), (2, 3)):
        checks.at_most(names[events], parts[events], names[population], parts[population])
        checks.at_most(names[population], parts[population], "size", size)
    w1, a1, w2, a2 = (part / size for part in parts)
    return _Shares(w1, a1, w2, a2, count, code)


def _bounds(values: FloatArray, count: IntArray, row: IntArray, rows: int, alpha: float) -> FloatArray:
    """Return the upper bound of each row's mean of values in [-1, 1]; see ``betting.upper_difference``."""
    ones = np.ones(len(values))
    columns = ((values + 1.0) / 2.0, ones, ones, count)
    return 2.0 * betting.upper_ratios(columns, row, rows, alpha, mixture=betting.DIFFERENCE) - 1.0


def _ratio_bounds(shares: _Shares, rows: int, alpha: float) -> FloatArray:
    """Return the bound of each row by going down from a difference that is excluded."""
    low, high = _second_ratio(shares, rows, NUISANCE * alpha / 2.0)
    cells = _Cells.of(shares, low, high)
    bound = 1.0 - high
    moving = started = np.bincount(shares.row, shares.count, minlength=rows) > 0
    for step in range(_STEPS):
        found = cells.bounds(bound, moving, (1.0 - NUISANCE) * alpha)
        if step == 0:
            moving = started = moving & (found < bound)
        change = np.where(moving, bound - found, 0.0)
        bound = np.where(moving, np.minimum(found, bound), bound)
        moving = moving & (change > _SETTLED)
        if not moving.any():
            break
    # Where not even the largest difference is excluded, the first ratio is at most 1 and the second at least ``low``.
    return np.where(started, bound, 1.0 - low)


def _second_ratio(shares: _Shares, rows: int, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Return lower and upper bound of the second system's ratio in each row, shape (R,) each."""
    u, a, ones = shares.second_events, shares.second_population, np.ones(len(shares.row))

    def upper(events: FloatArray) -> FloatArray:
        # The ratio may be anywhere in [0, 1], so the bets go from bold to timid as those on a difference do.
        columns = (events, a, ones, shares.count)
        return betting.upper_ratios(columns, shares.row, rows, alpha, mixture=betting.DIFFERENCE)

    high = upper(u)
    return np.minimum(1.0 - upper(a - u), high), high


@dataclass(frozen=True, slots=True)
class _Cells:
    """Types repeated for every cell of their row's interval of ratios; arrays of shape (E,).

    Attributes:
        fixed: the part of the value that does not depend on the difference, at the worse end of the cell.
        absent: what the difference is multiplied by: share of the unit outside the first population.
        count: units.
        row: row.
        cell: number of the cell over all rows, ascending.
        row_of_cell: row of each cell, shape (C,), ascending.
    """

    fixed: FloatArray
    absent: FloatArray
    count: IntArray
    row: IntArray
    cell: IntArray
    row_of_cell: IntArray

    @classmethod
    def of(cls, shares: _Shares, low: FloatArray, high: FloatArray) -> _Cells:
        """Return the cells; one where no unit's population differs, since the ratio cancels there."""
        rows = len(low)
        shift = shares.second_population - shares.first_population
        moved = np.bincount(shares.row, shift != 0.0, minlength=rows) > 0
        per_row = np.where(moved, CELLS, 1)
        copies = per_row[shares.row]
        kind = np.repeat(np.arange(len(copies)), copies)
        within = np.arange(len(kind)) - np.repeat(np.cumsum(copies) - copies, copies)
        cell = (np.cumsum(per_row) - per_row)[shares.row[kind]] + within
        order = np.argsort(cell, kind="stable")
        kind, within = kind[order], within[order]
        row = shares.row[kind]
        width = (high - low)[row] / per_row[row]
        worse = np.maximum(*((low[row] + width * (within + end)) * shift[kind] for end in (0, 1)))
        return cls(
            (shares.first_events - shares.second_events)[kind] + worse,
            1.0 - shares.first_population[kind],
            shares.count[kind],
            row,
            cell[order],
            np.repeat(np.arange(rows), per_row),
        )

    def bounds(self, difference: FloatArray, moving: BoolArray, alpha: float) -> FloatArray:
        """Return, of the rows that move, the largest bound of their cells at a difference, shape (R,)."""
        inside = moving[self.row]
        values = np.clip(self.fixed + difference[self.row] * self.absent, -1.0, 1.0)[inside]
        found = _bounds(values, self.count[inside], self.cell[inside], len(self.row_of_cell), alpha)
        largest = np.full(len(difference), -1.0)
        np.maximum.at(largest, self.row_of_cell, found)
        return largest
