"""Named functions of rows that a :class:`~denotary.measures.records.Statistic` may ask for.

``mean(x)``                       mean of a column over the rows that have it
``mean_reciprocal(rank)``         mean of 1 / rank; a row without a rank counts as 0
``brier(confidence, right)``      mean squared difference; Brier (1950)
``nll(confidence, right)``        mean negative log likelihood in nats; option ``floor``
``ece_equal_width(confidence, right)``, ``ece_equal_mass(...)``, ``mce(...)``   option ``bins``
``aurc(confidence, right)``, ``augrc(confidence, right)``   areas, without an interval
``stratified_auroc(score, positive, stratum)``   mean AUROC within strata; its interval in every slice

An estimator that is a function of sums over rows can be resampled by units: it gives the sums of each unit,
and turns resampled sums into resampled values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.errors import InputError
from denotary.measures import separating
from denotary.statistics import calibration, selective
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denotary.measures.table import FloatArray, IntArray, Table

_CALL: Final = re.compile(r"([a-z_]+)\(([a-z_0-9]+(?:, [a-z_0-9]+)*)\)")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, and what resampling it takes.

    Attributes:
        value: None without rows, or if it is not finite.
        rows: number of rows behind it.
        used: which rows of the slice those are, shape (n,); all if None.
        width: M, the number of sums; 0 if the value is no function of sums and cannot be resampled by them.
        sums: from the unit of each row, shape (n,), and the number of units U, the sums of each unit, shape
            (U, M); None if the value is no function of sums.
        combine: from resampled sums, shape (B, M), the resampled values, shape (B,).
        interval: from the unit of each row that is used, shape (n,), and a number of resamples, the fields of a row
            that say the interval; for a value that is no function of sums and has one all the same.
    """

    value: float | None
    rows: int
    used: Any = None
    width: int = 0
    sums: Callable[[IntArray, int], FloatArray] | None = None
    combine: Callable[[FloatArray], FloatArray] | None = None
    interval: Callable[[IntArray, int], dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A function and the columns it is given, as a measure names them."""

    name: str
    columns: tuple[str, ...]
    options: Mapping[str, float]

    def __call__(self, columns: Mapping[str, FloatArray]) -> Estimate:
        """Return the estimate over the rows whose columns are given, each of shape (n,)."""
        return ESTIMATORS[self.name][1]([columns[name] for name in self.columns], self.options)


def parse(function: str, options: Mapping[str, float], table: Table) -> Call:
    """Return the call that a text such as ``brier(confidence, right_assignment)`` names.

    Raises:
        InputError: not of that form, no such function, the wrong number of columns, or not a numeric column.
    """
    match = _CALL.fullmatch(function)
    if match is None or match[1] not in ESTIMATORS:
        known = ", ".join(sorted(ESTIMATORS))
        raise InputError(f"not a function of columns; expected one of {known}", record=function)
    columns = tuple(match[2].split(", "))
    wanted = ESTIMATORS[match[1]][0]
    if len(columns) != wanted:
        raise InputError(f"{match[1]} takes {wanted} columns, not {len(columns)}", record=function)
    for name in columns:
        if name not in table.plain:
            raise InputError(f"{name!r} is not a numeric column of the table", record=function)
    return Call(match[1], columns, options)


def _mean_of(values: FloatArray, used: Any = None) -> Estimate:
    """Return the mean of one value a row."""

    def sums(unit: IntArray, units: int) -> FloatArray:
        per_unit = [np.bincount(unit, weights=weights, minlength=units) for weights in (values, None)]
        return np.stack(per_unit, axis=1).astype(np.float64)

    with np.errstate(over="ignore"):
        value = float(values.mean()) if len(values) else np.nan
    if not np.isfinite(value):
        return Estimate(None, len(values))
    return Estimate(value, len(values), used, 2, sums, _quotient)


def _quotient(sums: FloatArray) -> FloatArray:
    return quotient(sums[:, 0], sums[:, 1])


def _mean(columns: Sequence[FloatArray], _: Mapping[str, float]) -> Estimate:
    held = ~np.isnan(columns[0])
    return _mean_of(columns[0][held], held)


def _mean_reciprocal(columns: Sequence[FloatArray], _: Mapping[str, float]) -> Estimate:
    return _mean_of(np.nan_to_num(1.0 / columns[0], nan=0.0))


def _brier(columns: Sequence[FloatArray], _: Mapping[str, float]) -> Estimate:
    confidence, right = columns
    return _mean_of((confidence - right) ** 2)


def _nll(columns: Sequence[FloatArray], options: Mapping[str, float]) -> Estimate:
    confidence, right = columns
    floor = options.get("floor", 0.0)
    held = np.clip(confidence, floor, 1.0 - floor)
    return _mean_of(-np.log(np.where(right > 0, held, 1.0 - held)))


def _binned(
    make: Callable[..., calibration.Reliability],
    score: Callable[[calibration.Reliability], FloatArray],
    columns: Sequence[FloatArray],
    options: Mapping[str, float],
) -> Estimate:
    """Return a score of reliability bins; the edges of the bins stay as they are under resampling."""
    confidence, right = columns
    if not len(confidence):
        return Estimate(None, 0)
    found = make(confidence, right, int(options.get("bins", calibration.BINS)))
    bins = len(found.edges)

    def sums(unit: IntArray, units: int) -> FloatArray:
        cell = unit * bins + np.searchsorted(found.edges, confidence)
        parts = [
            np.bincount(cell, weights=weights, minlength=units * bins).reshape(units, bins)
            for weights in (None, right, confidence)
        ]
        return np.hstack(parts).astype(np.float64)

    def combine(resampled: FloatArray) -> FloatArray:
        whole = resampled[:, : 2 * bins].astype(np.int64)
        stated = resampled[:, 2 * bins :]
        unused = np.zeros_like(stated)
        drawn = calibration.Reliability(whole[:, :bins], whole[:, bins:], stated, unused, found.edges, None)
        return score(drawn)

    return Estimate(float(score(found)[0]), len(confidence), None, 3 * bins, sums, combine)


def _ece_equal_width(columns: Sequence[FloatArray], options: Mapping[str, float]) -> Estimate:
    return _binned(calibration.equal_width, calibration.expected_calibration_error, columns, options)


def _ece_equal_mass(columns: Sequence[FloatArray], options: Mapping[str, float]) -> Estimate:
    return _binned(calibration.equal_mass, calibration.expected_calibration_error, columns, options)


def _mce(columns: Sequence[FloatArray], options: Mapping[str, float]) -> Estimate:
    return _binned(calibration.equal_width, calibration.maximum_calibration_error, columns, options)


def _area(area: Callable[..., float], columns: Sequence[FloatArray]) -> Estimate:
    confidence, right = columns
    if not len(confidence):
        return Estimate(None, 0)
    return Estimate(area(confidence, 1.0 - right), len(confidence))


def _aurc(columns: Sequence[FloatArray], _: Mapping[str, float]) -> Estimate:
    return _area(selective.aurc, columns)


def _augrc(columns: Sequence[FloatArray], _: Mapping[str, float]) -> Estimate:
    return _area(selective.augrc, columns)


def _stratified_auroc(columns: Sequence[FloatArray], _: Mapping[str, float]) -> Estimate:
    value, used = separating.separated(columns)
    kept = [column[used] for column in columns]

    def interval(unit: IntArray, resamples: int) -> dict[str, Any]:
        return separating.interval(kept, unit, resamples)

    return Estimate(value, int(used.sum()), used, interval=interval)


ESTIMATORS: Final[
    Mapping[str, tuple[int, Callable[[Sequence[FloatArray], Mapping[str, float]], Estimate]]]
] = {
    "augrc": (2, _augrc),
    "aurc": (2, _aurc),
    "brier": (2, _brier),
    "ece_equal_mass": (2, _ece_equal_mass),
    "ece_equal_width": (2, _ece_equal_width),
    "mce": (2, _mce),
    "mean": (1, _mean),
    "mean_reciprocal": (1, _mean_reciprocal),
    "nll": (2, _nll),
    "stratified_auroc": (3, _stratified_auroc),
}
"""Number of columns and function, by name."""
