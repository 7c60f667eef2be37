"""The strip of groups: the same few measures for every language (or another axis), one line a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.intervals import KEY, draw
from denotary.reports.figures.scales import Scale, scale
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, short_names
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.measures.records import Row

_ROW = 24.0
_HEAD = 40.0
_MOST = 24
COLUMNS = 4
"""Most measures side by side."""


def strip(
    axis: str, rows: Sequence[Row], titles: Mapping[str, str], limits: Mapping[str, float]
) -> Figure | None:
    """Return one line a group, one column a measure; None if there is nothing to draw.

    Args:
        axis: the axis of the slices, such as ``language``.
        rows: rows of that axis for at most ``COLUMNS`` measures that are shares.
        titles: measure to title.
        limits: measure to limit.
    """
    measures = list(dict.fromkeys(row.measure for row in rows))[:COLUMNS]
    table = {(row.slice, row.measure): row for row in rows}
    groups = list(dict.fromkeys(row.slice for row in rows))
    drawn = _worst(groups, table, measures)
    if not drawn or not measures:
        return None
    labels = short_names([group.partition("=")[2] for group in drawn])
    indent = 64.0 if max(map(len, labels.values())) <= 8 else 176.0  # noqa: PLR2004 - characters that fit
    width = (WIDTH - indent) / len(measures)
    bottom = _HEAD + _ROW * len(drawn)
    canvas = Canvas()
    for column, measure in enumerate(measures):
        left = indent + width * column
        found = [table[group, measure] for group in drawn if (group, measure) in table]
        canvas.text(left, 14, fit(titles.get(measure, words.plain(measure)), int(width / 7.4)))
        _column(canvas, found, drawn, (left, left + width - 22, bottom), limits.get(measure))
    for index, group in enumerate(drawn):
        y = _HEAD + _ROW * (index + 0.5)
        canvas.text(0, y + 4, fit(labels[group.partition("=")[2]], int(indent / 6.6)))
    name = f"strip-{axis}"
    return Figure(
        id=name,
        title=f"The same measures by {axis}",
        svg=canvas.drawing(name, f"Measures by {axis}", _described(drawn, measures, titles), bottom + 22),
        hides=_hides(
            axis, found=[row for row in rows if row.measure in measures], left_out=len(groups) - len(drawn)
        ),
        head=(words.plain(axis), *(titles.get(measure, words.plain(measure)) for measure in measures)),
        rows=tuple(
            (group.partition("=")[2], *(_cell(table.get((group, m))) for m in measures)) for group in groups
        ),
        key=KEY if limits else KEY[:3],
    )


def _cell(row: Row | None) -> str:
    if row is None or row.value is None:
        return "no evidence"
    return f"{words.row_value(row)} ({words.fraction(row.numerator, row.denominator)}), bound {words.row_bound(row)}"


def _column(
    canvas: Canvas,
    rows: Sequence[Row],
    groups: Sequence[str],
    box: tuple[float, float, float],
    limit: float | None,
) -> None:
    if not rows:
        return
    left, right, bottom = box
    values = [value for row in rows for value in (row.value, row.low, row.bound)]
    axis: Scale = scale([*values, limit], left, right, small=rows[0].direction == "lower")
    ticks = axis.ticks()
    for tick in ticks:
        canvas.line(axis.at(tick), _HEAD - 8, axis.at(tick), bottom, "grid")
    canvas.text(left, bottom + 14, words.percent(ticks[0]), "tick")
    canvas.text(right, bottom + 14, words.percent(ticks[-1]), "tick", "end")
    for row in rows:
        y = _HEAD + _ROW * (groups.index(row.slice) + 0.5)
        if row.value is None:
            canvas.text(left, y + 4, "no evidence", "tick")
        else:
            draw(canvas, row, axis, y, limit)


def _worst(groups: list[str], table: Mapping[tuple[str, str], Row], measures: Sequence[str]) -> list[str]:
    """Return the groups to draw, in their own order: the highest bounds if there are too many."""
    if len(groups) <= _MOST:
        return groups

    def badness(group: str) -> float:
        row = table.get((group, measures[0]))
        return -(row.bound if row is not None and row.bound is not None else -1.0)

    kept = set(sorted(groups, key=lambda group: (badness(group), group))[:_MOST])
    return [group for group in groups if group in kept]


def _described(groups: Sequence[str], measures: Sequence[str], titles: Mapping[str, str]) -> str:
    return (
        f"{len(groups)} groups; measures: {', '.join(titles.get(measure, measure) for measure in measures)}."
    )


def _hides(axis: str, found: Sequence[Row], left_out: int) -> str:
    groups = len({row.slice for row in found})
    thin = len({row.slice for row in found if row.status == "INSUFFICIENT"})
    said = (
        f"A {axis} that looks alike is not shown to be alike: absence of evidence is not evidence of parity."
    )
    if thin:
        said += f" {thin:,} of {words.plural(groups, axis)} have too little evidence in at least one of the measures."
    if left_out:
        said += f" {words.plural(left_out, 'group')} with lower bounds are in the table only."
    return said
