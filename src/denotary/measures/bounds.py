"""Intervals and bounds of many rows at once.

A measurement has thousands of rows. What each of them needs is called from :mod:`denotary.statistics` for all
rows together: bound by bound, it would take most of the time of a measurement.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.statistics import betting, binomial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.counts import Types
    from denotary.measures.table import BoolArray, FloatArray, IntArray

EXACT: Final = "exact binomial"
BETTING: Final = "order-free betting, unit-weighted"
WILSON: Final = "Wilson 95 %"
KORN_GRAUBARD: Final = "Korn-Graubard 95 %"
ALPHA: Final = 0.05


@dataclass(frozen=True, slots=True)
class Panel:
    """The types of R rows, one after the other.

    Attributes:
        row: the row of each type, shape (T,), ascending, in 0..R-1.
        numerator: events of each type, shape (T,).
        denominator: population of each type, shape (T,), above 0.
        size: planned size of each type, shape (T,).
        count: units of each type, shape (T,).
        rows: R.
    """

    row: IntArray
    numerator: IntArray
    denominator: IntArray
    size: IntArray
    count: IntArray
    rows: int

    def total(self, values: IntArray) -> IntArray:
        """Return the sum over the units of each row, shape (R,)."""
        sums = np.zeros(self.rows, dtype=np.int64)
        np.add.at(sums, self.row, values * self.count)
        return sums

    def siblings(self) -> BoolArray:
        """Return whether each row has a unit of more than one case, shape (R,)."""
        found = np.zeros(self.rows, dtype=np.bool_)
        found[self.row[self.size > 1]] = True
        return found

    def only(self, kept: BoolArray) -> Panel:
        """Return the panel of the rows that are kept, shape (R,), renumbered."""
        inside = kept[self.row]
        number = np.cumsum(kept) - 1
        return Panel(
            number[self.row[inside]],
            self.numerator[inside],
            self.denominator[inside],
            self.size[inside],
            self.count[inside],
            int(kept.sum()),
        )


def joined(tables: Sequence[Types], sizes: Sequence[int]) -> Panel:
    """Return the types of several tables as one panel.

    Args:
        tables: types by slice value.
        sizes: number of slice values of each table; they become as many rows, one table after the other.
    """
    first = np.cumsum([0, *sizes]).tolist()
    return Panel(
        _chained([table.key + start for table, start in zip(tables, first, strict=False)]),
        _chained([table.numerator for table in tables]),
        _chained([table.denominator for table in tables]),
        _chained([table.size for table in tables]),
        _chained([table.count for table in tables]),
        first[-1],
    )


def _chained(parts: list[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def intervals(panel: Panel) -> tuple[FloatArray, FloatArray]:
    """Return the two-sided 95 % interval of each row, for description only.

    Wilson's interval takes the cases for independent; where a unit holds several, the effective number of
    cases is smaller and the interval of Korn and Graubard (1998) is wider accordingly.

    Returns:
        Lower and upper ends, shape (R,); 0 and 1 for an empty row.
    """
    k, n = panel.total(panel.numerator), panel.total(panel.denominator)
    low, high = binomial.wilson(k, n)
    wide = panel.siblings()
    if wide.any():
        part = panel.only(wide)
        units = part.total(np.ones_like(part.count))
        low[wide], high[wide] = binomial.korn_graubard(k[wide], n[wide], units, _design_effects(part))
    return low, high


def _design_effects(panel: Panel) -> FloatArray:
    """Return each row's design effect, at least 1: units that agree by accident earn no narrower interval."""
    ends = np.searchsorted(panel.row, np.arange(panel.rows + 1))
    effects = [
        binomial.design_effect(panel.numerator[a:b], panel.denominator[a:b], panel.count[a:b])
        for a, b in pairwise(ends)
    ]
    return np.maximum(effects, 1.0)


def upper_bounds(panel: Panel, alpha: float = ALPHA) -> FloatArray:
    """Return the one-sided upper bound of each row: exact where every unit is one case, else by betting.

    Args:
        panel: the rows.
        alpha: chance, per row, that the true rate lies above its bound.

    Returns:
        Bounds in [0, 1], shape (R,), never below the observed value; 1 for an empty row.
    """
    k, n = panel.total(panel.numerator), panel.total(panel.denominator)
    bounds = binomial.upper(k, n, alpha)
    wide = panel.siblings()
    if wide.any():
        bounds[wide] = _betting(panel.only(wide), alpha)
    return np.maximum(bounds, k / np.maximum(n, 1))


def lower_bounds(panel: Panel, alpha: float = ALPHA) -> FloatArray:
    """Return the one-sided lower bound of each row; arguments and shapes as :func:`upper_bounds`."""
    misses = panel.denominator - panel.numerator
    flipped = Panel(panel.row, misses, panel.denominator, panel.size, panel.count, panel.rows)
    return 1.0 - upper_bounds(flipped, alpha)


def _betting(panel: Panel, alpha: float) -> FloatArray:
    """Return the betting bound of each row."""
    columns = (panel.numerator, panel.denominator, panel.size, panel.count)
    return betting.upper_ratios(columns, panel.row, panel.rows, alpha)
