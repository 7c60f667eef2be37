"""Panels set in words: each with its own figures and tables, never merged with another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from denotary import words
from denotary.reports.figures.intervals import intervals
from denotary.reports.gate_view import limits
from denotary.reports.model import Panel
from denotary.text import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.measures.records import Row
    from denotary.reports.figures.svg import Figure
    from denotary.reports.model import Report

MOST_GROUPS = 40
"""Most groups of an axis on the page; all of them are in rows.jsonl."""
MOST_PAIRS = 120
"""The same for an axis of pairs of groups."""


@dataclass(frozen=True, slots=True)
class MeasureLine:
    """One measure in one slice, every cell as it is printed."""

    id: str
    title: str
    counted: str
    units: str
    value: str
    interval: str
    interval_method: str
    bound: str
    bound_method: str
    answered: str
    status: str
    sufficient: bool
    diagnostic: bool
    hides: str
    beside: str
    note: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """The same measures for every group of an axis.

    Attributes:
        axis: name of the axis.
        head: titles of the measures.
        rows: (group, cells); a cell is (value, counts and bound).
        left_out: groups that are in rows.jsonl only.
    """

    axis: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PanelView:
    """A panel as the page shows it: measures with a value, and a sentence on those without.

    ``axes`` are those by which some measure is sliced, with the words for each.
    """

    panel: Panel
    lines: tuple[MeasureLine, ...]
    figures: tuple[Figure, ...]
    axes: tuple[tuple[str, str], ...]
    silent: str


def titles(report: Report) -> dict[str, str]:
    """Return measure to title."""
    return {measure.id: measure.title for measure in report.measures}


def panels(report: Report) -> list[PanelView]:
    """Return the panels in their declared order; a measure of an undeclared panel is shown all the same."""
    declared = {panel.id: panel for panel in report.panels}
    found = dict.fromkeys(row.panel for row in report.rows)
    order = [
        *declared.values(),
        *(Panel(name, words.plain(name), "") for name in found if name not in declared),
    ]
    return [_panel(report, place, panel) for place, panel in enumerate(order, start=1) if panel.id in found]


def _panel(report: Report, place: int, panel: Panel) -> PanelView:
    rows = [row for row in report.rows if row.panel == panel.id]
    whole = [row for row in rows if row.slice == "all"]
    axes = dict.fromkeys(row.slice.partition("=")[0] for row in rows if "=" in row.slice)
    return PanelView(
        panel=panel,
        lines=tuple(measure_lines(report, [row for row in whole if row.value is not None])),
        figures=tuple(_figures(report, place, whole)),
        axes=tuple((axis, words.plain(axis).lower()) for axis in axes),
        silent=_silent([row for row in whole if row.value is None], titles(report)),
    )


def _silent(rows: Sequence[Row], named: Mapping[str, str]) -> str:
    """Return the sentence on measures without a value, each with its reason where it has one."""
    if not rows:
        return ""
    parts = [
        named.get(row.measure, words.plain(row.measure)) + (f" ({row.note})" if row.note else "")
        for row in rows
    ]
    return f"Nothing is known, which is not zero, about: {'; '.join(parts)}."


def _figures(report: Report, place: int, rows: Sequence[Row]) -> list[Figure]:
    drawn = [
        intervals(
            f"panel-{place}-{direction}",
            f"{direction.capitalize()} is better",
            [row for row in rows if row.direction == direction],
            titles(report),
            limits(report.verdict.gates),
        )
        for direction in ("lower", "higher")
    ]
    found = [figure for figure in drawn if figure is not None]
    # One key a panel is enough.
    return [found[0], *(replace(figure, key=()) for figure in found[1:])] if found else []


def measure_lines(report: Report, rows: Sequence[Row]) -> list[MeasureLine]:
    """Return rows as printed lines."""
    named = titles(report)
    diagnostic = {measure.id for measure in report.measures if measure.diagnostic}
    beside = {measure.id: measure.beside for measure in report.measures}
    whole = {row.measure: row for row in report.rows if row.slice == "all"}
    return [
        _line(
            row,
            named.get(row.measure, words.plain(row.measure)),
            row.measure in diagnostic,
            _beside([whole[other] for other in beside.get(row.measure, ()) if other in whole], named),
        )
        for row in rows
    ]


def _beside(rows: Sequence[Row], named: Mapping[str, str]) -> str:
    """Return the sentence that puts beside a measure those without which it is no headline."""
    if not rows:
        return ""
    shown = [
        f"{named.get(row.measure, words.plain(row.measure))} "
        + (words.row_value(row) if row.value is not None else "not known")
        for row in rows
    ]
    return f"Never alone; beside it: {', '.join(shown)}."


def _line(row: Row, title: str, diagnostic: bool, beside: str) -> MeasureLine:
    return MeasureLine(
        id=row.measure,
        title=title,
        counted=words.fraction(row.numerator, row.denominator),
        units=words.plural(row.units, row.unit_kind),
        value=words.row_value(row),
        interval=words.row_interval(row),
        interval_method=row.interval,
        bound=words.row_bound(row),
        bound_method=row.bound_method,
        answered=_answered(row),
        status=words.STATUSES[row.status],
        sufficient=row.status == "SUFFICIENT",
        diagnostic=diagnostic,
        hides=words.sentence_case(row.hides),
        beside=beside,
        note=words.sentence_case(row.note),
    )


def _answered(row: Row) -> str:
    """Return the counts among answered cases, where they are others than the counts that gate."""
    counts = (row.answered_numerator, row.answered_denominator)
    return "" if None in counts or counts == (row.numerator, row.denominator) else words.fraction(*counts)


def matrix(report: Report, rows: Sequence[Row], axis: str) -> Matrix:
    """Return the measures of rows for every group of an axis."""
    named = titles(report)
    found = [row for row in rows if row.slice.startswith(f"{axis}=")]
    measures = list(dict.fromkeys(row.measure for row in found))
    table = {(row.slice, row.measure): row for row in found}
    groups = list(dict.fromkeys(row.slice for row in found))
    kept = worst_groups(groups, found)
    return Matrix(
        axis=axis,
        head=tuple(named.get(measure, words.plain(measure)) for measure in measures),
        rows=tuple(
            (group.partition("=")[2], tuple(_cell(table.get((group, measure))) for measure in measures))
            for group in kept
        ),
        left_out=len(groups) - len(kept),
    )


def worst_groups(groups: Sequence[str], rows: Sequence[Row], most: int = MOST_GROUPS) -> list[str]:
    """Return the groups to print, in their own order: those with the most events where lower is better."""
    if len(groups) <= most:
        return list(groups)
    events = dict.fromkeys(groups, 0)
    for row in rows:
        if row.direction == "lower":
            events[row.slice] += row.numerator or 0
    kept = set(sorted(groups, key=lambda group: (-events[group], group))[:most])
    return [group for group in groups if group in kept]


def _cell(row: Row | None) -> tuple[str, str]:
    if row is None:
        return "", ""
    if row.value is None:
        return "no evidence", ""
    parts = [
        f"{row.numerator:,}/{row.denominator:,}" if row.denominator is not None else "",
        words.row_bound(row),
    ]
    return words.row_value(row), ", ".join(part for part in parts if part)


def slice_data(report: Report) -> dict[str, Any]:
    """Return the measures of every slice but ``all``, as script reads them.

    ``measures`` are (title, panel); ``slices`` map a slice to rows of (place of the measure, counts, value, interval,
    bound, 1 if the evidence is sufficient). A measure without a case is left out. On an axis with more than
    ``MOST_GROUPS`` groups those with the most events are kept. ``cards`` map an axis to (places of the measures that a
    scorecard says first, further axes whose slices of the same name belong to the group with words for them, axis of
    pairs).
    """
    named = titles(report)
    found: dict[str, list[Row]] = {}
    for row in report.rows:
        if "=" in row.slice:
            found.setdefault(row.slice, []).append(row)
    place = {
        measure: index for index, measure in enumerate(dict.fromkeys(row.measure for row in report.rows))
    }
    panel_of = {row.measure: row.panel for row in report.rows}
    return {
        "measures": [
            (visible(named.get(measure, words.plain(measure))), panel_of[measure]) for measure in place
        ],
        "slices": {
            visible(name): [_compact(row, place[row.measure]) for row in found[name] if row.value is not None]
            for name in _kept(found, {card.pairs for card in report.cards})
        },
        "cards": {
            card.axis: ([place[name] for name in card.measures if name in place], card.shared, card.pairs)
            for card in report.cards
        },
    }


def _kept(found: dict[str, list[Row]], pairs: set[str]) -> list[str]:
    axes: dict[str, list[str]] = {}
    for name in found:
        axes.setdefault(name.partition("=")[0], []).append(name)
    return [
        name
        for axis, names in axes.items()
        for name in worst_groups(
            names,
            [row for group in names for row in found[group]],
            MOST_PAIRS if axis in pairs else MOST_GROUPS,
        )
    ]


def _compact(row: Row, place: int) -> tuple[int, str, str, str, str, int]:
    return (
        place,
        words.fraction(row.numerator, row.denominator),
        words.row_value(row),
        words.row_interval(row),
        words.row_bound(row),
        int(row.status == "SUFFICIENT"),
    )
