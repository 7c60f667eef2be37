"""Figures of an audit: both axes, the classes of change, and what gates catch of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.axes import CONTENT
from denotary.instruments.similarity.gates import gate
from denotary.instruments.similarity.pairs import CLOSE, DISTANT
from denotary.instruments.similarity.verdict import CONTROL, MEANING, WORDING
from denotary.reports.figures.histograms import histograms
from denotary.reports.figures.spans import Span, spans
from denotary.words import plain, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.similarity.results import Audit, AxisRow
    from denotary.reports.figures.svg import Figure

MARKS: Final = (
    (0.5, "chance"),
    (WORDING, "below it a score may read wording"),
    (MEANING, "from it on meaning"),
)
_AXES: Final = {
    "decision": "Decision",
    CONTENT: "Decision, content words matched",
    "lexical": "Lexical (control)",
    "lexical narrowed": "Lexical, near overlaps",
    "naive": "Naive comparison",
}


def tasks_of(audit: Audit) -> list[str]:
    """Return the tasks of an audit, in their order."""
    return list(dict.fromkeys(row.task for row in audit.axes))


def axes(audit: Audit) -> Iterator[Figure]:
    """Yield the axes of each task, the lexical baselines beneath them."""
    for number, task in enumerate(tasks_of(audit)):
        rows = [row for row in audit.axes if row.task == task and not row.mutation and row.axis in _AXES]
        beside = [row for row in audit.beside if row.task == task]
        lines = [
            *(Span(_axis_label(row), row.value, row.low, row.high, _note(row)) for row in rows),
            *(Span(f"baseline {row.baseline}", row.value, row.low, row.high) for row in beside),
        ]
        yield spans(
            f"axes-{number}",
            f"What the score follows: {task}",
            lines,
            marks=MARKS,
            hides="An AUROC says nothing of any one cutoff, and a mean over classes of change hides the class that is "
            "never seen.",
        )


def classes(audit: Audit) -> Iterator[Figure]:
    """Yield the decision axis of each task by class of change, the worst first."""
    for number, task in enumerate(tasks_of(audit)):
        rows = [row for row in audit.axes if row.task == task and row.mutation and row.axis == "decision"]
        ordered = sorted(rows, key=lambda row: (row.value is None, row.value, row.mutation))
        if ordered:
            yield spans(
                f"classes-{number}",
                f"Decision axis by class of change: {task}",
                [Span(_class_label(row), row.value, row.low, row.high, _note(row)) for row in ordered],
                marks=MARKS,
                hides="Each class has few anchors, so the intervals are wide, and the worst may be so by chance.",
            )


def scores(audit: Audit) -> Iterator[Figure]:
    """Yield how the scores of each cell are spread, by task, with the cutoffs of the gates."""
    rules = [gate(rule) for rule in dict.fromkeys(row.rule for row in audit.operating)]
    marks = sorted({one.cutoff if one.quantity == "score" else 1.0 - one.cutoff for one in rules})
    for number, task in enumerate(dict.fromkeys(row.task for row in audit.histograms)):
        rows = [row for row in audit.histograms if row.task == task]
        low, high, bins = rows[0].lowest, rows[0].highest, len(rows[0].counts)
        yield histograms(
            f"scores-{number}",
            f"Scores by cell: {task}",
            [(row.cell.capitalize(), row.counts) for row in rows],
            edges=[low + (high - low) * at / bins for at in range(bins + 1)],
            marks=marks,
            marked="cutoffs of gates",
            hides="Which pairs of one anchor belong together: two cells may look alike while one score of each anchor "
            "lies above the other.",
        )


def guard(audit: Audit) -> Iterator[Figure]:
    """Yield the share of changes that each gate refuses: close ones by class, then distant ones."""
    drawn = dict.fromkeys((row.gate, row.task) for row in audit.guard)
    for number, (name, task) in enumerate(drawn):
        rows = [row for row in audit.guard if (row.gate, row.task) == (name, task) and row.mutations]
        yield spans(
            f"guard-{number}",
            f"Changes caught by {name or 'a drift guard'}: {task}",
            [
                Span(
                    f"{plain(row.mutation) or 'All classes'}, {row.pole}",
                    row.caught / row.mutations,
                    None if row.miss_bound is None else 1.0 - row.miss_bound,
                    row.catch_bound,
                    f"{row.caught:,} of {row.mutations:,} changes, "
                    f"fired on {row.fired:,} of {plural(row.controls, 'restatement')}"
                    + (", exploratory" if row.exploratory else ""),
                )
                for pole in (CLOSE, DISTANT)
                for row in rows
                if row.pole == pole
            ],
            marks=(),
            hides="Each end of a line is a one-sided 95 % bound. How often it fires in vain is in the table: a guard "
            "that catches distant changes by their wording fires on as many distant restatements.",
        )


def compared(audits: Sequence[Audit]) -> Iterator[Figure]:
    """Yield both axes of every configuration, task by task."""
    for number, task in enumerate(dict.fromkeys(task for audit in audits for task in tasks_of(audit))):
        for axis, mark in (
            ("decision", MARKS),
            ("lexical", ((0.5, "chance"), (CONTROL, "the control holds"))),
        ):
            rows = [
                (audit, row)
                for audit in audits
                for row in audit.axes
                if row.task == task and row.axis == axis and not (row.half or row.pole or row.mutation)
            ]
            yield spans(
                f"{axis}-{number}",
                f"{axis.capitalize()} axis: {task}",
                [
                    Span(audit.configuration, row.value, row.low, row.high, audit.verdict)
                    for audit, row in rows
                ],
                marks=mark,
                hides="Configurations of one checkpoint are no independent evidence; the table says which they are.",
            )


def _axis_label(row: AxisRow) -> str:
    part = row.pole or (f"half {row.half}" if row.half else "")
    return f"{_AXES[row.axis]}{', ' if part else ''}{part}"


def _class_label(row: AxisRow) -> str:
    return plain(row.mutation) + (" (exploratory)" if row.exploratory else "")


def _note(row: AxisRow) -> str:
    counted = f"{plural(row.anchors, 'anchor')}, {plural(row.pairs, 'pair')}"
    return counted if row.p is None else f"{counted}, p {row.p:.2g} (floor {row.p_floor:.2g})"
