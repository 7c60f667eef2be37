"""The summary of a comparison that the command line prints: the decision first, then what became worse."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from denotary import words
from denotary.measures.statistic_pairs import STATISTICS
from denotary.reports.console import Line, gate_sections, print_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denotary.measures.records import ComparisonRow, Measure, Series
    from denotary.reports.comparison_model import ComparisonReport

_MOST = 8
"""Most measures that are listed."""


def terminal(report: ComparisonReport, stream: TextIO) -> None:
    """Print the summary of a comparison.

    Args:
        report: what to summarise.
        stream: where to; a terminal gets colours and wrapped lines, anything else plain text.
    """
    print_lines(_lines(report), stream)


def _lines(report: ComparisonReport) -> Iterator[Line]:
    verdict = report.verdict
    yield Line(verdict.decision, f"{words.DECISIONS[verdict.decision]}. {words.why(verdict)}")
    if report.recertification:
        yield Line("Recertification", words.sentence_case(report.recertification))
    for mark, text in words.marks(verdict, report.illustrative):
        yield Line(mark, words.sentence_case(text))
    yield Line()
    yield Line("release", report.new)
    yield Line("base", report.base)
    yield Line("policy", f"{report.policy.id}: {report.policy.title}")
    for suite in report.suites:
        yield Line("suite", f"{suite.name} {suite.version}, {words.plural(suite.size, 'case')}")
    for registry in report.registries:
        yield Line("registry", f"{registry.name} {registry.version}")
    yield Line(
        "compared", f"{words.plural(report.pairs, 'case')}, {words.plural(report.units, report.unit_kind)}"
    )
    for left in report.left_out:
        yield Line("not compared", f"{left.count:,} {left.why}")
    yield Line("gates", words.tally_sentence(verdict.gates) or "none was evaluated")
    yield from _moved(report)
    yield from (Line("moved", text) for text in statistics_moved(report.series, report.measures))
    yield from gate_sections(report)


def _moved(report: ComparisonReport) -> Iterator[Line]:
    """Yield the measures of harm that moved most, over all cases."""
    silent = {item.id for item in report.measures if item.diagnostic or item.neutral}
    titles = {item.id: item.title for item in report.measures}
    rows = [
        row
        for row in report.rows
        if row.slice == "all" and row.worse + row.better and row.measure not in silent
    ]
    rows.sort(key=lambda row: row.better - row.worse)
    if rows:
        yield Line()
    for row in rows[:_MOST]:
        yield Line("moved", f"{titles.get(row.measure, words.plain(row.measure))}: {_said(row)}")
    if len(rows) > _MOST:
        yield Line("", f"{len(rows) - _MOST:,} more are in the report.")


def statistics_moved(series: Iterable[Series], measures: Iterable[Measure]) -> Iterator[str]:
    """Yield what became of each statistic whose difference is resampled, over all cases."""
    titles = {item.id: item.title for item in measures}
    for item in series:
        for row in item.rows if item.series == STATISTICS else ():
            if row[1] == "all" and row[-1]:
                before, now, step, low, high = (value and f"{value:.4g}" for value in row[3:8])
                ends = "no interval" if row[6] is None else f"{low} to {high}"
                yield f"{titles[str(row[0])]}: {before} to {now}, difference {step} ({ends})"


def _said(row: ComparisonRow) -> str:
    counts = f"{words.moved(row)} of {words.plural(row.units, row.unit_kind)}"
    return f"{words.points(row.difference)} ({counts}; p = {words.p_value(row.p)}, floor {words.p_value(row.p_floor)})"
