"""The verdict sentence: does a configuration read wording, does it read meaning, or is that undecided?

Meaning: in every task the lower end of the decision axis is at least 0.70, and the upper end of every lexical baseline
on the same pairs below 0.60, since no baseline reads meaning. Wording: in every task its upper end is
below 0.60 and the lower end of the lexical axis above 0.80. Anything else is undecided, and so is a task with fewer
anchors than a claim needs. Where the pairs that are left without truncated ones are not matched, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.axes import CLAIMED
from denotary.instruments.similarity.results import Reading, TaskReading
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.results import AxisRow, BaselineRow

MEANING: Final = 0.70
WORDING: Final = 0.60
CONTROL: Final = 0.80


def task_reading(decision: AxisRow, lexical: AxisRow, beside: Sequence[BaselineRow]) -> TaskReading:
    """Return what one task says, from its two axes and the lexical baselines on the same pairs."""
    able = [row for row in beside if row.task == decision.task and not _below(_upper(row), WORDING)]
    first = max(able, key=lambda row: _upper(row) or 0.0, default=None)
    return TaskReading(
        task=decision.task,
        reading=_reading(decision, lexical, matched=first is None),
        decision=decision.value,
        decision_low=decision.low,
        decision_high=decision.high,
        lexical=lexical.value,
        lexical_low=lexical.low,
        anchors=decision.anchors,
        wording=first.baseline if first else "",
        wording_high=_upper(first) if first else None,
    )


def overall(readings: Sequence[TaskReading], unmatched: Sequence[str] = ()) -> Reading:
    """Return the verdict over tasks: what all of them say, else undecided, as it is with pairs that do not match."""
    said = {reading.reading for reading in readings}
    return said.pop() if len(said) == 1 and not unmatched else "undecided"


def advice(verdict: Reading, readings: Sequence[TaskReading], unmatched: Sequence[str] = ()) -> str:
    """Return what a verdict means for whoever acts on the score, or why there is none."""
    if unmatched:
        return f"Without the truncated pairs the manipulation check fails: {'; '.join(unmatched)}."
    return _ADVICE[verdict] if verdict in _ADVICE else _undecided(readings)


_ADVICE: Final[dict[Reading, str]] = {
    "reads meaning at matched overlap": "",
    "reads wording": "Keep it only where it is scoped to surface form, such as finding near-duplicates.",
}


def _undecided(readings: Sequence[TaskReading]) -> str:
    """Return why the tasks do not decide it."""
    if len({item.reading for item in readings}) > 1:
        said = (f"{item.task} {_SHORT[item.reading]}" for item in readings)
        return f"The tasks differ: {', '.join(said)}."
    if any(_few(item) for item in readings):
        return f"Too few anchors to say: a claim needs {CLAIMED} in each task."
    if able := [item for item in readings if item.wording and _reaches(item.decision_low)]:
        reached = (f"{item.wording} up to {item.wording_high or 0:.3f} in {item.task}" for item in able)
        return f"Wording alone may do as well on these pairs: {', '.join(reached)}."
    return "Nothing here supports deciding by this score whether two texts mean the same."


_SHORT: Final[dict[Reading, str]] = {
    "reads meaning at matched overlap": "reads meaning",
    "reads wording": "reads wording",
    "undecided": "is undecided",
}


def sentence(verdict: Reading, readings: Sequence[TaskReading], unmatched: Sequence[str] = ()) -> str:
    """Return the verdict in a few sentences with its evidence."""
    found = "; ".join(f"{item.task}: {evidence(item)}" for item in readings) or "no pair is left"
    return f"{verdict[0].upper()}{verdict[1:]} ({found}). {advice(verdict, readings, unmatched)}".rstrip()


def evidence(item: TaskReading) -> str:
    """Return both axes of a task in words, and that its anchors are too few for a claim where they are."""
    return (
        f"decision AUROC {_interval(item.decision, item.decision_low, item.decision_high)}, "
        f"lexical AUROC {_interval(item.lexical, item.lexical_low, None)}"
        + (
            f", from {plural(item.anchors or 0, 'anchor')} where a claim needs {CLAIMED}"
            if _few(item)
            else ""
        )
    )


def _reading(decision: AxisRow, lexical: AxisRow, *, matched: bool) -> Reading:
    if decision.anchors < CLAIMED:
        return "undecided"
    if _reaches(decision.low):
        return "reads meaning at matched overlap" if matched else "undecided"
    if _below(decision.high, WORDING) and lexical.low is not None and lexical.low > CONTROL:
        return "reads wording"
    return "undecided"


def _upper(row: BaselineRow) -> float | None:
    """Return the upper end; the value where every resample had it, as with a score that ties all."""
    return row.value if row.high is None else row.high


def _few(item: TaskReading) -> bool:
    return item.anchors is not None and item.anchors < CLAIMED


def _reaches(low: float | None) -> bool:
    return low is not None and low >= MEANING


def _below(high: float | None, bar: float) -> bool:
    return high is not None and high < bar


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "unknown"
    if low is None:
        return f"{value:.3f}"
    return f"{value:.3f} [{low:.3f}, {high:.3f}]" if high is not None else f"{value:.3f}, at least {low:.3f}"
