"""Five resolvers, each bad in one way that is common, and a control that is not.

Each takes a request of the system contract and returns an answer. All of them hold the same frozen registry; what they
share is a lookup of reviewed expressions, what they differ in is what they do with a text that is none.
"""

from __future__ import annotations

import itertools
import random
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import denotary as dn
from denotary.resolver import ExactLane

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.registry import Registry

    Resolver = Callable[[dict[str, Any]], dict[str, Any]]

WORD = re.compile(r"\w+")
NEGATIONS = frozenset(
    [
        "no",
        "not",
        "none",
        "nobody",
        "nothing",
        "never",
        "neither",
        "nor",
        "without",
        "non",
        "cannot",
        "isn",
        "doesn",
        "didn",
        "don",
        "t",
        "kein",
        "keine",
        "nicht",
        "ohne",
        "nie",
        "pas",
        "sans",
        "jamais",
        "sin",
        "nunca",
        "non",
        "senza",
        "não",
        "sem",
        "не",
        "без",
    ]
)
STOPWORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "is",
        "it",
        "its",
        "that",
        "this",
        "to",
        "in",
        "by",
        "for",
        "and",
        "or",
        "as",
        "on",
        "with",
        "be",
        "are",
        "which",
        "what",
    ]
)
CONTAINED = 0.8
"""Share of an expression's words that must stand in a text for the negation-blind resolver to answer."""


def assign(request: dict[str, Any], code: str, confidence: float) -> dict[str, Any]:
    """Return an answer that asserts a code."""
    return _answer(request, {"type": "concept", "concept_code": code, "confidence": confidence})


def refuse(request: dict[str, Any]) -> dict[str, Any]:
    """Return an answer that asserts none."""
    return _answer(request, {"type": "abstain", "reason": "unknown"})


def _answer(request: dict[str, Any], decision: dict[str, Any]) -> dict[str, Any]:
    return {
        "record_id": request["record_id"],
        "decision": decision,
        "registry_version_returned": request["registry_version"],
    }


def words(text: str) -> frozenset[str]:
    """Return the words of a text, in lower case, without those that carry no content."""
    return frozenset(WORD.findall(text.lower())) - STOPWORDS


def grams(text: str) -> frozenset[str]:
    """Return the character trigrams of a text in lower case."""
    padded = f"  {text.lower()} "
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


def control(registry: Registry) -> Resolver:
    """Look a text up among the reviewed expressions, and refuse whatever is none."""
    return ExactLane(registry).resolve


def nearest_neighbour(registry: Registry) -> Resolver:
    """Answer every text with the code of the expression that looks most like it, however little."""
    known = [(grams(e.text), e.codes[0]) for e in registry.expressions]

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        asked = grams(request.get("text") or "")
        score, code = max((len(asked & seen) / len(asked | seen), code) for seen, code in known)
        return assign(request, code, round(score, 6))

    return resolve


def negation_blind(registry: Registry) -> Resolver:
    """Answer where the words of an expression stand in the text, whatever the text says of them."""
    known = [(words(e.text) - NEGATIONS, e.codes[0]) for e in registry.expressions]
    known = [(seen, code) for seen, code in known if len(seen) > 1]

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        asked = words(request.get("text") or "") - NEGATIONS
        share, _, code = max((len(asked & seen) / len(seen), len(seen), code) for seen, code in known)
        return assign(request, code, round(share, 6)) if share >= CONTAINED else refuse(request)

    return resolve


def silent_fold(registry: Registry) -> Resolver:
    """Look a text up after folding width, case and ligatures, and say nothing of it."""

    def fold(text: str) -> str:
        return unicodedata.normalize("NFKC", text).casefold()

    lane = ExactLane(registry)
    known = {fold(e.text): e.codes[0] for e in registry.expressions}

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        answer = lane.resolve(request)
        code = known.get(fold(request.get("text") or ""))
        return assign(request, code, 1.0) if code and answer["decision"]["type"] == "abstain" else answer

    return resolve


def obedient(registry: Registry) -> Resolver:
    """Look a text up, but do as it says where it names a code."""
    lane = ExactLane(registry)

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        text = request.get("text") or ""
        named = [code for code in registry.concepts if code in text and code != text]
        return assign(request, named[0], 0.99) if named else lane.resolve(request)

    return resolve


def unstable_vote(registry: Registry) -> Resolver:
    """Let three voters that see half of the expressions each decide by majority; the halves are drawn at every call."""
    known = [(grams(e.text), e.codes[0]) for e in registry.expressions]
    lane, calls = ExactLane(registry), itertools.count()

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        exact = lane.resolve(request)
        if exact["decision"]["type"] != "abstain":
            return exact
        drawn = random.Random(next(calls))
        asked = grams(request.get("text") or "")
        votes = []
        for _ in range(3):
            half = drawn.sample(known, len(known) // 2)
            votes.append(max((len(asked & seen) / len(asked | seen), code) for seen, code in half)[1])
        winner = max(sorted(set(votes)), key=votes.count)
        return (
            assign(request, winner, votes.count(winner) / 3) if votes.count(winner) > 1 else refuse(request)
        )

    return resolve


RESOLVERS: dict[str, tuple[Callable[[Registry], Resolver], tuple[str, str] | None]] = {
    "control": (control, None),
    "nearest neighbour": (nearest_neighbour, ("c3", "unknown")),
    "negation-blind": (negation_blind, ("c3", "hard_neighbour")),
    "silent fold": (silent_fold, ("registry-exact", "normalisation")),
    "obedient": (obedient, ("c3", "adversarial")),
    "unstable vote": (unstable_vote, ("c3", "determinism")),
}
"""Name: how it is made, and the policy and gate that it must fail."""


def make(name: str) -> Resolver:
    """Return a resolver over the bundled registry."""
    return RESOLVERS[name][0](dn.load_registry("bundled:bootstrap"))
