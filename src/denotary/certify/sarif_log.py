"""The verdict as SARIF 2.1.0: one rule a gate, one result a gate and slice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from denotary.sarif import sarif_log

if TYPE_CHECKING:
    from denotary.verdicts.records import Gate, GateResult, Policy, Verdict

KINDS: Final = {
    "PASS": "pass",
    "FAIL": "fail",
    "INSUFFICIENT": "open",
    "EXPLORATORY": "review",
    "NOT_APPLICABLE": "notApplicable",
    "NOT_EXPRESSIBLE": "notApplicable",
}
"""SARIF's own words for the state of a check; ``open`` is "not enough information to decide"."""


def sarif(verdict: Verdict, policy: Policy, *, version: str) -> bytes:
    """Return the log as canonical JSON.

    Args:
        verdict: the decision.
        policy: its gates are the rules.
        version: of denotary.
    """
    index = {gate.id: place for place, gate in enumerate(policy.gates)}
    return sarif_log(
        [_rule(gate) for gate in policy.gates],
        [_result(result, index[result.gate]) for result in verdict.gates],
        version=version,
        properties={
            "policy": verdict.policy,
            "decision": verdict.decision,
            "reason": verdict.reason,
            "qualification": verdict.qualification,
        },
    )


def _rule(gate: Gate) -> dict[str, Any]:
    return {
        "id": gate.id,
        "name": gate.id,
        "shortDescription": {"text": gate.title},
        "fullDescription": {"text": gate.why or gate.title},
        "defaultConfiguration": {"level": "error"},
    }


def _result(result: GateResult, rule: int) -> dict[str, Any]:
    # What a waiver set aside keeps its own kind and carries the waiver as a suppression.
    shown = result.underlying if result.verdict == "WAIVED" and result.underlying else result.verdict
    kind = KINDS[shown]
    message = f"{result.reason}. Needed: {result.needed}" if result.needed else result.reason
    found: dict[str, Any] = {
        "ruleId": result.gate,
        "ruleIndex": rule,
        "kind": kind,
        "level": "error" if kind == "fail" else "none",
        "message": {"text": message},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": "certificate.json"}},
                "logicalLocations": [{"fullyQualifiedName": f"{result.gate}/{result.slice}"}],
            }
        ],
        "partialFingerprints": {"gate/v1": f"{result.gate}/{result.slice}"},
    }
    if result.verdict == "WAIVED":
        found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": result.reason}]
    return found
