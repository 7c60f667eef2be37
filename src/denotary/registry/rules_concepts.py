"""Lint rules for the header and the concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.registry.findings import Finding
from denotary.registry.locks import CONCEPTS, HEADER
from denotary.registry.rules_texts import tag_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.registry.model import Registry
    from denotary.registry.records import Concept


def header_findings(registry: Registry) -> Iterator[Finding]:
    """Name, version and languages of the header."""
    header = registry.header
    for field, value in (("name", header.name), ("version", header.version)):
        if not value or not value.isprintable() or " " in value:
            yield Finding("header", HEADER, None, f"{field} must be printable, not empty and without spaces")
    for tag in header.languages:
        problem = tag_problem(tag)
        if problem:
            yield Finding("language-tag", HEADER, None, f"languages: {problem}")
    if not any(concept.status == "active" for concept in registry.concepts.values()):
        yield Finding("no-concept", HEADER, None, "the registry has no active concept")


def concept_findings(registry: Registry) -> Iterator[Finding]:
    """Definitions, neighbours and parents of each concept."""
    expressed = {code for expression in registry.authorised for code in expression.codes}
    for concept in registry.concepts.values():
        yield from _definitions(concept)
        yield from _neighbours(concept, registry.concepts)
        if concept.code in _ancestors(concept, registry.concepts):
            yield Finding(
                "parent-cycle", CONCEPTS, concept.code, "is its own ancestor; parents form no cycle"
            )
        if concept.status == "active" and concept.code not in expressed:
            yield Finding("no-expression", CONCEPTS, concept.code, "has no reviewed expression", "warning")


def _definitions(concept: Concept) -> Iterator[Finding]:
    if not any(text.strip() for text in concept.definitions.values()):
        yield Finding("missing-definition", CONCEPTS, concept.code, "has no definition in any language")
    for tag, text in concept.definitions.items():
        problem = tag_problem(tag)
        if problem:
            yield Finding("language-tag", CONCEPTS, concept.code, f"definitions: {problem}")
        elif not text.strip():
            yield Finding("missing-definition", CONCEPTS, concept.code, f"the definition in {tag} is blank")


def _neighbours(concept: Concept, concepts: Mapping[str, Concept]) -> Iterator[Finding]:
    seen = set()
    for neighbour in concept.neighbours:
        code = neighbour.code
        if not neighbour.reason.strip():
            yield Finding(
                "neighbour-reason",
                CONCEPTS,
                concept.code,
                f"says no reason why neighbour {code} is another concept",
            )
        if code == concept.code or code in seen:
            yield Finding(
                "neighbour", CONCEPTS, concept.code, f"neighbour {code} is the concept itself or stands twice"
            )
        elif concepts[code].status == "retired" and concept.status == "active":
            yield Finding("neighbour", CONCEPTS, concept.code, f"neighbour {code} is retired", "warning")
        seen.add(code)


def _ancestors(concept: Concept, concepts: Mapping[str, Concept]) -> set[str]:
    found: set[str] = set()
    open_codes = list(concept.parents)
    while open_codes:
        code = open_codes.pop()
        if code not in found:
            found.add(code)
            open_codes.extend(concepts[code].parents)
    return found
