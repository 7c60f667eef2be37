"""Evidence against floors: how many cases a group has of each kind, and how many it should have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, short_names
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.records import Series

COLUMNS = ("axis", "group", "floor", "have", "need")
_ROW = 26.0
_HEAD = 30.0
_MOST = 24
_BEYOND = 1.25
"""The bar ends at this multiple of the floor, however much more there is."""


def floors(series: Series, axis: str) -> Figure | None:
    """Return one line a group and one bar a floor; None if the axis has none."""
    rows = [row for row in series.rows if row[0] == axis]
    groups = list(dict.fromkeys(str(row[1]) for row in rows))
    kinds = list(dict.fromkeys(str(row[2]) for row in rows))
    if not rows:
        return None
    cells = {(str(row[1]), str(row[2])): (int(row[3] or 0), int(row[4] or 0)) for row in rows}
    met = [
        group for group in groups if all(have >= need for (g, _), (have, need) in cells.items() if g == group)
    ]
    drawn = (
        groups if len(groups) <= _MOST else sorted(groups, key=lambda group: (group in met, group))[:_MOST]
    )
    short = short_names(drawn)
    labels = 92.0 if max(map(len, short.values())) <= 10 else 200.0  # noqa: PLR2004 - characters that fit
    width = (WIDTH - labels) / len(kinds)
    canvas = Canvas()
    for column, kind in enumerate(kinds):
        canvas.text(labels + width * column, 14, fit(kind, int(width / 7.4)))
    for index, group in enumerate(drawn):
        y = _HEAD + _ROW * (index + 0.5)
        canvas.icon("pass" if group in met else "insufficient", 7, y, 12)
        canvas.text(20, y + 4, fit(short[group], int((labels - 26) / 6.6)))
        for column, kind in enumerate(kinds):
            if (group, kind) in cells:
                _bar(canvas, labels + width * column, y, width - 14, cells[group, kind])
    name = f"floors-{axis}"
    return Figure(
        id=name,
        title=f"Evidence against the floors, by {axis}",
        svg=canvas.drawing(
            name, f"Evidence floors by {axis}", _described(met, groups), _HEAD + _ROW * len(drawn) + 6
        ),
        hides=_hides(axis, len(groups) - len(drawn)),
        head=(words.plain(axis), *kinds),
        rows=tuple((group, *(_cell(cells.get((group, kind))) for kind in kinds)) for group in groups),
        key=(
            ("bar", "cases in hand"),
            ("floor", "floor"),
            ("pass", "all floors met"),
            ("insufficient", "insufficient evaluation evidence"),
        ),
    )


def _bar(canvas: Canvas, x: float, y: float, width: float, cell: tuple[int, int]) -> None:
    have, need = cell
    room = width - 58
    full = room / _BEYOND
    share = min(have / need, _BEYOND) if need else _BEYOND
    canvas.line(x, y, x + room, y, "grid")
    canvas.rect(x, y - 4, max(full * share, 0.5), 8, "bar" if have >= need else "bar short")
    canvas.line(x + full, y - 8, x + full, y + 8, "floor")
    canvas.text(x + room + 6, y + 4, f"{have:,}/{need:,}", "number")


def _cell(cell: tuple[int, int] | None) -> str:
    return words.NOTHING if cell is None else f"{cell[0]:,} of {cell[1]:,}"


def _described(met: Sequence[str], groups: Sequence[str]) -> str:
    return f"{len(met)} of {len(groups)} groups meet every floor."


def _hides(axis: str, left_out: int) -> str:
    cut = f" {words.plural(left_out, 'more group')} are in the table only." if left_out else ""
    return (
        f"A {axis} that meets its floors may be described, it is not certified by them: the floor counts cases, a gate "
        f"counts independent units against its limit.{cut}"
    )
