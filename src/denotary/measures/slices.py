"""Ways to slice a table: all rows, or by the labels of a text column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.measures.table import IntArray, Table

ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Axis:
    """One way to slice the table.

    Attributes:
        name: ``all``, or the text column whose labels are the slices.
        key: slice value of each row, shape (N,); -1 for a row in no slice.
        labels: the slice values.
        held: whether a case is in the slice, by slice value; an empty slice has no row.
    """

    name: str
    key: IntArray
    labels: tuple[str, ...]
    held: tuple[bool, ...]

    def sorted(self) -> tuple[IntArray, IntArray]:
        """Return the rows ordered by slice value, and the position where each value starts and the last one ends."""
        # Sixteen bits are sorted by radix, in a fraction of the time.
        narrow = len(self.labels) < np.iinfo(np.int16).max
        key = self.key.astype(np.int16) if narrow else self.key
        order = np.argsort(key, kind="stable")
        return order, np.searchsorted(key[order], np.arange(len(self.labels) + 1))

    def slices(self) -> Iterator[tuple[int, str]]:
        """Yield the value and the name of every slice that holds a case: ``all`` or ``axis=label``."""
        for value, (label, held) in enumerate(zip(self.labels, self.held, strict=True)):
            if held:
                yield value, ALL if self.name == ALL else f"{self.name}={label}"


def axis(table: Table, name: str) -> Axis:
    """Return an axis of a table. A row whose label is blank is in no slice.

    Raises:
        InputError: the table has no such text column.
    """
    if name == ALL:
        return Axis(ALL, np.zeros(len(table), dtype=np.int64), (ALL,), (True,))
    if name not in table.coded:
        raise InputError(f"cannot slice by {name!r}: it is not a text column of the table")
    column = table.coded[name]
    key = column.codes.astype(np.int64)
    if "" in column.labels:
        key[key == column.labels.index("")] = -1
    held = np.bincount(key + 1, minlength=len(column.labels) + 1)[1:] > 0
    return Axis(name, key, column.labels, tuple(held.tolist()))
