"""What audits of similarity gates print alike: what a gate catches, and figures to three decimals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.cli.common import print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.results import GuardRow


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


def short(value: float | None) -> float | None:
    """Return a figure to three decimals, never -0; None where there is none."""
    return None if value is None else round(value, 3) + 0.0
