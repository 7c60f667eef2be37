"""Series without a figure of their own, set as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary import words

if TYPE_CHECKING:
    from denotary.measures.records import Series

_COLUMNS = 12
"""Most columns of a crossed table."""


@dataclass(frozen=True, slots=True)
class OtherTable:
    """A table as it is printed.

    Attributes:
        title: what it shows.
        head: column headings.
        rows: cells; the first of each is its heading.
        left_out: rows that are not printed.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int


def crossed(series: Series, most: int) -> OtherTable | None:
    """Return a series of (label, label, count) with one row a first label and one column a second one, else None."""
    if len(series.columns) != 3 or not all(isinstance(row[2], int) for row in series.rows):  # noqa: PLR2004
        return None
    cells = {(str(row[0]), str(row[1])): int(row[2] or 0) for row in series.rows}
    down = list(dict.fromkeys(name for name, _ in cells))
    across = [
        name for name in dict.fromkeys(name for _, name in cells) if any(cells.get((d, name)) for d in down)
    ]
    if len(across) > _COLUMNS or len(cells) != len(series.rows):
        return None
    rows = tuple((name, *(_count(cells.get((name, other), 0)) for other in across)) for name in down[:most])
    return OtherTable(
        _title(series),
        (words.plain(series.columns[0]), *map(words.plain, across)),
        rows,
        len(down) - len(rows),
    )


def _count(number: int) -> str:
    return f"{number:,}" if number else words.NOTHING


def listed(series: Series, most: int) -> OtherTable:
    """Return a series row by row."""
    rows = tuple(tuple(map(_cell, row)) for row in series.rows[:most])
    return OtherTable(
        _title(series), tuple(map(words.plain, series.columns)), rows, len(series.rows) - len(rows)
    )


def _cell(value: str | float | None) -> str:
    if value is None:
        return words.NOTHING
    return words.number(value) if isinstance(value, float) else str(value)


def _title(series: Series) -> str:
    where = "" if series.slice == "all" else f", {words.slice_name(series.slice)}"
    return words.plain(series.series) + where
