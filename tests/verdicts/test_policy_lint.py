"""An own policy may ask for less than a shipped one, and says so; under a tier's name it may not."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from denotary.errors import InputError
from denotary.instruments.identity import INSTRUMENT
from denotary.verdicts import load_policy
from denotary.verdicts.policies import check_policy
from denotary.verdicts.policy_lint import lint_policy
from denotary.verdicts.records import Gate, Policy

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


# JSON strings, numbers and lists are TOML too.
SHIPPED_POLICY: dict[str, object] = {
    "schema": "denotary.policy/1", "id": "mild", "title": "T", "instrument": "one", "track": "own",
}  # fmt: skip


def against(tmp_path: Path, shipped: Gate, *own: Gate, **changes: object) -> list[tuple[str, str, str]]:
    """What is told of an own policy where one policy of a single gate is shipped."""
    gate = "\n".join(
        f"{name} = {json.dumps(value)}"
        for name, value in msgspec.to_builtins(shipped).items()
        if value is not None
    )
    header = "\n".join(f"{name} = {json.dumps(value)}" for name, value in SHIPPED_POLICY.items())
    (tmp_path / "mild.toml").write_text(f"{header}\n[[gates]]\n{gate}\n")
    instrument: Any = SimpleNamespace(name="one", policies=tmp_path)
    return [
        (problem.severity, problem.code, problem.message)
        for problem in lint_policy(policy_of(*own, id="own", **changes), instrument)
    ]


def policy_of(*gates: Gate, **changes: object) -> Policy:
    return Policy(gates=gates, **(SHIPPED_POLICY | changes))  # type: ignore[arg-type]


def bound(limit: float = 0.01, **more: Any) -> Gate:
    fields: dict[str, Any] = {"id": "g", "title": "G", "kind": "bound", "measure": "risk", "limit": limit}
    return Gate(**fields | more)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("all", ""),
        ("language:advertised", " in each advertised language"),
        ("language=de", " in language de"),
    ],
)
def test_what_is_less_is_told_with_its_code_and_its_slice(tmp_path: Path, name: str, where: str) -> None:
    asked = bound(slices=(name,), minimum_units=5)
    assert against(tmp_path, asked, asked) == []
    assert against(tmp_path, asked, bound(measure="other", slices=(name,))) == [
        ("warning", "gate", f"no gate of kind 'bound' reads risk{where}, which is less than mild")
    ]
    less = bound(0.02, slices=(name,), minimum_units=4, allow_not_expressible=True)
    assert against(tmp_path, asked, less) == [
        ("warning", "limit", f"limit 2 % of risk{where} is looser, not 1 %, than mild"),
        ("warning", "units", f"4 units for risk{where} where 5 are due, fewer than mild"),
        ("warning", "not_expressible", f"risk{where} may be set aside, which is less than mild"),
    ]
    assert against(tmp_path, bound(allow_not_expressible=True), bound(allow_not_expressible=True)) == []
    assert against(tmp_path, bound(), bound(), confidence=0.9) == [
        ("warning", "confidence", "confidence 0.9 is lower, not 0.95, than mild")
    ]


@pytest.mark.parametrize(("side", "loose", "strict"), [("upper", 0.02, 0.01), ("lower", 0.98, 0.99)])
def test_of_several_own_gates_the_strictest_counts(
    tmp_path: Path, side: str, loose: float, strict: float
) -> None:
    """What has to hold beside a milder gate still has to hold, for the limit and for the units."""
    asked = bound(strict, side=side, minimum_units=5)
    mild, few = bound(loose, side=side, minimum_units=5), bound(strict, side=side)
    assert against(tmp_path, asked, mild, few) == []
    assert [code for _, code, _ in against(tmp_path, asked, mild, mild)] == ["limit"]
    assert [code for _, code, _ in against(tmp_path, asked, few, few)] == ["units"]


@pytest.mark.parametrize(
    "track", ["semantic generalization", "Semantic-Generalization", "registry-exact", ""]
)
def test_a_tier_is_held_to_its_limits_whatever_the_track_is_called(tmp_path: Path, track: str) -> None:
    assert told(own(track=track)) == []
    found = told(own(track=track, gates=own().gates[:1]))
    assert found
    assert all(
        severity == "error" and "than c3, whose tier C3 it names" in message for severity, message in found
    )
    path = tmp_path / "own.toml"
    text = (INSTRUMENT.policies / "c3.toml").read_text().replace('id = "c3"', 'id = "own"')
    renamed = text.replace('track = "semantic-generalization"', f"track = {json.dumps(track)}")
    path.write_text(
        renamed.replace("limit = 0.001", "limit = 0.5").replace("sealed-certification", "regression")
    )
    with pytest.raises(InputError):
        load_policy(path, INSTRUMENT)


@pytest.mark.parametrize(
    "changes",
    [{"kind": "zero", "limit": None}, {"fact": "f"}, {"side": "lower"}, {"slices": ("language=de",)}],
)
def test_a_gate_of_another_kind_fact_side_or_slice_is_another_gate(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    assert [code for _, code, _ in against(tmp_path, bound(), bound(**changes))] == ["gate"]


def test_a_gate_without_a_measure_is_named_by_its_fact(tmp_path: Path) -> None:
    asked = Gate(id="e", title="E", kind="evidence", fact="audit")
    assert against(tmp_path, asked, bound())[0][2] == (
        "no gate of kind 'evidence' reads audit, which is less than mild"
    )


def test_a_tier_that_nobody_ships_is_told_and_another_track_is_not_compared(tmp_path: Path) -> None:
    assert against(tmp_path, bound(), bound(0.5), track="else") == []
    assert against(tmp_path, bound(), bound(0.5), tier="C4") == [
        ("warning", "tier", "no shipped policy is of tier C4; its limits are nowhere stated"),
        ("warning", "limit", "limit 50 % of risk is looser, not 1 %, than mild"),
    ]
