"""Risk against coverage, with the production threshold and its bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.scales import Scale
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.records import Series

RISK_COVERAGE = ("threshold", "coverage", "risk", "bound")
_HIDDEN = (
    "{} point was chosen after seeing the answers, its bound holds for that point alone, and reading the best one off "
    "the curve is not a guarantee. No area under it is a score."
)
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, WIDTH - 24.0, 14.0, 300.0


def numbers(series: Series) -> list[tuple[float | None, ...]]:
    """Return the rows of a series whose cells are all numbers or absent."""
    return [tuple(None if cell is None else float(cell) for cell in row) for row in series.rows]


def risk_coverage(curve: Series, point: Series | None, limit: float | None) -> Figure | None:
    """Return observed risk and its bound against coverage, with the production threshold and the limit marked."""
    rows = [row for row in numbers(curve) if None not in (row[1], row[2])]
    if not rows:
        return None
    chosen = next((row for row in numbers(point)), None) if point else None
    across = Scale(_LEFT, _RIGHT)
    up = Scale(_BOTTOM, _TOP, high=_ceiling(rows, chosen, limit))
    canvas = frame(across, up, "Coverage: share of all cases that received a code", "Risk")
    canvas.path(_steps(rows, 3, across, up), "curve-bound")
    canvas.path(_steps(rows, 2, across, up), "curve")
    if limit is not None:
        canvas.line(_LEFT, up.at(limit), _RIGHT, up.at(limit), "limit-line")
        canvas.text(_RIGHT, up.at(limit) - 6, f"limit {words.percent(limit)}", "limit-text", "end")
    if chosen is not None and chosen[1] is not None:
        _operating_point(canvas, chosen, across, up)
    return Figure(
        id="risk-coverage",
        title="Risk against coverage, as the threshold falls",
        svg=canvas.drawing("risk-coverage", "Risk-coverage curve", _point_sentence(chosen), _BOTTOM + 44),
        hides=_HIDDEN.format(
            "Every" if chosen is None else "Only the marked threshold was fixed beforehand: every other"
        ),
        head=("Threshold", "Coverage", "Observed risk", "One-sided bound"),
        rows=tuple(
            (words.number(r[0]), words.percent(r[1]), words.percent(r[2]), words.percent(r[3], "up"))
            for r in _thin(rows)
        ),
        key=(
            ("curve", "observed risk"),
            ("curve-bound", "one-sided bound at each threshold"),
            *(() if chosen is None else (("point", "production threshold"),)),
        ),
    )


def _ceiling(
    rows: Sequence[tuple[float | None, ...]], chosen: tuple[float | None, ...] | None, limit: float | None
) -> float:
    """Return the top of the risk axis: the bulk of the curve, not the few cases at its left end."""
    bulk = [row[3] for row in rows if row[3] is not None and (row[1] or 0.0) >= 0.1]  # noqa: PLR2004 - a tenth of the cases
    wanted = max([*bulk, limit or 0.0, (chosen[3] or 0.0) if chosen else 0.0, 0.004])
    return next(
        top for top in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 1.0) if top >= min(wanted * 1.1, 1.0)
    )


def _steps(rows: Sequence[tuple[float | None, ...]], column: int, across: Scale, up: Scale) -> str:
    commands: list[str] = []
    for row in rows:
        value = row[column]
        if value is not None:
            commands.append(f"{'L' if commands else 'M'}{across.at(row[1] or 0.0):.1f} {up.at(value):.1f}")
    return "".join(commands)


def _operating_point(canvas: Canvas, chosen: tuple[float | None, ...], across: Scale, up: Scale) -> None:
    x = across.at(chosen[1] or 0.0)
    risk, bound = up.at(chosen[2] or 0.0), up.at(chosen[3] if chosen[3] is not None else 1.0)
    label = f"t = {words.number(chosen[0])}: risk {words.percent(chosen[2])}, bound {words.percent(chosen[3], 'up')}"
    canvas.line(x, _TOP, x, _BOTTOM, "point-line")
    canvas.line(x, bound, x, risk, "point-range")
    canvas.line(x - 6, bound, x + 6, bound, "point-range")
    canvas.path(f"M{place(x)} {place(risk)}h0", "point")
    late = x > (_LEFT + _RIGHT) / 2
    canvas.text(x + (-10 if late else 10), _TOP + 12, label, "label strong", "end" if late else "start")


def frame(across: Scale, up: Scale, below: str, beside: str) -> Canvas:
    """Return a canvas with two axes of shares, and their names."""
    canvas = Canvas()
    for tick in up.ticks():
        canvas.line(across.left, up.at(tick), across.right, up.at(tick), "grid")
        canvas.text(across.left - 8, up.at(tick) + 4, words.percent(tick), "tick", "end")
    for tick in across.ticks():
        canvas.text(across.at(tick), up.left + 16, words.percent(tick), "tick", "middle")
    canvas.line(across.left, up.left, across.right, up.left, "rule")
    canvas.text((across.left + across.right) / 2, up.left + 36, below, "axis", "middle")
    canvas.upright(12, (up.left + up.right) / 2, beside, "axis", "middle")
    return canvas


def _point_sentence(chosen: tuple[float | None, ...] | None) -> str:
    if chosen is None:
        return "No production threshold is declared, so no operating point is marked."
    return (
        f"At threshold {words.number(chosen[0])} coverage is {words.percent(chosen[1])}, "
        f"risk {words.percent(chosen[2])}, bound {words.percent(chosen[3], 'up')}."
    )


def _thin(rows: Sequence[tuple[float | None, ...]], most: int = 40) -> list[tuple[float | None, ...]]:
    if len(rows) <= most:
        return list(rows)
    return [rows[round(index * (len(rows) - 1) / (most - 1))] for index in range(most)]
