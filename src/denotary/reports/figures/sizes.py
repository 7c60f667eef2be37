"""What a claim costs: units for so many failures, and the chance that a system of a true rate passes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.reports.figures.standalone import LINES
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, place

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEFT, _RIGHT, _TOP, _ROW = 150.0, WIDTH - 24.0, 44.0, 34.0
_CURVES = 220.0
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Size:
    """What one limit costs.

    Attributes:
        label: the limit and the bound, short.
        gates: the gates that have it.
        units: independent units that a pass takes, by number of failed ones.
    """

    label: str
    gates: tuple[str, ...]
    units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """The chance of a pass with so many units.

    Attributes:
        label: how many units, and how many of them may fail.
        points: (true rate as a share of the limit, chance of a pass).
    """

    label: str
    points: tuple[tuple[float, float], ...]


def sizes(name: str, title: str, rows: Sequence[Size], powers: Sequence[Power], limit: str) -> Figure:
    """Return dots for the units of each limit, above the power of larger and larger suites at one of them.

    Args:
        name: of the drawing, unique on a page.
        title: what is drawn.
        rows: one a limit, at least one.
        powers: curves; the first four are drawn.
        limit: the limit that the curves are of.
    """
    canvas = Canvas()
    bottom = _dots(canvas, rows)
    height = _powers(canvas, powers[:LINES], bottom + 80, limit)
    described = "; ".join(
        f"{row.label}: {', '.join(f'{units:,}' for units in row.units)} units for 0 to {len(row.units) - 1} failures"
        for row in rows
    )
    return Figure(
        id=name,
        title=title,
        svg=canvas.drawing(name, title, described, height),
        hides="The chances are of units of one case whose failures are independent. Siblings that fail together fail "
        "more of them at once, and a true rate is what nobody knows beforehand.",
        head=("Limit", "Gates", *(f"{number} failed" for number in range(len(rows[0].units)))),
        rows=tuple((row.label, ", ".join(row.gates), *(f"{units:,}" for units in row.units)) for row in rows),
    )


def _dots(canvas: Canvas, rows: Sequence[Size]) -> float:
    """Draw the units of each row on one logarithmic axis; return where they end."""
    low = math.floor(math.log10(min(min(row.units) for row in rows)))
    high = math.ceil(math.log10(max(max(row.units) for row in rows)))
    step = (_RIGHT - _LEFT) / max(high - low, 1)
    bottom = _TOP + _ROW * len(rows)
    canvas.text(0, 16, "Independent units that a pass takes if 0, 1, … 5 of them fail", "label")
    for power in range(low, high + 1):
        x = _LEFT + step * (power - low)
        canvas.line(x, _TOP - 12, x, bottom, "grid")
        canvas.text(x, bottom + 16, f"{10**power:,}", "tick", "end" if power == high else "middle")
    for number, row in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        canvas.text(0, y + 4, row.label)
        for failed, units in enumerate(row.units):
            x = _LEFT + step * (math.log10(units) - low)
            canvas.dot(x, y, hollow=failed > 0)
            if failed == 0:
                canvas.text(x, y - 8, f"{units:,}", "tick", "middle")
    return bottom


def _powers(canvas: Canvas, powers: Sequence[Power], top: float, limit: str) -> float:
    """Draw the chance of a pass over the true rate; return the height of the drawing."""
    bottom, left = top + _CURVES, 64.0
    right = _RIGHT - 220

    def at(share: float, chance: float) -> tuple[str, str]:
        return place(left + (right - left) * share), place(bottom - _CURVES * chance)

    canvas.text(0, top - 16, f"Chance of a pass at limit {limit}, by the true rate", "label")
    for share in _SHARES:
        x, y = (float(value) for value in at(share, share))
        canvas.line(x, top, x, bottom, "grid")
        canvas.line(left, y, right, y, "grid")
        canvas.text(x, bottom + 16, f"{100 * share:g} %", "tick", "middle")
        canvas.text(left - 8, y + 4, f"{100 * share:g} %", "tick", "end")
    for number, curve in enumerate(powers):
        steps = [f"{'L' if i else 'M'}{' '.join(at(*point))}" for i, point in enumerate(curve.points)]
        canvas.path("".join(steps), f"s{number}")
        y = top + 20 * number + 10
        canvas.path(f"M{place(right + 12)} {place(y)}h24", f"s{number}")
        canvas.text(right + 42, y + 4, curve.label)
    canvas.line(left, bottom, right, bottom, "rule")
    canvas.text(
        (left + right) / 2, bottom + 38, "True rate of failures, as a share of the limit", "axis", "middle"
    )
    return bottom + 48
