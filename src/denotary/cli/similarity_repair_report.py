"""What ``denotary similarity repair judge`` prints of its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denotary.cli.common import print_fields, print_table
from denotary.cli.similarity_guard import short
from denotary.instruments.similarity.repairs.reporting import held

if TYPE_CHECKING:
    from denotary.instruments.similarity.repairs.records import BarRow, HeldAgainst, RepairReport

_AGAINST = {"lower": "the lower end of the interval", "value": "the value without its interval"}


def print_report(report: RepairReport) -> None:
    """Print all that a report holds of whole corpora; poles of overlap and classes stand in its file alone."""
    print_fields({"plan": report.plan, "SHA-256": report.plan_sha256})
    if report.unknown_fits:
        names = ", ".join(report.unknown_fits)
        click.echo(f"fitted pairs unknown, so that file and half alone were compared with the plan: {names}")
    _figures(report)
    _comparisons(report)
    _expected(report)


def _figures(report: RepairReport) -> None:
    click.echo(
        "\nFigures with 95 % intervals: AUROC within overlap strata, abstentions at 0.5; balanced accuracy on decided "
        "pairs"
    )
    print_table(
        (
            "repair", "corpus", "role", "AUROC", "low", "high", "balanced", "low", "high", "decided", "low", "high",
            "failed",
        ),
        [
            (
                row.repair, row.corpus, row.role, *map(short, (row.auroc, row.low, row.high)),
                *map(short, (row.balanced_accuracy, row.balanced_low, row.balanced_high)),
                *map(short, (row.decided_share, row.decided_low, row.decided_high)), row.failed,
            )
            for row in report.judged
            if not row.pole
        ],
    )  # fmt: skip
    click.echo("\nIn-sample, held-out, difference")
    print_table(
        ("repair", "corpus", "measure", "in-sample", "held-out", "difference"),
        [
            (row.repair, row.corpus, row.measure, *map(short, (row.in_sample, row.held_out, row.difference)))
            for row in report.differences
        ],
    )


def _comparisons(report: RepairReport) -> None:
    if not report.comparisons:
        return
    click.echo("\nOne repair less another on the same pairs: AUROC, anchors resampled for both together")
    print_table(
        ("repair", "less", "corpus", "role", "difference", "low", "high"),
        [
            (row.repair, row.against, row.corpus, row.role, *map(short, (row.difference, row.low, row.high)))
            for row in report.comparisons
            if not row.pole
        ],
    )


def _outcome(bar: BarRow, against: HeldAgainst) -> str:
    if bar.holds:
        return "reached"
    return "INSUFFICIENT" if held(bar.value, bar.low, against) is None else "FAILED"


def _expected(report: RepairReport) -> None:
    click.echo(f"\nBars, written before the run, held against {_AGAINST[report.held_against]}")
    print_table(
        ("repair", "corpus", "measure", "at least", "value", "low", ""),
        [
            (
                row.repair, row.corpus, row.measure, row.at_least, short(row.value), short(row.low),
                _outcome(row, report.held_against),
            )
            for row in report.bars
        ],
    )  # fmt: skip
    click.echo("\nPredictions, written before the run")
    print_table(
        ("repair", "corpus", "measure", "from", "to", "value", ""),
        [
            (
                row.repair, row.corpus, row.measure, row.low, row.high, short(row.value),
                "right" if row.holds else "WRONG",
            )
            for row in report.predictions
        ],
    )  # fmt: skip
