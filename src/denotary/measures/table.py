"""The joined table of cases and answers: one row a planned case, columns as arrays.

The expressions of the measures are evaluated over these columns. Text columns are coded: an integer per row
and the set of labels that the column may hold, so that a literal in an expression can be checked against that
set.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

BoolArray: TypeAlias = NDArray[np.bool_]
IntArray: TypeAlias = NDArray[np.integer[Any]]
FloatArray: TypeAlias = NDArray[np.float64]

ANSWERED = "answered"
"""The boolean column that every table has: a decision was read off the system's reply."""

OUTCOME = "outcome"
"""The coded column that every table has: the one outcome class of the case."""


@dataclass(frozen=True, slots=True)
class Coded:
    """A text column.

    Attributes:
        codes: shape (N,), int32; position in ``labels``, or -1 for NULL.
        labels: every value that the column may hold, whether or not a row holds it.
    """

    codes: IntArray
    labels: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str | None], labels: Sequence[str] | None = None) -> Coded:
        """Code a sequence of texts; without ``labels`` they are the sorted distinct values.

        Raises:
            InputError: a value is not among ``labels``.
        """
        items = values if isinstance(values, (list, tuple)) else list(values)
        allowed = sorted({item for item in items if item is not None}) if labels is None else list(labels)
        code: dict[str | None, int] = {label: index for index, label in enumerate(allowed)}
        code[None] = -1
        try:
            codes = np.fromiter((code[item] for item in items), dtype=np.int32, count=len(items))
        except KeyError as error:
            raise InputError(f"{error.args[0]!r} is not among the column's labels") from None
        return cls(codes, tuple(allowed))


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Columns of equal length N, one row a planned case in the order of the suite.

    Attributes:
        unit: shape (N,), int64; the number of each case's independent unit, from 0 on.
        plain: boolean, integer and float columns of shape (N,); NaN in a float column is NULL.
        coded: text columns.
        capabilities: what the system showed or is declared to express: ``ambiguity``, ``candidates``, ``confidence``,
            ``kinds``, ``repeats``. A measure that needs one that is absent is NOT_APPLICABLE.
        sufficient: by axis, the labels of the slices that meet their evidence floors.
        related: tables of something else than cases, such as pairs of them, by name. Their units are those of the
            cases, or are named by their measures (``Measure.unit_kind``); what the system showed
            and which slices suffice is read here.
    """

    unit: IntArray
    plain: Mapping[str, NDArray[Any]]
    coded: Mapping[str, Coded]
    capabilities: frozenset[str] = frozenset()
    sufficient: Mapping[str, frozenset[str]] = field(default_factory=dict)
    related: Mapping[str, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse columns that do not fit together.

        Raises:
            InputError: lengths differ, a name stands twice, a code has no label, or a required column is
                missing.
        """
        size = len(self.unit)
        twice = self.plain.keys() & self.coded.keys()
        if twice:
            raise InputError(f"column {min(twice)!r} is both plain and coded")
        lengths = {name: len(column) for name, column in self.plain.items()}
        lengths |= {name: len(column.codes) for name, column in self.coded.items()}
        for name, length in lengths.items():
            if length != size:
                raise InputError(f"column {name!r} has {length} rows; the table has {size}")
        for name, coded in self.coded.items():
            _check_codes(name, coded)
        for name, plain in self.plain.items():
            if plain.dtype.kind not in "bif":
                raise InputError(f"column {name!r} has dtype {plain.dtype}; expected bool, int or float")
        if size and int(self.unit.min()) < 0:
            raise InputError("unit holds a negative number")
        if self.plain.get(ANSWERED, np.zeros(0)).dtype.kind != "b" or OUTCOME not in self.coded:
            raise InputError(f"a table needs the boolean column {ANSWERED!r} and the text column {OUTCOME!r}")

    def __repr__(self) -> str:
        return f"<Table {len(self)} rows, {len(self.plain) + len(self.coded)} columns>"

    def __len__(self) -> int:
        return len(self.unit)

    @property
    def names(self) -> frozenset[str]:
        """Names of all columns."""
        return frozenset(self.plain) | frozenset(self.coded)

    def over(self, name: str) -> Table:
        """Return the related table of that name, or this one if the name is empty.

        Raises:
            InputError: there is no such table.
        """
        if not name:
            return self
        if name not in self.related:
            raise InputError(f"the table has no related table {name!r}")
        return replace(self.related[name], capabilities=self.capabilities, sufficient=self.sufficient)

    def flag(self, name: str) -> BoolArray:
        """Return a boolean column."""
        return self.plain[name].astype(np.bool_, copy=False)

    def is_label(self, name: str, label: str) -> BoolArray:
        """Return where a text column holds a label; nowhere if the label is not in its set."""
        column = self.coded[name]
        if label not in column.labels:
            return np.zeros(len(self), dtype=np.bool_)
        found: BoolArray = column.codes == column.labels.index(label)
        return found

    def at(self, rows: IntArray) -> Table:
        """Return the table of some rows, in their order."""
        return replace(
            self,
            unit=self.unit[rows],
            plain={name: column[rows] for name, column in self.plain.items()},
            coded={name: Coded(column.codes[rows], column.labels) for name, column in self.coded.items()},
        )

    def relabelled(self, columns: Iterable[str], names: Mapping[str, str]) -> Table:
        """Return the table with other names for some labels of some text columns; two that become one are merged."""
        coded = dict(self.coded)
        for name in columns:
            old = coded[name]
            new = [names.get(label, label) for label in old.labels]
            labels = tuple(dict.fromkeys(new))
            place = np.asarray([*(labels.index(label) for label in new), -1], dtype=np.int32)
            coded[name] = Coded(place[old.codes], labels)
        return replace(self, coded=coded)

    def outcomes(self) -> dict[str, int]:
        """Return the number of planned cases by outcome class; they sum to the rows.

        Raises:
            InputError: a case is in no class.
        """
        column = self.coded[OUTCOME]
        counts = np.bincount(column.codes + 1, minlength=len(column.labels) + 1)
        if counts[0]:
            raise InputError(f"{counts[0]} of {len(self)} planned cases are in no outcome class")
        return {label: int(count) for label, count in zip(column.labels, counts[1:], strict=True)}


def _check_codes(name: str, column: Coded) -> None:
    if len(set(column.labels)) != len(column.labels):
        raise InputError(f"column {name!r} has a label twice")
    if len(column.codes) and not -1 <= int(column.codes.min()) <= int(column.codes.max()) < len(
        column.labels
    ):
        raise InputError(f"column {name!r} holds a code without a label")
