"""Tables of audits of similarity gates: what a gate catches, and cutoffs that would have served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.cli.common import print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.results import ChosenCutoffRow, CutoffRow, GuardRow


def print_guard(rows: Sequence[GuardRow]) -> None:
    """Print what one gate catches by task, class and pole of overlap; both poles together stand in --json alone."""
    print_table(
        ("task", "change", "overlap", "caught", "bound", "missed", "bound", "fired on controls", ""),
        [
            (
                row.task, row.mutation or "all", row.pole, f"{row.caught}/{row.mutations}", short(row.catch_bound),
                f"{row.mutations - row.caught}/{row.mutations}", short(row.miss_bound),
                f"{row.fired}/{row.controls}", "EXPLORATORY" if row.exploratory else "",
            )
            for row in rows
            if row.pole
        ],
    )  # fmt: skip


def print_cutoffs(rows: Sequence[CutoffRow]) -> None:
    """Print the best cutoff of each task with its balanced accuracy where it was chosen and on the other half."""
    print_table(
        ("task", "chosen on", "cutoff", "balanced there", "on the other half", "cost of one"),
        [
            (
                row.task, row.fitted_on or "all pairs", row.cutoff,
                *map(short, (row.balanced_accuracy, row.held_out, row.cost)),
            )
            for row in rows
        ],
    )  # fmt: skip


def print_chosen(rows: Sequence[ChosenCutoffRow]) -> None:
    """Print the lowest cutoff that keeps the limit on one half, and what it does elsewhere."""
    print_table(
        ("task", "overlap", "chosen on", "cutoff", "wrong approvals", "bound", "right approvals", "keeps it"),
        [
            (
                row.task, row.pole or "both", row.fitted_on, row.cutoff, f"{row.wrong_approvals}/{row.opposites}",
                short(row.held_out_bound), f"{row.right_approvals}/{row.sames}", "yes" if row.holds else "no",
            )
            for row in rows
        ],
    )  # fmt: skip


def short(value: float | None) -> float | None:
    """Return a figure to three decimals, never -0; None where there is none."""
    return None if value is None else round(value, 3) + 0.0
