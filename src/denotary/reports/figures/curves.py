"""Curves over confidence: risk against coverage, reliability, and the confidence of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.reports import words
from denotary.reports.figures.scales import Scale
from denotary.reports.figures.svg import WIDTH, Figure, drawing, element, line, path, rect, text
from denotary.reports.figures.svg import dot as circle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from denotary.measures.records import Series

RISK_COVERAGE = ("threshold", "coverage", "risk", "bound")
RELIABILITY = ("low", "high", "cases", "confidence", "accuracy", "accuracy_low", "accuracy_high")
ERROR_CONFIDENCE = ("low", "high", "wrong", "right")
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, WIDTH - 24.0, 14.0, 300.0
_SIDE = 300.0


def _numbers(series: Series) -> list[tuple[float | None, ...]]:
    return [tuple(None if cell is None else float(cell) for cell in row) for row in series.rows]


def risk_coverage(curve: Series, point: Series | None, limit: float | None) -> Figure | None:
    """Return observed risk and its bound against coverage, with the production threshold and the limit marked."""
    rows = [row for row in _numbers(curve) if None not in (row[1], row[2])]
    if not rows:
        return None
    chosen = next((row for row in _numbers(point)), None) if point else None
    across = Scale(_LEFT, _RIGHT)
    up = Scale(_BOTTOM, _TOP, high=_ceiling(rows, chosen, limit))
    parts = _frame(across, up, "Coverage: share of all cases that received a code", "Risk")
    parts.append(path(_steps(rows, 3, across, up), "curve-bound"))
    parts.append(path(_steps(rows, 2, across, up), "curve"))
    if limit is not None:
        parts += [line(_LEFT, up.at(limit), _RIGHT, up.at(limit), "limit-line"), text(_RIGHT, up.at(limit) - 6, f"limit {words.percent(limit)}", "limit-text", "end")]
    if chosen is not None and chosen[1] is not None:
        parts += _operating_point(chosen, across, up)
    return Figure(
        id="risk-coverage",
        title="Risk against coverage, as the threshold falls",
        svg=drawing("risk-coverage", "Risk-coverage curve", _point_sentence(chosen), _BOTTOM + 44, parts),
        hides=(
            "Only the marked threshold was fixed beforehand: every other point was chosen after seeing the answers, its bound "
            "holds for that point alone, and reading the best one off the curve is not a guarantee. No area under it is a score."
        ),
        head=("Threshold", "Coverage", "Observed risk", "One-sided bound"),
        rows=tuple((words.number(r[0]), words.percent(r[1]), words.percent(r[2]), words.percent(r[3], "up")) for r in _thin(rows)),
        key=(("curve", "observed risk"), ("curve-bound", "one-sided bound at each threshold"), ("point", "production threshold")),
    )


def _ceiling(rows: Sequence[tuple[float | None, ...]], chosen: tuple[float | None, ...] | None, limit: float | None) -> float:
    """Return the top of the risk axis: the bulk of the curve, not the few cases at its left end."""
    bulk = [row[3] for row in rows if row[3] is not None and (row[1] or 0.0) >= 0.1]  # noqa: PLR2004 - a tenth of the cases
    wanted = max([*bulk, limit or 0.0, (chosen[3] or 0.0) if chosen else 0.0, 0.004])
    return next(top for top in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 1.0) if top >= min(wanted * 1.1, 1.0))


def _steps(rows: Sequence[tuple[float | None, ...]], column: int, across: Scale, up: Scale) -> str:
    commands = []
    for row in rows:
        value = row[column]
        if value is not None:
            commands.append(f"{'L' if commands else 'M'}{across.at(row[1] or 0.0):.1f} {up.at(value):.1f}")
    return "".join(commands)


def _operating_point(chosen: tuple[float | None, ...], across: Scale, up: Scale) -> list[Markup]:
    x = across.at(chosen[1] or 0.0)
    risk, bound = up.at(chosen[2] or 0.0), up.at(chosen[3] if chosen[3] is not None else 1.0)
    end = x > (_LEFT + _RIGHT) / 2
    label = f"t = {words.number(chosen[0])}: risk {words.percent(chosen[2])}, bound {words.percent(chosen[3], 'up')}"
    return [
        line(x, _TOP, x, _BOTTOM, "point-line"),
        line(x, bound, x, risk, "point-range"),
        line(x - 6, bound, x + 6, bound, "point-range"),
        circle(x, risk, 5, "point"),
        text(x + (-10 if end else 10), _TOP + 12, label, "label strong", "end" if end else ""),
    ]


def _frame(across: Scale, up: Scale, below: str, beside: str) -> list[Markup]:
    parts: list[Markup] = []
    for tick in up.ticks():
        parts += [line(across.left, up.at(tick), across.right, up.at(tick), "grid"), text(across.left - 8, up.at(tick) + 4, words.percent(tick), "tick", "end")]
    for tick in across.ticks():
        parts.append(text(across.at(tick), up.left + 16, words.percent(tick), "tick", "middle"))
    middle = (up.left + up.right) / 2
    parts += [
        line(across.left, up.left, across.right, up.left, "rule"),
        text((across.left + across.right) / 2, up.left + 36, below, "axis", "middle"),
        element("text", beside, transform=f"translate(12 {middle:.1f}) rotate(-90)", class_="axis", text_anchor="middle"),
    ]
    return parts


def _point_sentence(chosen: tuple[float | None, ...] | None) -> str:
    if chosen is None:
        return "No production threshold is declared, so no operating point is marked."
    return (
        f"At threshold {words.number(chosen[0])} coverage is {words.percent(chosen[1])}, risk {words.percent(chosen[2])}, "
        f"bound {words.percent(chosen[3], 'up')}."
    )


def _thin(rows: Sequence[tuple[float | None, ...]], most: int = 40) -> list[tuple[float | None, ...]]:
    if len(rows) <= most:
        return list(rows)
    return [rows[round(index * (len(rows) - 1) / (most - 1))] for index in range(most)]


def reliability(series: Series) -> Figure | None:
    """Return observed accuracy by bin of stated confidence, with intervals, and the number of cases below."""
    rows = [row for row in _numbers(series) if row[2]]
    if not rows:
        return None
    left = 64.0
    across, up = Scale(left, left + _SIDE), Scale(_TOP + _SIDE, _TOP)
    parts = _frame(across, up, "Stated confidence", "Observed share right")
    parts.append(line(across.left, up.left, across.right, up.right, "diagonal"))
    for row in rows:
        x = across.at(row[3] if row[3] is not None else ((row[0] or 0) + (row[1] or 0)) / 2)
        if row[5] is not None and row[6] is not None:
            parts.append(line(x, up.at(row[5]), x, up.at(row[6]), "ci"))
        if row[4] is not None:
            parts.append(circle(x, up.at(row[4]), 4.5, "dot"))
    parts += _counts_beside(rows, left + _SIDE + 56)
    few = min(int(row[2] or 0) for row in rows)
    return Figure(
        id="reliability",
        title="Stated confidence against what came true",
        svg=drawing("reliability", "Reliability diagram", f"{len(rows)} bins; on the diagonal confidence means what it says.", _TOP + _SIDE + 44, parts),
        hides=(
            f"The smallest bin holds {words.plural(few, 'case')}. A point on the diagonal is an average: within a bin, some "
            "kinds of case may be far too confident, and good calibration does not bound the risk at a threshold."
        ),
        head=("Confidence from", "to", "Cases", "Mean confidence", "Observed share right", "95 % interval"),
        rows=tuple((words.number(r[0]), words.number(r[1]), f"{int(r[2] or 0):,}", words.percent(r[3]), words.percent(r[4]), words.interval(r[5], r[6])) for r in rows),
        key=(("dot", "share right in the bin"), ("ci", "two-sided 95 % interval"), ("diagonal", "confidence that means what it says")),
    )


def _counts_beside(rows: Sequence[tuple[float | None, ...]], left: float) -> list[Markup]:
    """Return bars of the number of cases a bin, at the heights of the bins' confidence."""
    top_count = max(row[2] or 0.0 for row in rows)
    width = WIDTH - left - 60
    parts = [text(left, _TOP - 2, "Cases by stated confidence", "label")]
    for index, row in enumerate(rows):
        y = _TOP + 22 + (_SIDE - 22) * (index + 0.5) / len(rows)
        parts += [
            text(left + 74, y + 4, f"{words.number(row[0])} to {words.number(row[1])}", "tick", "end"),
            rect(left + 82, y - 6, max(0.5, (width - 82) * (row[2] or 0.0) / top_count), 12, "bar"),
            text(left + 88 + (width - 82) * (row[2] or 0.0) / top_count, y + 4, f"{int(row[2] or 0):,}", "number"),
        ]
    return parts


def error_confidence(series: Series) -> Figure | None:
    """Return how confident the wrong assignments were, beside the right ones."""
    rows = [row for row in _numbers(series) if row[2] or row[3]]
    if not rows:
        return None
    wrong = sum(int(row[2] or 0) for row in rows)
    most = [max(max(row[column] or 0.0 for row in rows), 1.0) for column in (2, 3)]
    parts = [text(110, 12, "Wrong assignments", "label"), text(420, 12, "Right assignments", "label")]
    for index, row in enumerate(rows):
        y = 34 + 22.0 * index
        parts.append(text(96, y + 4, f"{words.number(row[0])} to {words.number(row[1])}", "tick", "end"))
        for column, (left, cls) in enumerate(((110.0, "m-wrong s3"), (420.0, "bar"))):
            count = row[2 + column] or 0.0
            parts += [
                rect(left, y - 7, max(0.5, 240 * count / most[column]), 14, cls),
                text(left + 6 + 240 * count / most[column], y + 4, f"{int(count):,}", "number"),
            ]
    return Figure(
        id="error-confidence",
        title="How confident the errors were",
        svg=drawing("error-confidence", "Confidence of errors", f"{words.plural(wrong, 'wrong assignment')}.", 34 + 22.0 * len(rows), parts),
        hides=f"The two sides have scales of their own. {words.plural(wrong, 'wrong assignment')} say little about where the next ones will lie.",
        head=("Confidence from", "to", "Wrong", "Right"),
        rows=tuple((words.number(r[0]), words.number(r[1]), f"{int(r[2] or 0):,}", f"{int(r[3] or 0):,}") for r in rows),
    )
