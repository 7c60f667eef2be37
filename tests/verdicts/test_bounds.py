"""The bound that a gate compares with its limit: exact for single cases, betting for units with siblings."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from scipy import stats

from denotary.measures.measurement import Measurement
from denotary.measures.records import UnitType
from denotary.verdicts.bounds import Failures, columns, observed
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.records import Gate, GateResult

Build = Callable[..., Any]


def judged(gate: Gate, measurement: Measurement, alpha: float = 0.05) -> list[GateResult]:
    return list(judge_gate(gate, Evidence(measurement, alpha)))


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_the_bound_is_that_of_clopper_and_pearson(single: Build, side: str) -> None:
    found = single(3, 2000, side=side, limit=0.5, alpha=0.02)
    upper = stats.beta.ppf(0.98, 4, 1997)
    assert found.bound == pytest.approx(upper if side == "upper" else 1 - upper, rel=1e-10)
    assert (found.bound_method, found.alpha) == ("exact binomial", 0.02)


@pytest.mark.parametrize(
    ("limit", "fewest"),
    # Golden numbers of the betting bound at zero failures, 95 % one-sided.
    [(0.01, 307), (0.005, 616), (0.001, 3083), (0.0001, 30845)],
)
def test_units_with_siblings_are_judged_by_the_betting_bound(
    row: Build, measurement: Build, gate: Build, limit: float, fewest: int
) -> None:
    for units, verdict in ((fewest, "PASS"), (fewest - 1, "INSUFFICIENT")):
        found = judged(gate(limit=limit), measurement(row([(0, 4, 4, units)])))[0]
        assert (found.verdict, found.units, found.denominator) == (verdict, units, 4 * units)
        assert found.bound_method.startswith("order-free betting")


def test_one_unit_with_a_sibling_is_enough_to_leave_the_exact_bound(
    row: Build, measurement: Build, gate: Build
) -> None:
    found = judged(gate(), measurement(row([(0, 1, 1, 2994), (0, 2, 2, 1)])))[0]
    assert (found.verdict, found.units) == ("INSUFFICIENT", 2995)


def capital(types: list[tuple[int, int, int, int]], limit: float) -> float:
    """The capital of the mixture at a hypothetical ratio, unit by unit, as its definition says."""
    total = 0.0
    for keep, weight in ((0.0, 0.8), (0.1, 0.1), (0.2, 0.05), (0.4, 0.05)):
        stake = (1 - keep) / (1 - limit)
        product = math.prod((1 - stake * (k - limit * n) / m) ** c for k, n, m, c in types)
        total += weight * product
    return total


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(
    ("types", "ratio"),
    [
        ([(0, 3, 3, 500), (1, 3, 3, 2), (2, 2, 2, 1)], False),
        ([(0, 1, 3, 500), (0, 3, 3, 300), (1, 2, 3, 2), (1, 1, 1, 1)], True),
    ],
)
def test_the_betting_bound_is_where_the_capital_reaches_one_over_alpha(
    row: Build,
    measurement: Build,
    gate: Build,
    types: list[tuple[int, int, int, int]],
    ratio: bool,
    side: str,
) -> None:
    events = types if side == "upper" else [(n - k, n, m, c) for k, n, m, c in types]
    found = judged(gate(side=side, limit=0.5), measurement(row(events, ratio=ratio)))[0]
    assert found.bound is not None
    bound = found.bound if side == "upper" else 1 - found.bound
    assert capital(types, bound) == pytest.approx(20.0, rel=1e-7)
    assert found.verdict == "PASS"


def test_a_unit_without_an_assignment_says_nothing_of_the_assigned(
    row: Build, measurement: Build, gate: Build
) -> None:
    with_refusals = judged(gate(), measurement(row([(0, 1, 1, 2995), (0, 0, 1, 5000)], ratio=True)))[0]
    assert (with_refusals.verdict, with_refusals.units, with_refusals.denominator) == ("PASS", 2995, 2995)
    fewer = judged(gate(), measurement(row([(0, 1, 1, 2994), (0, 0, 1, 5000)], ratio=True)))[0]
    assert fewer.verdict == "INSUFFICIENT"


def test_a_unit_counts_once_however_many_of_its_cases_fail(
    row: Build, measurement: Build, gate: Build
) -> None:
    by_case = judged(gate(limit=0.004), measurement(row([(50, 50, 50, 1), (0, 1, 1, 10_000)])))[0]
    assert by_case.verdict == "FAIL"  # 0.01 % of units, 0.498 % of cases
    by_unit = judged(gate(limit=0.004), measurement(row([(1, 1, 1, 5), (0, 50, 50, 1000)])))[0]
    assert by_unit.verdict == "FAIL"  # 0.01 % of cases, 0.498 % of units
    assert "weighed alike" in by_unit.reason
    assert "weighed alike" not in by_case.reason


def test_the_bound_is_never_below_the_share_that_a_reader_recomputes(
    row: Build, measurement: Build, gate: Build
) -> None:
    found = judged(gate(limit=0.9), measurement(row([(500, 500, 500, 1), (0, 1, 1, 500)])))[0]
    assert found.bound == 0.5


def test_a_failed_gate_shows_its_bound_too(single: Build) -> None:
    """A reader recomputes a FAIL like a PASS."""
    found = single(3, 100, limit=0.01, alpha=0.025)
    assert found.verdict == "FAIL"
    assert found.bound == pytest.approx(stats.beta.ppf(0.975, 4, 97))
    assert (found.bound_method, found.alpha) == ("exact binomial", 0.025)
    lower = single(3, 100, limit=0.99, side="lower")
    assert lower.bound == pytest.approx(1 - stats.beta.ppf(0.95, 4, 97))


def test_in_a_rate_a_unit_is_as_large_as_its_cases_in_the_denominator() -> None:
    """Of a unit of four only two cases are counted: both fail, so the unit fails; in a ratio half of it does."""
    units = (
        UnitType(numerator=2, denominator=2, size=4, count=1),
        UnitType(numerator=0, denominator=4, size=4, count=1),
    )
    assert columns(Failures(units, ratio=False)) == ([2, 0], [2, 4], [2, 4], [1, 1])
    assert columns(Failures(units, ratio=True)) == ([2, 0], [2, 4], [4, 4], [1, 1])
    assert observed(Failures(units, ratio=False)) == Fraction(1, 2)
    assert observed(Failures(units, ratio=True)) == Fraction(1, 3)
