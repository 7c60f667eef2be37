"""What goes to the system and what comes back: payload, strict decoding, and the outcome of a case."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.suites.instrument import AnswerError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from denotary.instruments.identity.cases import Gold, IdentityCase
    from denotary.registry import Registry

Outcome = Literal[
    "right", "wrong", "refused_rightly", "refused_otherwise", "invalid_output", "error", "timeout", "not_run"
]
OUTCOMES: tuple[Outcome, ...] = (
    "right",
    "wrong",
    "refused_rightly",
    "refused_otherwise",
    "invalid_output",
    "error",
    "timeout",
    "not_run",
)
"""Every planned case is in exactly one of these classes."""
UNANSWERED: tuple[Outcome, ...] = ("invalid_output", "error", "timeout", "not_run")
"""Classes without an answer: in a harm rate they count as the harm."""

Kind = Literal["AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED", "INVALID_INPUT", "CLARIFY"]
KINDS: tuple[Kind, ...] = (
    "AMBIGUOUS",
    "UNKNOWN_REGISTRY",
    "UNDERSPECIFIED",
    "MIXED",
    "INVALID_INPUT",
    "CLARIFY",
)
"""Kinds of refusal that a system can express; a refusal without one is kindless."""

KIND_OF_REASON: dict[str, Kind] = {
    "ambiguous": "AMBIGUOUS",
    "ambiguous_expression": "AMBIGUOUS",
    "unknown": "UNKNOWN_REGISTRY",
    "unknown_registry": "UNKNOWN_REGISTRY",
    "underspecified": "UNDERSPECIFIED",
    "mixed": "MIXED",
    "mixed_concept": "MIXED",
    "mixed_concepts": "MIXED",
    "invalid": "INVALID_INPUT",
    "invalid_input": "INVALID_INPUT",
}
"""Kind of a refusal by its reason, in lower case with ``_`` for hyphens and spaces."""


def kind_of(reason: str) -> Kind | None:
    """Return the kind that a reason names, whatever its case and hyphens; None for any other reason."""
    return KIND_OF_REASON.get(reason.strip().lower().replace("-", "_").replace(" ", "_"))


class Decision(msgspec.Struct, frozen=True, gc=False):
    """The part of a reply that decides."""

    type: Literal["concept", "abstain", "clarify", "reject"]
    concept_code: Any = None
    reason: Any = None
    confidence: float | None = None


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """One candidate, best first. Evidence, never authority."""

    concept_code: str
    score: float


class SystemAnswer(msgspec.Struct, frozen=True, gc=False):
    """A reply as the system sends it; keys that are not known are passed over."""

    decision: Decision
    record_id: Any = None
    candidates: tuple[Candidate, ...] | None = None
    registry_version_returned: Any = None
    system_version: Any = None


def encode(case: IdentityCase) -> dict[str, Any]:
    """Return what the system sees of a case, but for the opaque record id that the run adds."""
    shown = case.input
    text = {"text": shown.text} if shown.text_b64 is None else {"text_b64": shown.text_b64}
    return {**text, "language": shown.language, "registry_version": case.registry_version}


def decode(reply: Any) -> dict[str, Any]:
    """Return a reply in canonical form.

    Args:
        reply: what the reply's JSON says; a run reads the JSON (:func:`denotary.runs.replies.parse`).

    Returns:
        ``type``; ``code``, the concept code of an assignment, else None; ``kind``, the kind of a refusal,
        None for a kindless one and for an assignment; ``reason``; ``confidence`` in [0, 1]; ``candidates`` as
        ``[code, score]`` pairs in the order given; ``registry_version``; ``system_version``. What is absent
        is None.

    Raises:
        AnswerError: the reply is no answer; its problem is ``not_an_object``, ``no_decision``, ``bad_type``,
            ``no_code``, ``several_codes``, ``confidence_not_finite``, ``confidence_out_of_range``,
            ``score_not_finite``, ``bad_candidates``, or ``not_json`` for text that UTF-8 cannot carry.
    """
    try:
        answer = msgspec.convert(reply, SystemAnswer)
    except (msgspec.ValidationError, ValueError, RecursionError):
        raise AnswerError(_problem(reply)) from None
    decision = answer.decision
    reason = decision.reason if isinstance(decision.reason, str) else None
    return {
        "type": decision.type,
        "code": _code(decision),
        "kind": None if decision.type == "concept" else _kind(decision.type, reason),
        "reason": reason,
        "confidence": _confidence(decision.confidence),
        "candidates": _candidates(answer.candidates),
        "registry_version": _text(answer.registry_version_returned),
        "system_version": _text(answer.system_version),
    }


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _code(decision: Decision) -> str | None:
    if decision.type != "concept":
        return None
    code = decision.concept_code
    if isinstance(code, str) and code:
        return code
    if isinstance(code, (list, tuple)) and len(code) > 1:
        raise AnswerError("several_codes")
    raise AnswerError("no_code")


def _kind(kind: str, reason: str | None) -> Kind | None:
    if kind == "clarify":
        return "CLARIFY"
    if reason is None:
        return "INVALID_INPUT" if kind == "reject" else None
    return kind_of(reason)


def _confidence(value: float | None) -> float | None:
    if value is not None:
        if not math.isfinite(value):
            raise AnswerError("confidence_not_finite")
        if not 0 <= value <= 1:
            raise AnswerError("confidence_out_of_range")
    return value


def _candidates(given: tuple[Candidate, ...] | None) -> list[list[str | float]] | None:
    if given is None:
        return None
    # JSON has no number that is not finite; an object that a caller hands over may hold one.
    if not all(map(math.isfinite, [candidate.score for candidate in given])):
        raise AnswerError("score_not_finite")
    return [[candidate.concept_code, candidate.score] for candidate in given]


def _problem(reply: Any) -> str:
    """Say what is wrong with a reply that the typed decoder refuses."""
    if not isinstance(reply, dict):
        return "not_an_object"
    decision = reply.get("decision")
    if not isinstance(decision, dict):
        return "no_decision"
    if decision.get("type") not in ("concept", "abstain", "clarify", "reject"):
        return "bad_type"
    confidence = decision.get("confidence")
    if confidence is not None and not _is_finite(confidence):
        return "confidence_not_finite"
    return _candidates_problem(reply.get("candidates"))


def _candidates_problem(candidates: Any) -> str:
    if isinstance(candidates, list):
        scores = [item.get("score") for item in candidates if isinstance(item, dict)]
        if any(isinstance(score, float) and not math.isfinite(score) for score in scores):
            return "score_not_finite"
    try:
        msgspec.convert(candidates, tuple[Candidate, ...] | None)
    except msgspec.ValidationError:
        return "bad_candidates"
    # What is left is a string somewhere that UTF-8 cannot carry, which only a lenient reader lets through.
    return "not_json"


def _is_finite(value: Any) -> bool:
    # Text and booleans are no numbers; an integer may be too large for a float.
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def snapshot_names(registry: Registry) -> frozenset[str]:
    """Return the names by which an answer may call the registry snapshot that it was asked about."""
    frozen = (registry.hash, registry.snapshot_id) if registry.is_frozen else ()
    return frozenset((registry.version, *frozen))


def names_snapshot(body: Mapping[str, Any], names: Container[str | None]) -> bool:
    """Whether a decoded answer names the registry snapshot; one that names none does not."""
    return body["registry_version"] in names


def perfect(gold: Gold, registry_version: str) -> dict[str, Any]:
    """Return the answer body, as :func:`decode` yields it, of a system without a failure."""
    required = gold.disposition
    code = gold.acceptable_concept_codes[0] if required == "SINGLE" else None
    refusal = "reject" if required == "INVALID_INPUT" else "abstain"
    return {
        "type": "concept" if code else refusal,
        "code": code,
        "kind": None if code or required == "EXACT_MISS" else required,
        "reason": None,
        "confidence": None,
        "candidates": [[code, 1.0]] if code else None,
        "registry_version": registry_version,
        "system_version": None,
    }


def outcome(gold: Gold, status: str, body: dict[str, Any] | None) -> Outcome:
    """Return the one class that an answer to a case belongs to.

    A code where one is right is ``right``, any other code ``wrong``. Where no code is right, a refusal of the
    required kind or of no kind is ``refused_rightly``; ``clarify`` is the required kind for UNDERSPECIFIED
    and MIXED. INVALID_INPUT asks for a rejection. After EXACT_MISS any refusal is right.

    Args:
        gold: the gold of the case.
        status: the status of the answer.
        body: the decoded answer, if the status is ``answered``.
    """
    if status == "answered" and body is not None:
        return _answered(gold, body)
    for name in UNANSWERED:
        if status == name:
            return name
    return "error"


def _answered(gold: Gold, body: dict[str, Any]) -> Outcome:
    required = gold.disposition
    if body["type"] == "concept":
        right = required == "SINGLE" and body["code"] in gold.acceptable_concept_codes
        return "right" if right else "wrong"
    if required == "EXACT_MISS":
        return "refused_rightly"
    if required == "SINGLE":
        return "refused_otherwise"
    if required == "INVALID_INPUT":
        return "refused_rightly" if body["type"] == "reject" else "refused_otherwise"
    kind = body["kind"]
    asked = kind == "CLARIFY" and required in ("UNDERSPECIFIED", "MIXED")
    return "refused_rightly" if kind is None or kind == required or asked else "refused_otherwise"
