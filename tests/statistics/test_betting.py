from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.errors import InputError
from denotary.statistics import betting, binomial
from denotary.statistics.betting import Mixture

FRACTIONS, WEIGHTS = (0.0, 0.1, 0.2, 0.4), (0.8, 0.1, 0.05, 0.05)


def capital(pairs: list[tuple[float, float]], ratio: mpmath.mpf) -> mpmath.mpf:
    """The definition, multiplied out: sum_j w_j prod_i (1 - lambda_j (u_i - R a_i))."""
    total = mpmath.mpf(0)
    for fraction, weight in zip(FRACTIONS, WEIGHTS, strict=True):
        stake = (1 - mpmath.mpf(fraction)) / (1 - ratio)
        product = mpmath.mpf(weight)
        for u, a in pairs:
            product *= 1 - stake * (mpmath.mpf(u) - ratio * mpmath.mpf(a))
        total += product
    return total


def bisected(pairs: list[tuple[float, float]], alpha: float) -> float:
    """The largest ratio whose capital stays below 1/alpha, by bisection in 40 digits."""
    with mpmath.workdps(40):
        low, high = mpmath.mpf(0), mpmath.mpf(1)
        for _ in range(100):
            middle = (low + high) / 2
            if capital(pairs, middle) < 1 / mpmath.mpf(alpha):
                low = middle
            else:
                high = middle
        return float(low)


@pytest.mark.parametrize(
    ("failed", "units", "bound"),
    [  # goldens of the specification of the bound, alpha 0.05
        (0, 598, 0.0051446449),
        (0, 1_000, 0.0030797379),
        (0, 2_995, 0.0010293667),
        (1, 4_742, 0.0016636422),
        (5, 10_511, 0.0015584011),
    ],
)
def test_golden_bounds(failed: int, units: int, bound: float) -> None:
    assert betting.upper_mean([0.0, 1.0], [units - failed, failed]) == pytest.approx(bound, abs=5e-11)


@pytest.mark.parametrize(("limit", "units"), [(0.01, 307), (0.005, 616), (0.001, 3_083), (0.0001, 30_845)])
def test_golden_zero_failure_units_are_the_smallest(limit: float, units: int) -> None:
    assert betting.upper_mean([0.0], [units]) <= limit < betting.upper_mean([0.0], [units - 1])


shares = st.integers(1, 6).flatmap(
    lambda m: st.integers(0, m).flatmap(lambda a: st.integers(0, a).map(lambda w: (w, a, m)))
)


def columns(rows: list[tuple[int, int, int]]) -> tuple[list[int], list[int], list[int]]:
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


@settings(max_examples=20)
@given(st.lists(shares, min_size=1, max_size=12), st.sampled_from([0.2, 0.05, 1e-3, 1e-8]))
def test_ratio_agrees_with_the_definition(rows: list[tuple[int, int, int]], alpha: float) -> None:
    wrong, assigned, size = (np.array(column) for column in zip(*rows, strict=True))
    got = betting.upper_ratio(wrong, assigned, size, alpha=alpha)
    pairs = [(w / m, a / m) for w, a, m in rows]
    assert got == pytest.approx(bisected(pairs, alpha), rel=1e-11)


@given(st.lists(shares, min_size=1, max_size=12), st.floats(0.01, 0.9))
def test_no_bet_can_lose_more_than_everything(rows: list[tuple[int, int, int]], limit: float) -> None:
    wrong, assigned, size = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    factors = np.exp(betting.log_factors(wrong / size, assigned / size, limit))
    y = (wrong - limit * assigned) / size
    for column, fraction in enumerate(FRACTIONS):
        expected = 1 - (1 - fraction) / (1 - limit) * y
        assert factors[:, column] == pytest.approx(expected, abs=1e-12)
        assert (expected >= fraction - 1e-12).all()


@given(st.lists(shares, min_size=1, max_size=10), st.randoms(use_true_random=False))
def test_order_and_grouping_do_not_matter(rows: list[tuple[int, int, int]], random: object) -> None:
    first = betting.upper_ratio(*columns(rows))
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    distinct = sorted(set(rows))
    counts = [rows.count(row) for row in distinct]
    assert betting.upper_ratio(*columns(shuffled)) == first
    assert betting.upper_ratio(*columns(distinct), counts) == pytest.approx(first, rel=1e-14)


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=15))
def test_mean_is_bracketed_and_lower_mirrors_upper(values: list[float]) -> None:
    x = np.array(values)
    low, high = betting.lower_mean(x), betting.upper_mean(x)
    assert 0.0 <= low <= x.mean() + 1e-12
    assert x.mean() - 1e-12 <= high <= 1.0
    assert low == pytest.approx(1.0 - bisected([(1 - v, 1.0) for v in values], 0.05), abs=1e-11)


def test_single_case_units_match_the_mean() -> None:
    assert betting.upper_ratio([0, 1, 0], [1, 1, 0], [1, 1, 1], [900, 2, 400]) == pytest.approx(
        betting.upper_mean([0, 1], [900, 2]), rel=1e-13
    )


def test_lower_bounds_take_alpha_counts_and_bets_with_them() -> None:
    x, counts = np.array([0.0, 0.25, 1.0]), [30, 5, 200]
    for alpha in (0.01, 0.2):
        for mixture in (betting.RISK, betting.DIFFERENCE):
            mean = betting.upper_mean(1.0 - x, counts, alpha, mixture=mixture)
            assert betting.lower_mean(x, counts, alpha, mixture=mixture) == 1.0 - mean
            ratio = betting.upper_ratio([1, 0], [3, 3], [4, 3], [5, 200], alpha, mixture=mixture)
            assert (
                betting.lower_ratio([2, 3], [3, 3], [4, 3], [5, 200], alpha, mixture=mixture) == 1.0 - ratio
            )


def test_lower_ratio_mirrors_upper_ratio() -> None:
    assert betting.lower_ratio([2, 3], [3, 3], [4, 3], [5, 200]) == 1.0 - betting.upper_ratio(
        [1, 0], [3, 3], [4, 3], [5, 200]
    )


def test_more_failures_and_less_alpha_raise_the_bound() -> None:
    by_failures = [betting.upper_mean([0, 1], [5_000 - k, k]) for k in range(40)]
    by_alpha = [betting.upper_mean([0, 1], [4_998, 2], alpha) for alpha in (0.2, 0.05, 0.05 / 3, 1e-9)]
    assert by_failures == sorted(by_failures)
    assert by_alpha == sorted(by_alpha)


@pytest.mark.parametrize("k", [0, 1, 3, 10])
def test_never_tighter_than_the_exact_bound_by_much_and_never_below(k: int) -> None:
    bound = betting.upper_mean([0, 1], [3_000 - k, k])
    assert binomial.upper_bound(k, 3_000) < bound


def test_without_evidence_the_bound_is_one() -> None:
    assert betting.upper_mean([]) == 1.0
    assert betting.lower_mean([]) == 0.0
    assert betting.upper_ratio([0, 0], [0, 0], [3, 1]) == 1.0
    assert betting.upper_mean([1.0], [10]) == 1.0
    assert betting.upper_mean([0.0, 1.0], [7, 0]) == betting.upper_mean([0.0], [7])


def test_tiny_bounds_keep_their_digits() -> None:
    assert betting.upper_mean([0.0], [10**9], mixture=Mixture((0.0,), (1.0,))) == pytest.approx(
        -np.expm1(np.log(0.05) / 1e9), rel=1e-13
    )


@given(st.lists(shares, min_size=1, max_size=12), st.floats(0.01, 0.9), st.sampled_from([0.3, 0.05]))
def test_p_value_decides_as_the_bound(rows: list[tuple[int, int, int]], limit: float, alpha: float) -> None:
    p = betting.p_value(*columns(rows), limit)
    pairs = [(w / m, a / m) for w, a, m in rows]
    assert p == pytest.approx(min(1.0, 1.0 / float(capital(pairs, mpmath.mpf(limit)))), rel=1e-9) or p == 1.0
    bound = betting.upper_ratio(*columns(rows), alpha=alpha)
    if abs(bound - limit) > 1e-9:
        assert (p <= alpha) == (bound <= limit)


def test_expected_capital_at_the_true_mean_is_at_most_one() -> None:
    """All outcomes of four units enumerated: the defining property, checked without simulation."""
    support = [(0.0, 0.55), (0.5, 0.25), (1.0, 0.2)]
    mean = sum(value * chance for value, chance in support)
    total = 0.0
    for outcome in itertools.product(support, repeat=4):
        chance = float(np.prod([c for _, c in outcome]))
        total += chance * float(capital([(v, 1.0) for v, _ in outcome], mpmath.mpf(mean)))
    assert total == pytest.approx(1.0, rel=1e-12)


def test_difference_bound_is_the_mapped_mean() -> None:
    d = [-1.0, -0.5, 0.0, 0.25, 1.0]
    counts = [3, 2, 990, 4, 1]
    mapped = betting.upper_mean([(v + 1) / 2 for v in d], counts, mixture=betting.DIFFERENCE)
    assert betting.upper_difference(d, counts) == pytest.approx(2 * mapped - 1, abs=1e-15)
    assert betting.upper_difference([0.0], [2_000]) < 0.003


@given(st.lists(st.tuples(st.integers(0, 4), shares), min_size=1, max_size=30))
def test_many_rows_are_the_same_as_one_at_a_time(drawn: list[tuple[int, tuple[int, int, int]]]) -> None:
    drawn = sorted(drawn)
    row = np.array([code for code, _ in drawn])
    top, bottom, size = (np.array(column) for column in columns([types for _, types in drawn]))
    counts = np.arange(len(drawn)) % 4
    got = betting.upper_ratios((top, bottom, size, counts), row, 6, 0.01)
    for code in range(6):
        mask = row == code
        alone = betting.upper_ratio(top[mask], bottom[mask], size[mask], counts[mask], 0.01)
        assert got[code] == pytest.approx(alone, rel=1e-12)
    assert betting.upper_ratios(([], [], [], []), [], 2).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: betting.upper_mean([0.0, 1.1]), r"values\[1\] is 1.1"),
        (lambda: betting.upper_mean([0.0, np.nan]), "finite"),
        (lambda: betting.upper_mean([0.0], [-1]), r"counts\[0\] is -1"),
        (lambda: betting.upper_mean([0.0], [1, 2]), "differ in length"),
        (lambda: betting.upper_ratio([2], [1], [3]), r"^numerator\[0\] is 2, above denominator 1$"),
        (lambda: betting.upper_ratio([1], [4], [3]), r"^denominator\[0\] is 4, above size 3$"),
        (lambda: betting.upper_ratio([0], [-1], [3]), r"^denominator\[0\] is -1.0; expected a value in"),
        (lambda: betting.upper_ratio([-1], [1], [3]), r"^numerator\[0\] is -1.0; expected a value in"),
        (lambda: betting.lower_ratio([0], [-1], [3]), r"^denominator\[0\] is -1.0; expected a value in"),
        (lambda: betting.lower_ratio([-1], [1], [3]), r"^numerator\[0\] is -1.0; expected a value in"),
        (lambda: betting.upper_ratio([0], [0], [0]), r"size\[0\] is 0"),
        (lambda: betting.lower_ratio([2], [1], [3]), r"^numerator\[0\] is 2, above denominator 1$"),
        (lambda: betting.upper_mean([0.0], alpha=1.5), "alpha"),
        (lambda: betting.p_value([0], [1], [1], 0.0), "limit"),
        (
            lambda: betting.upper_ratios(([0, 0], [1, 1], [1, 1], [1, 1]), [1, 0], 2),
            r"row\[1\] is out of order",
        ),
        (
            lambda: betting.upper_ratios(([0] * 3, [1] * 3, [1] * 3, [1] * 3), [0, 2, 1], 3),
            r"^row\[2\] is out of order; rows must ascend$",
        ),
        (lambda: betting.upper_ratios(([0], [1], [1], [1]), [2], 2), "code 2"),
        (lambda: betting.upper_ratios(([0], [1], [1], [1]), [0, 0], 2), "differ in length"),
        (lambda: Mixture((0.0, 0.1), (1.0,)), "2 fractions but 1 weights"),
        (lambda: Mixture((1.0,), (1.0,)), r"\[0, 1\)"),
        (lambda: Mixture((0.0, 0.5), (0.5, 0.4)), "sum to 1"),
        (lambda: Mixture((), ()), "0 fractions"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]


GRID = [  # rate, correlation within units, units, unit size
    (0.001, 0.0, 2_000, 5),
    (0.001, 0.2, 2_000, 5),
    (0.001, 0.5, 2_000, 5),
    (0.001, 0.3, 6_000, 5),
    (0.005, 0.3, 600, 5),
    (0.01, 0.3, 1_000, 10),
]


def clustered(
    rng: np.random.Generator, rate: float, correlation: float, units: int, size: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Beta-binomial failures per unit."""
    if correlation == 0.0:
        return rng.binomial(size, rate, size=units)
    scale = 1.0 / correlation - 1.0
    return rng.binomial(size, rng.beta(rate * scale, (1 - rate) * scale, size=units))


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "correlation", "units", "size"), GRID)
def test_covers_clustered_suites(rate: float, correlation: float, units: int, size: int) -> None:
    rng = np.random.default_rng(20)
    repeats, covered, bounds = 1_500, 0, []
    for _ in range(repeats):
        failed = np.bincount(clustered(rng, rate, correlation, units, size), minlength=size + 1)
        bound = betting.upper_mean(np.arange(size + 1) / size, failed)
        covered += bound >= rate
        bounds.append(bound)
    assert covered / repeats >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / repeats)
    assert 1.3 <= np.median(bounds) / rate <= 4.0


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
def test_covers_a_ratio_whose_denominator_depends_on_the_answer(correlation: float) -> None:
    """Units of unequal size; a share is assigned, and the assigned share differs with difficulty."""
    rng = np.random.default_rng(21)
    repeats, units, risk = 1_000, 1_500, 0.01
    truth_top, truth_bottom, covered = [], [], []
    for _ in range(repeats):
        size = rng.integers(1, 6, size=units)
        hard = rng.random(units) < 0.2
        assigned = rng.binomial(size, np.where(hard, 0.4, 0.9))
        rate = np.where(hard, 4 * risk, risk)
        together = rng.random(units) < correlation
        wrong = np.where(together, assigned * (rng.random(units) < rate), rng.binomial(assigned, rate))
        truth_top.append(np.mean(wrong / size))
        truth_bottom.append(np.mean(assigned / size))
        covered.append(betting.upper_ratio(wrong, assigned, size))
    truth = np.sum(truth_top) / np.sum(truth_bottom)
    assert np.mean(np.array(covered) >= truth) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / repeats)
