"""SKOS as Turtle: the same bytes for the same registry, and a count of what the format cannot carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from denotary.registry.exchange.carrying import Export, left_out
from denotary.registry.exchange.skos import CORE, DEPRECATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry.model import Registry
    from denotary.registry.records import Concept, Expression

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_IN_IRI: Final = ":/?#[]@!$&'()*+,;=-._~%"
_IN_CODE: Final = _IN_IRI.replace("%", "")
"""A code that is no IRI may hold a percent sign of its own: ``a%20b`` and ``a b`` are two codes."""


def write_skos(registry: Registry, base: str | None = None) -> Export:
    """Return a registry as a SKOS vocabulary in Turtle.

    Of a concept's expressions, the first of each language is the preferred label, for SKOS has one; those derived
    from another text are hidden labels, the others alternative ones. Rejected expressions are left out.

    Args:
        registry: what is exported.
        base: what stands before a code in its IRI; ``urn:denotary:NAME:`` by default. A code that is an IRI itself
            stays one.
    """
    start = f"urn:denotary:{registry.name}:" if base is None else base
    lines = [f"@prefix skos: <{CORE}> .", f"@prefix owl: <{DEPRECATED.removesuffix('deprecated')}> .", ""]
    by_code: dict[str, list[Expression]] = {}
    for expression in registry.standing:
        for code in expression.codes:
            by_code.setdefault(code, []).append(expression)
    for code in sorted(registry.concepts):
        facts = _facts(registry.concepts[code], by_code.get(code, []), start)
        lines.append(f"{_iri(code, start)} a skos:Concept ;\n    " + " ;\n    ".join(facts) + " .\n")
    carried = frozenset({"definitions", "parents", "exact_matches", "status"})
    left = left_out(registry, carried, expressions=frozenset({"text", "language"}))
    encoded = sum(
        quote(code, safe=_IN_IRI if "://" in code else _IN_CODE) != code for code in registry.concepts
    )
    if encoded:
        left["codes as they are (percent-encoded in IRIs)"] = encoded
    return Export("\n".join(lines).encode(), left)


def _facts(concept: Concept, expressions: list[Expression], base: str) -> Iterator[str]:
    preferred: set[str] = set()
    for expression in expressions:
        label = "skos:altLabel"
        if expression.derived_by is not None:
            label = "skos:hiddenLabel"
        elif expression.language not in preferred:
            preferred.add(expression.language)
            label = "skos:prefLabel"
        yield f"{label} {_literal(expression.text, expression.language)}"
    for language, text in sorted(concept.definitions.items()):
        yield f"skos:definition {_literal(text, language)}"
    for parent in concept.parents:
        yield f"skos:broader {_iri(parent, base)}"
    for match in concept.exact_matches:
        yield f"skos:exactMatch {_iri(match, '')}"
    yield f"owl:deprecated {'true' if concept.status == 'retired' else 'false'}"


def _iri(code: str, base: str) -> str:
    if "://" in code:
        return f"<{quote(code, safe=_IN_IRI)}>"
    return f"<{quote(base, safe=_IN_IRI)}{quote(code, safe=_IN_CODE)}>"


def _literal(text: str, language: str) -> str:
    return f'"{text.translate(_ESCAPES)}"' + ("" if language == "und" else f"@{language}")
