"""Broken bounds are told from right ones, and leave nothing behind."""

import pytest
from validity.planted import PLANTS, exact_on_cases, wilson_one_sided

from denotary.measures.records import UnitType
from denotary.statistics import binomial
from denotary.verdicts import bounds, gates
from denotary.verdicts.bounds import Failures
from validity import planted


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_the_criterion_fails_for_what_is_broken_and_for_nothing_else(plant: planted.Plant) -> None:
    repeats = 20_000 if plant.design == "single" else 400
    found = planted.run(plant, "c1", repeats)
    assert found.holds
    assert found.facts["criterion"] == plant.sound


def test_gates_read_the_planted_bound_and_then_the_right_one_again() -> None:
    right = bounds.upper_bound
    with planted.planted(wilson_one_sided):
        assert vars(gates)["upper_bound"] is wilson_one_sided
    with pytest.raises(RuntimeError), planted.planted(exact_on_cases):
        raise RuntimeError
    assert vars(gates)["upper_bound"] is right


def test_the_planted_bounds_are_below_the_right_one_where_they_are_planted() -> None:
    one = Failures(
        (
            UnitType(numerator=1, denominator=1, size=1, count=1),
            UnitType(numerator=0, denominator=1, size=1, count=4481),
        ),
        ratio=False,
    )
    assert wilson_one_sided(one, 0.05)[0] < 0.001 < binomial.upper_bound(1, 4482, 0.05)
    siblings = Failures((UnitType(numerator=0, denominator=4, size=4, count=800),), ratio=False)
    assert exact_on_cases(siblings, 0.05)[0] < 0.001 < bounds.upper_bound(siblings, 0.05)[0]
