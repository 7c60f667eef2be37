"""Drawings of the page on encoders: the decision axis by configuration, and by class of change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from similarity_records import TASKS, Kept, axis, encoders, value

from denotary.reports.figures.standalone import standalone
from denotary.reports.figures.svg import WIDTH, Canvas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.instruments.similarity.results import AxisRow

LABELS, GAP, ROW, TOP = 150.0, 40.0, 24.0, 34.0
PANEL = (WIDTH - LABELS - GAP - 10) / 2
TICKS = (0.3, 0.5, 0.7, 0.9)


def drawings(kept: dict[str, Kept]) -> dict[str, str]:
    """Return the text of each SVG file by its name."""
    rows = {name: {task: [axis(item, "decision", task)] for task in TASKS} for name, item in kept.items()}
    shown = encoders(kept)
    classes = sorted({row.mutation for item in kept.values() for row in item.audit.axes if row.mutation})
    by_class = {
        of.replace("_", " "): {
            task: [axis(item, "decision", task, mutation=of) for item in shown.values()] for task in TASKS
        }
        for of in classes
    }
    title = "Decision AUROC at matched overlap"
    return {
        "decision.svg": _panels("decision", title, rows, ends=True),
        "classes.svg": _panels("classes", f"{title}, one dot an encoder", by_class, ends=False),
    }


def _panels(name: str, title: str, rows: Mapping[str, Mapping[str, list[AxisRow]]], *, ends: bool) -> str:
    """Return two panels side by side, one a task, with chance at a dashed line; ``ends`` draws the intervals."""
    canvas, bottom = Canvas(), TOP + ROW * len(rows)
    for number, label in enumerate(rows):
        canvas.text(LABELS - 12, TOP + ROW * (number + 0.5) + 4, label, "label", "end")
    for at, task in enumerate(TASKS):
        left = LABELS + at * (PANEL + GAP)
        canvas.text(left + PANEL / 2, 20, task, "label", "middle")
        for tick in TICKS:
            kind = "limit-line" if tick == 0.5 else "grid"  # noqa: PLR2004 - chance
            canvas.line(_place(left, tick), TOP, _place(left, tick), bottom, kind)
            canvas.text(_place(left, tick), bottom + 16, f"{tick:g}", "tick", "middle")
        for number, found in enumerate(rows.values()):
            for row in found[task]:
                _mark(canvas, row, left, TOP + ROW * (number + 0.5), ends=ends)
    canvas.text((LABELS + WIDTH) / 2, bottom + 38, f"{title}; dashed: chance", "axis", "middle")
    described = "; ".join(
        f"{label}, {task}: {', '.join(f'{value(row):.2f}' for row in found)}"
        for label, tasks in rows.items() for task, found in tasks.items()
    )  # fmt: skip
    return standalone(canvas.drawing(name, title, described, bottom + 48))


def _mark(canvas: Canvas, row: AxisRow, left: float, y: float, *, ends: bool) -> None:
    if ends and row.low is not None and row.high is not None:
        canvas.line(_place(left, row.low), y, _place(left, row.high), y, "rule")
    canvas.dot(_place(left, value(row)), y)


def _place(left: float, found: float) -> float:
    """Return the coordinate of an AUROC, kept on the axis."""
    low, high = TICKS[0], TICKS[-1]
    return left + PANEL * (min(max(found, low), high) - low) / (high - low)
