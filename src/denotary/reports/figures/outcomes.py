"""What became of every planned case: one bar whose parts sum to the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.reports.figures.svg import WIDTH, Canvas, Figure

if TYPE_CHECKING:
    from collections.abc import Mapping

_BAR = 34.0
_LEAST_FOR_LABEL = 46.0


def outcome_bar(outcomes: Mapping[str, int], planned: int) -> Figure:
    """Return the stacked bar; a class that occurs is at least two units wide so that a single case can be seen."""
    present = {name: count for name, count in outcomes.items() if count}
    total = sum(present.values())
    least = 2.0
    room = WIDTH - least * len(present)
    canvas = Canvas()
    x = 0.0
    for name, count in present.items():
        width = least + room * count / max(total, 1)
        canvas.rect(x, 0, max(width - 1, 1), _BAR, f"o-{name}")
        if width >= _LEAST_FOR_LABEL:
            canvas.text(x + width / 2, _BAR / 2 + 4, f"{count:,}", f"on-{name}", "middle")
        x += width
    return Figure(
        id="outcomes",
        title="Every planned case is in exactly one class",
        svg=canvas.drawing("outcomes", "Outcomes of all planned cases", _described(present, planned), _BAR),
        hides=(
            "It mixes questions of every kind, so its shares depend on how the suite was composed: "
            "read the panels for rates."
        ),
    )


def _described(present: Mapping[str, int], planned: int) -> str:
    said = ", ".join(
        f"{words.OUTCOMES.get(name, (name, ''))[0].lower()} {count:,}" for name, count in present.items()
    )
    return f"{planned:,} planned: {said}."
