"""Reading what a service sent, which may be anything: a wrong shape is an outcome of the case, never an error."""

from __future__ import annotations

import math
from typing import Any

from denotary.canonical import lenient_json
from denotary.systems.base import CallFailure

MOST = 1_000
"""Most candidates that are kept of one reply."""


def broken(problem: str) -> CallFailure:
    """Return the failure for a reply that is no answer."""
    return CallFailure(problem, outcome="invalid_output")


def parsed(body: bytes) -> Any:
    """Return the JSON of a body; NaN and infinity are let through, to be refused where they stand.

    Raises:
        CallFailure: it is no JSON.
    """
    try:
        return lenient_json(body)
    except (ValueError, RecursionError):
        raise broken("html" if body.lstrip()[:1] == b"<" else "not_json") from None


def mapping(value: Any, problem: str = "bad_shape") -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        CallFailure: it is none.
    """
    if not isinstance(value, dict):
        raise broken(problem)
    return value


def listing(value: Any, problem: str = "bad_shape") -> list[Any]:
    """Return a JSON array, cut to ``MOST`` items.

    Raises:
        CallFailure: it is none.
    """
    if not isinstance(value, list):
        raise broken(problem)
    return value[:MOST]


def name(value: Any) -> str:
    """Return an identifier.

    Raises:
        CallFailure: it is no text, or empty, or holds half of a surrogate pair.
    """
    if not isinstance(value, str) or not value:
        raise broken("no_code")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise broken("not_json") from None
    return value


def number(value: Any) -> float:
    """Return a score.

    Raises:
        CallFailure: it is no number, or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise broken("score_not_a_number")
    try:
        found = float(value)
    except OverflowError:
        raise broken("score_not_finite") from None
    if not math.isfinite(found):
        raise broken("score_not_finite")
    return found


def share(score: float, scale: float | None) -> float | None:
    """Return a score as a confidence, or None if its scale is not declared.

    Raises:
        CallFailure: it lies outside of the declared scale.
    """
    if scale is None:
        return None
    if not 0 <= score <= scale:
        raise broken("confidence_out_of_range")
    return score / scale
