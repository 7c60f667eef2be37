r"""Evidence folds: the declared ways in which two texts that are not identical may still look alike.

A fold is a pure function from text in NFC to text in NFC. It is evidence, never identity: no fold ever
authorises a code. Each has an identifier with a version; a changed fold is a new version and a new profile.

===============  ==========================================================================================
``ws/1``         white space (categories Zs, Zl, Zp): trimmed, runs become one U+0020
``width/1``      full-width and half-width forms to their ordinary form
``ccf/1``        canonical caseless matching: full case folding (Unicode 3.13, D145)
``ccf-tr/1``     the same with the Turkic i: I to U+0131, U+0130 to i; Turkish and Azerbaijani only
``dash/1``       hyphens, dashes and minus signs removed, so that ``10^-3`` meets ``10^3``
``quote/1``      quotation marks to U+0022, apostrophes and primes to U+0027
``ignorable/1``  characters that a renderer ignores removed: soft hyphen, U+200B, variation selectors
``joiner/1``     U+200C and U+200D removed
``nfkccf/1``     compatibility caseless matching (Unicode 3.13, D146), ignorable characters removed
``marks/1``      accents, Hebrew and Arabic points removed; vowel signs, nukta, virama and kana voicing stay
``marks-XX/1``   the same, but the letters that language XX counts as letters of their own stay
``punct/1``      dashes, quotes, brackets and sentence punctuation removed; ``# % & * / @ \ _`` stay
===============  ==========================================================================================

Not part of the profile: confusable skeletons and transliteration, which need data files of their own.
Case folding is the interpreter's (Unicode 14.0 to 15.1 on Python 3.11 to 3.13, which fold alike).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.characters import ASCII_PUNCTUATION, JOINERS, LETTERS, QUOTES, classes
from denotary.text.forms import NFC, NFD, NFKC, NFKD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_JOINER: Final = re.compile(f"[{JOINERS}]")


def whitespace(text: str) -> str:
    """``ws/1``."""
    if not text.isascii():
        text = classes().spaces.sub(" ", text)
    # split() would also split at controls, but none of them is in a text that the profile accepts.
    return " ".join(text.split())


def width(text: str) -> str:
    """``width/1``."""
    return text if text.isascii() else NFC(text.translate(_widths()))


@cache
def _widths() -> Mapping[int, str]:
    table = {}
    for value in (0x3000, *range(0xFF01, 0xFFEF)):
        kind, _, mapping = unicodedata2.decomposition(chr(value)).partition(" ")
        if kind in {"<wide>", "<narrow>"}:
            table[value] = "".join(chr(int(code, 16)) for code in mapping.split())
    return table


def caseless(text: str) -> str:
    """``ccf/1``."""
    if text.isascii():
        return text.lower()
    return NFC(NFD(text).casefold())


def caseless_turkic(text: str) -> str:
    """``ccf-tr/1``."""
    return caseless(text.replace("I", "\u0131").replace("\u0130", "i"))


def dashes(text: str) -> str:
    """``dash/1``."""
    return text.replace("-", "") if text.isascii() else NFC(classes().dashes.sub("", text))


def quotes(text: str) -> str:
    """``quote/1``."""
    return text.translate(QUOTES)


def ignorables(text: str) -> str:
    """``ignorable/1``."""
    return text if text.isascii() else NFC(classes().ignorable.sub("", text))


def joiners(text: str) -> str:
    """``joiner/1``."""
    return text if text.isascii() else NFC(_JOINER.sub("", text))


def compatibility_caseless(text: str) -> str:
    """``nfkccf/1``."""
    if text.isascii():
        return text.lower()
    text = NFD(_JOINER.sub("", classes().ignorable.sub("", text))).casefold()
    return NFKC(NFKD(text).casefold())


def marks(text: str) -> str:
    """``marks/1``."""
    if text.isascii():
        return text
    return NFC(classes().accents.sub("", NFD(text)))


def marks_but(kept: frozenset[str], text: str) -> str:
    """``marks-XX/1``: the letters of language XX stay; a further mark on one goes, so that Vietnamese U+1EC7 is U+00EA.

    Args:
        kept: the letters, composed, in both cases.
        text: a text in NFC.
    """
    if text.isascii():
        return text
    accents = classes().accents
    base, found = "", []
    for character in NFD(text):
        if not accents.match(character):
            base = character
        elif NFC(base + character) not in kept:
            continue
        found.append(character)
    return NFC("".join(found))


def punctuation(text: str) -> str:
    """``punct/1``."""
    if text.isascii():
        return text.translate(ASCII_PUNCTUATION)
    return NFC(classes().punctuation.sub("", text))


@dataclass(frozen=True, slots=True)
class Fold:
    """A named fold.

    Attributes:
        id: identifier with version, as it stands in evidence.
        apply: the fold itself.
    """

    id: str
    apply: Callable[[str], str]


_ANY: Final = (
    Fold("ws/1", whitespace),
    Fold("width/1", width),
    Fold("ccf/1", caseless),
    Fold("ccf-tr/1", caseless_turkic),
    Fold("dash/1", dashes),
    Fold("quote/1", quotes),
    Fold("ignorable/1", ignorables),
    Fold("joiner/1", joiners),
    Fold("nfkccf/1", compatibility_caseless),
    Fold("marks/1", marks),
    Fold("punct/1", punctuation),
)
FOLDS: Final[tuple[str, ...]] = tuple(fold.id for fold in _ANY)
"""Identifiers of the folds in declared order; ``marks/1`` stands for its per-language forms too."""


@lru_cache(maxsize=1024)
def folds_for(language: str) -> tuple[Fold, ...]:
    """Return the folds that hold for a language (its primary subtag), in declared order."""
    letters = LETTERS.get(language, "")
    kept = frozenset(letters + letters.upper())
    found = []
    for fold in _ANY:
        if fold.id == "ccf-tr/1" and language not in {"tr", "az"}:
            continue
        if fold.id == "marks/1" and kept:
            found.append(Fold(f"marks-{language}/1", partial(marks_but, kept)))
        else:
            found.append(fold)
    return tuple(found)
