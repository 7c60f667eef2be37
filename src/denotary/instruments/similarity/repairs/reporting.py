"""Rows that compare what came out with what was fitted and what was written before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.errors import ExitCode
from denotary.instruments.similarity.repairs.records import BarRow, DifferenceRow, PredictionRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.similarity.repairs.records import (
        Bar,
        HeldAgainst,
        JudgedRow,
        Measure,
        Prediction,
        RepairReport,
    )

LOWER: dict[Measure, str] = {
    "auroc": "low",
    "balanced_accuracy": "balanced_low",
    "decided_share": "decided_low",
}
"""Of each measure, where the lower end of its interval stands in a row."""


def difference_rows(judged: Sequence[JudgedRow]) -> Iterator[DifferenceRow]:
    """Yield in-sample, held-out and their difference for every repair, corpus and measure."""
    inside = {row.repair: row for row in judged if row.role == "in-sample" and not row.pole}
    for row in judged:
        if row.pole or row.role == "in-sample":
            continue
        for measure in LOWER:
            fitted = _value(inside.get(row.repair), measure)
            held = _value(row, measure)
            yield DifferenceRow(
                repair=row.repair,
                corpus=row.corpus,
                measure=measure,
                in_sample=fitted,
                held_out=held,
                difference=None if fitted is None or held is None else held - fitted,
            )


def held(value: float | None, low: float | None, against: HeldAgainst) -> float | None:
    """Return what of a figure must reach a bar; None where that does not exist."""
    return value if against == "value" else low


def verdict(report: RepairReport) -> ExitCode:
    """Return what the bars of a report come to: BLOCK if one is not reached, INSUFFICIENT if it has no figure.

    A plan without a bar puts nothing to the test and is INSUFFICIENT too.
    """
    missed = [bar for bar in report.bars if not bar.holds]
    if any(held(bar.value, bar.low, report.held_against) is not None for bar in missed):
        return ExitCode.BLOCK
    return ExitCode.INSUFFICIENT if missed or not report.bars else ExitCode.PROMOTE


def bar_rows(bars: Sequence[Bar], judged: Sequence[JudgedRow], against: HeldAgainst) -> Iterator[BarRow]:
    """Yield every bar with its value and the lower end; one without what it is held against is not reached."""
    for bar in bars:
        row = _row(judged, bar.repair, bar.corpus)
        value, low = _value(row, bar.measure), _value(row, LOWER[bar.measure])
        reached = held(value, low, against)
        yield BarRow(
            repair=bar.repair,
            corpus=bar.corpus,
            measure=bar.measure,
            at_least=bar.at_least,
            value=value,
            low=low,
            holds=reached is not None and reached >= bar.at_least,
        )


def prediction_rows(
    predictions: Sequence[Prediction], judged: Sequence[JudgedRow]
) -> Iterator[PredictionRow]:
    """Yield every prediction with its value."""
    for item in predictions:
        value = _value(_row(judged, item.repair, item.corpus), item.measure)
        yield PredictionRow(
            repair=item.repair,
            corpus=item.corpus,
            measure=item.measure,
            low=item.low,
            high=item.high,
            why=item.why,
            value=value,
            holds=value is not None and item.low <= value <= item.high,
        )


def _row(judged: Sequence[JudgedRow], repair: str, corpus: str) -> JudgedRow | None:
    return next((row for row in judged if (row.repair, row.corpus, row.pole) == (repair, corpus, "")), None)


def _value(row: JudgedRow | None, figure: str) -> float | None:
    found: float | None = None if row is None else getattr(row, figure)
    return found
