"""What a gate on two systems costs before anything is asked: the plan against the gate that will judge."""

from collections.abc import Callable
from typing import Any

import pytest

from denotary.measures.comparison_rows import BETTING
from denotary.measures.records import PairType, UnitType
from denotary.statistics import betting, planning
from denotary.statistics.paired_ratios import margin_test
from denotary.verdicts.bounds import Failures
from denotary.verdicts.prospects import claimed, prospect
from denotary.words import NOTHING

Build = Callable[..., Any]
LIMIT = 0.01


def suite(units: int, size: int = 1) -> Failures:
    return Failures((UnitType(numerator=0, denominator=size, size=size, count=units),), ratio=False)


def alike(units: int, *, ratio: bool) -> float:
    """The upper bound of an increase that two systems without a failure show with so many units."""
    (unit,) = (PairType(0, 1, 0, 1, 1, units),)
    columns = [[value] for value in (0, 1, 0, 1, unit.size, unit.count)]
    return margin_test(tuple(columns), LIMIT, 0.05, ratio=ratio).high  # type: ignore[arg-type]


@pytest.mark.parametrize("at_best", ["", "rate"])
def test_a_plan_promises_a_pass_exactly_where_two_systems_without_a_failure_pass(
    gate: Build, at_best: str
) -> None:
    """A ratio spends a part of alpha on the interval of one of the two, so it asks for more units."""
    asked = gate(kind="paired", limit=LIMIT, at_best=at_best)
    units = prospect(asked, "all", alpha=0.05).needs[0].units
    for number, passes in ((units, True), (units - 1, False)):
        found = prospect(asked, "all", alpha=0.05, population=suite(number))
        assert (found.have, found.feasible) == (number, passes)
        assert (alike(number, ratio=bool(at_best)) <= LIMIT) == passes
        assert found.at_best == pytest.approx(alike(number, ratio=bool(at_best)), abs=1e-6)


def test_a_ratio_asks_for_more_units_than_a_rate(gate: Build) -> None:
    rate = prospect(gate(kind="paired", limit=LIMIT), "all", alpha=0.05)
    ratio = prospect(gate(kind="paired", limit=LIMIT, at_best="rate"), "all", alpha=0.05)
    assert rate.needs[0].units == planning.units_for(LIMIT, 0, 0.05, "paired")
    assert ratio.needs[0].units == planning.units_for(LIMIT, 0, 0.9 * 0.05, "paired") > rate.needs[0].units
    assert rate.alpha == ratio.alpha == 0.05


def test_a_bound_gate_spends_alpha_whole_whatever_its_best_population(gate: Build) -> None:
    with_best = prospect(gate(limit=LIMIT, at_best="rate"), "all", alpha=0.05)
    assert with_best.needs == prospect(gate(limit=LIMIT), "all", alpha=0.05).needs


def test_what_two_systems_can_show_at_best_does_not_depend_on_siblings(gate: Build) -> None:
    """Units are weighed alike, so a unit of four cases counts as one."""
    asked = gate(kind="paired", limit=LIMIT)
    single = prospect(asked, "all", alpha=0.05, population=suite(600))
    siblings = prospect(asked, "all", alpha=0.05, population=suite(600, size=4))
    assert single.method == siblings.method == BETTING
    assert single.at_best == siblings.at_best == pytest.approx(betting.upper_difference([0.0], [600]))
    assert single.power_third == siblings.power_third


def test_a_difference_is_claimed_in_points_and_a_rate_in_per_cent(gate: Build) -> None:
    paired = prospect(gate(kind="paired", limit=LIMIT), "all", alpha=0.05)
    assert claimed(paired, 0.00123) == "≤ +0.123 pp"
    assert claimed(paired, 0.0012345) == "≤ +0.124 pp"  # never smaller than it is
    assert claimed(prospect(gate(), "all", alpha=0.05), 0.0012345) == "≤ 0.124 %"
    assert claimed(prospect(gate(side="lower", limit=0.99), "all", alpha=0.05), 0.98765) == "≥ 98.76 %"
    assert claimed(paired, None) == claimed(prospect(gate(), "all", alpha=0.05), None) == NOTHING
