from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from denotary.errors import InputError
from denotary.statistics import binomial

ALPHAS = (0.2, 0.05, 0.05 / 3, 0.001, 5e-8, 1e-12)


def tail_sum(k: int, n: int, p: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
    """P(X <= k) and its last term, summed in 40 digits."""
    term = (1 - p) ** n
    total = term
    for i in range(1, k + 1):
        term *= p / (1 - p) * (n - i + 1) / i
        total += term
    return total, term


def oracle_upper(k: int, n: int, alpha: float, start: float) -> mpmath.mpf:
    """Newton on the exact sum, 40 digits; ``start`` only has to be near."""
    with mpmath.workdps(40):
        p = mpmath.mpf(start)
        for _ in range(4):
            total, last = tail_sum(k, n, p)
            p += (total - mpmath.mpf(alpha)) / (last * (n - k) / (1 - p))
        return p


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [2, 3, 17, 598, 2_995, 10_511, 123_457, 1_000_003, 9_999_991])
def test_upper_agrees_with_forty_digit_sum(n: int, alpha: float) -> None:
    for k in {0, 1, 2, 5, 40, n - 1}:
        if k < min(n, 600):
            got = binomial.upper_bound(k, n, alpha)
            assert abs(got / oracle_upper(k, n, alpha, got) - 1) <= 1e-12


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [2, 17, 598, 10_511, 1_000_003])
def test_lower_agrees_with_forty_digit_sum(n: int, alpha: float) -> None:
    for k in (1, 2, 5, 40):
        if k < n:
            got = binomial.lower_bound(k, n, alpha)
            with mpmath.workdps(40):
                p = mpmath.mpf(got)
                for _ in range(4):
                    total, last = tail_sum(k - 1, n, p)
                    p -= (1 - total - mpmath.mpf(alpha)) / (last * (n - k + 1) / (1 - p))
                assert abs(got / p - 1) <= 1e-12


def test_error_stays_small_for_very_large_n() -> None:
    for n in (10**8 + 7, 10**10 + 19):
        for k in (1, 3, 9):
            got = binomial.upper_bound(k, n)
            assert abs(got / oracle_upper(k, n, 0.05, got) - 1) <= 1e-10


@pytest.mark.parametrize(
    ("k", "n", "alpha", "value"),
    [
        (0, 1000, 0.05, 0.0029912495450953),  # published goldens of the research note, section 6
        (1, 1000, 0.05, 0.0047349935754998),
        (0, 598, 0.05, 0.0049970586942465),
        (0, 1000, 5e-8, 0.0166707224315),
        (0, 29_956, 0.05, 9.999941532e-05),
    ],
)
def test_upper_golden(k: int, n: int, alpha: float, value: float) -> None:
    assert binomial.upper_bound(k, n, alpha) == pytest.approx(value, rel=5e-11)


def test_ends() -> None:
    assert binomial.upper([0, 0, 7], [0, 1, 7]).tolist() == [1.0, 1 - 0.05, 1.0]
    assert binomial.lower([0, 0, 1], [0, 1, 1]).tolist() == [0.0, 0.0, pytest.approx(0.05, rel=1e-15)]


@given(st.integers(1, 300), st.data(), st.sampled_from(ALPHAS))
def test_bound_is_where_the_tail_is_alpha(n: int, data: st.DataObject, alpha: float) -> None:
    k = data.draw(st.integers(0, n - 1))
    assert binom.cdf(k, n, binomial.upper_bound(k, n, alpha)) == pytest.approx(alpha, rel=1e-9)
    assert binom.sf(n - k - 1, n, binomial.lower_bound(n - k, n, alpha)) == pytest.approx(alpha, rel=1e-9)


def test_agrees_with_statsmodels_and_binomtest_at_twice_alpha() -> None:
    for k, n in [(0, 20), (3, 50), (17, 400), (50, 50)]:
        low, high = proportion_confint(k, n, alpha=0.10, method="beta")
        interval = binomtest(k, n).proportion_ci(confidence_level=0.90)
        assert binomial.upper_bound(k, n) == pytest.approx(high, rel=1e-12)
        assert binomial.lower_bound(k, n) == pytest.approx(low, rel=1e-12)
        assert binomial.upper_bound(k, n) == pytest.approx(interval.high, rel=1e-6)


def test_shape_order_and_repeats_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    n = rng.integers(0, 60, size=(40, 30))
    k = rng.binomial(n, 0.1)
    for function, single in ((binomial.upper, binomial.upper_bound), (binomial.lower, binomial.lower_bound)):
        table = function(k, n, 0.01)
        assert table.shape == (40, 30)
        for i, j in [(0, 0), (7, 29), (39, 1)]:
            assert table[i, j] == single(int(k[i, j]), int(n[i, j]), 0.01)
    assert binomial.upper(1, np.arange(1, 100)).shape == (99,)
    assert binomial.upper([], []).shape == (0,)


def test_huge_trials_skip_the_pair_key() -> None:
    n = np.full(100, 2**40)
    assert binomial.upper(np.zeros(100, dtype=int), n)[99] == binomial.upper_bound(0, 2**40)


def test_wilson_golden_and_statsmodels() -> None:
    low, high = binomial.wilson([0, 1, 9, 1000], 1000)
    assert high[0] == pytest.approx(0.0038267584855551, rel=1e-12)
    assert (low[1], high[1]) == (
        pytest.approx(0.000176546371, rel=1e-8),
        pytest.approx(0.005642558598, rel=1e-8),
    )
    other = proportion_confint(9, 1000, method="wilson")
    assert (low[2], high[2]) == pytest.approx(other, rel=1e-12)
    assert low[0] == 0.0
    assert high[3] == 1.0


@given(st.integers(0, 500), st.data(), st.floats(0.5, 0.999))
def test_wilson_holds_the_rate_inside_the_unit_interval(n: int, data: st.DataObject, level: float) -> None:
    k = data.draw(st.integers(0, n))
    low, high = binomial.wilson(k, n, level)
    assert 0.0 <= low <= (k / n if n else 0.5) <= high <= 1.0
    assert n > 0 or (float(low), float(high)) == (0.0, 1.0)


def test_design_effect_is_one_for_single_trials_and_size_for_identical_siblings() -> None:
    k = np.array([1] * 7 + [0] * 93)
    assert binomial.design_effect(k, np.ones_like(k)) == pytest.approx(1.0, rel=1e-12)
    rate = 0.07
    cloned = binomial.design_effect(5 * k, np.full(100, 5))
    assert cloned == pytest.approx(
        (100 / 99 * rate * (1 - rate) / 100) / (rate * (1 - rate) / 499), rel=1e-12
    )


def test_design_effect_by_definition_types_and_degenerate_cases() -> None:
    k, n = np.array([0, 1, 2, 0, 3]), np.array([4, 4, 3, 1, 3])
    rate = k.sum() / n.sum()
    variance = 5 / 4 * ((k - rate * n) ** 2).sum() / n.sum() ** 2
    expected = variance / (rate * (1 - rate) / (n.sum() - 1))
    assert binomial.design_effect(k, n) == pytest.approx(expected, rel=1e-12)
    assert binomial.design_effect(np.repeat(k, 3), np.repeat(n, 3)) == pytest.approx(
        binomial.design_effect(k, n, [3] * 5), rel=1e-12
    )
    assert binomial.design_effect([0, 1], [0, 4]) == 4.0
    assert binomial.design_effect([0, 0], [2, 4]) == 3.0
    assert binomial.design_effect([2, 4], [2, 4]) == 3.0
    assert binomial.design_effect([], []) == 1.0


def test_design_effect_agrees_with_the_cluster_robust_variance_of_statsmodels() -> None:
    """Least squares on a constant: the variance of the mean, robust to correlation within units, over the plain one."""
    rng = np.random.default_rng(4)
    n = rng.integers(1, 6, size=80)
    k = rng.binomial(n, rng.beta(0.3, 3, size=80))
    trials = np.concatenate([np.arange(size) < failed for size, failed in zip(n, k, strict=True)])
    model = OLS(trials.astype(float), np.ones(trials.size))
    robust = model.fit(cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(80), n)})
    plain = model.fit()
    expected = robust.bse[0] ** 2 / plain.bse[0] ** 2
    assert binomial.design_effect(k, n) == pytest.approx(expected, rel=1e-10)


def test_korn_graubard_without_clustering_is_clopper_pearson() -> None:
    low, high = binomial.korn_graubard([0, 3, 20, 0, 1], [50, 50, 20, 0, 4], [50, 50, 20, 0, 1], 1.0)
    for i in range(3):
        k, n = [0, 3, 20][i], [50, 50, 20][i]
        assert (low[i], high[i]) == pytest.approx(proportion_confint(k, n, method="beta"), rel=1e-10)
    assert (low[3], high[3]) == (low[4], high[4]) == (0.0, 1.0)


def test_korn_graubard_at_its_effective_size() -> None:
    from scipy.stats import beta, t

    k, n, units, effect = 12, 600, 120, 2.5
    size = n / effect * (t.ppf(0.975, n - 1) / t.ppf(0.975, units - 1)) ** 2
    hits = k / n * size
    low, high = binomial.korn_graubard(k, n, units, effect)
    assert low == pytest.approx(beta.ppf(0.025, hits, size - hits + 1), rel=1e-9)
    assert high == pytest.approx(beta.ppf(0.975, hits + 1, size - hits), rel=1e-9)
    assert binomial.korn_graubard(k, n, units, 0.01)[1] == pytest.approx(
        proportion_confint(k, n, method="beta")[1], rel=1e-9
    )


@pytest.mark.parametrize(
    ("k", "n", "alpha", "word"),
    [
        (-1, 5, 0.05, "failures is -1"),
        ([1, 9], [2, 3], 0.05, r"failures\[1\] is 9, above trials 3"),
        ([[0, 1.5]], 5, 0.05, r"failures\[0, 1\] is 1.5"),
        (np.nan, 5, 0.05, "finite"),
        ([0, np.inf], 5, 0.05, r"failures\[1\] is inf"),
        (np.array([1, None]), 5, 0.05, "dtype object"),
        (["1"], 5, 0.05, "expected numbers"),
        ([1, 2], [5, 5, 5], 0.05, "does not fit"),
        (1, 5, 0.0, "alpha is 0"),
        (1, 5, 1.0, "alpha is 1"),
        (1, 5, np.nan, "alpha"),
        (1, 2.0**54, 0.05, "at most 2"),
    ],
)
def test_bad_arguments_say_what_and_where(k: object, n: object, alpha: float, word: str) -> None:
    with pytest.raises(InputError, match=word):
        binomial.upper(k, n, alpha)  # type: ignore[arg-type]


def test_whole_floats_are_counts() -> None:
    assert binomial.upper_bound(1.0, 1000.0) == binomial.upper_bound(1, 1000)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.0005, 0.01, 0.3])
@pytest.mark.parametrize("n", [60, 3000])
def test_exact_bounds_cover(p: float, n: int) -> None:
    k = np.random.default_rng(11).binomial(n, p, size=200_000)
    floor = 0.95 - 3 * np.sqrt(0.95 * 0.05 / k.size)
    assert np.mean(binomial.upper(k, n) >= p) >= floor
    assert np.mean(binomial.lower(k, n) <= p) >= floor
