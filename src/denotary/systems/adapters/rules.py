"""How a decision is read off the reply of a system that does not speak the contract: declared, and hashed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.canonical import digest
from denotary.systems.base import SystemDescriptor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOT_EXPRESSIBLE: Final = "not_expressible"
"""Reason of a refusal by a system that has no way to say why it refuses, or to be sent what is asked."""
BYTES: Final = "bytes that are no text"
"""What no adapter here can carry; the adapter refuses in the system's place."""


class DecisionRule(SystemDescriptor, frozen=True, kw_only=True, omit_defaults=False):
    """What the run's identity says of an adapted system; ``decision_rule`` is the sentence."""

    expresses: tuple[str, ...] = ("concept", "abstain")
    rule_hash: str = ""
    """SHA-256 of the sentence, parameters and dispositions in canonical JSON."""
    rule_parameters: dict[str, str] = msgspec.field(default_factory=dict)
    """Every option that the rule reads, as text, defaults included."""
    dispositions: dict[str, str] = msgspec.field(default_factory=dict)
    """What of a reply means what, from the system's words to the contract's."""


def declared(
    kind: str,
    spec: str,
    sentence: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    dispositions: Mapping[str, str],
    expresses: tuple[str, ...] = ("concept", "abstain"),
) -> DecisionRule:
    """Return the description of an adapted system, its rule hashed.

    Args:
        kind: of the adapter.
        spec: the specification without secrets.
        sentence: the rule.
        parameters: what the rule depends on; None values are left out.
        dispositions: the disposition map.
        expresses: the types of decision that the system can take.
    """
    values = {name: str(value) for name, value in sorted((parameters or {}).items()) if value is not None}
    places = {**dispositions, BYTES: f"never sent; reject, {NOT_EXPRESSIBLE}"}
    return DecisionRule(
        kind=kind,
        spec=spec,
        decision_rule=sentence,
        expresses=expresses,
        rule_parameters=values,
        dispositions=places,
        rule_hash=hash_of(sentence, values, places),
    )


def hash_of(sentence: str, parameters: Mapping[str, str], dispositions: Mapping[str, str]) -> str:
    """Return the SHA-256 that names a decision rule."""
    return digest({"rule": sentence, "parameters": dict(parameters), "dispositions": dict(dispositions)})


def refusals(dispositions: Mapping[str, str]) -> tuple[str, ...]:
    """Return the reasons of refusal that a disposition map holds, sorted; ``("none",)`` if it holds none.

    A value is a decision and, behind a comma, its reason, as in ``abstain, ambiguous``; a colon begins a remark.
    """
    said = (value.partition(":")[0].partition(", ") for value in dispositions.values())
    found = {reason for decision, _, reason in said if decision in {"abstain", "reject"} and reason}
    return tuple(sorted(found - {NOT_EXPRESSIBLE})) or ("none",)


def describes(content: Mapping[str, Any]) -> bool:
    """Whether a table is the description of an adapted system, and its hash that of the rule it declares."""
    try:
        found = msgspec.convert(content, DecisionRule)
    except msgspec.ValidationError:
        return False
    return found.rule_hash == hash_of(found.decision_rule, found.rule_parameters, found.dispositions)


def answer(
    request: Mapping[str, Any],
    code: str | None,
    *,
    confidence: float | None = None,
    candidates: Sequence[tuple[str, float]] | None = None,
    refusal: str = "abstain",
    reason: str = NOT_EXPRESSIBLE,
    version: str | None = None,
) -> dict[str, Any]:
    """Return an answer of the system contract.

    Args:
        request: the payload that was asked.
        code: the code that the rule reads as asserted; None for a refusal.
        confidence: of the assertion, where the system's score is on the scale of 0 to 1.
        candidates: (code, score), best first; None where the system gives none.
        refusal: the type of decision without a code.
        reason: of a refusal.
        version: registry version that the answer is for.
    """
    decision: dict[str, Any] = (
        {"type": refusal, "reason": reason} if code is None else {"type": "concept", "concept_code": code}
    )
    if code is not None and confidence is not None:
        decision["confidence"] = confidence
    given: dict[str, Any] = {"record_id": request["record_id"], "decision": decision}
    if candidates is not None:
        given["candidates"] = [{"concept_code": name, "score": score} for name, score in candidates]
    if version is not None:
        given["registry_version_returned"] = version
    return given


def unsendable(request: Mapping[str, Any], rule: SystemDescriptor) -> dict[str, Any] | None:
    """Return the adapter's own refusal if the request holds no text that can be sent, else None."""
    text = request.get("text")
    if isinstance(text, str):
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return None
    pinned = rule.rule_parameters.get("pinned") if isinstance(rule, DecisionRule) else None
    return answer(request, None, refusal="reject", version=pinned)
