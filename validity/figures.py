"""Drawings of the page, as SVG files that stand by themselves; built of the elements of the reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.reports.figures.standalone import standalone
from denotary.reports.figures.svg import WIDTH, Canvas

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_LEFT, _RIGHT, _TOP = 270.0, WIDTH - 24.0, 16.0
_ROW = 24.0


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from ``low`` at ``start`` to ``high`` at ``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the coordinate of a value, kept on the axis."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def strip(
    name: str,
    title: str,
    rows: Sequence[tuple[str, Sequence[float]]],
    *,
    ticks: Sequence[float],
    mark: float,
    axis: str,
    hollow: Collection[str] = (),
) -> str:
    """Return a drawing with a line of dots for each row.

    Args:
        name: of the drawing, unique.
        title: what is drawn.
        rows: label and values of each row.
        ticks: values marked on the axis; the first and the last are its ends.
        mark: where the nominal value lies.
        axis: name of the axis.
        hollow: labels of rows whose dots are hollow.
    """
    canvas, bottom = Canvas(), _TOP + _ROW * len(rows)
    across = Scale(ticks[0], ticks[-1], _LEFT, _RIGHT)
    for tick in ticks:
        canvas.line(across.at(tick), _TOP, across.at(tick), bottom, "grid")
        canvas.text(across.at(tick), bottom + 16, f"{100 * tick:g} %", "tick", "middle")
    canvas.line(across.at(mark), _TOP, across.at(mark), bottom, "limit-line")
    for number, (label, values) in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        canvas.text(_LEFT - 12, y + 4, label, "label", "end")
        for value in values:
            canvas.dot(across.at(value), y, hollow=label in hollow)
    canvas.text((_LEFT + _RIGHT) / 2, bottom + 38, axis, "axis", "middle")
    described = "; ".join(
        f"{label}: {100 * min(values):.2f} % to {100 * max(values):.2f} %" for label, values in rows
    )
    return standalone(canvas.drawing(name, title, described, bottom + 48))


def curves(
    name: str,
    title: str,
    lines: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    *,
    ticks: Sequence[float],
    axis: str,
) -> str:
    """Return a drawing of chances over an axis, at most four lines, each with a dash pattern of its own.

    Args:
        name: of the drawing, unique.
        title: what is drawn.
        lines: label and points (x, chance) of each line.
        ticks: values marked on the axis; the first and the last are its ends.
        axis: name of the axis.
    """
    canvas, left, bottom = Canvas(), 64.0, 260.0
    across, up = Scale(ticks[0], ticks[-1], left, _RIGHT - 190), Scale(0.0, 1.0, bottom, _TOP)
    for tick in ticks:
        canvas.line(across.at(tick), _TOP, across.at(tick), bottom, "grid")
        canvas.text(across.at(tick), bottom + 16, f"{tick:,g}", "tick", "middle")
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        canvas.line(left, up.at(tick), across.end, up.at(tick), "grid")
        canvas.text(left - 8, up.at(tick) + 4, f"{100 * tick:g} %", "tick", "end")
    for number, (label, points) in enumerate(lines):
        steps = [f"{'L' if i else 'M'}{across.at(x):.1f} {up.at(y):.1f}" for i, (x, y) in enumerate(points)]
        canvas.path("".join(steps), f"s{number}")
        y = _TOP + 20 * number + 10
        canvas.path(f"M{across.end + 16:.1f} {y:.1f}h28", f"s{number}")
        canvas.text(across.end + 50, y + 4, label)
    canvas.line(left, bottom, across.end, bottom, "rule")
    canvas.text((left + across.end) / 2, bottom + 38, axis, "axis", "middle")
    described = "; ".join(
        f"{label}: " + ", ".join(f"{x:,g} {100 * y:.0f} %" for x, y in points) for label, points in lines
    )
    return standalone(canvas.drawing(name, title, described, bottom + 48))
