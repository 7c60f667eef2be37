"""The bad resolvers of the examples each fail the gate that is there for their fault; the control fails none."""

import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "badly_behaved"


@pytest.fixture(scope="module")
def example() -> Any:
    sys.path.insert(0, str(EXAMPLE))
    try:
        import run

        return run
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def suites(example: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return example.suites(tmp_path_factory.mktemp("suites"))


FAULTS = {
    "nearest neighbour": ("c3", "unknown"),
    "negation-blind": ("c3", "hard_neighbour"),
    "silent fold": ("registry-exact", "normalisation"),
    "obedient": ("c3", "adversarial"),
    "unstable vote": ("c3", "determinism"),
}


def test_every_bad_resolver_is_tried(example: Any) -> None:
    assert {name: gate for name, (_, gate) in example.RESOLVERS.items() if gate} == FAULTS


@pytest.mark.parametrize("name", FAULTS)
def test_each_fails_the_gate_of_its_fault(example: Any, suites: Any, tmp_path: Path, name: str) -> None:
    policy, gate = FAULTS[name]
    judged = example.examine(name, policy, suites[policy], tmp_path)
    cell = example.cells(judged)[gate]
    assert cell.verdict == "FAIL"
    assert cell.bad > 0
    assert judged.decision == "BLOCK"
    # Many failures, each with the causes that are proposed for it, make the page as large as decisions can.
    assert (tmp_path / f"{name}-{policy}" / "report.html").stat().st_size <= 400_000


@pytest.mark.parametrize("policy", ["c3", "registry-exact"])
def test_the_control_fails_none(example: Any, suites: Any, tmp_path: Path, policy: str) -> None:
    judged = example.examine("control", policy, suites[policy], tmp_path)
    assert not [gate.gate for gate in judged.verdict.gates if gate.verdict == "FAIL"]
    assert judged.decision == "INSUFFICIENT"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("t\u200bhe coordinates of a text in a vector space", ""),  # The tail of "don't" is no word of "the".
        ("the coordin\u00adates of a text, no\u2060t in a vector space", "E05"),
        ("the coordinates of a text, not in a vector space", "E05"),
    ],
)
def test_a_character_that_shows_nothing_makes_no_negation(example: Any, text: str, code: str) -> None:
    import causes

    assert (causes._negations(text) != set()) == bool(code)


# Right share of the proposals for failures that the fault made, with family, tags and notes hidden; of a decision
# that is drawn anew, those count whose calls in the run happened to agree.
LEAST = {
    ("nearest neighbour", "c3"): 0.95,
    ("negation-blind", "c3"): 0.9,
    ("silent fold", "registry-exact"): 0.95,
    ("obedient", "c3"): 0.95,
    ("unstable vote", "c3"): 0.6,
}


@pytest.mark.parametrize(("name", "policy"), LEAST)
def test_triage_names_the_fault_without_family_and_tags(
    example: Any, suites: Any, tmp_path: Path, name: str, policy: str
) -> None:
    found = example.share(name, example.examine(name, policy, suites[policy], tmp_path).run)
    assert found.right >= LEAST[name, policy] * found.made > 0
    assert found.alarms == 0
    page = (EXAMPLE.parents[1] / "docs/case-studies/badly-behaved.md").read_text("utf-8")
    assert f"| {name} | `{policy}` | {' | '.join(found.cells)} |" in page
