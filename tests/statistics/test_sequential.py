from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.errors import InputError
from denotary.statistics import betting, sequential
from denotary.statistics.betting import Mixture
from denotary.statistics.sequential import MONITORING


@pytest.mark.parametrize(
    ("k", "n"), [(0, 3_484), (1, 6_339), (2, 8_446), (3, 10_444), (4, 12_342), (5, 14_154)]
)
def test_golden_units_to_certify(k: int, n: int) -> None:
    """Goldens of the research note, section 6: mixture over 0, 1/10, 1/5 and 1/2.5 of the limit 0.1 %."""
    assert sequential.units_to_certify(0.001, k) == n


def test_single_bet_on_no_failure_is_the_fixed_plan() -> None:
    assert sequential.units_to_certify(0.001, mixture=Mixture((0.0,), (1.0,))) == 2_995


def likelihood_ratio(k: int, n: int, limit: float) -> float:
    """The mixture of binomial likelihood ratios, in its own terms."""
    return sum(
        0.25 * (q / limit) ** k * ((1 - q) / (1 - limit)) ** (n - k)
        for q in (0, limit / 10, limit / 5, limit / 2.5)
    )


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.floats(0.01, 0.5))
def test_e_process_is_the_mixture_likelihood_ratio(outcomes: list[bool], limit: float) -> None:
    got = np.exp(sequential.log_e_process(outcomes, limit))
    for i in range(len(outcomes)):
        assert got[i] == pytest.approx(likelihood_ratio(sum(outcomes[: i + 1]), i + 1, limit), rel=1e-9)


shares = st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.2, 0.5, 1.0]), min_size=1, max_size=40)


@given(shares, st.sampled_from([0.2, 0.05, 1e-4]))
def test_sequence_is_the_running_minimum_of_the_bounds(values: list[float], alpha: float) -> None:
    got = sequential.upper_sequence(values, alpha)
    bounds = [
        betting.upper_mean(values[: i + 1], alpha=alpha, mixture=MONITORING) for i in range(len(values))
    ]
    assert got == pytest.approx(np.minimum.accumulate(bounds), rel=1e-10)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 3)), min_size=1, max_size=50))
def test_groups_are_streams_of_their_own(rows: list[tuple[float, int]]) -> None:
    values = np.array([row[0] for row in rows])
    group = np.array([row[1] for row in rows])
    bounds = sequential.upper_sequence(values, 0.05, group)
    logs = sequential.log_e_process(values, 0.1, group)
    for code in set(group.tolist()):
        mask = group == code
        assert bounds[mask] == pytest.approx(sequential.upper_sequence(values[mask]), rel=1e-10)
        assert logs[mask] == pytest.approx(sequential.log_e_process(values[mask], 0.1), abs=1e-10)


def test_bound_meets_the_limit_when_the_e_process_certifies() -> None:
    values = np.zeros(7_000)
    values[[700, 1_500]] = [0.25, 0.5]
    certified = int(np.argmax(sequential.log_e_process(values, 0.001) >= math.log(20)))
    within = int(np.argmax(sequential.upper_sequence(values) <= 0.001))
    assert certified == within > 0


def test_empty_streams_and_all_failures() -> None:
    assert sequential.upper_sequence([]).size == 0
    assert sequential.log_e_process([], 0.1).size == 0
    assert sequential.upper_sequence([1.0, 1.0, 1.0]).tolist() == [1.0] * 3


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: sequential.upper_sequence([0.5, 1.5]), r"values\[1\]"),
        (lambda: sequential.upper_sequence(np.linspace(0, 1, 300)), "300 distinct"),
        (lambda: sequential.upper_sequence([0.5], group=[0, 1]), "differ in length"),
        (lambda: sequential.upper_sequence([0.5], alpha=0.0), "alpha"),
        (lambda: sequential.log_e_process([0.5], 1.0), "limit"),
        (lambda: sequential.log_e_process([np.nan], 0.1), "finite"),
        (lambda: sequential.units_to_certify(0.1, -1), "failures"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]


@pytest.mark.slow
def test_false_passes_over_all_looks_stay_below_alpha() -> None:
    """True rate at the limit, looked at after every unit: the chance of ever passing is at most 5 %."""
    rng = np.random.default_rng(8)
    repeats, units, limit = 2_000, 3_000, 0.01
    passed = sum(
        sequential.log_e_process(rng.random(units) < limit, limit).max() >= math.log(20)
        for _ in range(repeats)
    )
    assert passed / repeats <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / repeats)
    assert passed / repeats >= 0.01
