"""Languages and concepts: a strip, evidence against floors, and one scorecard a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.floors import COLUMNS as FLOOR_COLUMNS
from denotary.reports.figures.floors import floors
from denotary.reports.figures.strip import COLUMNS, strip
from denotary.reports.gate_view import limits
from denotary.reports.panel_view import Matrix, matrix, titles, worst_groups
from denotary.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.measures.records import Row, Series
    from denotary.reports.figures.svg import Figure
    from denotary.reports.model import Report

_BRIEF = 3
"""Facts of a scorecard that stand in its summary."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One group: facts about it, what its gates say, every measure in it.

    Attributes:
        group: name of the group.
        facts: (item, value); the first are printed.
        worst: the verdict among its gates that needs attention most; empty if it has no gate.
        gates: (verdict, name of the verdict, gate).
        empty: number of measures without a case here; script fills in the others.
    """

    group: str
    facts: tuple[tuple[str, str], ...]
    worst: str
    gates: tuple[tuple[str, str, str], ...]
    empty: int

    @property
    def brief(self) -> tuple[tuple[str, str], ...]:
        """The facts that are printed; script fills in the others."""
        return self.facts[:_BRIEF]

    @property
    def filled(self) -> tuple[list[list[str]], list[list[str]], int]:
        """What script fills in: further facts, gates and the number of measures without a case."""
        facts = [[visible(item), visible(value)] for item, value in self.facts[_BRIEF:]]
        return facts, [[verdict, name, visible(title)] for verdict, name, title in self.gates], self.empty


@dataclass(frozen=True, slots=True)
class AcrossLine:
    """One measure over all groups of an axis, every cell as it is printed.

    Attributes:
        title: title of the measure.
        pooled: value over all cases, and the counts.
        mean: mean over the groups with sufficient evidence, and its interval.
        left_out: what the mean leaves out.
        worst: name of the worst group.
        value: its value, and the counts.
        bound: the largest of the groups' one-sided bounds.
    """

    title: str
    pooled: tuple[str, str]
    mean: tuple[str, str]
    left_out: str
    worst: str
    value: tuple[str, str]
    bound: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """An axis of slices with scorecards."""

    axis: str
    figures: tuple[Figure, ...]
    matrix: Matrix
    scorecards: tuple[Scorecard, ...]
    left_out: int
    across: tuple[AcrossLine, ...]


def group_view(report: Report, axis: str) -> GroupView | None:
    """Return an axis with its figures and scorecards; None if no row has a slice on it."""
    rows = [row for row in report.rows if row.slice.startswith(f"{axis}=")]
    if not rows:
        return None
    headline = _headline(report, axis)
    chosen = sorted(
        (row for row in rows if row.measure in headline), key=lambda row: headline.index(row.measure)
    )
    slices: dict[str, list[Row]] = {}
    for row in rows:
        slices.setdefault(row.slice, []).append(row)
    place = {name: index for index, name in enumerate(slices)}
    kept = worst_groups(list(slices), rows)
    chosen.sort(key=lambda row: place[row.slice])
    named = titles(report)
    series = series_named(report, "floors", FLOOR_COLUMNS)
    # Concepts can be many: their measures are read from the matrix, which sorts.
    across = strip(axis, chosen, named, limits(report.verdict.gates, axis)) if axis == "language" else None
    drawn = [across, floors(series, axis) if series else None]
    return GroupView(
        axis=axis,
        figures=tuple(figure for figure in drawn if figure is not None),
        matrix=matrix(report, chosen, axis),
        scorecards=tuple(_scorecard(report, name, slices[name]) for name in kept),
        left_out=len(slices) - len(kept),
        across=tuple(_across(report, axis)),
    )


def _across(report: Report, axis: str) -> Iterator[AcrossLine]:
    """Yield the measures that are averaged over an axis: pooled, mean of groups, worst group."""
    named = titles(report)
    found = {(row.measure, row.slice): row for row in report.rows}
    for measure in dict.fromkeys(row.measure for row in report.rows):
        pooled = found.get((measure, "all"))
        mean, worst = found.get((measure, f"{axis}:macro")), found.get((measure, f"{axis}:worst"))
        if mean is None or worst is None or worst.value is None:
            continue
        yield AcrossLine(
            title=named.get(measure, words.plain(measure)),
            pooled=_value(pooled),
            mean=(words.percent(mean.value), words.interval(mean.low, mean.high)),
            left_out=words.sentence_case(mean.note),
            worst=worst.note.partition("=")[2].partition(";")[0],
            value=_value(worst),
            bound=words.row_bound(worst),
        )


def _value(row: Row | None) -> tuple[str, str]:
    if row is None:
        return words.NOTHING, ""
    return words.row_value(row), words.fraction(row.numerator, row.denominator)


def _headline(report: Report, axis: str) -> list[str]:
    """Return the measures to set side by side: those that gates read, then declared ones; shares with a value."""
    shares = {row.measure for row in report.rows if row.slice.startswith(f"{axis}=") and row.denominator}
    gated = [gate.measure for gate in report.verdict.gates]
    declared = [measure.id for measure in report.measures if not measure.diagnostic]
    found = [measure for measure in dict.fromkeys([*gated, *declared]) if measure in shares]
    return found[:COLUMNS]


def _scorecard(report: Report, name: str, rows: list[Row]) -> Scorecard:
    gates = [gate for gate in report.verdict.gates if gate.slice == name]
    worst = min((gate.verdict for gate in gates), key=words.VERDICT_ORDER.index, default="")
    standing = next((item for item in report.standings if item.slice == name), None)
    facts = [("tier", f"{standing.tier} {standing.title}")] if standing else []
    facts += [
        (str(row[0]), words.NOTHING if row[1] is None else str(row[1]))
        for series in report.series
        if series.series == "scorecard" and series.slice == name
        for row in series.rows
    ]
    facts += [("why this tier", standing.reason)] if standing else []
    return Scorecard(
        group=name.partition("=")[2],
        facts=tuple(facts),
        worst=worst.lower(),
        gates=tuple((gate.verdict.lower(), words.VERDICTS[gate.verdict], gate.title) for gate in gates),
        empty=sum(row.value is None for row in rows),
    )


def series_named(report: Report, name: str, columns: tuple[str, ...]) -> Series | None:
    """Return the series over all cases of that name, if it has the columns that its figure needs."""
    return next(
        (
            s
            for s in report.series
            if s.series == name and s.slice == "all" and s.columns == columns and s.rows
        ),
        None,
    )
