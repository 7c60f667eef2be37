"""Two tables over the same cases, row by row; what has no counterpart is kept apart and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.errors import InputError
from denotary.measures.table import Coded, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from denotary.measures.table import IntArray

BASE: Final = "base_"
"""What the base system's columns begin with in the joined table."""


@dataclass(frozen=True, slots=True, repr=False)
class Pairs:
    """What two systems answered to the same N cases.

    Attributes:
        base: rows of the base system's table, in the order of the pairs.
        new: rows of the new system's table, in the same order.
        base_alone: cases of the base suite without a counterpart.
        new_alone: cases of the new suite without a counterpart.
    """

    base: Table
    new: Table
    base_alone: Table
    new_alone: Table

    def __len__(self) -> int:
        return len(self.new)

    def __repr__(self) -> str:
        return f"<Pairs {len(self)}, unpaired {len(self.base_alone)} and {len(self.new_alone)}>"

    def joined(self) -> Table:
        """Return one row a pair: the new system's columns, and the base system's with ``base_`` before their names.

        A capability is shown only if both systems show it.
        """
        plain: dict[str, NDArray[np.generic]] = dict(self.new.plain)
        coded: dict[str, Coded] = dict(self.new.coded)
        plain |= {f"{BASE}{name}": column for name, column in self.base.plain.items()}
        coded |= {f"{BASE}{name}": column for name, column in self.base.coded.items()}
        shared = self.new.capabilities & self.base.capabilities
        return Table(self.new.unit, plain, coded, shared, self.new.sufficient)


def pair(base: Table, new: Table, at_base: IntArray, at_new: IntArray, unit: IntArray) -> Pairs:
    """Return two tables as pairs.

    Args:
        base: the base system's table.
        new: the new system's table.
        at_base: row of each pair in ``base``, shape (N,).
        at_new: row of each pair in ``new``, shape (N,).
        unit: independent unit of each pair, shape (N,).

    Raises:
        InputError: there is no pair, or a row is paired twice.
    """
    if not len(at_new):
        raise InputError(
            "the two runs have no case in common, and an unpaired test of systems is refused",
            hint="ask both systems the same suite",
        )
    for rows in (at_base, at_new):
        if len(np.unique(rows)) != len(rows):
            raise InputError("a case is paired twice")
    return Pairs(
        _with_unit(base.at(at_base), unit),
        _with_unit(new.at(at_new), unit),
        base.at(np.setdiff1d(np.arange(len(base)), at_base)),
        new.at(np.setdiff1d(np.arange(len(new)), at_new)),
    )


def _with_unit(table: Table, unit: IntArray) -> Table:
    return Table(unit, table.plain, table.coded, table.capabilities, table.sufficient)
