"""Similarity gates at a limit of theirs: what is drawn has the rate that is said, and what decides is the policy."""

import numpy as np
import pytest
from scipy import stats
from validity.results import stream

from denotary.instruments.similarity.comparisons import matched
from validity import pair_gates

SCENARIOS = {scenario.name: scenario for scenario in pair_gates.scenarios()}


def test_every_bound_on_pairs_and_every_kind_of_slice_is_tried() -> None:
    asked = {(scenario.gate.id, scenario.slice.partition("=")[0]) for scenario in SCENARIOS.values()}
    wanted = {
        (gate.id, name.partition(":")[0])
        for gate in pair_gates.rules().gates
        if gate.kind == "bound"
        for name in gate.slices
    }
    assert asked == wanted


@pytest.mark.parametrize("world", pair_gates.AXES)
def test_the_share_of_lost_comparisons_is_one_less_the_auroc_and_ties_are_lost(world: str) -> None:
    auroc, repeats = 0.70, 40_000
    found = pair_gates.lost(stream("test", world), world, 5, auroc, repeats)
    assert (found.min() >= 0, found.max() <= 4) == (True, True)
    # Of decisions alone strictly better is only acting on the one and not on the other: 0.7 squared.
    expected = 1.0 - (auroc**2 if world == "decisions alone" else auroc)
    by_unit = found.mean(axis=1) / 4.0
    assert abs(by_unit.mean() - expected) < 4.0 * by_unit.std() / np.sqrt(repeats)


def test_partners_meet_as_the_instrument_lets_them() -> None:
    poles = [pole for _ in "ab" for pole in ("close", "close", "distant", "distant")]
    found = matched(list("aaaabbbb"), ["t"] * 8, poles, [True, False] * 4)
    assert len(found.unit) == 4


@pytest.mark.parametrize("size", [2, 4])
def test_failures_have_their_rate_and_fall_together_where_said(size: int) -> None:
    rng = stream("test", "approvals")
    together = pair_gates.failed(rng, "together", (20_000, 10, size), 0.1)
    apart = pair_gates.failed(rng, "apart", (20_000, 10, size), 0.1)
    assert set(np.unique(together)) == {0, size}
    assert together.mean() / size == pytest.approx(0.1, abs=0.004)
    assert apart.mean() / size == pytest.approx(0.1, abs=0.004)


def test_where_one_failed_anchor_bars_a_pass_the_chance_is_that_of_none() -> None:
    name = "wrong_approval_by_class/mutation=negation/together/30/1"
    found = pair_gates.run(SCENARIOS[name], 4000)
    low, high = stats.binom.ppf([0.0005, 0.9995], 4000, 0.9**30)
    assert low <= found.facts["promoted"].times <= high
    assert found.holds


def test_calls_without_an_answer_pass_where_their_bound_has_room() -> None:
    # 61 anchors of four pairs just pass 5 % at 95 % if none failed: 0.95 to the 61 is 4.4 %.
    found = pair_gates.run(SCENARIOS["unanswered/all/together/61/1"], 4000)
    low, high = stats.binom.ppf([0.0005, 0.9995], 4000, 0.95**61)
    assert low <= found.facts["promoted"].times <= high
    assert found.holds


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_gate_at_a_limit_is_promoted_too_often(name: str) -> None:
    assert pair_gates.run(SCENARIOS[name], 1000).holds
