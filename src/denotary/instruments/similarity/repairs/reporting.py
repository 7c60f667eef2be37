"""Rows that compare what came out with what was fitted and what was written before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.similarity.repairs.records import BarRow, DifferenceRow, PredictionRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.similarity.repairs.records import Bar, JudgedRow, Measure, Prediction

MEASURES: tuple[Measure, ...] = ("auroc", "balanced_accuracy", "decided_share")


def difference_rows(judged: Sequence[JudgedRow]) -> Iterator[DifferenceRow]:
    """Yield in-sample, held-out and their difference for every repair, corpus and measure."""
    inside = {row.repair: row for row in judged if row.role == "in-sample" and not row.pole}
    for row in judged:
        if row.pole or row.role == "in-sample":
            continue
        for measure in MEASURES:
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


def bar_rows(bars: Sequence[Bar], judged: Sequence[JudgedRow]) -> Iterator[BarRow]:
    """Yield every bar with its value; a bar without a value is not reached."""
    for bar in bars:
        value = _of(judged, bar.repair, bar.corpus, bar.measure)
        yield BarRow(
            repair=bar.repair,
            corpus=bar.corpus,
            measure=bar.measure,
            at_least=bar.at_least,
            value=value,
            holds=value is not None and value >= bar.at_least,
        )


def prediction_rows(
    predictions: Sequence[Prediction], judged: Sequence[JudgedRow]
) -> Iterator[PredictionRow]:
    """Yield every prediction with its value."""
    for item in predictions:
        value = _of(judged, item.repair, item.corpus, item.measure)
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


def _of(judged: Sequence[JudgedRow], repair: str, corpus: str, measure: Measure) -> float | None:
    rows = [row for row in judged if (row.repair, row.corpus, row.pole) == (repair, corpus, "")]
    return _value(rows[0] if rows else None, measure)


def _value(row: JudgedRow | None, measure: Measure) -> float | None:
    found: float | None = None if row is None else getattr(row, measure)
    return found
