"""Calibration sets of the semantic lane: they have the risk that is said, and the criterion tells a fault."""

from dataclasses import replace

import numpy as np
import pytest
from validity.results import stream

from validity import certified

SCENARIOS = {scenario.name: scenario for scenario in certified.SCENARIOS}
LARGE = 40_000


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("upto", [0.3, 0.6, 0.9])
def test_a_large_set_has_the_risk_that_is_said(name: str, upto: float) -> None:
    scenario = replace(SCENARIOS[name], known=LARGE, unknown=LARGE)
    scenario = replace(scenario, share=scenario.stated)
    drawn = certified.sample(stream("test", name), scenario)
    accepted = drawn.unsure <= upto
    weight = np.where(
        drawn.unknown, scenario.stated / drawn.unknown.sum(), (1 - scenario.stated) / (~drawn.unknown).sum()
    )
    found = weight[accepted & ~drawn.right].sum() / weight[accepted].sum()
    assert found == pytest.approx(certified.risk(scenario, upto), rel=0.1)


def test_flat_is_at_the_limit_everywhere_and_steep_from_the_crossing_on() -> None:
    for scenario in certified.SCENARIOS:
        risks = [certified.risk(scenario, upto) for upto in (0.2, 0.59, 0.6, 0.61, 1.0)]
        if scenario.shape == "flat":
            assert risks == pytest.approx([certified.LIMIT] * 5)
        else:
            assert risks == sorted(risks)
            assert risks[2] == pytest.approx(certified.LIMIT)
            assert risks[1] < certified.LIMIT < risks[3]


def test_as_found_the_kinds_are_drawn_and_siblings_go_together() -> None:
    scenario = certified.Scenario("flat", 3 * LARGE, LARGE, None, siblings=True)
    drawn = certified.sample(stream("test", "siblings"), scenario)
    held = np.bincount(drawn.units)
    assert set(held) == {2, 3}
    assert drawn.unknown.mean() == pytest.approx(0.25, abs=0.01)
    first = np.searchsorted(drawn.units, np.arange(4 * LARGE))
    pairs = np.corrcoef(drawn.unknown[first], drawn.unknown[first + 1])[0, 1]
    assert pairs == pytest.approx(certified.CORRELATION, abs=0.02)


def test_a_withheld_share_is_noticed_and_the_declared_one_holds() -> None:
    told = certified.Scenario("flat", 300, 100, 0.5)
    assert certified.run(told, 40).holds
    fault = certified.run(replace(told, fault="share as found"), 40)
    assert fault.holds
    assert not fault.facts["violated"].at_most(0.05)


def test_at_a_risk_far_below_the_limit_thresholds_are_chosen() -> None:
    found = certified.run(SCENARIOS["steep/300+100/found/0.5/single"], 60)
    assert found.facts["chosen"].value > 0.5
    assert found.holds
