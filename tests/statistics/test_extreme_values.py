"""Numbers beyond the usual have the right answer, or an error that names them; many groups are as one."""

import math
import re
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from denotary.errors import InputError
from denotary.statistics import (
    agreement,
    auroc,
    betting,
    binomial,
    bootstrap,
    calibration,
    paired,
    paired_ratios,
    planning,
    sequential,
    tails,
    threshold,
)

HUGE = 10**12


def refused(message: str, run: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        run(*arguments, **named)


def test_a_code_that_would_take_a_table_beyond_memory_is_named() -> None:
    refused(f"item[1] is {HUGE}; number the 2 codes from 0", agreement.vote_counts, [0, HUGE], [0, 1])
    refused(f"stratum[0] is {HUGE}", auroc.stratified_auroc, [0.0, 1.0], [0, 1], [HUGE, 0])
    many = 2**24 - 1
    refused("item by label asks for a table of 16,777,216 x 100 numbers", agreement.vote_counts, [many], [99])
    refused("group by bins asks", calibration.equal_width, [0.5], [1], group=[many])
    refused("row: 1000000000 groups", betting.upper_ratios, ([0], [1], [1], [1]), [0], 10**9)
    refused(
        f"resamples is {HUGE}; expected at most 10,000,000", bootstrap.ratio, [1.0], [1.0], resamples=HUGE
    )


def test_codes_that_only_say_what_belongs_together_may_be_of_any_size() -> None:
    confidence, event = np.linspace(0.0, 1.0, 40), np.arange(40) % 7 == 0
    risk = threshold.Risk("r", event, np.ones(40), 0.5)
    unit = np.arange(40) // 2
    for change in (unit * HUGE, unit[::-1] + 2**50):
        near, far = (threshold.threshold_p_values(confidence, risk, u) for u in (unit, change))
        np.testing.assert_array_equal(near[1], far[1])
    stream = sequential.upper_sequence(event.astype(float), group=unit)
    np.testing.assert_array_equal(stream, sequential.upper_sequence(event.astype(float), group=unit * HUGE))


def test_a_unit_that_holds_no_item_is_not_resampled() -> None:
    votes, unit = np.array([[2, 0], [1, 1], [0, 2], [2, 1]]), np.array([0, 0, 1, 2])
    dense = agreement.agreement_interval(votes, unit=unit, resamples=200)
    assert agreement.agreement_interval(votes, unit=unit * HUGE, resamples=200) == dense
    assert agreement.agreement_interval(votes, unit=unit * 3, resamples=200) == dense


def test_probabilities_that_lost_their_digits_are_refused() -> None:
    refused("alpha is 4.94066e-324; expected at least 2.22507e-308", binomial.upper, 1, 9, 5e-324)
    assert binomial.upper_bound(0, 10, 1e-300) == pytest.approx(1.0 - 1e-30, rel=1e-12)


def test_sums_that_would_overflow_or_vanish_are_refused() -> None:
    refused("numerator[0] is 1e+300; expected a value in [-1e+140, 1e+140]", bootstrap.ratio, [1e300], [1.0])
    refused(
        "denominator[0] is 5e-324; expected a value that is 0 or at least 1e-140",
        bootstrap.ratio,
        [0],
        [5e-324],
    )
    refused("counts add up to 18014398509481984 units", bootstrap.ratio, [0, 1], [1, 1], [2**53, 2**53])


@pytest.mark.parametrize(("needed", "share"), [(3_000_000_000, 0.25), (10**12, 0.5), (10**14, 0.9)])
def test_more_units_than_32_bits_are_planned(needed: int, share: float) -> None:
    expected, assured = planning.planned_units(needed, share)
    assert expected == math.ceil(needed / share)
    # The normal approximation of the excess is good to a few per cent at such numbers.
    excess = 1.6449 * math.sqrt(expected * (1.0 - share) / share)
    assert assured - expected == pytest.approx(excess, rel=0.05)


def test_plans_beyond_2_50_units_are_refused_at_once() -> None:
    refused("more than 2**50 planned", planning.planned_units, 2**50, 1e-9)
    for limit in (3e-308, 1e-300, 1e-17):
        refused(f"limit {limit:g} with 0 failures needs more than 2**50", sequential.units_to_certify, limit)
    assert sequential.units_to_certify(1e-12) == pytest.approx(
        sequential.units_to_certify(1e-6) * 1e6, rel=1e-5
    )


@pytest.mark.parametrize("trials", [7, 2**31 + 5, 10**12])
def test_tails_of_any_number_of_trials(trials: int) -> None:
    for rate in (3.0 / trials, 0.5):
        for hits in (0, 1, 5):
            with mpmath.workdps(40):
                p = mpmath.mpf(rate)
                terms = [mpmath.binomial(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(hits + 1)]
                below, last = float(mpmath.fsum(terms)), float(terms[-1])
            assert float(tails.at_most(hits, trials, rate)) == pytest.approx(below, rel=1e-9, abs=1e-300)
            assert float(tails.at_least(hits, trials, rate)) == pytest.approx(1.0 - below + last, rel=1e-9)
    assert tails.at_most(trials, trials, 0.3) == tails.at_least(0, trials, 0.3) == 1.0
    assert tails.at_least(trials, trials, 1.0) == 1.0
    assert tails.at_most(0, trials, 0.0) == 1.0


def test_p_values_of_counts_beyond_32_bits() -> None:
    b = 10**12
    for c in (b, b + 10**6, b + 3 * 10**6):
        normal = 2.0 * stats.norm.sf((c - b - 1) / math.sqrt(b + c)) if c > b else 1.0
        assert float(paired.discordant_p(b, c)) == pytest.approx(normal, rel=1e-4)
    assert float(planning.power(2**40, 0.1, 0.01)) == 1.0
    assert auroc.permutation_floor(2000, 1001) == 0.0
    assert auroc.permutation_floor(10**15, 3) == pytest.approx(12e-45, rel=1e-9)


def test_products_of_counts_may_exceed_64_bits() -> None:
    k, n, c = np.array([1, 0, 2]), np.array([4, 2, 4]), np.array([5, 7, 9])
    many = binomial.design_effect(k * 2**20, n * 2**20, c * 2**30)
    # Siblings all alike, 2**20 to a unit: the effect grows with them, but for N - 1 and U / (U - 1).
    once = binomial.design_effect(k, n, c) * 20 / 21 / ((c @ n) - 1) * (c @ n)
    assert many == pytest.approx(once * 2**20, rel=1e-6)


def test_a_confidence_near_0_leaves_the_median() -> None:
    low, high = binomial.korn_graubard(3, 10, 10, 1.0, 1e-300)
    assert float(low) == pytest.approx(stats.beta.median(3, 8), rel=1e-9)
    assert float(high) == pytest.approx(stats.beta.median(4, 7), rel=1e-9)


MANY = pytest.mark.parametrize("groups", [5_000, pytest.param(1_000_000, marks=pytest.mark.slow)])


def sample(groups: int) -> tuple[int, ...]:
    return 0, 1, 17, 4242, groups - 1


@MANY
def test_a_million_proportions_are_as_one(groups: int) -> None:
    rng = np.random.default_rng(3)
    n = rng.integers(1, 60, groups)
    k = rng.binomial(n, 0.2)
    for bound in (binomial.upper, binomial.lower):
        many = bound(k, n)
        assert [many[i] for i in sample(groups)] == [float(bound(k[i], n[i])) for i in sample(groups)]


@MANY
def test_a_million_groups_of_confidences_are_as_one(groups: int) -> None:
    rng = np.random.default_rng(4)
    group = np.repeat(np.arange(groups), 2)
    confidence = rng.random(2 * groups)
    right = rng.random(2 * groups) < confidence
    errors = calibration.expected_calibration_error(calibration.equal_width(confidence, right, 5, group))
    areas = auroc.stratified_auroc(confidence, right, group)
    for i in sample(groups):
        mine = slice(2 * i, 2 * i + 2)
        alone = calibration.expected_calibration_error(
            calibration.equal_width(confidence[mine], right[mine], 5)
        )
        assert errors[i] == pytest.approx(float(alone[0]), abs=1e-12)
        np.testing.assert_equal(areas[i], auroc.auroc(confidence[mine], right[mine]).value)


@MANY
def test_a_million_streams_are_as_one(groups: int) -> None:
    rng = np.random.default_rng(5)
    group = np.tile(np.arange(groups), 2)
    failed = (rng.random(2 * groups) < 0.3).astype(float)
    logs, bounds = sequential.log_e_process(failed, 0.2, group), sequential.upper_sequence(failed, 0.2, group)
    for i in sample(groups):
        mine = failed[i::groups]
        np.testing.assert_allclose(logs[i::groups], sequential.log_e_process(mine, 0.2), rtol=1e-9)
        np.testing.assert_allclose(bounds[i::groups], sequential.upper_sequence(mine, 0.2), rtol=1e-9)


@MANY
def test_a_million_rows_of_units_are_as_one(groups: int) -> None:
    rng = np.random.default_rng(6)
    size = rng.integers(1, 4, groups)
    asked = rng.integers(0, size + 1)
    wrong, count = rng.binomial(asked, 0.1), rng.integers(1, 50, groups)
    bounds = betting.upper_ratios((wrong, asked, size, count), np.arange(groups), groups)
    again = rng.binomial(asked, 0.1)
    differences = paired_ratios.upper_differences(
        (wrong, size, again, size, size, count), np.arange(groups), groups
    )
    for i in sample(groups):
        mine = slice(i, i + 1)
        alone = betting.upper_ratio(wrong[mine], asked[mine], size[mine], count[mine])
        assert bounds[i] == pytest.approx(alone, rel=1e-9)
        columns = (wrong[mine], size[mine], again[mine], size[mine], size[mine], count[mine])
        single = paired_ratios.upper_differences(columns, [0], 1)
        assert differences[i] == pytest.approx(float(single[0]), rel=1e-9)
