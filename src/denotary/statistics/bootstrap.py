"""Cluster bootstrap of functions of sums over independent units. Description only: it never gates a claim.

Any function of sums over units needs, per resample, only how often each unit was drawn. Units with equal
rows are interchangeable, so one ratio is a multinomial over its few distinct (numerator, denominator) rows,
which has the distribution of index resampling exactly. A panel with many distinct rows multiplies a matrix of
small counts with the table of per-unit sums; sums of whole numbers below 2**24 are exact in float32, and other
values are rounded to a grid on which every sum is exact in float64.
Percentile intervals: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

Each block of ``BLOCK`` resamples has its own stream, and sums are exact, so the numbers do not depend on threads, on
the order in which a processor adds, or on how many blocks are computed at once. The block size is part of the
format: changing it changes the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks
from denotary.statistics.quotients import quotient
from denotary.statistics.unit_draws import Draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from denotary.statistics.checks import FloatArray, IntArray

BLOCK = 500
"""Resamples drawn from one stream."""

RESAMPLES = 10_000
"""Resamples of every published interval."""

_DRAWS_PER_TYPE = 5
"""A multinomial costs about five times as much per distinct row as an index draw costs per unit."""

_CELLS = 2**16
"""Cells of a table looked at together."""

_FLOAT32_EXACT = 2.0**24

_GRID_BITS = 52
"""Binary digits of a sum on its grid; one is left for what rounding adds."""

_MOST_UNITS = 2**32
"""With more units the grid of exact sums would be felt: its relative error is the number of units over 2**53."""

_SMALLEST_EXPONENT = -1022
"""Of a normal float64."""


class State(StrEnum):
    """What an interval is worth."""

    OK = "ok"
    EMPTY = "empty"
    """The denominator is zero: there is no value."""
    FEW_UNITS = "few_units"
    """Fewer than two units with a denominator: nothing to resample."""
    DEGENERATE = "degenerate"
    """Every resample gave the same value (no failures, or only failures): the width of zero says nothing."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval and what became of its resamples.

    Attributes:
        value: the observed value; NaN if empty.
        low: lower end; NaN unless the state is ok or degenerate.
        high: upper end; NaN unless the state is ok or degenerate.
        units: units with a denominator.
        resamples: resamples asked for.
        skipped: resamples in which a denominator was zero; they are left out of the interval.
        state: what the interval is worth.
    """

    value: float
    low: float
    high: float
    units: int
    resamples: int
    skipped: int
    state: State


def ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Return the interval of sum(numerator) / sum(denominator) over units.

    Args:
        numerator: one row a unit, or the distinct rows, shape (K,).
        denominator: the same, at least 0, shape (K,).
        counts: how many units share each row, shape (K,); one each by default.
        resamples: number of resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Raises:
        InputError: not finite, a negative denominator or count, a sum beyond 1e140 or nearer to 0 than 1e-140, more
            than 2**32 units, or columns of unequal length.
    """
    top = checks.sums("numerator", numerator, ndim=1)
    bottom = checks.sums("denominator", denominator, low=0.0, ndim=1)
    checks.same_length({"numerator": top, "denominator": bottom})
    found = panel(
        top[:, np.newaxis],
        bottom[:, np.newaxis],
        counts,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    return found[0]


def panel(
    numerators: ArrayLike,
    denominators: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[Interval]:
    """Return the interval of each column's ratio, all columns from the same resamples.

    Args:
        numerators: per-unit sums, shape (K, M).
        denominators: per-unit sums, at least 0, shape (K, M).
        counts: how many units share each row, shape (K,); one each by default.
        resamples: number of resamples.
        confidence: nominal coverage.
        seed: of the streams.

    Raises:
        InputError: as :func:`ratio`.
    """
    top, bottom, c = _columns(numerators, denominators, counts)
    columns = top.shape[1]
    sums = resampled_sums(np.hstack([top, bottom]), c, resamples=resamples, seed=seed)
    draws = quotient(sums[:, :columns], sums[:, columns:])
    values = quotient(c @ top, c @ bottom)
    units = c @ (bottom > 0)
    return [
        interval(float(values[j]), draws[:, j], units=int(units[j]), confidence=confidence)
        for j in range(columns)
    ]


def macro_mean(
    numerators: ArrayLike,
    denominators: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Return the interval of the unweighted mean of the columns' ratios (languages, concepts).

    A resample in which any group has a zero denominator has no macro mean: it is skipped and counted, never
    averaged over fewer groups. Arguments as :func:`panel`; ``units`` counts units with any denominator.
    """
    top, bottom, c = _columns(numerators, denominators, counts)
    columns = top.shape[1]
    sums = resampled_sums(np.hstack([top, bottom]), c, resamples=resamples, seed=seed)
    draws = quotient(sums[:, :columns], sums[:, columns:]).mean(axis=1)
    value = float(quotient(c @ top, c @ bottom).mean())
    return interval(value, draws, units=int(c @ (bottom > 0).any(axis=1)), confidence=confidence)


def interval(value: float, draws: ArrayLike, *, units: int, confidence: float = 0.95) -> Interval:
    """Return the percentile interval of resampled values; NaN marks a resample without a value.

    Args:
        value: the observed value; NaN if it does not exist.
        draws: resampled values, shape (B,).
        units: independent units behind them.
        confidence: nominal coverage.

    Raises:
        InputError: a confidence outside (0, 1), an infinite value, or a bad number of units.
    """
    tail = (1.0 - checks.probability("confidence", confidence)) / 2.0
    value = float(checks.numeric("value", value, 0))
    drawn = checks.numeric("draws", draws, 1).astype(np.float64, copy=False)
    checks.floats("value", np.nan_to_num(value, nan=0.0, posinf=np.inf, neginf=-np.inf))
    checks.floats("draws", np.nan_to_num(drawn, nan=0.0, posinf=np.inf, neginf=-np.inf))
    units = int(checks.counts("units", units, ndim=0))
    kept = drawn[~np.isnan(drawn)]
    skipped = drawn.size - kept.size
    state = _state(value, kept, units)
    low = high = np.nan
    if state in {State.OK, State.DEGENERATE}:
        low, high = np.quantile(kept, [tail, 1.0 - tail])
    return Interval(value, float(low), float(high), units, drawn.size, skipped, state)


def resampled_sums(
    table: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> FloatArray:
    """Return the column sums of resampled units.

    Args:
        table: per-unit sums, one row a unit or the distinct rows, shape (K, M).
        counts: how many units share each row, shape (K,); one each by default.
        resamples: number of resamples B.
        seed: of the streams.

    Returns:
        Sums of shape (B, M); every resample draws as many units as there are.

    Raises:
        InputError: as :func:`ratio`, more than 10 million resamples, or a table of sums beyond memory.
    """
    rows = checks.sums("table", table, ndim=2)
    c = _multiplicity(counts, rows.shape[0])
    resamples = checks.draws("resamples", resamples, rows.shape[1])
    sums = np.zeros((resamples, rows.shape[1]))
    if not c.any():
        return sums
    distinct, multiplicity = _collapse(rows, c)
    units = int(multiplicity.sum())
    collapsed = distinct.shape[0] * _DRAWS_PER_TYPE <= units
    kind = _product_type(distinct, units)
    table = distinct.astype(kind) if kind == np.float32 else _on_grid(distinct, units)
    if collapsed:
        chances = multiplicity / units
        for rng, part in _streams(resamples, seed):
            block = rng.multinomial(units, chances, size=part.stop - part.start)
            sums[part] = np.matmul(block.astype(kind), table)
        return sums
    columns, position = _distinct_columns(table)
    drawn = np.repeat(columns, multiplicity, axis=0)
    for rng, part in _streams(resamples, seed):
        # Exact sums may be added in parts.
        found = np.zeros((part.stop - part.start, drawn.shape[1]))
        for tile, counts_of_tile in Draws(rng, units, len(found)).tiles(kind):
            found += np.matmul(counts_of_tile, drawn[tile])
        sums[part] = found[:, position]
    return sums


def _distinct_columns(table: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct columns of a table, and which of them each column is; measures share denominators."""
    alike: dict[float, list[int]] = {}
    first: list[int] = []
    position = np.empty(table.shape[1], dtype=np.int64)
    for column, total in enumerate(table.sum(axis=0).tolist()):
        twins = alike.setdefault(total, [])
        twin = next((k for k in twins if np.array_equal(table[:, first[k]], table[:, column])), len(first))
        if twin == len(first):
            twins.append(twin)
            first.append(column)
        position[column] = twin
    if len(first) == table.shape[1]:
        return table, position
    return table[:, first], position


def _columns(
    numerators: ArrayLike, denominators: ArrayLike, counts: ArrayLike | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return checked numerators and denominators of one shape (K, M), and counts of shape (K,)."""
    top = checks.sums("numerators", numerators, ndim=2)
    bottom = checks.sums("denominators", denominators, low=0.0, ndim=2)
    if top.shape != bottom.shape:
        raise InputError(f"numerators of shape {top.shape} and denominators of shape {bottom.shape}")
    return top, bottom, _multiplicity(counts, top.shape[0])


def _multiplicity(counts: ArrayLike | None, rows: int) -> IntArray:
    """Return how many units share each of ``rows`` rows."""
    if counts is None:
        return np.ones(rows, dtype=np.int64)
    c = checks.counts("counts", counts, ndim=1)
    if c.size != rows:
        raise InputError(f"counts has {c.size} entries for {rows} rows")
    if (total := float(c.sum(dtype=np.float64))) > _MOST_UNITS:
        raise InputError(f"counts add up to {total:.0f} units; at most 2**32 are resampled")
    return c


def _collapse(rows: FloatArray, counts: IntArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct rows in a fixed order and how many units share each."""
    _, first, position = np.unique(_row_hash(rows), return_index=True, return_inverse=True)
    distinct = rows[first]
    if first.size < rows.shape[0] and not np.array_equal(distinct[position], rows):  # a shared hash
        distinct, position = np.unique(rows, axis=0, return_inverse=True)
    multiplicity = np.bincount(position.ravel(), weights=counts, minlength=distinct.shape[0])
    return distinct, multiplicity.astype(np.int64)


def _row_hash(rows: FloatArray) -> NDArray[np.uint64]:
    """Return one 64-bit hash a row; sorting a panel by whole rows costs a tenth of its bootstrap."""
    factors = np.random.SeedSequence(0).generate_state(rows.shape[1], np.uint64) | np.uint64(1)
    hashes = np.empty(rows.shape[0], dtype=np.uint64)
    for part in _parts(rows):
        bits = (rows[part] + 0.0).view(np.uint64)  # adding 0 gives both zeros one pattern
        bits = bits ^ (bits >> np.uint64(32)) ^ (bits >> np.uint64(52))
        hashes[part] = (bits * factors).sum(axis=1, dtype=np.uint64)
    return hashes


def _parts(rows: FloatArray) -> Iterator[slice]:
    """Yield parts of a table that fit the cache."""
    step = max(1, _CELLS // max(rows.shape[1], 1))
    return (slice(start, start + step) for start in range(0, rows.shape[0], step))


def _product_type(rows: FloatArray, units: int) -> np.dtype[np.float32] | np.dtype[np.float64]:
    """Return float32 where every partial sum of whole numbers is exact in it, else float64."""
    whole = all(np.array_equal(rows[part], np.floor(rows[part])) for part in _parts(rows))
    if whole and units * max(float(rows.max(initial=0.0)), -float(rows.min(initial=0.0))) < _FLOAT32_EXACT:
        return np.dtype(np.float32)
    return np.dtype(np.float64)


def _on_grid(rows: FloatArray, units: int) -> FloatArray:
    """Return values rounded so that every sum of ``units`` of them is exact in float64, whatever its order.

    A product of matrices adds in an order that depends on the processor and its threads. On a grid of 2**-52 of the
    largest possible sum of a column, every partial sum has at most 53 binary digits.
    """
    largest = np.abs(rows).max(axis=0, initial=0.0) * units
    _, exponent = np.frexp(largest)
    step = np.ldexp(1.0, np.maximum(exponent - _GRID_BITS, _SMALLEST_EXPONENT))
    grid: FloatArray = np.rint(rows / step) * step
    return grid


def _streams(resamples: int, seed: int) -> Iterator[tuple[np.random.Generator, slice]]:
    """Yield one generator a block of resamples and the rows it fills."""
    for block, start in enumerate(range(0, resamples, BLOCK)):
        source = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(block,)))
        yield np.random.Generator(source), slice(start, min(start + BLOCK, resamples))


def _state(value: float, kept: FloatArray, units: int) -> State:
    """Return what an interval from ``kept`` resamples is worth."""
    if np.isnan(value):
        return State.EMPTY
    if units <= 1 or kept.size == 0:
        return State.FEW_UNITS
    if kept.min() == kept.max():
        return State.DEGENERATE
    return State.OK
