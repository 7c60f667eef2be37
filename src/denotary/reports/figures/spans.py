"""Values between 0 and 1 with their intervals, one a line, and lines at values that mean something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from denotary.reports.figures.scales import Scale
from denotary.reports.figures.svg import WIDTH, Canvas, Figure
from denotary.words import NOTHING, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

_LABELS: Final = 230.0
_NUMBERS: Final = 150.0
_ROW: Final = 26.0
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
HEAD: Final = ("what", "value", "from", "to", "")


@dataclass(frozen=True, slots=True)
class Span:
    """One line of the drawing.

    Attributes:
        label: what it is of; any characters whatever.
        value: in [0, 1]; None where there is none, which draws nothing.
        low: lower end of its interval, or None.
        high: upper end of it, or None.
        note: further words for the table behind the drawing.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""


def spans(
    name: str, title: str, rows: Sequence[Span], *, marks: Sequence[tuple[float, str]], hides: str
) -> Figure:
    """Return the drawing, with a table of all its numbers.

    Args:
        name: id of the figure.
        title: its title.
        rows: from top to bottom.
        marks: values with a line of their own, and what each means.
        hides: what the drawing does not show.
    """
    axis = Scale(_LABELS, WIDTH - _NUMBERS)
    bottom = _ROW * len(rows) + 6
    canvas = Canvas()
    for tick in _TICKS:
        canvas.line(axis.at(tick), 2, axis.at(tick), bottom, "grid")
        canvas.text(axis.at(tick), bottom + 14, f"{tick:g}", "tick", "middle")
    for value, _ in marks:
        canvas.line(axis.at(value), 2, axis.at(value), bottom, "limit")
    for index, row in enumerate(rows):
        y = _ROW * (index + 0.5) + 3
        canvas.text(0, y + 4, fit(row.label, 36))
        canvas.text(WIDTH, y + 4, _numbers(row), "number", "end")
        if row.value is None:
            continue
        ends = (row.value if row.low is None else row.low, row.value if row.high is None else row.high)
        canvas.line(axis.at(ends[0]), y, axis.at(ends[1]), y, "ci")
        canvas.dot(axis.at(row.value), y)
    described = "; ".join(f"{row.label} {_numbers(row)}" for row in rows)
    return Figure(
        id=name,
        title=title,
        svg=canvas.drawing(name, title, described, bottom + 20),
        hides=hides,
        head=HEAD,
        rows=tuple((row.label, *map(number, (row.value, row.low, row.high)), row.note) for row in rows),
        key=(
            ("dot", "observed value"),
            ("ci", "interval"),
            *((("limit", ", ".join(f"{value:g}: {meaning}" for value, meaning in marks)),) if marks else ()),
        ),
    )


def number(value: float | None) -> str:
    """Return a value with three decimals, never -0, or the sign for nothing."""
    return NOTHING if value is None else f"{round(value, 3) + 0.0:.3f}"


def _numbers(row: Span) -> str:
    if row.low is None and row.high is None:
        return number(row.value)
    return f"{number(row.value)} [{number(row.low)}, {number(row.high)}]"
