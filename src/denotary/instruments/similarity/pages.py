"""Audits as HTML: a page a configuration, and one that compares them. Self-contained, and they make no request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from denotary.files import write_atomic
from denotary.instruments.similarity import figures
from denotary.reports.figures.spans import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from denotary.instruments.similarity.results import Audit, ChosenCutoffRow, OperatingRow

INDEX = "index.html"
"""Name of the page that compares the configurations."""
_KEEP = "reads wording"


def pages(audits: Sequence[Audit], notes: Sequence[str]) -> dict[str, str]:
    """Return the pages by file name, the comparison as ``index.html``; the same audits give the same text.

    Args:
        audits: of distinct configurations on one corpus.
        notes: what a reader of every report must know of the corpus.
    """
    from denotary.reports.page import rendered

    names = _names(audits)
    found = {
        name: rendered(
            "similarity.html",
            audit=audit,
            notes=notes,
            icon=_icon(audit),
            axes=list(figures.axes(audit)),
            classes=list(figures.classes(audit)),
            guard=list(figures.guard(audit)),
            readings=[
                (
                    item.task,
                    item.reading,
                    *map(number, (item.decision, item.decision_low, item.decision_high)),
                )
                for item in audit.readings
            ],
            operating=[_operating(row) for row in audit.operating],
            cutoffs=list(_cutoffs(audit)),
            scores=list(figures.scores(audit)),
            chosen=[_chosen(row) for row in audit.chosen_cutoffs],
            limit=number(next((row.limit for row in audit.chosen_cutoffs), None)),
            others=list(_others(audit)),
            truncated=[(row.task, number(row.value), f"{row.pairs:,}") for row in _truncated(audit)],
        )
        for name, audit in zip(names, audits, strict=True)
    }
    found[INDEX] = rendered(
        "similarity_comparison.html",
        first=audits[0],
        notes=notes,
        axes=list(figures.compared(audits)),
        lines=[_line(name, audit) for name, audit in zip(names, audits, strict=True)],
        shared=_shared(audits),
    )
    return found


def write_pages(audits: Sequence[Audit], notes: Sequence[str], out: Path) -> list[Path]:
    """Write the pages into a folder and return their paths.

    Raises:
        StorageError: it cannot be written to.
    """
    made = pages(audits, notes)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        write_atomic(out / name, text.encode())
    return [out / name for name in made]


def _names(audits: Sequence[Audit]) -> list[str]:
    """Return a file name a configuration: its letters and digits, numbered where two would be alike."""
    taken = {INDEX}
    names = []
    for audit in audits:
        stem = re.sub(r"[^a-z0-9]+", "-", audit.configuration.lower()).strip("-")[:60] or "configuration"
        name, again = f"{stem}.html", 2
        while name in taken:
            name, again = f"{stem}-{again}.html", again + 1
        taken.add(name)
        names.append(name)
    return names


def _icon(audit: Audit) -> str:
    return {"reads meaning at matched overlap": "pass", _KEEP: "fail"}.get(audit.verdict, "insufficient")


def _operating(row: OperatingRow) -> tuple[str, ...]:
    return (
        row.gate,
        row.task,
        row.pole or "both",
        f"{row.wrong_approvals:,} of {row.opposites:,}",
        number(row.approval_bound),
        f"{row.wrong_rejections:,} of {row.sames:,}",
        number(row.rejection_bound),
        number(row.balanced_accuracy),
        number(row.youden),
    )


def _cutoffs(audit: Audit) -> Iterator[tuple[str, ...]]:
    for row in audit.cutoffs:
        yield (
            row.task,
            row.fitted_on or "all pairs",
            *map(number, (row.cutoff, row.balanced_accuracy, row.held_out)),
            *map(number, (row.close_cutoff, row.distant_cutoff, row.oracle, row.cost)),
        )


def _chosen(row: ChosenCutoffRow) -> tuple[str, ...]:
    known = row.held_out_bound is not None
    return (
        row.task,
        row.pole or "both",
        row.fitted_on,
        "none" if row.cutoff is None else f"{row.cutoff:.6g}",
        f"{row.wrong_approvals:,} of {row.opposites:,}" if known else number(None),
        number(row.held_out_bound),
        f"{row.right_approvals:,} of {row.sames:,}" if known else number(None),
        "yes" if row.holds else "no",
    )


def _others(audit: Audit) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Yield further tables: title, heads and rows."""
    yield (
        "Which scores it reaches",
        ("task", "cell", "lowest", "a quarter below", "median", "three quarters below", "highest"),
        [
            (r.task, r.cell, *map(number, (r.lowest, r.quarter, r.median, r.three_quarters, r.highest)))
            for r in audit.ranges
        ],
    )
    yield (
        "How far a reversal moves the score, against a restatement",
        ("task", "compared", "reversal", "restatement", "anchors whose reversal moved it less"),
        [
            (
                r.task,
                r.comparison,
                number(r.reversal),
                number(r.restatement),
                f"{r.less:,} of {r.anchors:,}",
            )
            for r in audit.displacement
        ],
    )
    yield (
        "Policies beyond a cutoff",
        ("policy", "task", "value", "of what"),
        [(r.policy, r.task, number(r.value), r.of) for r in audit.beyond],
    )


def _truncated(audit: Audit) -> Iterator[Any]:
    yield from (row for row in audit.truncated_axes if not (row.half or row.pole or row.mutation))


def _line(name: str, audit: Audit) -> dict[str, Any]:
    return {
        "href": name,
        "name": audit.configuration,
        "icon": _icon(audit),
        "verdict": audit.verdict,
        "lexical": audit.lexical,
        "checkpoint": audit.checkpoint,
        "tasks": [
            (
                r.task,
                f"{number(r.decision)} [{number(r.decision_low)}, {number(r.decision_high)}]",
                number(r.lexical),
            )
            for r in audit.readings
        ],
    }


def _shared(audits: Sequence[Audit]) -> list[str]:
    """Return the checkpoints that stand behind more than one configuration."""
    known = [audit.checkpoint for audit in audits if not audit.lexical]
    return sorted({name for name in known if known.count(name) > 1})
