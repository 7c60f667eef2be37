"""Releases at the tolerance of a gate on two systems: what is drawn, what decides, and what would be noticed."""

from math import isclose

import msgspec
import pytest
from scipy import stats
from validity.paired_release import ALIKE, NAME, comparison, paired_release
from validity.release import policy

from denotary.measures.pair_counts import PairPanel
from denotary.measures.records import PairType
from denotary.statistics import betting
from validity import regressions

SCENARIOS = {scenario.name: scenario for scenario in regressions.scenarios()}


@pytest.mark.parametrize("world", [*regressions.RATES, *regressions.RATIOS])
@pytest.mark.parametrize("limit", [0.005, 0.01])
def test_the_true_increase_is_the_tolerance(world: str, limit: float) -> None:
    kinds = regressions.kinds(world, limit)
    assert isclose(sum(share for _, share in kinds), 1.0)
    assert all(share >= 0.0 for _, share in kinds)
    # Events and population by planned case of a unit, the mean over units of each.
    base, base_n, new, new_n = (
        sum(kind[place] / kind[4] * share for kind, share in kinds) for place in range(4)
    )
    assert new / new_n - base / base_n == pytest.approx(limit)
    assert all(k[0] <= k[1] <= k[4] and k[2] <= k[3] <= k[4] for k, _ in kinds)


def test_every_gate_with_a_tolerance_and_every_kind_of_slice_is_tried() -> None:
    asked = {(scenario.gate.id, scenario.slice.partition("=")[0]) for scenario in SCENARIOS.values()}
    wanted = {
        (gate.id, name.partition(":")[0])
        for gate in policy(NAME).gates
        if gate.kind == "paired"
        for name in gate.slices
    }
    assert asked == wanted
    assert len(wanted) == 4


def test_with_no_worse_unit_allowed_a_false_promotion_is_a_power() -> None:
    found = regressions.run(SCENARIOS["unknown/all/one case/0/1"], 4000)
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


def test_a_gate_that_reads_a_difference_of_zero_as_equal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from denotary.verdicts import paired_gates

    monkeypatch.setattr(paired_gates, "increase", lambda row, _: (row.difference, row.difference))
    monkeypatch.setattr(PairPanel, "bounds", lambda self, *_: (self.difference(), self.difference()))
    found = regressions._asked(SCENARIOS["unknown/all/one case/4/1"], 400, "once")
    assert not found.holds
    assert found.facts["promoted"].value > 0.3


def test_a_gate_that_passes_beyond_its_bound_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from denotary.verdicts import paired_gates

    monkeypatch.setattr(paired_gates, "increase", lambda *_: (0.0, 0.0))
    with pytest.raises(RuntimeError, match="although the bound is beyond the tolerance"):
        regressions._asked(SCENARIOS["unknown/all/churn/4/1"], 50, "once")


@pytest.mark.parametrize("looks", [1, 3])
def test_the_release_around_a_gate_is_at_ease_and_each_comparison_counts(looks: int) -> None:
    base = paired_release(looks)
    assert base.decision() == "PROMOTE"
    worse = (*ALIKE, PairType(0, 1, 1, 1, 1, 200))
    for row in base.measurement.comparisons:
        if row.measure == "assignment_risk" and row.slice not in {"all", "language=ar"}:
            continue
        assert base.decision([comparison(row.measure, row.slice, worse)]) == "BLOCK"
        few = (msgspec.structs.replace(ALIKE[0], count=20),)
        assert base.decision([comparison(row.measure, row.slice, few)]) == "INSUFFICIENT"
