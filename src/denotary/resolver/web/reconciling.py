"""What both versions of the Reconciliation API share: an answer of the lane as candidates.

One candidate with ``match: true`` stands for an answer with authority, and for nothing else. The senses of an ambiguous
text are all shown, with one score and ``match: false``. Every other answer is an empty list. A condition that the lane
cannot check never makes a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.resolver.web.served import Served

IDENTIFIER_SPACE = "urn:denotary:concept"
SCHEMA_SPACE = "urn:denotary:semantic-type"
MOST = 100
"""Candidates of one query, whatever limit it asks for."""


def candidates(
    served: Served,
    text: str,
    *,
    language: str | None = None,
    types: Sequence[str] = (),
    limit: int = MOST,
    checked: bool = True,
) -> tuple[str, list[dict[str, Any]]]:
    """Return the disposition of a text, and its candidates.

    Args:
        served: the service.
        text: what is looked for.
        language: BCP 47 tag that the text is in; None for any.
        types: semantic types that a candidate may have; empty for any.
        limit: most candidates.
        checked: whether the lane could check everything that the query asks; if not, nothing is a match.
    """
    request = {"text": text} if language is None else {"text": text, "language": language}
    try:
        answer = served.lane.resolve(request)
    except InputError:
        return "INVALID_INPUT", []
    disposition = answer["disposition"]
    served.counts["answer", disposition] += 1
    codes = [answer["decision"]["concept_code"]] if disposition == "SINGLE" else answer.get("senses", [])
    single = disposition == "SINGLE" and checked
    found = [candidate(served, code, match=single, ambiguous=len(codes) > 1) for code in codes]
    if types:
        found = [item for item in found if any(kind["id"] in types for kind in item["type"])]
    return disposition, found[: max(0, min(limit, MOST))]


def candidate(served: Served, code: str, *, match: bool, ambiguous: bool = False) -> dict[str, Any]:
    """Return a concept as a candidate. All have one score: the lane knows identity and no degrees of it."""
    concept = served.concept(code)
    kind = concept.semantic_type if concept else ""
    return {
        "id": code,
        "name": served.name(code),
        "score": 100,
        "match": match,
        "type": [{"id": kind, "name": kind}] if kind else [],
        "features": [{"id": "ambiguous", "name": "several senses", "value": ambiguous}],
    }


def suggestions(served: Served, prefix: str, limit: int) -> dict[str, Any]:
    """Return the entities whose code or expression begins with a prefix."""
    codes = served.suggest(prefix, min(limit, MOST)) if prefix else []
    return {"result": [{"id": code, "name": served.name(code)} for code in codes]}


def common_manifest(served: Served) -> dict[str, Any]:
    """Return what the manifests of both versions say."""
    snapshot = served.snapshot
    return {"name": f"{snapshot.name} {snapshot.version}", "serviceVersion": snapshot.id, "defaultTypes": []}


def whole(value: Any, default: int) -> int:
    """Return a count from a request: a whole number of at least 1, else the default."""
    # Also a number that is written with a point; NaN is below nothing and above nothing.
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value <= MOST
    return int(value) if usable else default
