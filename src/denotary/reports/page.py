"""The page: one self-contained HTML file that makes no request and runs one script, its own."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from denotary import words
from denotary.reports.browser import browser_and_data
from denotary.reports.figures import confidence, confusion, curves, graph
from denotary.reports.figures.gates import gate_matrix
from denotary.reports.figures.outcomes import outcome_bar
from denotary.reports.gate_groups import gate_groups
from denotary.reports.gate_view import gate_lines, limits, open_gates
from denotary.reports.group_view import group_view, series_named
from denotary.reports.operating import operating
from denotary.reports.other_view import OtherTable, crossed, listed
from denotary.reports.panel_view import panels, slice_data
from denotary.reports.safe import finalize
from denotary.text import visible

if TYPE_CHECKING:
    from jinja2 import Template

    from denotary.reports.figures.svg import Figure
    from denotary.reports.gate_view import Judgement
    from denotary.reports.model import PlanLine, Report

_OPTIONAL = re.compile(r"<small></small>|</(?:td|th|tr|li|dt|dd|option)>\n*")
"""Empty elements, and end tags that HTML lets one leave out. No text can match: a ``<`` in it is escaped. They are 3 %
of a page."""
_REMARK = re.compile(r"^ *//.*\n|^ +", re.MULTILINE)
"""Indents and whole-line comments of the script, in which no text runs over several lines."""
_TEMPLATES = Path(__file__).parent / "templates"


def html(report: Report) -> str:
    """Return the report as one HTML page; the same report gives the same text.

    Args:
        report: everything the page says. Its ``cases`` must be None for a sealed suite.
    """
    return rendered("report.html", report=report, verdict=report.verdict, **_content(report))


def rendered(template: str, **content: Any) -> str:
    """Return a page of this package: its template filled, with style sheet, script, shapes and security policy."""
    from markupsafe import Markup

    style, script = _asset("report.css"), _REMARK.sub("", _asset("report.js"))
    page = _template(template).render(
        w=words,
        policy_header=security_policy(style, script),
        style=Markup(style),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704 - a file of this package
        icons=Markup(_asset("icons.svg")),  # noqa: S704 - a file of this package
        **content,
    )
    return _OPTIONAL.sub("", page)


def security_policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy that allows this style sheet and this script, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_source(script)}'; style-src '{_source(style)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _source(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def judgement(report: Judgement) -> dict[str, Any]:
    """Return what every page prints of a verdict: gates with their slices, what stops, what is lacking."""
    lines = gate_lines(report)
    groups = gate_groups(report.verdict.gates, lines)
    shown = {line.slice for group in groups for line in group.printed}
    return {
        "tally": words.tally(report.verdict.gates),
        "gates": groups,
        "slices": list(dict.fromkeys((line.slice, line.slice_name) for line in lines if line.slice in shown)),
        "failing": open_gates(lines, "fail"),
        "lacking": open_gates(lines, "insufficient"),
        "matrix": gate_matrix(report.verdict.gates) if report.verdict.gates else None,
    }


def _content(report: Report) -> dict[str, Any]:
    """Return what the template prints beyond the report itself."""
    axes = {axis: view for axis in ("language", "concept") if (view := group_view(report, axis))}
    cards = {axis: {visible(c.group): c.filled for c in view.scorecards} for axis, view in axes.items()}
    browser, data = browser_and_data(report, {**slice_data(report), "facts": cards})
    return {
        "marks": words.marks(report.verdict, report.illustrative),
        **judgement(report),
        "operating": operating(report),
        "plan": _planned(report),
        "told": {gate.needed for gate in report.verdict.gates},
        "outcomes": outcome_bar(report.outcomes, report.planned),
        "panels": panels(report),
        "language": axes.get("language"),
        "concept": axes.get("concept"),
        "selective": [figure for figure in _curves(report) if figure is not None],
        "confusions": [figure for figure in _confusions(report) if figure is not None],
        "other_series": _other_series(report),
        "browser": browser,
        "data": data,
    }


def _planned(report: Report) -> list[PlanLine]:
    """Return the lines on what is needed, in their own order: those that lack most if there are too many."""
    ranked = sorted(range(len(report.plan)), key=lambda i: (report.plan[i].have - report.plan[i].need, i))
    return [report.plan[i] for i in sorted(ranked[:_MOST_PLANNED])]


def _curves(report: Report) -> list[Figure | None]:
    curve = series_named(report, "risk_coverage", curves.RISK_COVERAGE)
    point = series_named(report, "operating_point", curves.RISK_COVERAGE)
    bins = series_named(report, "reliability", confidence.RELIABILITY)
    errors = series_named(report, "error_confidence", confidence.ERROR_CONFIDENCE)
    margins = series_named(report, "margin", confidence.MARGIN)
    return [
        curves.risk_coverage(curve, point, limits(report.verdict.gates).get("assignment_risk"))
        if curve
        else None,
        confidence.reliability(bins) if bins else None,
        confidence.error_confidence(errors) if errors else None,
        confidence.margin(margins) if margins else None,
    ]


def _confusions(report: Report) -> list[Figure | None]:
    matrix = series_named(report, "confusion", confusion.COLUMNS)
    pairs = series_named(report, "neighbours", graph.COLUMNS)
    return [confusion.confusion(matrix) if matrix else None, graph.neighbourhood(pairs) if pairs else None]


_MOST_PLANNED = 40
"""Most lines on what is needed, those that lack most."""
_DRAWN = {
    "risk_coverage": curves.RISK_COVERAGE,
    "operating_point": curves.RISK_COVERAGE,
    "reliability": confidence.RELIABILITY,
    "error_confidence": confidence.ERROR_CONFIDENCE,
    "margin": confidence.MARGIN,
    "confusion": confusion.COLUMNS,
    "neighbours": graph.COLUMNS,
    "floors": ("axis", "group", "floor", "have", "need"),
    "scorecard": ("item", "value"),
}


def _other_series(report: Report, most_rows: int = 60) -> list[OtherTable]:
    """Return series that have no figure as tables: (label, label, count) crossed, any other row by row."""
    found = [s for s in report.series if s.rows and _DRAWN.get(s.series) != s.columns]
    return [crossed(series, most_rows) or listed(series, most_rows) for series in found]
