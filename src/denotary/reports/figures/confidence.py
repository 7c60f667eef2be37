"""Stated confidence: the reliability diagram, and how confident the errors were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.curves import frame, numbers
from denotary.reports.figures.scales import Scale
from denotary.reports.figures.svg import WIDTH, Canvas, Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.records import Series

RELIABILITY = ("low", "high", "cases", "confidence", "accuracy", "accuracy_low", "accuracy_high")
ERROR_CONFIDENCE = ("low", "high", "wrong", "right")
_TOP = 14.0
_SIDE = 300.0


def reliability(series: Series) -> Figure | None:
    """Return observed accuracy by bin of stated confidence, with intervals, and the number of cases below."""
    rows = [row for row in numbers(series) if row[2]]
    if not rows:
        return None
    left = 64.0
    across, up = Scale(left, left + _SIDE), Scale(_TOP + _SIDE, _TOP)
    canvas = frame(across, up, "Stated confidence", "Observed share right")
    canvas.line(across.left, up.left, across.right, up.right, "diagonal")
    for row in rows:
        x = across.at(row[3] if row[3] is not None else ((row[0] or 0) + (row[1] or 0)) / 2)
        if row[5] is not None and row[6] is not None:
            canvas.line(x, up.at(row[5]), x, up.at(row[6]), "ci")
        if row[4] is not None:
            canvas.dot(x, up.at(row[4]), hollow=row[4] == 0)
    _counts_beside(canvas, rows, left + _SIDE + 56)
    few = min(int(row[2] or 0) for row in rows)
    return Figure(
        id="reliability",
        title="Stated confidence against what came true",
        svg=canvas.drawing(
            "reliability",
            "Reliability diagram",
            f"{len(rows)} bins; on the diagonal confidence means what it says.",
            _TOP + _SIDE + 44,
        ),
        hides=(
            f"The smallest bin holds {words.plural(few, 'case')}. A point on the diagonal is an average: within a "
            "bin, some kinds of case may be far too confident, and good calibration does not bound the risk at a "
            "threshold."
        ),
        head=("Confidence from", "to", "Cases", "Mean confidence", "Observed share right", "95 % interval"),
        rows=tuple(
            (
                words.number(r[0]),
                words.number(r[1]),
                f"{int(r[2] or 0):,}",
                words.percent(r[3]),
                words.percent(r[4]),
                words.interval(r[5], r[6]),
            )
            for r in rows
        ),
        key=(
            ("dot", "share right in the bin"),
            ("ci", "two-sided 95 % interval"),
            ("diagonal", "confidence that means what it says"),
        ),
    )


def _counts_beside(canvas: Canvas, rows: Sequence[tuple[float | None, ...]], left: float) -> None:
    """Draw bars of the number of cases a bin."""
    most = max(row[2] or 0.0 for row in rows)
    width = WIDTH - left - 142
    canvas.text(left, _TOP - 2, "Cases by stated confidence")
    for index, row in enumerate(rows):
        y = _TOP + 22 + (_SIDE - 22) * (index + 0.5) / len(rows)
        long = width * (row[2] or 0.0) / most
        canvas.text(left + 74, y + 4, _range(row), "tick", "end")
        canvas.rect(left + 82, y - 5, max(0.5, long), 10, "bar")
        canvas.text(left + 88 + long, y + 4, f"{int(row[2] or 0):,}", "number")


def _range(row: tuple[float | None, ...]) -> str:
    return f"{row[0] or 0.0:.2g} to {row[1] or 0.0:.2g}"


def error_confidence(series: Series) -> Figure | None:
    """Return how confident the wrong assignments were, beside the right ones."""
    rows = [row for row in numbers(series) if row[2] or row[3]]
    if not rows:
        return None
    wrong = sum(int(row[2] or 0) for row in rows)
    most = [max([1.0, *(row[column] or 0.0 for row in rows)]) for column in (2, 3)]
    canvas = Canvas()
    sides = ((110.0, "Wrong assignments", "m-wrong s3"), (420.0, "Right assignments", "bar"))
    for column, (left, title, cls) in enumerate(sides):
        canvas.text(left, 12, title)
        for index, row in enumerate(rows):
            y = 34 + 22.0 * index
            count = row[2 + column] or 0.0
            canvas.rect(left, y - 7, max(0.5, 240 * count / most[column]), 14, cls)
            canvas.text(left + 6 + 240 * count / most[column], y + 4, f"{int(count):,}", "number")
    for index, row in enumerate(rows):
        canvas.text(96, 38 + 22.0 * index, _range(row), "tick", "end")
    return Figure(
        id="error-confidence",
        title="How confident the errors were",
        svg=canvas.drawing(
            "error-confidence",
            "Confidence of errors",
            f"{words.plural(wrong, 'wrong assignment')}.",
            34 + 22.0 * len(rows),
        ),
        hides=(
            f"The two sides have scales of their own. {words.plural(wrong, 'wrong assignment')} say little about "
            "where the next ones will lie."
        ),
        head=("Confidence from", "to", "Wrong", "Right"),
        rows=tuple(
            (words.number(r[0]), words.number(r[1]), f"{int(r[2] or 0):,}", f"{int(r[3] or 0):,}")
            for r in rows
        ),
    )
