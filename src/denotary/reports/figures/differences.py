"""Paired differences: one line a measure or slice, with interval, one-sided bound and tolerance. Right is worse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary import words
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, place
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.measures.records import ComparisonRow

_LABELS: Final = 220.0
_NUMBERS: Final = 116.0
_ROW: Final = 30.0
_HEAD: Final = 18.0
_REACHES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Ends of the axis; differences below one percentage point are not blown up beyond the first."""
KEY: Final = (
    ("dot", "observed difference, new less base; hollow if there is none"),
    ("ci", "paired bootstrap 95 % interval: description, never a gate"),
    ("bound", "one-sided bound on the worse side; an arrow if it lies beyond the drawing"),
    ("limit", "tolerance of the gate"),
)


def differences(
    name: str,
    title: str,
    rows: Sequence[ComparisonRow],
    labels: Sequence[str],
    limits: Mapping[tuple[str, str], float],
) -> Figure | None:
    """Return a dot plot of differences, each so turned that worse lies to the right; None if none has a value.

    Args:
        name: id of the figure.
        title: its title.
        rows: the comparisons.
        labels: what stands at the left of each.
        limits: tolerance by measure and slice.
    """
    drawn = [(row, label) for row, label in zip(rows, labels, strict=True) if row.difference is not None]
    if not drawn:
        return None
    axis = _Axis.of([row for row, _ in drawn], limits)
    bottom = _HEAD + _ROW * len(drawn) + 4
    canvas = Canvas()
    axis.draw(canvas, bottom)
    canvas.text(WIDTH, 12, "worse / better / alike", "tick", "end")
    for index, (row, label) in enumerate(drawn):
        y = _HEAD + _ROW * (index + 0.5) + 2
        canvas.text(0, y + 4, fit(label, 32))
        _draw(canvas, row, axis, y, limits.get((row.measure, row.slice)))
        counts = f"{row.worse:,} / {row.better:,} / {row.ties:,}"
        canvas.text(WIDTH, y + 4, counts, "number", "end")
    described = "; ".join(f"{label} {words.points(row.difference)}" for row, label in drawn)
    return Figure(
        id=name,
        title=title,
        svg=canvas.drawing(name, title, described, bottom + 36),
        hides=_hides([row for row, _ in drawn]),
        key=KEY,
    )


class _Axis:
    """A symmetric axis of differences; positive is worse."""

    def __init__(self, reach: float) -> None:
        self.reach = reach
        self.left, self.right = _LABELS, WIDTH - _NUMBERS

    @classmethod
    def of(cls, rows: Sequence[ComparisonRow], limits: Mapping[tuple[str, str], float]) -> _Axis:
        """Return an axis on which differences, intervals and tolerances fit; bounds of few units may lie beyond."""
        ends = [abs(v) for row in rows for v in (row.difference, row.low, row.high) if v is not None]
        ends += [limits.get((row.measure, row.slice), 0.0) for row in rows]
        return cls(next((reach for reach in _REACHES if reach >= max(ends)), 1.0))

    def at(self, value: float) -> float:
        """Return the coordinate of a value, kept on the axis."""
        share = (min(max(value / self.reach, -1.0), 1.0) + 1.0) / 2.0
        return self.left + (self.right - self.left) * share

    def draw(self, canvas: Canvas, bottom: float) -> None:
        """Draw grid lines with their values, and which side is which."""
        for part in (-1.0, -0.5, 0.0, 0.5, 1.0):
            x = self.at(part * self.reach)
            canvas.line(x, _HEAD, x, bottom, "rule" if part == 0 else "grid")
            canvas.text(x, bottom + 14, words.points(part * self.reach).removesuffix(" pp"), "tick", "middle")
        canvas.text(self.left, bottom + 30, "better", "tick")
        canvas.text(self.at(0.0), bottom + 30, "percentage points", "tick", "middle")
        canvas.text(self.right, bottom + 30, "worse", "tick", "end")


def _draw(canvas: Canvas, row: ComparisonRow, axis: _Axis, y: float, limit: float | None) -> None:
    """Draw the marks of one row at height y: tolerance, interval, bound, difference."""
    sign = 1.0 if row.direction == "lower" else -1.0
    bound = row.upper_bound if row.direction == "lower" else row.lower_bound
    if limit is not None:
        canvas.line(axis.at(limit), y - 11, axis.at(limit), y + 11, "limit")
    if row.low is not None and row.high is not None:
        canvas.line(axis.at(sign * row.low), y, axis.at(sign * row.high), y, "ci")
    if bound is not None and sign * bound <= axis.reach:
        canvas.path(f"M{place(axis.at(sign * bound) - 5)} {place(y - 7)}h5v14h-5", "bound")
    elif bound is not None:
        canvas.path(f"M{place(axis.right - 5)} {place(y - 5)}l5 5l-5 5", "bound")
    if row.difference is not None:
        canvas.dot(axis.at(sign * row.difference), y, hollow=row.worse + row.better == 0)


def _hides(rows: Sequence[ComparisonRow]) -> str:
    idle = sum(row.p_floor is not None and row.p_floor > words.SIGNIFICANT for row in rows)
    said = (
        "Not being worse here is not being good enough, and a short line is not equivalence: only a bound within the "
        "tolerance is. "
    )
    if idle:
        said += f"In {idle:,} of {words.plural(len(rows), 'line')} too few units differ for any test to find anything. "
    return (
        f"{said}Where higher is better the line is mirrored, so that right is always worse. Which cases moved does not "
        "show: as many may have been won as lost."
    )
