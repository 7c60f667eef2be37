"""The neighbourhood graph: which concept was given in place of which, among declared neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.svg import WIDTH, Canvas, Figure, element, place, short_names
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from denotary.measures.records import Series

COLUMNS = ("target", "neighbour", "type", "cases", "confused")
_MOST = 24
_RADIUS = 150.0
_CENTRE = (WIDTH / 2, 200.0)


def neighbourhood(series: Series) -> Figure | None:
    """Return concepts on a circle, an edge a declared neighbour pair, an arrow a confusion that occurred."""
    pairs = [(str(r[0]), str(r[1]), int(r[3] or 0), int(r[4] or 0)) for r in series.rows]
    if not pairs:
        return None
    nodes = _choose(pairs)
    places = {name: _place(index, len(nodes)) for index, name in enumerate(nodes)}
    drawn = [pair for pair in pairs if pair[0] in places and pair[1] in places]
    canvas = Canvas()
    canvas.add(_head())
    for a, b, cases, count in drawn:
        if count:
            _arrow(canvas, places[a], places[b], count)
        else:
            canvas.path(_curve(places[a], places[b], 0.08), "edge" if cases else "edge untested")
    confused = {name for pair in pairs if pair[3] for name in pair[:2]}
    labels = short_names(nodes)
    for name in nodes:
        _node(canvas, labels[name], places[name], strong=name in confused)
    total = sum(pair[3] for pair in pairs)
    return Figure(
        id="neighbourhood",
        title="Who was taken for whom",
        svg=canvas.drawing("neighbourhood", "Neighbourhood confusion graph", _described(pairs), 400),
        hides=_hides(pairs, len({n for p in pairs for n in p[:2]}) - len(nodes)),
        head=("Expected", "Neighbour", "Type", "Cases", "Given the neighbour"),
        rows=tuple(
            (str(r[0]), str(r[1]), words.plain(str(r[2])), f"{r[3]:,}", f"{r[4]:,}")
            for r in sorted(series.rows, key=lambda r: (-int(r[4] or 0), str(r[0]), str(r[1])))
        ),
        key=(
            ("arrow", "expected concept to the one given instead, with the number of cases"),
            ("edge", "tested, none confused"),
            ("edge untested", "declared, no case tests it"),
        )
        if total
        else (("edge", "tested, none confused"), ("edge untested", "declared, no case tests it")),
    )


def _choose(pairs: Sequence[tuple[str, str, int, int]]) -> list[str]:
    nodes = list(dict.fromkeys(name for pair in pairs for name in pair[:2]))
    weight = {name: sum(pair[3] for pair in pairs if name in pair[:2]) for name in nodes}
    kept = set(sorted(nodes, key=lambda name: (-weight[name], name))[:_MOST])
    return [name for name in nodes if name in kept]


def _place(index: int, count: int) -> tuple[float, float]:
    angle = 2 * math.pi * index / max(count, 1) - math.pi / 2
    return _CENTRE[0] + _RADIUS * math.cos(angle), _CENTRE[1] + _RADIUS * math.sin(angle)


def _bend(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """Return the control point of a curve that leans towards the centre, so that both directions can be told apart."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    across = ((end[1] - start[1]) * share, (start[0] - end[0]) * share)
    return middle[0] + across[0], middle[1] + across[1]


def _curve(start: tuple[float, float], end: tuple[float, float], lean: float) -> str:
    bend = _bend(start, end, lean)
    return f"M{place(start[0])} {place(start[1])}Q{place(bend[0])} {place(bend[1])} {place(end[0])} {place(end[1])}"


def _arrow(canvas: Canvas, start: tuple[float, float], end: tuple[float, float], count: int) -> None:
    bend = _bend(start, end, 0.12)
    # Stop short of the node so that the head of the arrow is seen.
    length = math.hypot(end[0] - bend[0], end[1] - bend[1]) or 1.0
    tip = (end[0] - (end[0] - bend[0]) / length * 11, end[1] - (end[1] - bend[1]) / length * 11)
    middle = (
        0.25 * start[0] + 0.5 * bend[0] + 0.25 * tip[0],
        0.25 * start[1] + 0.5 * bend[1] + 0.25 * tip[1],
    )
    curve = f"M{place(start[0])} {place(start[1])}Q{place(bend[0])} {place(bend[1])} {place(tip[0])} {place(tip[1])}"
    canvas.add(element("path", d=curve, class_=f"arrow w{min(count, 5)}"))
    canvas.path(f"M{place(middle[0])} {place(middle[1])}h0", "badge")
    canvas.path(f"M{place(middle[0])} {place(middle[1])}h0", "badge-inside")
    canvas.text(middle[0], middle[1] + 4, str(count), "badge-text", "middle")


def _head() -> Markup:
    tip = element("path", d="M0 0L8 4L0 8z", class_="arrow-tip")
    marker = element(
        "marker",
        tip,
        id="arrow-head",
        viewBox="0 0 8 8",
        refX=6,
        refY=4,
        markerWidth=8,
        markerHeight=8,
        orient="auto",
        markerUnits="userSpaceOnUse",
    )
    return element("defs", marker)


def _node(canvas: Canvas, label: str, at: tuple[float, float], *, strong: bool) -> None:
    x, y = at
    side = x - _CENTRE[0]
    anchor = "middle" if abs(side) < 8 else "start" if side > 0 else "end"  # noqa: PLR2004 - top and bottom of the circle
    down = -14 if anchor == "middle" and y < _CENTRE[1] else 24 if anchor == "middle" else 4
    canvas.path(f"M{place(x)} {place(y)}h0", "node strong" if strong else "node")
    shift = {"middle": 0, "start": 12, "end": -12}[anchor]
    canvas.text(x + shift, y + down, fit(label, 28), "label strong" if strong else "label", anchor)


def _described(pairs: Sequence[tuple[str, str, int, int]]) -> str:
    found = [f"{a} given as {b}: {n} of {cases}" for a, b, cases, n in pairs if n]
    return "; ".join(found) or "No declared neighbour was given in place of its target."


def _hides(pairs: Sequence[tuple[str, str, int, int]], left_out: int) -> str:
    untested = sum(not pair[2] for pair in pairs)
    said = "Only declared neighbours are drawn: a confusion with any other concept is in the matrix."
    if untested:
        pairs_said = words.plural(len(pairs), "declared pair")
        said += f" {untested:,} of {pairs_said} tested by no case, which is not the same as told apart."
    if left_out:
        said += f" {words.plural(left_out, 'concept')} with fewer confusions are in the table only."
    return said
