"""The gate matrix: every gate in every slice, one shape a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.reports import words
from denotary.reports.figures.svg import WIDTH, Figure, drawing, element, fit, icon, line, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from denotary.reports.shapes import GateResultLike

_LABELS = 250.0
_ROW = 24.0
_MOST = 24
"""Most slices in one drawing; the table has them all."""


def gate_matrix(gates: Sequence[GateResultLike]) -> Figure:
    """Return gates down, slices across; slices that need attention come first if not all can be drawn."""
    names = list(dict.fromkeys((gate.gate, gate.title) for gate in gates))
    slices = list(dict.fromkeys(gate.slice for gate in gates))
    drawn = _choose(gates, slices)
    cells = {(gate.gate, gate.slice): gate.verdict for gate in gates}
    step = min(34.0, (WIDTH - _LABELS - 12) / max(len(drawn), 1))
    top = _head_height(drawn)
    height = top + _ROW * len(names) + 6
    parts = [_slice_label(name, _LABELS + step * (index + 0.5), top) for index, name in enumerate(drawn)]
    for row, (gate, title) in enumerate(names):
        y = top + _ROW * (row + 0.5)
        parts += [line(0, y + _ROW / 2, WIDTH, y + _ROW / 2, "grid"), text(0, y + 4, fit(title, 40), "label")]
        for column, name in enumerate(drawn):
            if (gate, name) in cells:
                parts.append(icon(cells[gate, name].lower(), _LABELS + step * (column + 0.5), y))
    described = f"{len(names)} gates in {len(slices)} slices: {words.tally_sentence(gates)}."
    return Figure(
        id="gate-matrix",
        title="Every gate in every slice it must hold in",
        svg=drawing("gate-matrix", "Gate matrix", described, height, parts),
        hides=_hides(len(slices) - len(drawn)),
        key=tuple((verdict.lower(), words.VERDICTS[verdict]) for verdict, _ in words.tally(gates)),
    )


def _hides(left_out: int) -> str:
    cut = f" {words.plural(left_out, 'slice')} without a failure are in the table only." if left_out else ""
    return (
        "It does not show how far a gate is from its limit, nor how much evidence stands behind a shape; an empty "
        f"place is a slice the gate is not asked in. Shapes do not add up: one failure blocks.{cut}"
    )


def _choose(gates: Sequence[GateResultLike], slices: list[str]) -> list[str]:
    if len(slices) <= _MOST:
        return slices
    worst = {
        name: min(words.VERDICT_ORDER.index(gate.verdict) for gate in gates if gate.slice == name)
        for name in slices
    }
    kept = set(sorted(slices, key=lambda name: (name != "all", worst[name], slices.index(name)))[:_MOST])
    return [name for name in slices if name in kept]


def _short(name: str) -> str:
    return "all" if name == "all" else fit(name.partition("=")[2].rpartition(".")[2] or name, 22)


def _head_height(slices: Sequence[str]) -> float:
    longest = max((len(_short(name)) for name in slices), default=0)
    return 24.0 if longest <= 3 else 20 + 6.2 * longest  # noqa: PLR2004 - what fits into a column


def _slice_label(name: str, x: float, top: float) -> Markup:
    if top <= 24:  # noqa: PLR2004 - the height of level labels
        return text(x, top - 8, _short(name), "tick", "middle")
    return element("text", _short(name), transform=f"translate({x + 4:.1f} {top - 8:.1f}) rotate(-90)", class_="tick")
