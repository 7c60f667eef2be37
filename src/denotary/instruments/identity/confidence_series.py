"""Series over confidence in the semantic track: risk and coverage, operating point, reliability, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.instruments.identity.tracks import semantic
from denotary.measures import bounds, counts
from denotary.measures.records import Series
from denotary.statistics import calibration, selective

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denotary.measures.table import BoolArray, FloatArray, Table

POINTS: Final = 40
"""Thresholds of a risk-coverage curve at most, spread evenly over the assigned cases."""
BINS: Final = 15
"""Bins of the reliability diagram, of equal width."""
COARSE_BINS: Final = 10
"""Bins of the confidence of errors, of equal width."""


def confidence_series(table: Table, declared: float | None) -> Iterator[Series]:
    """Yield the series over confidence; none where the system gave no confidence with a code.

    Args:
        table: the joined table.
        declared: acceptance threshold in [0, 1]; without one there is no operating point. Coverage and risk there are
            those of all answers, as the gate judges them, also of codes that break the threshold.
    """
    confidence = table.plain["confidence"]
    chosen = semantic(table.coded["family"]) & table.flag("assigned") & ~np.isnan(confidence)
    if not chosen.any():
        return
    thresholds = _thresholds(confidence[chosen], table.flag("wrong_assignment")[chosen])
    points = _points(table, [_at_least(confidence, threshold) for threshold in thresholds])
    columns = ("threshold", "coverage", "risk", "bound")
    yield one("risk_coverage", columns, [(float(t), *p) for t, p in zip(thresholds, points, strict=True)])
    if declared is not None:
        now = _points(table, [np.ones(len(table), dtype=np.bool_)])[0]
        yield one("operating_point", columns, [(declared, *now)])
    yield _reliability(confidence[chosen], table.flag("right_assignment")[chosen])
    yield _error_confidence(confidence[chosen], table.flag("right_assignment")[chosen])


def one(name: str, columns: tuple[str, ...], rows: Iterable[tuple[str | int | float | None, ...]]) -> Series:
    """Return a series over all cases."""
    return Series(instrument="identity", series=name, slice="all", columns=columns, rows=tuple(rows))


def _thresholds(confidence: FloatArray, wrong: BoolArray) -> FloatArray:
    curve = selective.risk_coverage(confidence, wrong)
    if len(curve.thresholds) <= POINTS:
        return curve.thresholds
    wanted = np.linspace(0, len(confidence), POINTS + 1)[1:]
    return curve.thresholds[np.unique(np.searchsorted(curve.accepted, wanted))]


def _at_least(confidence: FloatArray, threshold: float) -> BoolArray:
    with np.errstate(invalid="ignore"):
        return confidence >= threshold


def _points(table: Table, kept: list[BoolArray]) -> list[tuple[float, float, float]]:
    """Return coverage, assignment risk and its one-sided 95 % bound, were only the kept answers accepted.

    A case without an answer counts as a wrong assignment, as it does in the gate.
    """
    counted = semantic(table.coded["family"])
    groups = counts.group(table.unit, np.zeros(len(table), dtype=np.int64), 1, counted)
    lost = table.flag("unanswered")
    tables, coverage = [], []
    for accepted in kept:
        assigned = table.flag("assigned") & accepted
        wrong = table.flag("wrong_assignment") & accepted
        tables.append(
            counts.types(groups, groups.size, groups.fold(wrong | lost), groups.fold(assigned | lost))
        )
        coverage.append(float(assigned[counted].mean()))
    panel = bounds.joined(tables, [1] * len(tables))
    upper = bounds.upper_bounds(panel)
    k, n = panel.total(panel.numerator), panel.total(panel.denominator)
    return [(coverage[i], float(k[i] / n[i]), float(upper[i])) for i in range(len(kept))]


def _reliability(confidence: FloatArray, right: BoolArray) -> Series:
    bins = calibration.equal_width(confidence, right, BINS)
    low, high = calibration.accuracy_intervals(bins)
    columns = ("low", "high", "cases", "confidence", "accuracy", "accuracy_low", "accuracy_high")
    values = (bins.mean_confidence(), bins.accuracy(), low, high)
    rows: list[tuple[float | int | None, ...]] = []
    for index, cases in enumerate(bins.count[0].tolist()):
        held = [float(value[0, index]) if cases else None for value in values]
        rows.append((*_ends(index, BINS), cases, *held))
    return one("reliability", columns, rows)


def _error_confidence(confidence: FloatArray, right: BoolArray) -> Series:
    bins = calibration.equal_width(confidence, right, COARSE_BINS)
    correct, count = bins.correct[0].tolist(), bins.count[0].tolist()
    rows: list[tuple[float | int | None, ...]] = [
        (*_ends(index, COARSE_BINS), count[index] - correct[index], correct[index])
        for index in range(COARSE_BINS)
    ]
    return one("error_confidence", ("low", "high", "wrong", "right"), rows)


def margin_series(table: Table) -> Iterator[Series]:
    """Yield the distribution of the margin from the first to the second candidate, by what was decided.

    Bins are of equal width from 0 to the largest margin; nothing where no system scores two candidates apart.
    """
    margin = table.plain["margin"]
    chosen = semantic(table.coded["family"]) & ~np.isnan(margin)
    largest = float(margin[chosen].max(initial=0.0))
    if not largest:
        return
    place = np.minimum((margin[chosen] / largest * COARSE_BINS).astype(np.int64), COARSE_BINS - 1)
    kinds = ("wrong_assignment", "right_assignment", "refused")
    counts_of = [np.bincount(place[table.flag(kind)[chosen]], minlength=COARSE_BINS) for kind in kinds]
    rows: list[tuple[float | int | None, ...]] = [
        (low * largest, high * largest, *(int(count[index]) for count in counts_of))
        for index in range(COARSE_BINS)
        for low, high in [_ends(index, COARSE_BINS)]
    ]
    yield one("margin", ("low", "high", "wrong", "right", "refused"), rows)


def _ends(index: int, bins: int) -> tuple[float, float]:
    return index / bins, (index + 1) / bins
