"""Root-cause codes of a case that went wrong, by rule: where a person should begin to look.

The rules read the gold, the answer, and what the case's author wrote down. E29 to E31 (annotation error, ontology
defect, harness error) are for people to find and leave the rates through the correction ledger alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.registry import Registry

FORCED: Final = {
    "UNKNOWN_REGISTRY": "E11",
    "AMBIGUOUS": "E12",
    "UNDERSPECIFIED": "E13",
    "MIXED": "E14",
    "INVALID_INPUT": "E15",
    "EXACT_MISS": "E11",
}
"""A code where none is right."""

NEIGHBOURS: Final = {
    "sibling": "E01",
    "negation_or_antonym": "E05",
    "role_reversal": "E07",
    "scope_or_quantifier": "E08",
}
"""A designated neighbour of this type; any other type is E04, related and not identical."""

CIRCUMSTANCES: Final = {
    "negation": "E05",
    "contradiction": "E06",
    "contradictory_conjunction": "E06",
    "contradictory_long_context": "E06",
    "role_reversal": "E07",
    "quantifier_scope": "E08",
    "compositional": "E09",
    "mention": "E10",
    "dialect_variety": "E16",
    "rare_language": "E16",
    "paired_multilingual": "E16",
    "code_switch": "E17",
    "cross_script": "E18",
    "unicode_punctuation": "E19",
    "spelling_noise": "E20",
    "morphology": "E20",
    "domain_shift": "E21",
    "long_context": "E22",
    "malicious_input": "E23",
    "identifier_spoof": "E24",
    "reviewed_exact": "E28",
}
"""Family or tag of the case, by which it was made hard."""

CONFIDENT: Final = 0.9
"""A wrong code with at least this confidence is E25."""


def root_causes(
    case: IdentityCase, body: dict[str, Any] | None, outcome: str, registry: Registry
) -> tuple[str, ...]:
    """Return the codes that fit a failed case, the most specific first; none if it did not fail.

    Args:
        case: the case.
        body: the decoded answer, if there is one.
        outcome: its outcome class.
        registry: where parents and neighbours are declared.
    """
    if outcome not in {"wrong", "refused_otherwise"} or body is None:
        return ()
    return tuple(dict.fromkeys(_found(case, body, outcome, registry)))


def _found(case: IdentityCase, body: dict[str, Any], outcome: str, registry: Registry) -> Iterator[str]:
    if outcome == "wrong":
        if case.gold.disposition != "SINGLE":
            yield FORCED[case.gold.disposition]
        yield from _confused(case, str(body["code"]), registry)
    yield from (code for name, code in CIRCUMSTANCES.items() if case.has(name))
    if outcome == "wrong" and (body["confidence"] or 0.0) >= CONFIDENT:
        yield "E25"


def _confused(case: IdentityCase, given: str, registry: Registry) -> Iterator[str]:
    """Yield how the given code relates to the right one: broader, narrower, or a designated neighbour."""
    gold = case.gold.acceptable_concept_codes
    if case.gold.disposition == "SINGLE" and given in registry.concepts:
        if given in registry.concepts[gold[0]].parents:
            yield "E02"
        if gold[0] in registry.concepts[given].parents:
            yield "E03"
    named = [note.type for note in case.construction.neighbours if note.code == given]
    declared = [
        neighbour.type
        for code in gold
        for neighbour in registry.concepts[code].neighbours
        if neighbour.code == given
    ]
    yield from (NEIGHBOURS.get(kind, "E04") for kind in [*named, *declared])
