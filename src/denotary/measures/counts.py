"""Exact counts: how many units of a slice have so many events in such a population.

The distinct (events, population, size) vectors of the units, with how often each occurs, are all that any
interval or bound of this project needs; they are counted in integers, so no result depends on the order of
the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.table import BoolArray, IntArray

_HISTOGRAM: Final = 1 << 24
"""Up to this many possible vectors a histogram is cheaper than sorting, if they are not far more than the groups."""
_PER_GROUP: Final = 64


@dataclass(frozen=True, slots=True)
class Groups:
    """Items (rows, or finer groups) grouped by unit and slice value.

    Attributes:
        items: item numbers in the order of the groups; None for all items as they stand.
        starts: first position of each group, shape (G,).
        unit: unit of each group, shape (G,).
        key: slice value of each group, shape (G,).
        keys: number of slice values.
        size: items in each group, shape (G,).
    """

    items: IntArray | None
    starts: IntArray
    unit: IntArray
    key: IntArray
    keys: int
    size: IntArray

    def fold(self, values: BoolArray | IntArray) -> IntArray:
        """Return the sum of the items' values in each group, shape (G,); a flag counts as 0 or 1."""
        chosen = values if self.items is None else values[self.items]
        if len(self.starts) == len(chosen):
            return chosen.astype(np.int64, copy=False)
        folded: IntArray = np.add.reduceat(chosen, self.starts, dtype=np.int64)
        return folded

    def total(self, per_group: IntArray) -> IntArray:
        """Return the sum over the groups of each slice value, shape (keys,)."""
        sums = np.zeros(self.keys, dtype=np.int64)
        np.add.at(sums, self.key, per_group)
        return sums


@dataclass(frozen=True, slots=True)
class Types:
    """Distinct vectors of units with a population, sorted by slice value; all of shape (T,)."""

    key: IntArray
    numerator: IntArray
    denominator: IntArray
    size: IntArray
    count: IntArray


def group(unit: IntArray, key: IntArray, keys: int, among: BoolArray | None = None) -> Groups:
    """Group items by unit and slice value.

    Args:
        unit: unit of each item, shape (N,).
        key: slice value of each item, shape (N,); -1 for one that is in no slice.
        keys: number of slice values.
        among: items to group, shape (N,); all by default.
    """
    inside = key >= 0 if among is None else among & (key >= 0)
    items = None if inside.all() else np.flatnonzero(inside)
    chosen_key = (key if items is None else key[items]).astype(np.int64)
    chosen_unit = (unit if items is None else unit[items]).astype(np.int64)
    cell = chosen_unit * keys + chosen_key
    if len(cell) > 1 and np.any(cell[1:] < cell[:-1]):
        order = np.argsort(cell, kind="stable")
        cell, chosen_unit, chosen_key = cell[order], chosen_unit[order], chosen_key[order]
        items = order if items is None else items[order]
    first = np.ones(len(cell), dtype=np.bool_)
    first[1:] = cell[1:] != cell[:-1]
    starts = np.flatnonzero(first)
    size = np.diff(starts, append=len(cell))
    return Groups(items, starts, chosen_unit[starts], chosen_key[starts], keys, size)


def crossed(keys: Sequence[tuple[IntArray, int]]) -> tuple[IntArray, int]:
    """Return one number for every combination of slice values, shape (N,), and how many there can be.

    Args:
        keys: slice value of each item, -1 for none, and number of slice values, axis by axis.
    """
    if not keys:
        return np.zeros(0, dtype=np.int64), 1
    combined, span = keys[0][0].astype(np.int64) + 1, keys[0][1] + 1
    for key, number in keys[1:]:
        combined, span = combined * (number + 1) + key + 1, span * (number + 1)
    return combined, span


def uncrossed(combined: IntArray, keys: Sequence[tuple[IntArray, int]]) -> list[IntArray]:
    """Return the slice values that :func:`crossed` combined, axis by axis."""
    found = []
    for _, number in reversed(keys):
        combined, key = np.divmod(combined, number + 1)
        found.append(key - 1)
    return found[::-1]


def types(groups: Groups, size: IntArray, numerator: IntArray, denominator: IntArray) -> Types:
    """Return the distinct vectors of the groups whose denominator is not zero.

    Args:
        groups: the grouped population.
        size: planned cases of each group, shape (G,).
        numerator: events of each group, shape (G,).
        denominator: population of each group, shape (G,), at most its size.
    """
    kept = denominator > 0
    vectors = [groups.key, denominator, numerator, size]
    if not kept.all():
        vectors = [column[kept] for column in vectors]
    widths = [int(column.max(initial=0)) + 1 for column in vectors]
    (key, population, events, size), count = distinct(vectors, widths)
    return Types(key, events, population, size, count)


def distinct(vectors: list[IntArray], widths: list[int]) -> tuple[list[IntArray], IntArray]:
    """Return the distinct vectors in lexicographic order, column by column, and how often each occurs.

    Args:
        vectors: columns of shape (G,), none negative.
        widths: one more than the largest value of each column.
    """
    span = 1
    for width in widths:
        span *= width
    if span >= 1 << 62:
        rows, count = np.unique(np.stack(vectors, axis=1), axis=0, return_counts=True)
        return list(rows.T), count
    packed = vectors[0].copy()
    for column, width in zip(vectors[1:], widths[1:], strict=True):
        packed = packed * width + column
    if span <= min(_HISTOGRAM, _PER_GROUP * len(packed)):
        histogram = np.bincount(packed, minlength=span)
        found = np.flatnonzero(histogram)
        count = histogram[found]
    else:
        found, count = np.unique(packed, return_counts=True)
    columns = []
    for width in reversed(widths[1:]):
        found, column = np.divmod(found, width)
        columns.append(column)
    return [found, *reversed(columns)], count


def count_distinct(unit: IntArray) -> int:
    """Return the number of distinct values; fast where they are in order, as units of a suite mostly are."""
    steps = np.diff(unit)
    if np.any(steps < 0):
        return len(np.unique(unit))
    return int(np.count_nonzero(steps)) + (len(unit) > 0)
