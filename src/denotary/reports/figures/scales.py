"""Axes: shares on a line, or on a logarithm with a place of its own for zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.reports.figures.svg import Canvas

GUTTER = 44.0
"""Width of the place for zero on a logarithmic axis."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from ``left`` to ``right``.

    Attributes:
        left: coordinate of its beginning.
        right: coordinate of its end.
        low: value at the beginning; on a logarithm the smallest value that is not in the place for zero.
        high: value at the end.
        log: whether it is logarithmic.
    """

    left: float
    right: float
    low: float = 0.0
    high: float = 1.0
    log: bool = False

    def at(self, value: float) -> float:
        """Return the coordinate of a value, kept on the axis."""
        if not self.log:
            share = (value - self.low) / (self.high - self.low)
            return self.left + (self.right - self.left) * min(max(share, 0.0), 1.0)
        start = self.left + GUTTER
        if value <= 0:
            return self.left + 6
        share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return start + (self.right - start) * min(share, 1.0)

    def ticks(self) -> list[float]:
        """Return the values to mark."""
        if not self.log:
            parts = 5 if self.low > 0 else 4
            return [self.low + (self.high - self.low) * part / parts for part in range(parts + 1)]
        decades = round(math.log10(self.high / self.low))
        return [0.0, *(self.high / 10**power for power in range(decades, -1, -1))]

    def draw(self, canvas: Canvas, top: float, bottom: float) -> None:
        """Draw grid lines from top to bottom, with their values under them."""
        for tick in self.ticks():
            x = self.at(tick)
            canvas.line(x, top, x, bottom, "grid")
            canvas.text(x, bottom + 14, percent(tick), "tick", "middle")


def scale(values: Iterable[float | None], left: float, right: float, *, small: bool) -> Scale:
    """Return an axis for shares: logarithmic for rates that should be ``small``, else linear.

    The logarithm begins at the decade of the smallest value that is not zero, at most six decades below 1. The linear
    axis ends at 1 and begins at the largest of 0, 0.5, 0.8, 0.9, 0.95 that leaves no value out.
    """
    known = [value for value in values if value is not None]
    if not small:
        smallest = min(known, default=0.0)
        return Scale(
            left,
            right,
            low=max(start for start in (0.0, 0.5, 0.8, 0.9, 0.95) if start <= max(smallest - 0.01, 0.0)),
        )
    smallest = min((value for value in known if value > 0), default=0.01)
    decade = min(max(math.floor(math.log10(smallest) + 1e-9), -6), -2)
    return Scale(left, right, low=10.0**decade, high=1.0, log=True)
