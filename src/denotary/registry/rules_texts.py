"""Lint rules for the text, language and script of each expression and ambiguity."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.registry.findings import Finding
from denotary.registry.locks import AMBIGUITIES, EXPRESSIONS
from denotary.text import (
    Rejection,
    canonical_tag,
    folds_for,
    holds_script,
    mixed_words,
    normalise,
    stray_ignorables,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry.model import Registry
    from denotary.registry.records import Expression

_SCRIPT: Final = re.compile(r"[A-Z][a-z]{3}")
_WHITESPACE: Final = next(fold for fold in folds_for("und") if fold.id == "ws/1")
_FEWEST_CLOSED: Final = 2


def text_findings(registry: Registry) -> Iterator[Finding]:
    """What is wrong with each text and with what the record says of it."""
    declared = frozenset(registry.header.languages)
    for expression in registry.expressions:
        yield from _text(registry, EXPRESSIONS, expression.id, expression.text)
        yield from _language(declared, EXPRESSIONS, expression.id, expression.language)
        yield from _script(expression)
        yield from _codes(registry, expression)
        yield from _review(expression)
    for ambiguity in registry.ambiguities:
        yield from _text(registry, AMBIGUITIES, ambiguity.id, ambiguity.text)
        yield from _language(declared, AMBIGUITIES, ambiguity.id, ambiguity.language)
        if ambiguity.kind == "closed" and len(set(ambiguity.codes)) < _FEWEST_CLOSED:
            yield Finding(
                "ambiguity",
                AMBIGUITIES,
                ambiguity.id,
                "a closed ambiguity has two codes or more; with fewer registered senses it is open",
            )


def _review(expression: Expression) -> Iterator[Finding]:
    if expression.review.status == "unreviewed":
        message = "resolves nothing until somebody reviews it"
        yield Finding("unreviewed", EXPRESSIONS, expression.id, message, "warning")
        return
    if not _is_date(expression.review.on):
        yield Finding("review", EXPRESSIONS, expression.id, "review.on is no ISO date (YYYY-MM-DD)")
    if not expression.review.by.strip():
        yield Finding("review", EXPRESSIONS, expression.id, "review.by names nobody")


def _text(registry: Registry, file: str, record: str, text: str) -> Iterator[Finding]:
    normal = normalise(text)
    if isinstance(normal, Rejection):
        yield Finding("rejected-text", file, record, f"the profile refuses the text: {normal}")
        return
    if normal.changed:
        yield Finding(
            "not-nfc", file, record, "the text is not in NFC; it is matched by its NFC form", "warning"
        )
    if normal.text in registry.concepts:
        yield Finding(
            "equals-code", file, record, "the text is the code of a concept; a code is no expression"
        )
    if _WHITESPACE.apply(normal.text) != normal.text:
        yield Finding("whitespace", file, record, "leading, trailing, double or exotic white space")
    for offset in stray_ignorables(normal.text):
        yield Finding(
            "ignorable",
            file,
            record,
            f"U+{ord(normal.text[offset]):04X} at offset {offset} shows nothing and changes nothing there",
        )
    for offset in mixed_words(normal.text):
        yield Finding("mixed-script", file, record, f"the word at offset {offset} mixes scripts")


def _language(declared: frozenset[str], file: str, record: str, tag: str) -> Iterator[Finding]:
    problem = tag_problem(tag)
    if problem:
        yield Finding("language-tag", file, record, problem)
    elif declared and tag not in declared:
        yield Finding("language", file, record, f"language {tag} is not among the header's languages")


def tag_problem(tag: str) -> str | None:
    """Return what is wrong with a language tag, or None."""
    try:
        canonical = canonical_tag(tag)
    except InputError:
        return "the language is no well-formed BCP 47 tag"
    return None if tag == canonical else f"the language is not in canonical case; write {canonical}"


def _script(expression: Expression) -> Iterator[Finding]:
    if not _SCRIPT.fullmatch(expression.script):
        yield Finding("script", EXPRESSIONS, expression.id, "script is no ISO 15924 code such as Latn")
    elif not holds_script(expression.text, expression.script):
        yield Finding(
            "script", EXPRESSIONS, expression.id, f"no letter of the text is of script {expression.script}"
        )


def _codes(registry: Registry, expression: Expression) -> Iterator[Finding]:
    if not expression.codes or len(set(expression.codes)) < len(expression.codes):
        yield Finding("codes", EXPRESSIONS, expression.id, "codes are missing or stand twice")
    for code in expression.codes:
        if registry.concepts[code].status == "retired" and expression.review.status != "rejected":
            yield Finding(
                "retired-concept", EXPRESSIONS, expression.id, f"expresses the retired concept {code}"
            )


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
