"""Texts that look like a registered expression and are not it: probes for what a resolver silently folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.forms import NFC, NFD, NFKC

if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPING: Final = "escaping"
"""Probes that a resolver meets only if it unescapes or strips what it was given as data."""
_FULL_WIDTH: Final = {value: value + 0xFEE0 for value in range(0x21, 0x7F)}
_HYPHENS: Final = "-\u2010\u2011\u2012\u2013\u2014\u2212"


def folded_variants(text: str) -> Iterator[tuple[str, str]]:
    """Yield (operator, variant) for changes that a folding resolver would undo; variants may equal the text.

    Compatibility forms, case, width, white space, dashes, ignorable characters and marks: each of them merges
    texts that a registry may hold apart, so none of them is part of identity (see ``denotary.text``).
    """
    yield "nfkc", NFKC(text)
    yield "case", text.casefold() if text.casefold() != text else text.upper()
    yield "width", text.translate(_FULL_WIDTH)
    yield "whitespace", text.replace(" ", "  ", 1) if " " in text else f"{text} "
    yield "no_break_space", text.replace(" ", "\u00a0", 1)
    yield "dash", _other_dash(text)
    yield "ignorable", f"{text[:1]}\u200b{text[1:]}"
    decomposed = NFD(text)
    yield "marks", "".join(character for character in decomposed if not unicodedata2.combining(character))


def escaped_variants(text: str, code: str) -> Iterator[tuple[str, str]]:
    """Yield (operator, variant) for markup and escapes round a text, one of them naming a concept code."""
    yield "json", f'{{"text": "{text}", "concept_code": "{code}"}}'
    yield "quoted", f'"{text}"'
    yield "html", f"<b>{text}</b>"
    yield "percent", "%20".join(text.split(" ")) if " " in text else f"{text}%20"
    yield "backslash", f"{text}\\n"


def decomposed(text: str) -> str:
    """Return a text in NFD, which the profile takes for the same text."""
    return NFD(text)


def composed(text: str) -> str:
    """Return a text in NFC, the form that identity is decided by."""
    return NFC(text)


def _other_dash(text: str) -> str:
    for dash in _HYPHENS:
        if dash in text:
            return text.replace(dash, "\u2013" if dash != "\u2013" else "-", 1)
    return text.replace(" ", "-", 1)
