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
    from denotary.measures.table import BoolArray, IntArray

_HISTOGRAM: Final = 1 << 24
"""Up to this many possible vectors a histogram is cheaper than sorting."""


@dataclass(frozen=True, slots=True)
class Groups:
    """The rows of one population, grouped by unit and slice value.

    Attributes:
        rows: row numbers in the order of the groups; None for all rows as they stand.
        starts: first position of each group, shape (G,).
        key: slice value of each group, shape (G,).
        keys: number of slice values.
        size: rows in each group, shape (G,).
    """

    rows: IntArray | None
    starts: IntArray
    key: IntArray
    keys: int
    size: IntArray

    def fold(self, mask: BoolArray) -> IntArray:
        """Return how many rows of each group a mask holds in, shape (G,)."""
        chosen = mask if self.rows is None else mask[self.rows]
        if len(self.starts) == len(chosen):
            return chosen.astype(np.int64)
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


def group(unit: IntArray, key: IntArray, keys: int, among: BoolArray) -> Groups:
    """Group the rows of a population by unit and slice value.

    Args:
        unit: unit of each row, shape (N,).
        key: slice value of each row, shape (N,); -1 for a row that is in no slice.
        keys: number of slice values.
        among: the population, shape (N,).
    """
    inside = among & (key >= 0)
    rows = None if inside.all() else np.flatnonzero(inside)
    chosen_key = (key if rows is None else key[rows]).astype(np.int64)
    cell = (unit if rows is None else unit[rows]) * keys + chosen_key
    if len(cell) > 1 and np.any(cell[1:] < cell[:-1]):
        order = np.argsort(cell, kind="stable")
        cell, chosen_key = cell[order], chosen_key[order]
        rows = order if rows is None else rows[order]
    first = np.ones(len(cell), dtype=np.bool_)
    first[1:] = cell[1:] != cell[:-1]
    starts = np.flatnonzero(first)
    return Groups(rows, starts, chosen_key[starts], keys, np.diff(starts, append=len(cell)))


def types(groups: Groups, numerator: IntArray, denominator: IntArray) -> Types:
    """Return the distinct vectors of the groups whose denominator is not zero.

    Args:
        groups: the grouped population.
        numerator: events of each group, shape (G,).
        denominator: population of each group, shape (G,), at most the group's size.
    """
    kept = denominator > 0
    if kept.all():
        vectors = [groups.key, denominator, numerator, groups.size]
    else:
        vectors = [column[kept] for column in (groups.key, denominator, numerator, groups.size)]
    widths = [int(column.max(initial=0)) + 1 for column in vectors]
    (key, population, events, size), count = _distinct(vectors, widths)
    return Types(key, events, population, size, count)


def _distinct(vectors: list[IntArray], widths: list[int]) -> tuple[list[IntArray], IntArray]:
    """Return the distinct vectors in lexicographic order, column by column, and how often each occurs."""
    span = 1
    for width in widths:
        span *= width
    if span >= 1 << 62:
        distinct, count = np.unique(np.stack(vectors, axis=1), axis=0, return_counts=True)
        return list(distinct.T), count
    packed = vectors[0].copy()
    for column, width in zip(vectors[1:], widths[1:], strict=True):
        packed = packed * width + column
    if span <= _HISTOGRAM:
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
