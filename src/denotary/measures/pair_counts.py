"""Exact counts of pairs: how many units have so many events and such a population with either system."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.measures import counts
from denotary.measures.expressions import masks
from denotary.measures.records import PairType, Rate
from denotary.statistics.paired_ratios import upper_differences
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from denotary.measures.pairs import Pairs
    from denotary.measures.records import Comparison, Ratio
    from denotary.measures.slices import Axis
    from denotary.measures.table import BoolArray, FloatArray, IntArray

    Masks = Mapping[str, BoolArray]


@dataclass(frozen=True, slots=True)
class PairPanel:
    """The types of R rows, one after the other; arrays of shape (T,).

    Attributes:
        rows: R.
        row: the row of each type, ascending, in 0..R-1.
        base_numerator: events with the base system.
        base_denominator: population with the base system.
        new_numerator: events with the new system.
        new_denominator: population with the new system.
        size: planned size, above 0.
        count: units of this type.
    """

    rows: int
    row: IntArray
    base_numerator: IntArray
    base_denominator: IntArray
    new_numerator: IntArray
    new_denominator: IntArray
    size: IntArray
    count: IntArray

    def total(self, values: Any) -> IntArray:
        """Return the sum of values over the units of each row, shape (R,)."""
        sums = np.zeros(self.rows, dtype=np.int64)
        np.add.at(sums, self.row, np.asarray(values, dtype=np.int64) * self.count)
        return sums

    def ends(self) -> IntArray:
        """Return where the types of each row begin, and where the last ones end, shape (R + 1,)."""
        found: IntArray = np.searchsorted(self.row, np.arange(self.rows + 1))
        return found

    def types(self) -> list[tuple[PairType, ...]]:
        """Return the types of each row as records."""
        columns = (self.base_numerator, self.base_denominator, self.new_numerator, self.new_denominator)
        records = [
            PairType(*v) for v in zip(*(c.tolist() for c in (*columns, self.size, self.count)), strict=True)
        ]
        return [tuple(records[a:b]) for a, b in pairwise(self.ends().tolist())]

    def bounds(self, ratio: ArrayLike, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the one-sided bounds of each row's difference, new less base, from below and from above.

        Neither is printed on the wrong side of the observed difference by case.

        Args:
            ratio: whether each row is that of a ratio, shape (R,).
            alpha: chance, per bound, that the true difference lies beyond it.
        """
        base, new = (self.base_numerator, self.base_denominator), (self.new_numerator, self.new_denominator)
        kind = np.asarray(ratio, dtype=np.bool_)
        high = self._upper(new, base, kind, alpha)
        low = -self._upper(base, new, kind, alpha)
        seen = self.difference()
        return np.fmin(low, seen), np.fmax(high, seen)

    def _upper(
        self,
        first: tuple[IntArray, IntArray],
        second: tuple[IntArray, IntArray],
        ratio: BoolArray,
        alpha: float,
    ) -> FloatArray:
        columns = (*first, *second, self.size, self.count)
        found = np.ones(self.rows)
        for kind in (False, True):
            chosen = ratio == kind
            inside = chosen[self.row]
            number = np.cumsum(chosen) - 1
            c1, c2, c3, c4, c5, c6 = (column[inside] for column in columns)
            found[chosen] = upper_differences(
                (c1, c2, c3, c4, c5, c6), number[self.row[inside]], int(chosen.sum()), alpha, ratio=kind
            )
        return found

    def difference(self) -> FloatArray:
        """Return the observed difference by case, new less base, shape (R,); NaN where a population is empty."""
        new = quotient(self.total(self.new_numerator), self.total(self.new_denominator))
        base = quotient(self.total(self.base_numerator), self.total(self.base_denominator))
        return new - base


@dataclass(frozen=True, slots=True)
class UnitPairs:
    """A measure summed by unit and slice value; arrays of shape (G,), one entry a unit and value.

    Attributes:
        keys: number of slice values.
        unit: unit of each entry.
        key: slice value of each entry.
        base_numerator: events with the base system.
        base_denominator: population with the base system.
        new_numerator: events with the new system.
        new_denominator: population with the new system.
        size: planned size.
    """

    keys: int
    unit: IntArray
    key: IntArray
    base_numerator: IntArray
    base_denominator: IntArray
    new_numerator: IntArray
    new_denominator: IntArray
    size: IntArray

    def sums(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Return events and population of the new system, then of the base system."""
        return self.new_numerator, self.new_denominator, self.base_numerator, self.base_denominator

    def panel(self) -> PairPanel:
        """Return the types of the units with a population, one row a slice value."""
        vectors = [
            self.key,
            self.base_numerator,
            self.base_denominator,
            self.new_numerator,
            self.new_denominator,
            self.size,
        ]
        kept = (self.base_denominator > 0) | (self.new_denominator > 0)
        vectors = [column[kept] for column in vectors]
        columns, count = counts.distinct(vectors, [int(column.max(initial=0)) + 1 for column in vectors])
        row, base_top, base_bottom, new_top, new_bottom, size = columns
        return PairPanel(self.keys, row, base_top, base_bottom, new_top, new_bottom, size, count)


def panel_of(types: Sequence[PairType]) -> PairPanel:
    """Return the panel of one row."""
    columns = np.asarray([tuple(map(int, _values(item))) for item in types], dtype=np.int64).reshape(-1, 6)
    row = np.zeros(len(types), dtype=np.int64)
    return PairPanel(1, row, *(columns[:, place] for place in range(6)))


def _values(item: PairType) -> tuple[int, ...]:
    return (
        item.base_numerator,
        item.base_denominator,
        item.new_numerator,
        item.new_denominator,
        item.size,
        item.count,
    )


class PairCounter:
    """Pairs, and where each text of the measures holds for either system."""

    def __init__(self, pairs: Pairs, comparisons: Sequence[Comparison]) -> None:
        texts = [text for item in comparisons for text in _texts(item.of)]
        amongs = [item.of.among for item in comparisons]
        self._pairs = pairs
        self._base, self._new = masks(pairs.base, texts), masks(pairs.new, texts)
        self._alone = masks(pairs.base_alone, amongs), masks(pairs.new_alone, amongs)

    def count(self, of: Rate | Ratio, by: Axis) -> UnitPairs:
        """Return a measure summed by unit and value of an axis.

        A case that belongs to the population in one suite alone, because a set of cases is whole in that one only,
        is left to :meth:`alone`.
        """
        among = self._base[of.among] & self._new[of.among]
        groups = counts.group(self._pairs.new.unit, by.key, len(by.labels), among)
        size = groups.size
        if isinstance(of, Rate):
            base_top, new_top = (groups.fold(m[of.event]) for m in (self._base, self._new))
            base_bottom = new_bottom = size
        else:
            base_top, new_top = (groups.fold(m[of.numerator]) for m in (self._base, self._new))
            base_bottom, new_bottom = (groups.fold(m[of.denominator]) for m in (self._base, self._new))
        return UnitPairs(
            groups.keys, groups.unit, groups.key, base_top, base_bottom, new_top, new_bottom, size
        )

    def alone(self, of: Rate | Ratio, by: Axis) -> tuple[IntArray, IntArray]:
        """Return how many cases of a population have no counterpart, by value of the axis, base and new."""
        differing = self._base[of.among] ^ self._new[of.among]
        lost = np.bincount(by.key[differing & (by.key >= 0)], minlength=len(by.labels))
        sides = zip(self._alone, (self._pairs.base_alone, self._pairs.new_alone), strict=True)
        base, new = (_by_label(mask[of.among], table, by) + lost for mask, table in sides)
        return base, new


def _by_label(mask: BoolArray, table: Any, by: Axis) -> IntArray:
    """Return how many rows of another table hold, by the labels of an axis."""
    if by.name not in table.coded:
        return np.asarray([int(mask.sum())], dtype=np.int64)
    column = table.coded[by.name]
    held = np.bincount(column.codes[mask & (column.codes >= 0)], minlength=len(column.labels))
    found = dict(zip(column.labels, held.tolist(), strict=True))
    return np.asarray([found.get(label, 0) for label in by.labels], dtype=np.int64)


def _texts(of: Rate | Ratio) -> tuple[str, ...]:
    if isinstance(of, Rate):
        return of.event, of.among
    return of.numerator, of.denominator, of.among


def joined(panels: Sequence[PairPanel]) -> PairPanel:
    """Return several panels, at least one, as one: row after row."""
    first = np.cumsum([0, *(panel.rows for panel in panels)]).tolist()
    row = [panel.row + start for panel, start in zip(panels, first, strict=False)]
    return PairPanel(
        first[-1],
        np.concatenate(row),
        np.concatenate([panel.base_numerator for panel in panels]),
        np.concatenate([panel.base_denominator for panel in panels]),
        np.concatenate([panel.new_numerator for panel in panels]),
        np.concatenate([panel.new_denominator for panel in panels]),
        np.concatenate([panel.size for panel in panels]),
        np.concatenate([panel.count for panel in panels]),
    )
