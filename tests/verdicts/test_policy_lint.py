"""An own policy may ask for less than a shipped one, and says so; under a tier's name it may not."""

from pathlib import Path

import msgspec
import pytest

from denotary.errors import InputError
from denotary.instruments.identity import INSTRUMENT
from denotary.verdicts import load_policy
from denotary.verdicts.policies import check_policy
from denotary.verdicts.policy_lint import lint_policy
from denotary.verdicts.records import Policy

SHIPPED = sorted(path.stem for path in INSTRUMENT.policies.glob("*.toml"))


def own(**changes: object) -> Policy:
    return msgspec.structs.replace(load_policy("c3", INSTRUMENT), id="own", **changes)


def told(policy: Policy) -> list[tuple[str, str]]:
    return [(problem.severity, problem.message) for problem in lint_policy(policy, INSTRUMENT)]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_asks_for_no_less_than_itself(name: str) -> None:
    assert check_policy(name, INSTRUMENT) == []


def test_a_stricter_policy_under_a_tier_is_taken() -> None:
    gates = tuple(
        msgspec.structs.replace(gate, limit=0.0005, minimum_units=9999) if gate.id == "unknown" else gate
        for gate in own().gates
    )
    assert told(own(gates=gates, confidence=0.99)) == []


@pytest.mark.parametrize(
    ("gate", "changes", "said"),
    [
        ("unknown", {"limit": 0.005}, "limit 0.5 % of unknown_far is looser, not 0.1 %, than c3, whose tier C3"),
        ("retrieval", {"limit": 0.9}, "limit 90 % of recall_at_5 is looser, not 99.5 %, than c3"),
        ("determinism", {"minimum_units": 1}, "1 unit for decision_instability where 299 are due, fewer than c3"),
        ("determinism", {"limit": None}, "no limit of decision_instability is excluded where 1 % is due"),
        ("ambiguity", {"slices": ("all",)}, "no gate of kind 'bound' reads ambiguity_forced in each advertised"),
        ("leakage", {"fact": "critical_error_named"}, "no gate of kind 'evidence' reads leakage_audit"),
        ("mixed", {"allow_not_expressible": True}, "mixed_collapse may be set aside, which is less than c3"),
    ],
)  # fmt: skip
def test_less_than_the_tier_that_it_names_is_an_error(
    gate: str, changes: dict[str, object], said: str
) -> None:
    gates = tuple(
        msgspec.structs.replace(item, **changes) if item.id == gate else item for item in own().gates
    )
    found = told(own(gates=gates))
    assert found
    assert all(severity == "error" for severity, _ in found)
    assert any(message.startswith(said) for _, message in found)
    without = told(own(gates=gates, tier=None))
    assert all(severity == "warning" for severity, _ in without)


def test_a_low_confidence_is_told_and_under_a_tier_refused() -> None:
    assert ("warning", "confidence is 0.8: a bound may be too low 20 % of the time") in told(
        own(confidence=0.8)
    )
    assert any(severity == "error" for severity, _ in told(own(confidence=0.8)))
    loose = own(confidence=0.8, tier=None, track="own", gates=own().gates[:3])
    assert told(loose) == [("warning", "confidence is 0.8: a bound may be too low 20 % of the time")]


def test_loading_refuses_what_checking_lists(tmp_path: Path) -> None:
    text = (INSTRUMENT.policies / "c3.toml").read_text().replace('id = "c3"', 'id = "own"')
    path = tmp_path / "own.toml"
    path.write_text(text.replace("limit = 0.001", "limit = 0.01"))
    with pytest.raises(InputError, match="whose tier C3 it names"):
        load_policy(path, INSTRUMENT)
    codes = {problem.code for problem in check_policy(path, INSTRUMENT)}
    assert codes == {"limit"}
    path.write_text(text.replace("limit = 0.001", "limit = 0.01").replace('tier = "C3"\n', ""))
    assert load_policy(path, INSTRUMENT).id == "own"
    assert {problem.severity for problem in check_policy(path, INSTRUMENT)} <= {"warning"}


def test_an_assigning_policy_without_a_tier_is_compared_with_one_that_assigns() -> None:
    found = told(own(gates=own().gates[:2], tier=None))
    assert found
    assert all(message.endswith("than c1") for _, message in found)
