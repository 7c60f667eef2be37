"""Releases at the tolerance of a gate on two systems: what is drawn, what decides, and what would be noticed."""

from math import isclose

import msgspec
import pytest
from scipy import stats
from validity.paired_release import ALIKE, NAMES, comparison, paired_release, rules

from denotary.measures.pair_counts import PairPanel
from denotary.measures.records import PairType
from denotary.statistics import betting
from validity import paired_power, regressions

SCENARIOS = {scenario.name: scenario for scenario in regressions.scenarios()}


@pytest.mark.parametrize("world", [*regressions.RATES, *regressions.RATIOS])
@pytest.mark.parametrize(("limit", "family"), [(0.005, 4), (0.01, 4), (0.02, 2), (0.05, 2)])
def test_the_true_increase_is_the_tolerance(world: str, limit: float, family: int) -> None:
    kinds = regressions.kinds(world, limit, family)
    assert isclose(sum(share for _, share in kinds), 1.0)
    assert all(share >= 0.0 for _, share in kinds)
    # Events and population by planned case of a unit, the mean over units of each.
    base, base_n, new, new_n = (
        sum(kind[place] / kind[4] * share for kind, share in kinds) for place in range(4)
    )
    assert new / new_n - base / base_n == pytest.approx(limit)
    assert all(k[0] <= k[1] <= k[4] and k[2] <= k[3] <= k[4] for k, _ in kinds)


@pytest.mark.parametrize(("name", "number"), [("regression", 4), ("similarity-regression", 4)])
def test_every_gate_with_a_tolerance_and_every_kind_of_slice_is_tried(name: str, number: int) -> None:
    asked = {
        (scenario.gate.id, scenario.slice.partition("=")[0])
        for scenario in SCENARIOS.values()
        if scenario.policy == name
    }
    wanted = {
        (gate.id, where.partition(":")[0])
        for gate in rules(name).policy.gates
        if gate.kind == "paired"
        for where in gate.slices
    }
    assert asked == wanted
    assert len(wanted) == number


@pytest.mark.parametrize("gate", ["unknown/all", "wrong_approval/all", "wrong_rejection/task=constraint"])
def test_with_no_worse_unit_allowed_a_false_promotion_is_a_power(gate: str) -> None:
    found = regressions.run(SCENARIOS[f"{gate}/one case/0/1"], 4000)
    units, limit = found.facts["units"], found.facts["limit"]
    assert betting.upper_difference([0.0], [units]) <= limit < betting.upper_difference([0.0], [units - 1])
    # One worse unit does not pass, so that it is the chance of none.
    assert betting.upper_difference([0.0, 1.0], [units - 1, 1]) > limit
    expected = (1.0 - limit) ** units
    low, high = stats.binom.ppf([0.0005, 0.9995], 4000, expected)
    assert low <= found.facts["promoted"].times <= high
    assert found.holds


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_release_at_a_tolerance_is_promoted_too_often(name: str) -> None:
    assert regressions.run(SCENARIOS[name], 1000).holds


@pytest.mark.parametrize("gate", ["unknown/all", "wrong_approval/task=constraint"])
def test_a_gate_that_reads_a_difference_of_zero_as_equal_is_noticed(
    gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from denotary.verdicts import paired_gates

    monkeypatch.setattr(paired_gates, "increase", lambda row, _: (row.difference, row.difference))
    monkeypatch.setattr(PairPanel, "bounds", lambda self, *_: (self.difference(), self.difference()))
    found = regressions._asked(SCENARIOS[f"{gate}/one case/4/1"], 400, "once")
    assert not found.holds
    assert found.facts["promoted"].value > 0.3


def test_a_gate_that_passes_beyond_its_bound_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from denotary.verdicts import paired_gates

    monkeypatch.setattr(paired_gates, "increase", lambda *_: (0.0, 0.0))
    with pytest.raises(RuntimeError, match="although the bound is beyond the tolerance"):
        regressions._asked(SCENARIOS["unknown/all/churn/4/1"], 50, "once")


@pytest.mark.parametrize("looks", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_the_release_around_a_gate_is_at_ease_and_each_comparison_counts(name: str, looks: int) -> None:
    base = paired_release(name, looks)
    assert base.decision() == "PROMOTE"
    worse = (*ALIKE, PairType(0, 1, 1, 1, 1, 400))
    for row in base.measurement.comparisons:
        if row.measure == "assignment_risk" and row.slice not in {"all", "language=ar"}:
            continue
        assert base.decision([comparison(name, row.measure, row.slice, worse)]) == "BLOCK"
        few = (msgspec.structs.replace(ALIKE[0], count=20),)
        assert base.decision([comparison(name, row.measure, row.slice, few)]) == "INSUFFICIENT"


@pytest.mark.parametrize(("share", "evidence"), [(0.0, 1.0), (0.5, 1.0), (0.1, 1.5)])
def test_power_where_none_moves_to_the_better_is_a_binomial_sum(share: float, evidence: float) -> None:
    point = next(
        item
        for item in paired_power.points()
        if (item.gate.id, item.world, item.share, item.evidence)
        == ("wrong_approval", "one case", share, evidence)
    )
    facts = paired_power.run(point, 4000).facts
    units, limit = facts["units"], facts["limit"]
    allowed = -1
    while betting.upper_difference([0.0, 1.0], [units - allowed - 1, allowed + 1]) <= limit:
        allowed += 1
    expected = stats.binom.cdf(allowed, units, share * limit)
    low, high = stats.binom.ppf([0.0005, 0.9995], 4000, expected)
    assert low <= facts["promoted"].times <= high


def test_power_is_shown_of_every_tolerance() -> None:
    tolerances = {gate.limit for gate in rules(paired_power.NAME).policy.gates if gate.kind == "paired"}
    assert {point.gate.limit for point in paired_power.points()} == tolerances
