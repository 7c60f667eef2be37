"""Histograms of a few groups over one axis, one beneath the other, with lines at values that mean something."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from denotary.reports.figures.scales import Scale
from denotary.reports.figures.svg import WIDTH, Canvas, Figure
from denotary.words import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEFT: Final = 170.0
_RIGHT: Final = WIDTH - 24.0
_PANEL: Final = 54.0
_BAR: Final = 42.0


def histograms(
    name: str,
    title: str,
    groups: Sequence[tuple[str, Sequence[int]]],
    *,
    edges: Sequence[float],
    marks: Sequence[float],
    marked: str,
    hides: str,
) -> Figure:
    """Return the drawing, with a table of all counts.

    Args:
        name: id of the figure.
        title: its title.
        groups: label and counts by bin, from top to bottom; the highest bar of all has the full height.
        edges: of the bins, rising, one more than there are bins.
        marks: values with a line of their own; those beyond the axis are left out.
        marked: what these lines are.
        hides: what the drawing does not show.
    """
    axis = Scale(_LEFT, _RIGHT, edges[0], edges[-1])
    bottom = _PANEL * len(groups)
    most = max((count for _, counts in groups for count in counts), default=0) or 1
    canvas = Canvas()
    for tick in axis.ticks():
        canvas.line(axis.at(tick), 2, axis.at(tick), bottom, "grid")
        canvas.text(axis.at(tick), bottom + 14, f"{tick:.3g}", "tick", "middle")
    for index, (label, counts) in enumerate(groups):
        ground = _PANEL * (index + 1)
        canvas.text(0, ground - 6, fit(label, 26))
        canvas.line(_LEFT, ground, _RIGHT, ground, "rule")
        for (low, high), count in zip(pairwise(edges), counts, strict=True):
            if count:
                height = _BAR * count / most
                canvas.rect(
                    axis.at(low) + 0.5, ground - height, axis.at(high) - axis.at(low) - 1, height, "bar"
                )
    shown = [mark for mark in marks if edges[0] <= mark <= edges[-1]]
    for mark in shown:
        canvas.line(axis.at(mark), 2, axis.at(mark), bottom, "limit-line")
    spans = [f"{low:.4g} to {high:.4g}" for low, high in pairwise(edges)]
    highest = [(label, spans[max(range(len(counts)), key=counts.__getitem__)]) for label, counts in groups]
    described = "; ".join(f"{label}: most at {span}" for label, span in highest)
    return Figure(
        id=name,
        title=title,
        svg=canvas.drawing(name, title, described, bottom + 20),
        hides=hides,
        head=("score", *(label for label, _ in groups)),
        rows=tuple((span, *(f"{counts[at]:,}" for _, counts in groups)) for at, span in enumerate(spans)),
        key=(("bar", f"pairs; the highest bar is {most:,}"),)
        + ((("limit-line", f"{marked}: {', '.join(f'{mark:g}' for mark in shown)}"),) if shown else ()),
    )
