"""The page on a release against its base: verdict, gates, paired differences, recertification, cases that moved."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import msgspec

from denotary import words
from denotary.measures.statistic_pairs import STATISTICS
from denotary.reports.browser import browser_and_data
from denotary.reports.figures.differences import differences
from denotary.reports.other_view import OtherTable, crossed, listed
from denotary.reports.page import judgement, rendered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.measures.records import ComparisonRow, Series
    from denotary.reports.comparison_model import ComparisonReport, ComponentLine
    from denotary.reports.figures.svg import Figure
    from denotary.reports.model import Panel

MOST_SLICES: Final = 30
"""Most slices of a measure on the page; all of them are in comparisons.jsonl."""

_RATIO: Final = " Worse and better are units with more and fewer events: the answers decide its denominator."
_LANGUAGE: Final = "language"
_DIGEST: Final = re.compile(r"\b[0-9a-f]{64}\b")


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One comparison, every cell as it is printed."""

    title: str
    slice: str
    before: str
    now: str
    difference: str
    interval: str
    bounds: str
    worse: str
    better: str
    ties: str
    p: str
    floor: str
    holm: str
    test: str
    said: str
    prespecified: bool
    unpaired: str
    note: str
    hides: str
    sufficient: bool


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """A panel, or the slices of a measure: its figure and the tables beneath.

    Attributes:
        lines: comparisons in which a unit differs, and those that were declared.
        idle: the others.
        silent: the sentence on comparisons without a value.
    """

    id: str
    title: str
    lead: str
    figure: Figure | None
    lines: tuple[DifferenceLine, ...]
    idle: tuple[DifferenceLine, ...]
    silent: str


def html(report: ComparisonReport) -> str:
    """Return the report as one HTML page; the same report gives the same text.

    Args:
        report: everything the page says. Its ``cases`` must be None for a sealed suite.
    """
    browser, data = browser_and_data(report, {"measures": [], "slices": {}})
    series = [item for item in report.series if item.rows]
    statistics = [item for item in series if item.series == STATISTICS]
    return rendered(
        "comparison.html",
        report=report,
        verdict=report.verdict,
        **judgement(report),
        marks=_marks(report),
        components=_components(report),
        panels=list(_panels(report)),
        languages=list(_by_language(report)),
        transitions=[
            crossed(item, MOST_SLICES) or listed(item, MOST_SLICES)
            for item in series
            if item not in statistics
        ],
        statistics=_statistics(report, statistics),
        browser=browser,
        data=data,
    )


def _statistics(report: ComparisonReport, series: Sequence[Series]) -> list[OtherTable]:
    """Return a table of statistics of both systems, by title and slice."""
    titles = {item.id: item.title for item in report.measures}
    told = [
        msgspec.structs.replace(
            item,
            rows=tuple(
                (titles.get(str(row[0]), words.plain(str(row[0]))), words.slice_name(str(row[1])), *row[2:])
                for row in item.rows
            ),
        )
        for item in series
    ]
    return [listed(item, MOST_SLICES) for item in told]


def _marks(report: ComparisonReport) -> list[tuple[str, str]]:
    found = words.marks(report.verdict, report.illustrative)
    if report.recertification:
        found.insert(0, ("Recertification", report.recertification))
    return found


def _components(report: ComparisonReport) -> list[ComponentLine]:
    """Return the components, those that demand recertification first; a digest is cut to its beginning."""
    order = ("changed", "undeclared", "unchanged")
    ranked = sorted(report.components, key=lambda item: (not item.demands, order.index(item.state)))
    return [replace(item, base=_cut(item.base), new=_cut(item.new)) for item in ranked]


def _cut(text: str) -> str:
    return _DIGEST.sub(lambda found: f"{found[0][:12]}…", text)


def _limits(report: ComparisonReport) -> dict[tuple[str, str], float]:
    """Return the tolerance of each measure and slice that a gate compares."""
    return {
        (gate.measure, gate.slice): gate.limit
        for gate in report.verdict.gates
        if gate.paired and gate.limit is not None
    }


def _panels(report: ComparisonReport) -> Iterator[DifferenceView]:
    """Yield each panel over all cases: measures that can be compared, diagnostics last."""
    named = {item.id: item for item in report.measures}
    for place, panel in enumerate(report.panels, start=1):
        rows = [row for row in report.rows if row.panel == panel.id and row.slice == "all"]
        rows.sort(key=lambda row: named[row.measure].diagnostic if row.measure in named else False)
        if rows:
            yield _view(report, f"panel-{place}", panel, rows, by_slice=False)


def _by_language(report: ComparisonReport) -> Iterator[DifferenceView]:
    """Yield each measure that a gate reads by language, or that is averaged over languages, language by language."""
    from denotary.reports.model import Panel

    found: dict[str, list[ComparisonRow]] = {}
    for row in report.rows:
        if row.slice.startswith(f"{_LANGUAGE}="):
            found.setdefault(row.measure, []).append(row)
    headline = {item.id for item in report.measures if item.macro and item.direction == "lower"}
    for measure, rows in found.items():
        if measure not in headline or not any(map(_told, rows)):
            continue
        title = next((item.title for item in report.measures if item.id == measure), words.plain(measure))
        panel = Panel(
            measure,
            title,
            "Which language regressed is one question about several slices: p is adjusted for it after Holm.",
        )
        kept = sorted(rows, key=_moved)[:MOST_SLICES]
        yield _view(report, f"language-{measure.replace('_', '-')}", panel, kept, by_slice=True)


def _moved(row: ComparisonRow) -> tuple[bool, int, str]:
    return row.difference is None, row.better - row.worse, row.slice


def _view(
    report: ComparisonReport, name: str, panel: Panel, rows: Sequence[ComparisonRow], *, by_slice: bool
) -> DifferenceView:
    titles = {item.id: item.title for item in report.measures}
    kept = [row for row in rows if row.difference is not None]
    labels = [
        words.slice_name(row.slice) if by_slice else titles.get(row.measure, words.plain(row.measure))
        for row in kept
    ]
    silent = [titles.get(row.measure, row.measure) for row in rows if row.difference is None]
    told = words.plural(len(silent), "slice") if by_slice else "; ".join(silent)
    return DifferenceView(
        id=name,
        title=panel.title,
        lead=panel.question,
        figure=differences(name, "Difference, new less base", kept, labels, _limits(report)),
        lines=tuple(_line(row, label) for row, label in zip(kept, labels, strict=True) if _told(row)),
        idle=tuple(_line(row, label) for row, label in zip(kept, labels, strict=True) if not _told(row)),
        silent=f"Not comparable, which is not equal: {told}." if silent else "",
    )


def _told(row: ComparisonRow) -> bool:
    return bool(row.worse or row.better or row.prespecified)


def _line(row: ComparisonRow, title: str) -> DifferenceLine:
    left_out = row.unpaired_base + row.unpaired_new
    return DifferenceLine(
        title=title,
        slice=words.slice_name(row.slice),
        before=words.fraction(row.base_numerator, row.base_denominator),
        now=words.fraction(row.new_numerator, row.new_denominator),
        difference=words.points(row.difference),
        interval=words.difference(row.low, row.high) if row.low is not None else "no interval",
        bounds=words.difference(row.lower_bound, row.upper_bound),
        worse=f"{row.worse:,}",
        better=f"{row.better:,}",
        ties=f"{row.ties:,}",
        p=words.p_value(row.p),
        floor=words.p_value(row.p_floor),
        holm=words.p_value(row.p_holm) if row.p_holm is not None else "",
        test=row.test,
        said=words.sentence_case(row.said) + (_RATIO if row.ratio else ""),
        prespecified=row.prespecified,
        unpaired=f"{words.plural(left_out, 'case')} without a counterpart" if left_out else "",
        note=words.sentence_case(row.note),
        hides=words.sentence_case(row.hides),
        sufficient=row.status == "SUFFICIENT",
    )
