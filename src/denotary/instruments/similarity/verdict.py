"""The verdict sentence: does a configuration read wording, does it read meaning, or is that undecided?

Meaning: in every task the lower end of the decision axis is at least 0.70. Wording: in every task its upper end is
below 0.60 and the lower end of the lexical axis above 0.80. Anything else is undecided, and so is a task with fewer
anchors than a claim needs: an interval of few anchors resampled misses far more often than it says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.axes import CLAIMED
from denotary.instruments.similarity.results import Reading, TaskReading
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.results import AxisRow

MEANING: Final = 0.70
WORDING: Final = 0.60
CONTROL: Final = 0.80


def task_reading(decision: AxisRow, lexical: AxisRow) -> TaskReading:
    """Return what one task says, from its two axes."""
    return TaskReading(
        task=decision.task,
        reading=_reading(decision, lexical),
        decision=decision.value,
        decision_low=decision.low,
        decision_high=decision.high,
        lexical=lexical.value,
        lexical_low=lexical.low,
        anchors=decision.anchors,
    )


def overall(readings: Sequence[TaskReading]) -> Reading:
    """Return the verdict over tasks: what all of them say, else undecided."""
    said = {reading.reading for reading in readings}
    return said.pop() if len(said) == 1 else "undecided"


ADVICE: Final[dict[Reading, str]] = {
    "reads meaning at matched overlap": "",
    "reads wording": "Keep it only where it is scoped to surface form, such as finding near-duplicates.",
    "undecided": "Nothing here supports deciding by this score whether two texts mean the same.",
}
"""What a verdict means for whoever acts on the score."""


def sentence(verdict: Reading, readings: Sequence[TaskReading]) -> str:
    """Return the verdict in a few sentences with its evidence."""
    found = "; ".join(f"{item.task}: {evidence(item)}" for item in readings)
    return f"{verdict[0].upper()}{verdict[1:]} ({found}). {ADVICE[verdict]}".rstrip()


def evidence(item: TaskReading) -> str:
    """Return both axes of a task in words, and that its anchors are too few for a claim where they are."""
    few = item.anchors if item.anchors is not None and item.anchors < CLAIMED else None
    return (
        f"decision AUROC {_interval(item.decision, item.decision_low, item.decision_high)}, "
        f"lexical AUROC {_interval(item.lexical, item.lexical_low, None)}"
        + (f", from {plural(few, 'anchor')} where a claim needs {CLAIMED}" if few is not None else "")
    )


def _reading(decision: AxisRow, lexical: AxisRow) -> Reading:
    if decision.anchors < CLAIMED:
        return "undecided"
    if decision.low is not None and decision.low >= MEANING:
        return "reads meaning at matched overlap"
    wording = decision.high is not None and decision.high < WORDING
    if wording and lexical.low is not None and lexical.low > CONTROL:
        return "reads wording"
    return "undecided"


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "unknown"
    if low is None:
        return f"{value:.3f}"
    return f"{value:.3f} [{low:.3f}, {high:.3f}]" if high is not None else f"{value:.3f}, at least {low:.3f}"
