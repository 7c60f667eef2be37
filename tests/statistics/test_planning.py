from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, binom

from denotary.errors import InputError
from denotary.statistics import betting, binomial, planning
from denotary.statistics.planning import Bound, Siblings

# The sample-size table of the research note, section 2: target, then n for k = 0, 1, ...
TABLE = {
    0.05: [59],
    0.02: [149],
    0.03: [99],
    0.01: [299, 473, 628, 773, 913, 1_049],
    0.005: [598, 947, 1_258, 1_549, 1_829, 2_100],
    0.003: [998],
    0.002: [1_497],
    0.001: [2_995, 4_742, 6_294, 7_752, 9_151, 10_511],
    0.0005: [5_990],
    0.0002: [14_978],
    0.0001: [29_956, 47_437, 62_956, 77_535, 91_533, 105_128],
    0.00001: [299_572],
}


@pytest.mark.parametrize(
    ("limit", "k", "units"), [(p, k, n) for p, row in TABLE.items() for k, n in enumerate(row)]
)
def test_exact_units_are_the_published_table(limit: float, k: int, units: int) -> None:
    assert planning.units_for(limit, k) == units
    assert binomial.upper_bound(k, units) <= limit < binomial.upper_bound(k, units - 1)


@pytest.mark.parametrize(
    ("looks", "units"), [(1, 2_995), (2, 3_688), (4, 4_380), (8, 5_073), (12, 5_478), (20, 5_989)]
)
def test_looks_cost_units(looks: int, units: int) -> None:
    assert planning.units_for(0.001, alpha=planning.alpha_per_look(0.05, looks)) == units


def test_three_looks_at_a_thousandth_need_4093() -> None:
    assert planning.units_for(0.001, alpha=planning.alpha_per_look(0.05, 3)) == 4_093


@pytest.mark.parametrize(("limit", "units"), [(0.01, 307), (0.005, 616), (0.001, 3_083), (0.0001, 30_845)])
def test_betting_units_golden(limit: float, units: int) -> None:
    assert planning.units_for(limit, bound="betting") == units


def test_tiny_limits_keep_every_unit() -> None:
    for limit in (1e-9, 1e-12):
        assert planning.units_for(limit) == math.ceil(math.log(0.05) / math.log1p(-limit))


@given(
    st.floats(0.002, 0.4),
    st.integers(0, 6),
    st.sampled_from([0.2, 0.05, 0.01]),
    st.sampled_from(["exact", "betting"]),
)
def test_plan_and_bound_agree(limit: float, k: int, alpha: float, bound: Bound) -> None:
    n = planning.units_for(limit, k, alpha, bound)

    def gate(units: int) -> float:
        if bound == "exact":
            return binomial.upper_bound(k, units, alpha)
        return betting.upper_mean([0.0, 1.0], [units - k, k], alpha)

    assert gate(n) <= limit * (1 + 1e-12)
    assert n - 1 < k or gate(n - 1) > limit * (1 - 1e-12)
    assert planning.failures_allowed(n, limit, alpha, bound) == k
    assert planning.failures_allowed(n - 1, limit, alpha, bound) == k - 1


@given(st.integers(1, 400), st.floats(0.01, 0.5))
def test_p_value_is_the_binomial_tail(n: int, limit: float) -> None:
    k = np.arange(n + 1)
    assert binomial.p_value(k, n, limit) == pytest.approx(binom.cdf(k, n, limit), rel=1e-10, abs=1e-300)
    assert float(binomial.p_value(0, 0, limit)) == 1.0


def test_best_claim_is_the_zero_failure_bound() -> None:
    assert planning.best_claim(598) == binomial.upper_bound(0, 598)
    assert planning.best_claim(598, bound="betting") == pytest.approx(0.0051446449, abs=5e-11)
    assert planning.best_claim(598, 0.01) == binomial.upper_bound(0, 598, 0.01)
    assert planning.best_claim(598, 0.01, "betting") == betting.upper_mean([0.0], [598], 0.01)
    assert planning.best_claim(0) == planning.best_claim(0, bound="betting") == 1.0


def test_power_is_the_chance_of_few_failures() -> None:
    rates = np.array([0.0, 0.0001, 0.001 / 3, 0.001])
    assert planning.power(2_995, 0.001, rates) == pytest.approx(binom.cdf(0, 2_995, rates))
    assert planning.power(4_742, 0.001, rates) == pytest.approx(binom.cdf(1, 4_742, rates))
    assert planning.power(2_995, 0.001, 0.001) <= 0.05
    assert planning.power(100, 0.001, [0.0, 0.0001]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("bound", ["exact", "betting"])
def test_units_for_power_by_exhaustive_search(bound: Bound) -> None:
    limit, rate, chance = 0.05, 0.01, 0.8
    found = planning.units_for_power(limit, rate, chance, bound=bound)
    assert found is not None
    first = next(n for n in range(1, 2_000) if planning.power(n, limit, rate, bound=bound) >= chance)
    assert found[0] == first
    assert planning.failures_allowed(first, limit, bound=bound) == found[1]


def test_a_power_that_is_just_reached_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    units = planning.units_for(0.05, 2)
    chance = float(planning.power(units, 0.05, 0.02))
    assert planning.units_for_power(0.05, 0.02, chance) == (units, 2)
    monkeypatch.setattr(planning, "_MOST_FAILURES", 2)
    assert planning.units_for_power(0.05, 0.02, chance) == (units, 2)
    assert planning.units_for_power(0.05, 0.02, chance + 1e-9) is None


def test_units_for_power_says_when_it_gives_up() -> None:
    assert planning.units_for_power(0.01, 0.0) == (299, 0)
    with pytest.raises(InputError, match="rate is 0"):
        planning.units_for_power(0.01, 0.01)


@pytest.mark.slow
def test_units_for_power_gives_up_after_a_thousand_failures() -> None:
    assert planning.units_for_power(0.3, 0.299, 0.99) is None


def test_sibling_power_of_single_cases_is_the_exact_power() -> None:
    for units, rate in [(400, 0.001), (700, 0.002)]:
        simulated = planning.sibling_power(units, 0.01, rate, Siblings(1, 0.0), repeats=40_000)
        exact = float(planning.power(units, 0.01, rate, bound="betting"))
        assert simulated == pytest.approx(exact, abs=4 * 0.5 / np.sqrt(40_000))


@pytest.mark.parametrize(("size", "correlation", "assigned"), [(1, 0.0, 1.0), (4, 0.0, 0.7), (5, 0.3, 0.8)])
def test_outcomes_of_a_unit_are_a_binomial_and_a_beta_binomial(
    size: int, correlation: float, assigned: float
) -> None:
    rate = 0.07
    answered, wrong, chances = planning._unit_outcomes(Siblings(size, correlation, assigned), rate)
    assert len(chances) == (size + 1) * (size + 2) // 2
    for a, w, chance in zip(answered.astype(int), wrong.astype(int), chances, strict=True):
        if correlation:
            scale = 1 / correlation - 1
            given = betabinom.pmf(w, a, rate * scale, (1 - rate) * scale)
        else:
            given = binom.pmf(w, a, rate)
        assert chance == pytest.approx(binom.pmf(a, size, assigned) * given, rel=1e-10, abs=1e-300)


def test_sibling_power_against_direct_simulation() -> None:
    units, limit, rate, siblings = 400, 0.02, 0.004, Siblings(4, 0.3, 0.8)
    rng = np.random.default_rng(5)
    scale = 1 / 0.3 - 1
    passed = 0
    for _ in range(1_500):
        answered = rng.binomial(4, 0.8, size=units)
        wrong = betabinom.rvs(answered, rate * scale, (1 - rate) * scale, random_state=rng)
        passed += betting.upper_ratio(wrong, answered, np.full(units, 4)) <= limit
    got = planning.sibling_power(units, limit, rate, siblings, repeats=20_000)
    assert got == pytest.approx(passed / 1_500, abs=4 * np.sqrt(0.25 / 1_500))
    assert got == planning.sibling_power(units, limit, rate, siblings, repeats=20_000)


def test_sibling_power_at_the_ends() -> None:
    assert planning.sibling_power(400, 0.01, 0.0, Siblings(3, 0.5)) == 1.0
    assert planning.sibling_power(300, 0.01, 0.0, Siblings(3, 0.5)) == 0.0
    assert planning.sibling_power(400, 0.01, 1.0, Siblings(3, 0.5)) == 0.0


@given(st.integers(0, 300), st.floats(0.05, 1.0), st.sampled_from([0.5, 0.95]))
def test_planned_units_is_the_first_that_assures(needed: int, share: float, assurance: float) -> None:
    expected, planned = planning.planned_units(needed, share, assurance)
    assert binom.sf(needed - 1, planned, share) >= assurance - 1e-9
    assert planned == 0 or binom.sf(needed - 1, planned - 1, share) < assurance
    assert expected >= needed / share - 1e-6


@pytest.mark.parametrize(
    "call",
    [
        lambda: planning.units_for(0.0),
        lambda: planning.units_for(0.01, -1),
        lambda: planning.units_for_power(1.5, 0.01),
        lambda: planning.units_for_power(0.1, -0.01),
        lambda: planning.units_for(1e-16, alpha=1e-9),
        lambda: planning.alpha_per_look(0.05, 0),
        lambda: planning.power(10, 0.1, [1.2]),
        lambda: planning.planned_units(5, 0.0),
        lambda: planning.failures_allowed(-1, 0.1),
        lambda: Siblings(0, 0.1),
        lambda: Siblings(2, 1.0),
        lambda: Siblings(2, 0.1, 0.0),
    ],
)
def test_bad_arguments_are_refused(call: object) -> None:
    with pytest.raises(InputError):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(("limit", "failures", "units"), [(0.01, 0, 393), (0.005, 0, 787), (0.01, 4, None)])
def test_paired_units_are_those_at_which_the_bound_of_the_difference_comes_within(
    limit: float, failures: int, units: int | None
) -> None:
    found = planning.units_for(limit, failures, 0.05, "paired")
    assert units in {None, found}

    def bound(n: int) -> float:
        return betting.upper_difference([0.0, 1.0], [n - failures, failures])

    assert bound(found) <= limit < bound(found - 1)
    assert planning.failures_allowed(found, limit, 0.05, "paired") == failures
    assert planning.failures_allowed(found - 1, limit, 0.05, "paired") == failures - 1
    assert planning.best_claim(found, 0.05, "paired") == pytest.approx(
        betting.upper_difference([0.0], [found])
    )
