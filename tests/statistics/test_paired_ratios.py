from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

from denotary.errors import InputError
from denotary.statistics import betting, paired
from denotary.statistics.paired import MarginVerdict
from denotary.statistics.paired_ratios import NUISANCE, margin_test, upper_differences

DIFFERENCE = betting.DIFFERENCE


def one(types: list[tuple[float, float, float, float, float, int]], **options: Any) -> float:
    """The bound of one row of types: first events and population, second ones, size, units."""
    columns: Any = tuple(np.array(types, dtype=float).reshape(-1, 6).T)
    return float(upper_differences(columns, np.zeros(len(types), dtype=int), 1, **options)[0])


def excluded(types: list[tuple[float, ...]], r: float, difference: float, alpha: float) -> bool:
    """The bet on "R1 - r >= difference", written out with plain sums: an oracle without a root finder."""
    capital = 0.0
    for fraction, weight in zip(DIFFERENCE.fractions, DIFFERENCE.weights, strict=True):
        log = math.log(weight)
        for w1, a1, w2, a2, size, units in types:
            gain = (w1 - w2 + r * (a2 - a1)) / size - difference * a1 / size
            factor = 1.0 - (1.0 - fraction) / (1.0 - difference) * gain
            log += units * math.log(factor) if factor > 1e-15 else -math.inf
        capital += math.exp(log) if log > -700 else 0.0
    return capital >= 1.0 / alpha


units = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.floats(0, 1),
        st.floats(0, 1),
        st.floats(0, 1),
        st.floats(0, 1),
        st.integers(1, 400),
    ),
    min_size=1,
    max_size=6,
)


def types_of(drawn: list[tuple[int, float, float, float, float, int]], *, whole: bool) -> list[Any]:
    found = []
    for size, a, b, c, d, count in drawn:
        first = size if whole else round(a * size)
        second = size if whole else round(b * size)
        found.append((round(c * first), first, round(d * second), second, size, count))
    return found


@given(units, st.sampled_from([0.05, 0.01]))
def test_a_rate_has_the_bound_of_its_mean_difference(drawn: Any, alpha: float) -> None:
    types = types_of(drawn, whole=True)
    d = [(w1 - w2) / size for w1, _, w2, _, size, _ in types]
    want = betting.upper_difference(d, [t[5] for t in types], alpha)
    assert one(types, alpha=alpha) == pytest.approx(want, abs=1e-12)
    # With every case in both populations a ratio is a rate that paid for an interval it did not need.
    paid = betting.upper_difference(d, [t[5] for t in types], (1 - NUISANCE) * alpha)
    events, sizes, count = ([t[i] for t in types] for i in (2, 4, 5))
    high = betting.upper_ratio(events, sizes, sizes, count, NUISANCE * alpha / 2, mixture=DIFFERENCE)
    low = betting.lower_ratio(events, sizes, sizes, count, NUISANCE * alpha / 2, mixture=DIFFERENCE)
    got = one(types, alpha=alpha, ratio=True)
    assert got == pytest.approx(paid if paid < 1.0 - high else 1.0 - low, abs=1e-8)


@given(units)
def test_a_ratio_excludes_what_every_ratio_of_the_second_system_excludes(drawn: Any) -> None:
    """Against bets written out one by one over a fine grid of the unknown ratio."""
    types = types_of(drawn, whole=False)
    alpha = 0.05
    bound = one(types, alpha=alpha, ratio=True)
    tail = NUISANCE * alpha / 2
    events, population, size, count = ([t[i] for t in types] for i in (2, 3, 4, 5))
    high = betting.upper_ratio(events, population, size, count, tail, mixture=DIFFERENCE)
    low = betting.lower_ratio(events, population, size, count, tail, mixture=DIFFERENCE)
    grid = np.linspace(low, high, 41)
    if bound < 1.0 - high:
        for step in (1e-6, 0.01, 0.1):
            above = min(bound + step, 1.0 - high)
            assert all(excluded(types, r, above, (1 - NUISANCE) * alpha * (1 + 1e-9)) for r in grid)
    # What it gives away to the eight cells is little: a bit below the bound some ratio is not excluded.
    below = bound - 0.02 - 0.25 * (high - low)
    if -high < below and bound < 1.0 - high:
        assert not all(excluded(types, r, below, (1 - NUISANCE) * alpha) for r in grid)


def test_many_rows_are_the_rows_one_by_one() -> None:
    rng = np.random.default_rng(4)
    rows = []
    for _ in range(12):
        drawn = [(int(rng.integers(1, 4)), *rng.random(4), int(rng.integers(1, 300))) for _ in range(5)]
        rows.append(types_of(drawn, whole=False))
    columns: Any = tuple(np.array([t for row in rows for t in row], dtype=float).T)
    at = np.repeat(np.arange(12), 5)
    got = upper_differences(columns, at, 13, ratio=True)
    assert got[:12] == pytest.approx([one(row, ratio=True) for row in rows], abs=1e-12)
    assert got[12] == 1.0


def exact_miss(rate: list[float], kinds: list[tuple[int, int, int, int]], n: int, *, ratio: bool) -> float:
    """P(bound < true difference) by enumerating every outcome of n units."""
    p = np.array(rate)
    a1, a2 = (sum(q * k[i] for q, k in zip(rate, kinds, strict=True)) for i in (1, 3))
    w1, w2 = (sum(q * k[i] for q, k in zip(rate, kinds, strict=True)) for i in (0, 2))
    truth = w1 / a1 - w2 / a2
    outcomes = [c for c in itertools.product(range(n + 1), repeat=len(kinds)) if sum(c) == n]
    columns = [np.array([k[i] for _ in outcomes for k in kinds], dtype=float) for i in range(4)]
    count = np.array(outcomes).ravel()
    row = np.repeat(np.arange(len(outcomes)), len(kinds))
    bounds = upper_differences((*columns, np.ones(len(count)), count), row, len(outcomes), 0.2, ratio=ratio)  # type: ignore[arg-type]
    chances = multinomial.pmf(np.array(outcomes), n, p)
    return float(chances[bounds < truth - 1e-12].sum())


@pytest.mark.parametrize("worse", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("better", [0.0, 0.1])
def test_coverage_of_a_rate_by_enumeration(worse: float, better: float) -> None:
    kinds = [(0, 1, 0, 1), (1, 1, 0, 1), (0, 1, 1, 1)]
    assert exact_miss([1 - worse - better, worse, better], kinds, 25, ratio=False) <= 0.2


@pytest.mark.parametrize("moved", [0.05, 0.3])
def test_coverage_of_a_ratio_by_enumeration(moved: float) -> None:
    kinds = [(0, 1, 0, 1), (1, 1, 0, 1), (1, 1, 1, 1), (0, 0, 1, 1), (1, 1, 0, 0)]
    rate = [0.6 - moved, 0.2, 0.1, moved / 2, 0.1 + moved / 2]
    assert exact_miss(rate, kinds, 10, ratio=True) <= 0.2


def test_a_release_that_answers_less_and_errs_less_is_not_worse() -> None:
    """20 wrong answers of 2,000 become refusals; nothing else changes."""
    types = [(0, 1, 0, 1, 1, 1980), (0, 0, 1, 1, 1, 20)]
    result = margin_test(tuple(zip(*types, strict=True)), 0.002, ratio=True)  # type: ignore[arg-type]
    assert result.difference == pytest.approx(-20 / 2000)
    assert result.low < result.difference < result.high < 0
    assert result.verdict is MarginVerdict.WITHIN


def test_a_supported_increase_has_a_lower_bound_above_zero() -> None:
    types = [(0, 1, 0, 1, 1, 900), (1, 1, 0, 1, 1, 60), (0, 0, 0, 1, 1, 40)]
    result = margin_test(tuple(zip(*types, strict=True)), 0.005, ratio=True)  # type: ignore[arg-type]
    assert result.difference == pytest.approx(60 / 960)
    assert result.low > 0.005
    assert result.verdict is MarginVerdict.BEYOND


def test_a_margin_test_of_a_rate_is_that_of_the_mean() -> None:
    types = [(2, 3, 1, 3, 3, 7), (0, 3, 0, 3, 3, 500), (0, 1, 1, 1, 1, 6)]
    got = margin_test(tuple(zip(*types, strict=True)), 0.02)  # type: ignore[arg-type]
    want = paired.margin_test([1 / 3, 0, -1], 0.02, [7, 500, 6])
    assert (got.difference, got.low, got.high) == pytest.approx(
        (want.difference, want.low, want.high), abs=1e-12
    )
    assert (got.margin, got.verdict) == (want.margin, want.verdict)


@pytest.mark.parametrize("ratio", [False, True])
def test_no_units_say_nothing(ratio: bool) -> None:
    assert one([], ratio=ratio) == 1.0


@pytest.mark.parametrize("side", [0, 2])
def test_a_system_that_answers_nothing_has_no_risk_to_compare(side: int) -> None:
    types = [[0, 1, 0, 1, 1, 5000]]
    types[0][side + 1] = 0
    assert one([tuple(types[0])], ratio=True) == 1.0  # type: ignore[list-item]
    columns: Any = tuple(zip(*types, strict=True))
    assert margin_test(columns, 0.1, ratio=True).verdict is MarginVerdict.UNDECIDED
    assert math.isnan(margin_test(columns, 0.1, ratio=True).difference)


@pytest.mark.parametrize(
    "bad",
    [
        [(2, 1, 0, 1, 1, 5)],
        [(0, 2, 0, 1, 1, 5)],
        [(0, 1, 2, 1, 1, 5)],
        [(0, 1, 0, 1, 0, 5)],
        [(0, 1, 0, 1, 1, -5)],
        [(math.nan, 1, 0, 1, 1, 5)],
    ],
)
def test_what_cannot_be_is_refused(bad: Any) -> None:
    with pytest.raises(InputError):
        one(bad, ratio=True)


def test_rows_out_of_order_and_margins_out_of_range_are_refused() -> None:
    columns: Any = tuple(np.array([(0, 1, 0, 1, 1, 5), (0, 1, 0, 1, 1, 5)]).T)
    with pytest.raises(InputError, match="out of order"):
        upper_differences(columns, [1, 0], 2)
    with pytest.raises(InputError, match="margin"):
        margin_test(columns, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "base", "increase", "answered", "moved"),
    [
        (2000, 0.01, 0.005, 0.6, 0.1),
        (2000, 0.0, 0.005, 0.6, 0.05),
        (300, 0.1, 0.05, 0.9, 0.3),
        (4000, 0.02, 0.0, 0.4, 0.2),
    ],
)
def test_coverage_of_a_ratio_by_simulation(
    n: int, base: float, increase: float, answered: float, moved: float
) -> None:
    rng = np.random.default_rng(11)
    rows, counts, row = [], [], []
    for repeat in range(2000):
        a2 = rng.random(n) < answered
        a1 = np.where(rng.random(n) < moved, rng.random(n) < answered, a2)
        u = rng.random(n)
        key = np.stack([a1 & (u < base + increase), a1, a2 & (u < base), a2], axis=1)
        found, count = np.unique(key, axis=0, return_counts=True)
        rows.append(found)
        counts.append(count)
        row.append(np.full(len(found), repeat))
    types = np.concatenate(rows).astype(float)
    columns: Any = (*types.T, np.ones(len(types)), np.concatenate(counts))
    bounds = upper_differences(columns, np.concatenate(row), 2000, ratio=True)
    assert np.mean(bounds < increase) <= 0.05
