"""False promotions: against closed forms, against judging every suite, and over every gate there is."""

import numpy as np
import pytest
from scipy import stats
from validity.evidence import least_scale, tight_scale, tolerated, units_needed
from validity.outcomes import Risk
from validity.release import policy, release
from validity.results import Chance
from validity.tally import simulate, tally
from validity.world import Design, population, units_in

from denotary.instruments.identity import INSTRUMENT
from denotary.verdicts.decision import spent
from validity import judging, promotion

WHERE = "language=ar"


def scenario(name: str, gate: str, where: str, looks: int) -> promotion.Scenario:
    return next(
        item
        for item in promotion.scenarios((name,))
        if (item.gate.id, item.slice, item.looks) == (gate, where, looks) and item.design == "single"
    )


def most_failures(units: int, limit: float, alpha: float) -> int:
    """Return the most failures with which P(X <= k) at the limit is still at most alpha."""
    return max(k for k in range(-1, units) if stats.binom.cdf(k, units, limit) <= alpha)


@pytest.mark.parametrize("name", ["c1", "c2", "c4"])
@pytest.mark.parametrize(("gate", "where"), [("unknown", WHERE), ("unanswered", "all")])
@pytest.mark.parametrize("looks", [1, 3])
def test_the_chance_of_a_false_pass_is_a_binomial_sum(name: str, gate: str, where: str, looks: int) -> None:
    repeats = 4000
    facts = promotion.run(scenario(name, gate, where, looks), repeats).facts
    units, limit, alpha = facts["units"], facts["limit"], 0.05 / looks
    expected = stats.binom.cdf(most_failures(units, limit, alpha), units, limit)
    passed = facts["gate_passed"]
    assert passed.repeats == repeats * looks
    assert abs(passed.value - expected) <= 4 * np.sqrt(expected * (1 - expected) / passed.repeats)
    assert facts["gate_closed_form"] == pytest.approx(expected, rel=1e-4)
    any_look = 1 - (1 - expected) ** looks
    assert abs(facts["promoted"].value - any_look) <= 4 * np.sqrt(any_look * (1 - any_look) / repeats)


@pytest.mark.parametrize(("design", "correlation"), [("single", 0.0), ("siblings", 0.4)])
def test_judging_only_what_could_pass_changes_nothing(design: Design, correlation: float) -> None:
    rules = policy("c1")
    gate = next(gate for gate in rules.gates if gate.id == "ambiguity")
    base = release(rules, design, least_scale(rules, 1, design), 1)
    scale = tight_scale(rules, gate, WHERE, looks=1, design=design, failures=1)
    risk = Risk(tolerated(gate) / 3, correlation)
    draws = simulate(np.random.default_rng(3), population(design, scale), WHERE, risk, 120)
    fast = judging.gate_passes(base, gate, WHERE, tally(draws, WHERE))
    slow = judging.gate_passes(base, gate, WHERE, tally(draws, WHERE), screened=False)
    np.testing.assert_array_equal(fast, slow)
    assert 0 < fast.sum() < len(fast)


def test_every_bound_gate_of_every_shipped_tier_is_put_at_its_limit() -> None:
    shipped = {path.stem for path in INSTRUMENT.policies.glob("*.toml")}
    # What may drift between two releases is put at its tolerance by `validity.regressions`.
    assert set(promotion.POLICIES) == shipped - {"registry-exact", "regression"}
    for name in promotion.POLICIES:
        expected = {
            (gate.id, selector.partition(":")[0])
            for gate in policy(name).gates
            if gate.kind == "bound"
            for selector in gate.slices
            if selector != "answered_code:critical"
        }
        assert all(
            "concept:critical" in g.slices for g in policy(name).gates if "answered_code:critical" in g.slices
        )
        found = list(promotion.scenarios((name,)))
        assert {(item.gate.id, item.slice.partition("=")[0]) for item in found} == expected
        assert len({item.name for item in found}) == len(found) == len(expected) * 8


@pytest.mark.parametrize("name", promotion.POLICIES)
@pytest.mark.parametrize("design", ["single", "siblings"])
@pytest.mark.parametrize("looks", [1, 3])
def test_the_least_evidence_is_enough_and_less_is_not(name: str, design: Design, looks: int) -> None:
    rules = policy(name)
    scale = least_scale(rules, looks, design)
    assert release(rules, design, scale, looks).decision() == "PROMOTE"
    assert release(rules, design, scale - 1, looks).decision() == "INSUFFICIENT"


def test_a_tight_scale_passes_with_its_failures_and_not_with_one_more() -> None:
    rules = policy("c2")
    gate = next(gate for gate in rules.gates if gate.id == "unanswered")
    scale = tight_scale(rules, gate, "all", looks=1, design="single", failures=4)
    units, alpha = scale * units_in("single", "all"), spent(rules, 1)
    assert most_failures(units, tolerated(gate), alpha) == 4
    assert units_needed(gate, alpha, "single", 4) <= units < units_needed(gate, alpha, "single", 5)


def test_a_scenario_beyond_its_criterion_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chance, "at_most", lambda self, _: self.repeats > 50)
    found = promotion.run(scenario("c1", "unanswered", "all", 1), 50)
    assert found.holds
    assert found.facts["promoted"].repeats == 500
