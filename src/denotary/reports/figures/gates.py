"""The gate matrix: every gate in every slice, one shape a verdict."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.svg import WIDTH, Canvas, Figure
from denotary.reports.gate_groups import excess
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.verdicts.records import GateResult

_LABELS = 250.0
_ROW = 24.0
_LINE = 42
"""Characters of a line of a title."""
_MOST = 24
"""Most slices in one drawing."""


def gate_matrix(gates: Sequence[GateResult]) -> Figure:
    """Return gates down, slices across: if there are too many, the worst, and one at least of every gate."""
    names = list(dict.fromkeys((gate.gate, gate.title) for gate in gates))
    slices = list(dict.fromkeys(gate.slice for gate in gates))
    drawn = _choose(gates, slices)
    cells = {(gate.gate, gate.slice): gate.verdict for gate in gates}
    step = min(34.0, (WIDTH - _LABELS - 12) / max(len(drawn), 1))
    top = _head_height(drawn)
    height = top + _ROW * len(names) + 6
    canvas = Canvas()
    for index, name in enumerate(drawn):
        _slice_label(canvas, name, _LABELS + step * (index + 0.5), top)
    for row, (gate, title) in enumerate(names):
        y = top + _ROW * (row + 0.5)
        canvas.line(0, y + _ROW / 2, WIDTH, y + _ROW / 2, "grid")
        _title(canvas, title, y)
        for column, name in enumerate(drawn):
            if (gate, name) in cells:
                canvas.icon(cells[gate, name].lower(), _LABELS + step * (column + 0.5), y)
    described = f"{len(names)} gates in {len(slices)} slices: {words.tally_sentence(gates)}."
    return Figure(
        id="gate-matrix",
        title="Every gate in every slice it must hold in",
        svg=canvas.drawing("gate-matrix", "Gate matrix", described, height),
        hides=_hides(len(drawn), len(slices) - len(drawn)),
        key=tuple((verdict.lower(), words.VERDICTS[verdict]) for verdict, _ in words.tally(gates)),
    )


def _hides(drawn: int, left_out: int) -> str:
    cut = (
        f" Drawn are the {drawn} worst of {drawn + left_out:,} slices, worst first after all cases: by the number of "
        "failures, then of results without enough evidence, then by how far the observed value lies beyond its "
        "limit; no gate is left without a mark. The others are in the table or in verdict.json."
        if left_out
        else ""
    )
    return (
        "It does not show how far a gate is from its limit, nor how much evidence stands behind a shape; an empty "
        f"place is a slice the gate is not asked in. Shapes do not add up: one failure blocks.{cut}"
    )


def _choose(gates: Sequence[GateResult], slices: list[str]) -> list[str]:
    """Return the slices to draw: all in their own order, or the worst ones, after that over all cases."""
    if len(slices) <= _MOST:
        return slices
    found: dict[str, list[GateResult]] = {name: [] for name in slices}
    for gate in gates:
        found[gate.slice].append(gate)
    ranked = sorted(slices, key=lambda name: (name != "all", *_badness(found[name]), slices.index(name)))
    asked: dict[str, list[str]] = {}
    for name in ranked:
        for gate in found[name]:
            asked.setdefault(gate.gate, []).append(name)
    # A gate without any mark would read as one that is not asked.
    kept = dict.fromkeys(["all"] if "all" in found else [])
    for names in asked.values():
        if not kept.keys() & set(names):
            kept[names[0]] = None
    for name in ranked:
        if len(kept) < _MOST:
            kept[name] = None
    return [name for name in ranked if name in kept]


def _badness(gates: Sequence[GateResult]) -> tuple[list[int], float]:
    """Return what is smallest for the worst slice: by number of failures, of lacks and so on, then by the excess."""
    counts = [-sum(gate.verdict == verdict for gate in gates) for verdict in words.VERDICT_ORDER]
    return counts, -max(map(excess, gates))


def _short(name: str) -> str:
    return (
        "all"
        if name == "all"
        else fit(name.partition("=")[2].rpartition(".")[2] or words.slice_name(name), 22)
    )


def _head_height(slices: Sequence[str]) -> float:
    longest = max((len(_short(name)) for name in slices), default=0)
    return 24.0 if longest <= 3 else 20 + 6.2 * longest  # noqa: PLR2004 - what fits into a column


def _title(canvas: Canvas, title: str, y: float) -> None:
    """Write a gate's whole title, on two lines where one does not hold it: a page has its shape whatever the words."""
    first, *rest = wrap(title, _LINE) or [""]
    second = fit(" ".join(rest), _LINE)
    canvas.text(0, y - 1 if second else y + 4, first, "tick")
    canvas.text(0, y + 10, second, "tick")


def _slice_label(canvas: Canvas, name: str, x: float, top: float) -> None:
    if top <= 24:  # noqa: PLR2004 - the height of level labels
        canvas.text(x, top - 8, _short(name), "tick", "middle")
    else:
        canvas.upright(x + 4, top - 8, _short(name))
