"""Stated confidence: the reliability diagram, how confident the errors were, and margins between candidates."""

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
MARGIN = ("low", "high", "wrong", "right", "refused")
_TOP = 14.0
_HEAD = 34.0
_STEP = 22.0
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
    wrong = words.plural(sum(int(row[2] or 0) for row in rows), "wrong assignment")
    sides = (("Wrong assignments", "m-wrong s3"), ("Right assignments", "bar"))
    return Figure(
        id="error-confidence",
        title="How confident the errors were",
        svg=_sides(rows, sides).drawing(
            "error-confidence", "Confidence of errors", f"{wrong}.", _HEAD + _STEP * len(rows)
        ),
        hides=f"The two sides have scales of their own. {wrong} say little about where the next ones will lie.",
        head=("Confidence from", "to", "Wrong", "Right"),
        rows=_cells(rows),
    )


def margin(series: Series) -> Figure | None:
    """Return the margin from the first to the second candidate, of wrong and right assignments and of refusals."""
    rows = [row for row in numbers(series) if any(row[2:])]
    if not rows:
        return None
    sides = (("Wrong assignments", "m-wrong s3"), ("Right assignments", "bar"), ("Refusals", "m-refused s2"))
    wide = words.plural(int(rows[-1][2] or 0), "wrong assignment")
    return Figure(
        id="margin",
        title="Score margin, first to second candidate",
        svg=_sides(rows, sides).drawing(
            "margin", "Margins", f"{len(rows)} bins of score.", _HEAD + _STEP * len(rows)
        ),
        hides=(
            f"A margin is evidence and no guarantee: the widest bin holds {wide}. Scores have no common scale "
            "between systems, and the three sides have scales of their own."
        ),
        head=("Margin from", "to", "Wrong", "Right", "Refused"),
        rows=_cells(rows),
    )


def _sides(rows: Sequence[tuple[float | None, ...]], sides: Sequence[tuple[str, str]]) -> Canvas:
    """Draw bars of counts by bin side by side, each side on its own scale; counts come after both ends of a bin."""
    canvas = Canvas()
    width = (WIDTH - 110.0) / len(sides)
    for column, (title, cls) in enumerate(sides, start=2):
        left, long = 110.0 + width * (column - 2), width - 65.0
        most = max([1.0, *(row[column] or 0.0 for row in rows)])
        canvas.text(left, 12, title)
        for index, row in enumerate(rows):
            y, count = _HEAD + _STEP * index, row[column] or 0.0
            canvas.rect(left, y - 7, max(0.5, long * count / most), 14, cls)
            canvas.text(left + 6 + long * count / most, y + 4, f"{int(count):,}", "number")
    for index, row in enumerate(rows):
        canvas.text(96, _HEAD + 4 + _STEP * index, _range(row), "tick", "end")
    return canvas


def _cells(rows: Sequence[tuple[float | None, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (words.number(row[0]), words.number(row[1]), *(f"{int(count or 0):,}" for count in row[2:]))
        for row in rows
    )
