"""Thresholds chosen on calibration data: both rules against a plain search, and the world they are tried in."""

import numpy as np
import pytest
from numpy.typing import NDArray
from validity.results import stream
from validity.rules import LEVELS, careless, cumulative, fixed_sequence, wrong_rates

from denotary.statistics import binomial, planning
from validity import thresholds

LIMIT = 0.05


IntArray = NDArray[np.int64]


def calibration(rates: NDArray[np.float64], cases: int, seed: int) -> tuple[IntArray, IntArray]:
    rng = np.random.default_rng(seed)
    held = rng.multinomial(cases, np.full(LEVELS, 1.0 / LEVELS), size=40)
    return held, rng.binomial(held, rates)


def test_the_careless_rule_takes_the_largest_coverage_within_the_limit() -> None:
    held, wrong = calibration(wrong_rates("steep", LIMIT), 400, 5)
    found = careless(held, wrong, LIMIT)
    for cases, bad, chosen in zip(held, wrong, found, strict=True):
        within = [t for t in range(LEVELS) if bad[: t + 1].sum() <= LIMIT * cases[: t + 1].sum()]
        assert chosen == max(within, default=-1)


def test_the_rule_of_the_product_walks_from_a_start_chosen_without_labels() -> None:
    held, wrong = calibration(wrong_rates("steep", LIMIT / 4), 400, 6)
    start = 2 * planning.units_for(LIMIT)
    chosen = []
    for cases, bad in zip(held, wrong, strict=True):
        expected = -1
        for t in range(int(np.searchsorted(np.cumsum(cases), start)), LEVELS):
            if binomial.upper_bound(int(bad[: t + 1].sum()), int(cases[: t + 1].sum())) > LIMIT:
                break
            expected = t
        assert fixed_sequence(cases, bad, LIMIT) == expected
        chosen.append(expected)
    assert max(chosen) > min(chosen)


def test_the_shapes_of_the_risk_are_what_they_are_said_to_be() -> None:
    np.testing.assert_allclose(cumulative(wrong_rates("flat", LIMIT)), LIMIT)
    steep = cumulative(wrong_rates("steep", LIMIT))
    assert steep[round(0.6 * LEVELS) - 1] == pytest.approx(LIMIT)
    assert (np.diff(steep) > 0).all()


@pytest.mark.parametrize(("rule", "chosen"), [("careless", (0.6, 1.0)), ("fixed sequence", (0.0, 0.1))])
def test_no_rule_makes_a_release_at_the_limit_pass(
    rule: thresholds.Rule, chosen: tuple[float, float]
) -> None:
    found = thresholds.run(thresholds.Scenario("c1", rule, "flat"), 150)
    assert found.holds
    assert found.facts["violated"] == found.facts["chosen"]
    assert chosen[0] <= found.facts["chosen"].value <= chosen[1]


def test_streams_have_names_and_nothing_else() -> None:
    first, again, other = stream("a", "b"), stream("a", "b"), stream("a", "c")
    numbers = first.random(4)
    np.testing.assert_array_equal(numbers, again.random(4))
    assert (numbers != other.random(4)).all()
