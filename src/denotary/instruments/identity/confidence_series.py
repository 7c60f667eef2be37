"""Series over confidence: risk and coverage, operating point, reliability, confidence of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.measures import bounds, counts
from denotary.measures.records import Series
from denotary.statistics import binomial, selective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.measures.table import BoolArray, FloatArray, Table

POINTS: Final = 60
"""Thresholds of a risk-coverage curve at most, spread evenly over the assigned cases."""
BINS: Final = 15
"""Bins of the reliability diagram, of equal width."""
COARSE_BINS: Final = 10
"""Bins of the confidence of errors, of equal width."""


def confidence_series(table: Table) -> Iterator[Series]:
    """Yield the series over confidence; none where the system gave no confidence with a code."""
    confidence = table.plain["confidence"]
    chosen = table.flag("assigned") & ~np.isnan(confidence)
    if not chosen.any():
        return
    thresholds = _thresholds(confidence[chosen], table.flag("wrong_assignment")[chosen])
    points = _points(table, [_at_least(confidence, threshold) for threshold in thresholds])
    columns = ("threshold", "coverage", "risk", "bound")
    yield _one("risk_coverage", columns, [(float(t), *p) for t, p in zip(thresholds, points, strict=True)])
    now = _points(table, [np.ones(len(table), dtype=np.bool_)])[0]
    yield _one("operating_point", columns, [(float(confidence[chosen].min()), *now)])
    yield _reliability(confidence[chosen], table.flag("right_assignment")[chosen])
    yield _error_confidence(confidence[chosen], table.flag("right_assignment")[chosen])


def _one(name: str, columns: tuple[str, ...], rows: list[tuple[float | int | None, ...]]) -> Series:
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
    everyone = np.ones(len(table), dtype=np.bool_)
    groups = counts.group(table.unit, np.zeros(len(table), dtype=np.int64), 1, everyone)
    lost = table.flag("unanswered")
    tables, coverage = [], []
    for accepted in kept:
        assigned = table.flag("assigned") & accepted
        wrong = table.flag("wrong_assignment") & accepted
        tables.append(counts.types(groups, groups.fold(wrong | lost), groups.fold(assigned | lost)))
        coverage.append(float(assigned.mean()))
    panel = bounds.joined(tables, [1] * len(tables))
    upper = bounds.upper_bounds(panel)
    k, n = panel.total(panel.numerator), panel.total(panel.denominator)
    return [(coverage[i], float(k[i] / n[i]), float(upper[i])) for i in range(len(kept))]


def _reliability(confidence: FloatArray, right: BoolArray) -> Series:
    """Bins of equal width, closed above, the first closed below too."""
    bin_of = np.clip(np.ceil(confidence * BINS).astype(np.int64) - 1, 0, BINS - 1)
    cases = np.bincount(bin_of, minlength=BINS)
    stated = np.bincount(bin_of, weights=confidence, minlength=BINS)
    true = np.bincount(bin_of[right], minlength=BINS)
    low, high = binomial.wilson(true, cases)
    rows: list[tuple[float | int | None, ...]] = [
        (
            index / BINS,
            (index + 1) / BINS,
            int(n),
            float(stated[index] / n),
            float(true[index] / n),
            float(low[index]),
            float(high[index]),
        )
        if n
        else (index / BINS, (index + 1) / BINS, 0, None, None, None, None)
        for index, n in enumerate(cases)
    ]
    columns = ("low", "high", "cases", "confidence", "accuracy", "accuracy_low", "accuracy_high")
    return _one("reliability", columns, rows)


def _error_confidence(confidence: FloatArray, right: BoolArray) -> Series:
    bin_of = np.clip(np.ceil(confidence * COARSE_BINS).astype(np.int64) - 1, 0, COARSE_BINS - 1)
    wrong = np.bincount(bin_of[~right], minlength=COARSE_BINS)
    true = np.bincount(bin_of[right], minlength=COARSE_BINS)
    rows: list[tuple[float | int | None, ...]] = [
        (index / COARSE_BINS, (index + 1) / COARSE_BINS, int(wrong[index]), int(true[index]))
        for index in range(COARSE_BINS)
    ]
    return _one("error_confidence", ("low", "high", "wrong", "right"), rows)
