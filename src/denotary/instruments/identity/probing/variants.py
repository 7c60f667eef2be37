"""Changes of a text that a system may undo without a word, each with the words for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.instruments.identity.variants import folded_variants
from denotary.text.forms import NFC, NFD

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOKALIKES: Final = {ord(a): b for a, b in zip("aceopxyi", "асеорхуі", strict=True)}  # noqa: RUF001 - that is the point
_LATIN: Final = {
    ord(a): b
    for a, b in zip(
        "абвгдезиклмнопрстуф",
        ["a", "b", "v", "g", "d", "e", "z", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f"],
        strict=True,
    )
}
"""Letters that every romanisation of Russian writes alike."""

_CYRILLIC: Final = {ord(b): a for a, b in zip("бвгдзилпнф", "bvgdzilpnf", strict=True)}
"""Letters that every romanisation takes back to the Latin one, and that do not look like it."""

FOLDS: Final = {
    "canonical": "canonical equivalence (NFC, NFD)",
    "case": "case",
    "width": "full width and half width",
    "compatibility": "compatibility forms (NFKC), such as superscripts",
    "whitespace": "doubled white space",
    "no_break_space": "no-break space",
    "edges": "white space at the ends",
    "dash": "dashes: hyphen, en dash, minus",
    "ignorable": "zero width space",
    "joiner": "zero width non-joiner",
    "marks": "diacritics and other marks",
    "punctuation": "punctuation at the end",
    "order": "order of the words",
    "lookalike": "letters of another script that look alike",
    "transliteration": "transliteration between Cyrillic and Latin letters",
}
"""Operator to what it changes; all but the first change which text it is under ``esid-nfc/1``."""
_SHARED: Final = frozenset({"case", "width", "whitespace", "no_break_space", "dash", "ignorable", "marks"})


def variants(text: str) -> Iterator[tuple[str, str]]:
    """Yield (operator, variant); a variant may equal the text, where the operator has nothing to do."""
    yield "canonical", NFD(text) if NFD(text) != text else NFC(text)
    for operator, variant in folded_variants(text):
        if operator in _SHARED and not (
            operator in {"whitespace", "no_break_space", "dash"} and " " not in text
        ):
            yield operator, variant
    # Superscript n: case folding leaves it alone, as it does not leave most ligatures.
    yield "compatibility", text.replace("n", "\u207f", 1)
    yield "edges", f" {text} "
    half = len(text) // 2
    yield "joiner", f"{text[:half]}\u200c{text[half:]}"
    yield "punctuation", f"{text}."
    yield "order", " ".join(reversed(text.split(" ")))
    yield "lookalike", text.translate(_LOOKALIKES)
    yield "transliteration", _other_script(text)


def _other_script(text: str) -> str:
    """Return Cyrillic text in Latin letters, Latin text with letters in Cyrillic, and any other as it is."""
    latin = text.casefold().translate(_LATIN)
    if text.isascii():
        return text.translate(_CYRILLIC)
    return latin if latin.isascii() else text
