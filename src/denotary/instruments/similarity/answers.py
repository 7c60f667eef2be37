"""What goes to a similarity gate and what comes back: payload, strict decoding, and the outcome of a case."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.suites.instrument import AnswerError

if TYPE_CHECKING:
    from denotary.instruments.similarity.anchors import Decision
    from denotary.instruments.similarity.cases import SimilarityCase

OUTCOMES = (
    "right",
    "wrong",
    "refused_rightly",
    "refused_otherwise",
    "undecided",
    "invalid_output",
    "error",
    "timeout",
    "not_run",
)
"""Every planned case is in exactly one of these classes. To act is an assertion, not to act a refusal; ``undecided``
is an answer that holds a score and no decision."""

ACT, REFRAIN = "act", "do_not_act"


class GateDecision(msgspec.Struct, frozen=True, gc=False):
    """The part of a reply that decides, at the gate's own cutoff."""

    type: Literal["act", "do_not_act"]


class GateAnswer(msgspec.Struct, frozen=True, gc=False):
    """A reply as the system sends it; keys that are not known are passed over. One of score and decision is needed."""

    score: float | None = None
    """Higher for more alike."""
    decision: GateDecision | None = None
    truncated: bool | None = None
    """Whether the system read less than both texts."""
    record_id: Any = None
    system_version: Any = None


def encode(case: SimilarityCase) -> dict[str, Any]:
    """Return what the system sees of a case, but for the opaque record id that the run adds."""
    shown = case.input
    return {
        "text1": shown.text1,
        "text2": shown.text2,
        "task": shown.task,
        "language": shown.language,
        "registry_version": case.registry_version,
    }


def decode(reply: Any) -> dict[str, Any]:
    """Return a reply in canonical form.

    Args:
        reply: what the reply's JSON says.

    Returns:
        ``act``, True or False, None where no decision came; ``score``, a finite number or None; ``truncated``;
        ``system_version``. What is absent is None.

    Raises:
        AnswerError: the reply is no answer; its problem is ``not_an_object``, ``bad_type``, ``bad_decision``,
            ``bad_score``, ``score_not_finite``, ``bad_truncated``, or ``no_decision`` where no score came either.
    """
    if not isinstance(reply, dict):
        raise AnswerError("not_an_object")
    try:
        answer = msgspec.convert(reply, GateAnswer)
    except (msgspec.ValidationError, ValueError, OverflowError, RecursionError):
        raise AnswerError(_problem(reply)) from None
    if answer.score is not None and not math.isfinite(answer.score):
        raise AnswerError("score_not_finite")
    if answer.score is None and answer.decision is None:
        raise AnswerError("no_decision")
    return body(
        act=None if answer.decision is None else answer.decision.type == ACT,
        score=answer.score,
        truncated=answer.truncated,
        system_version=answer.system_version if isinstance(answer.system_version, str) else None,
    )


def body(
    *,
    act: bool | None,
    score: float | None,
    truncated: bool | None = None,
    system_version: str | None = None,
) -> dict[str, Any]:
    """Return a decoded answer of these parts."""
    return {"act": act, "score": score, "truncated": truncated, "system_version": system_version}


def perfect(decision: Decision) -> dict[str, Any]:
    """Return the answer body, as :func:`decode` yields it, of a system without a failure."""
    same = decision == "same"
    return body(act=same, score=float(same))


def outcome(decision: Decision, status: str, found: dict[str, Any] | None) -> str:
    """Return the one class that an answer to a case belongs to.

    Args:
        decision: the gold of the case.
        status: the status of the answer.
        found: the decoded answer, if the status is ``answered``.
    """
    if status != "answered" or found is None:
        return status
    same, act = decision == "same", found["act"]
    if act is None:
        return "undecided"
    if act:
        return "right" if same else "wrong"
    return "refused_otherwise" if same else "refused_rightly"


def _problem(reply: dict[str, Any]) -> str:
    """Say what is wrong with a reply that the typed decoder refuses."""
    decision, score = reply.get("decision"), reply.get("score")
    if decision is not None and not isinstance(decision, dict):
        return "bad_decision"
    if isinstance(decision, dict) and decision.get("type") not in (ACT, REFRAIN):
        return "bad_type"
    if score is not None and (isinstance(score, bool) or not isinstance(score, (int, float))):
        return "bad_score"
    return "bad_truncated" if not isinstance(reply.get("truncated"), (bool, type(None))) else "bad_score"
