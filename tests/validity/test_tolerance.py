"""Gates that tolerate nothing: every place for one failure is tried, and what would pass is noticed."""

import msgspec
import numpy as np
import pytest
from validity.release import Release, policy
from validity.tally import tally
from validity.world import Design, cases_in, population, units_in

from validity import tolerance


@pytest.mark.parametrize("design", ["single", "siblings"])
def test_one_failure_is_put_wherever_it_may_fall(design: Design) -> None:
    draws = tolerance.one_failure(design, 5)
    found = tally(draws, "all")
    assert (found.count @ found.failed == 1).all()
    assert (found.count @ found.counted == 5 * cases_in(design, "all")).all()
    assert (found.count.sum(axis=1) == 5 * units_in(design, "all")).all()
    places = sum(sum(size > 0 for size in kind.sizes) for kind in population(design, 5))
    assert len(draws.counts) == places
    assert len(np.unique(draws.counts, axis=0)) == places


@pytest.mark.parametrize("name", ["registry-exact", pytest.param("c1", marks=pytest.mark.slow)])
def test_no_release_with_something_wrong_is_promoted(name: str) -> None:
    found = list(tolerance.run(name))
    assert all(result.holds for result in found)
    assert sum(result.facts["promoted"].repeats for result in found) > 100


def test_a_policy_that_forgot_a_gate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = policy("registry-exact")
    gates = tuple(
        msgspec.structs.replace(gate, kind="bound", limit=0.5, fact="") if gate.id == "determinism" else gate
        for gate in rules.gates
    )
    lax = msgspec.structs.replace(rules, gates=gates)
    monkeypatch.setattr(tolerance, "policy", lambda _: lax)
    monkeypatch.setattr(Release, "gates", lambda _, *kinds: (g for g in rules.gates if g.kind in kinds))
    broken = [result.facts["tried"] for result in tolerance.run("registry-exact") if not result.holds]
    assert set(broken) == {"one failure"}
