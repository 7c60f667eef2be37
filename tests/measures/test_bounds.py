"""Bounds and intervals of many rows at once against those of one row at a time."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.measures import bounds
from denotary.measures.counts import Types
from denotary.statistics import betting, binomial

Vector = tuple[int, int, int, int]


@st.composite
def vectors(draw: st.DrawFn) -> Vector:
    size = draw(st.integers(1, 5))
    denominator = draw(st.integers(1, size))
    return draw(st.integers(0, denominator)), denominator, size, draw(st.integers(1, 3000))


ROWS = st.lists(st.lists(vectors(), max_size=5, unique_by=lambda v: v[:3]), min_size=1, max_size=6)


def panel(rows: list[list[Vector]]) -> bounds.Panel:
    flat = [(index, *vector) for index, row in enumerate(rows) for vector in row]
    columns = [np.asarray([item[i] for item in flat], dtype=np.int64) for i in range(5)]
    row, numerator, denominator, size, count = columns
    return bounds.Panel(row, numerator, denominator, size, count, len(rows))


def one(row: list[Vector], alpha: float) -> float:
    k, n = sum(v[0] * v[3] for v in row), sum(v[1] * v[3] for v in row)
    if not n:
        return 1.0
    if all(v[2] == 1 for v in row):
        return binomial.upper_bound(k, n, alpha)
    numerator, denominator, size, count = zip(*row, strict=True)
    return max(betting.upper_ratio(numerator, denominator, size, count, alpha), k / n)


@given(ROWS, st.sampled_from((0.05, 0.05 / 3, 0.01)))
@settings(max_examples=80, deadline=None)
def test_upper_bounds_are_those_of_one_row_at_a_time(rows: list[list[Vector]], alpha: float) -> None:
    found = bounds.upper_bounds(panel(rows), alpha)
    np.testing.assert_allclose(found, [one(row, alpha) for row in rows], rtol=0, atol=1e-13)


@given(ROWS)
@settings(max_examples=50, deadline=None)
def test_lower_bounds_bound_what_did_not_happen(rows: list[list[Vector]]) -> None:
    found = bounds.lower_bounds(panel(rows))
    turned = [[(v[1] - v[0], *v[1:]) for v in row] for row in rows]
    np.testing.assert_allclose(found, [1.0 - one(row, 0.05) for row in turned], rtol=0, atol=1e-13)


@given(ROWS)
@settings(max_examples=50, deadline=None)
def test_intervals_are_wilson_or_korn_graubard(rows: list[list[Vector]]) -> None:
    low, high = bounds.intervals(panel(rows))
    for index, row in enumerate(rows):
        k, n = sum(v[0] * v[3] for v in row), sum(v[1] * v[3] for v in row)
        units = sum(v[3] for v in row)
        if all(v[2] == 1 for v in row):
            expected: Any = binomial.wilson(k, n)
        else:
            columns = list(zip(*row, strict=True))
            effect = binomial.design_effect(columns[0], columns[1], columns[3])
            expected = binomial.korn_graubard(k, n, units, max(effect, 1.0))
        assert (low[index], high[index]) == pytest.approx((float(expected[0]), float(expected[1])))
        assert 0.0 <= low[index] <= (k / n if n else 0.5) <= high[index] <= 1.0
        assert low[index] < high[index]


def test_golden_bounds_of_zero_failures_with_siblings() -> None:
    """Zero failures bet nothing away: the bound is the exact one on units (0 of 598: 0.5 %)."""
    found = bounds.upper_bounds(panel([[(0, 5, 5, 598)], [(0, 1, 1, 598)]]))
    assert found[1] == pytest.approx(1 - 0.05 ** (1 / 598), rel=1e-12)
    assert found[0] == pytest.approx(0.0051446449, abs=5e-11)


def test_tables_of_several_measures_are_joined_in_order() -> None:
    first = Types(*(np.asarray(column) for column in ([0, 2], [1, 0], [1, 1], [1, 1], [4, 5])))
    second = Types(*(np.asarray(column) for column in ([1], [0], [2], [2], [9])))
    found = bounds.joined([first, second], [3, 2])
    assert found.rows == 5
    assert found.row.tolist() == [0, 2, 4]
    assert found.total(found.denominator).tolist() == [4, 0, 5, 0, 18]
    assert found.siblings().tolist() == [False, False, False, False, True]
    assert bounds.joined([], []).rows == 0
    assert bounds.upper_bounds(bounds.joined([], [])).shape == (0,)
