"""The interval dot plot: value, two-sided interval, one-sided bound and limit of each measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.scales import Scale, scale
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, place
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.measures.records import Row

_LABELS = 220.0
_NUMBERS = 128.0
_ROW = 30.0
KEY = (
    ("dot", "observed value; hollow if it is 0"),
    ("ci", "two-sided 95 % interval: description, never a gate"),
    ("bound", "one-sided bound"),
    ("limit", "limit of the gate"),
)


def intervals(
    name: str, title: str, rows: Sequence[Row], titles: Mapping[str, str], limits: Mapping[str, float]
) -> Figure | None:
    """Return a dot plot of measures that are shares, all of one direction; None if none has a value.

    Args:
        name: id of the figure.
        title: its title.
        rows: one row a measure, of one slice.
        titles: measure to title.
        limits: measure to the limit of the gate that reads it in this slice.
    """
    drawn = [row for row in rows if words.is_share(row) and row.value is not None]
    if not drawn:
        return None
    small = all(row.direction == "lower" for row in drawn)
    marked = [limits.get(row.measure) for row in drawn]
    values = [v for row in drawn for v in (row.value, row.low, row.bound)]
    axis = scale([*values, *marked], _LABELS, WIDTH - _NUMBERS, small=small)
    bottom = _ROW * len(drawn) + 4
    canvas = Canvas()
    axis.draw(canvas, 2, bottom)
    for index, row in enumerate(drawn):
        y = _ROW * (index + 0.5) + 2
        canvas.text(0, y + 4, fit(titles.get(row.measure, words.plain(row.measure)), 34))
        draw(canvas, row, axis, y, limits.get(row.measure))
        canvas.text(WIDTH, y + 4, words.fraction(row.numerator, row.denominator), "number", "end")
    return Figure(
        id=name,
        title=title,
        svg=canvas.drawing(name, title, _described(drawn, titles), bottom + 20),
        hides=_hides(drawn, axis),
        key=KEY,
    )


def draw(canvas: Canvas, row: Row, axis: Scale, y: float, limit: float | None) -> None:
    """Draw the marks of one row at height y: limit, interval, bound, value."""
    if limit is not None:
        canvas.line(axis.at(limit), y - 11, axis.at(limit), y + 11, "limit")
    if row.low is not None and row.high is not None:
        canvas.line(axis.at(row.low), y, axis.at(row.high), y, "ci")
    if row.bound is not None:
        # A bracket that closes on the bad side, so that its direction can be read without colour.
        back = -5 if row.direction == "lower" else 5
        canvas.path(f"M{place(axis.at(row.bound) + back)} {place(y - 7)}h{-back}v14h{back}", "bound")
    if row.value is not None:
        canvas.dot(axis.at(row.value), y, hollow=row.value == 0)


def _described(rows: Sequence[Row], titles: Mapping[str, str]) -> str:
    return "; ".join(
        f"{titles.get(row.measure, row.measure)} {words.row_value(row)}, bound {words.row_bound(row)}"
        for row in rows
    )


def _hides(rows: Sequence[Row], axis: Scale) -> str:
    fewest = min(row.units for row in rows)
    said = (
        f"The measures stand on different cases ({words.plural(fewest, 'independent unit')} for the smallest) and may "
        "not be compared or added."
        if len(rows) > 1
        else "It is one rate over cases of many kinds: a group that fails can hide in it."
    )
    if axis.log:
        said += " The axis is logarithmic: equal distances are equal factors, and 0 has a place of its own at the left."
    elif axis.low > 0:
        said += f" The axis begins at {words.percent(axis.low)}."
    return said
