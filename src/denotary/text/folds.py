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

from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Final

import unicodedata2

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JOINERS: Final = "\u200c\u200d"
_DASHES: Final = "\u02d7\u2043\u207b\u208b\u2212"
"""Dashes outside category Pd: modifier minus, hyphen bullet, super- and subscript minus, minus sign."""
_DOUBLE_QUOTES: Final = (
    '"\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u2e42\u300c\u300d\u300e\u300f'
    "\u301d\u301e\u301f\ufe41\ufe42\ufe43\ufe44\uff02\uff62\uff63"
)
_SINGLE_QUOTES: Final = (
    "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u275b\u275c\ua78c\uff07"
)
_KEPT_PUNCTUATION: Final = "#%&*/@\\\u2020\u2021\u2030\u2031\u00a7\u00b6"
_IGNORABLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x2060, 0x2064),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0100, 0xE01EF),
)
"""Default_Ignorable_Code_Point without the joiners and without what the profile refuses anyway."""
_LETTERS: Final[Mapping[str, str]] = {
    "az": "\u00e7\u011f\u00f6\u015f\u00fc",
    "cs": "\u010d\u0159\u0161\u017e",
    "da": "\u00e5",
    "es": "\u00f1",
    "et": "\u00e4\u00f5\u00f6\u00fc\u0161\u017e",
    "fi": "\u00e4\u00e5\u00f6",
    "hr": "\u0107\u010d\u0161\u017e",
    "hu": "\u00f6\u0151\u00fc\u0171",
    "lt": "\u010d\u0161\u017e",
    "lv": "\u010d\u0123\u0137\u013c\u0146\u0161\u017e",
    "nb": "\u00e5",
    "nn": "\u00e5",
    "no": "\u00e5",
    "pl": "\u0105\u0107\u0119\u0144\u00f3\u015b\u017a\u017c",
    "ro": "\u0103\u00e2\u00ee\u0219\u021b",
    "ru": "\u0439",
    "sk": "\u00e4\u010d\u00f4\u0161\u017e",
    "sl": "\u010d\u0161\u017e",
    "sv": "\u00e4\u00e5\u00f6",
    "tr": "\u00e7\u011f\u00f6\u015f\u00fc",
    "uk": "\u0439\u0457",
    "vi": "\u00e2\u0103\u00ea\u00f4\u01a1\u01b0",
}
"""Letters with a primary weight of their own in the language's standard order (CLDR collation)."""
_ASCII_PUNCTUATION: Final = str.maketrans(dict.fromkeys("!\"'(),-.:;?[]{}`"))


def _nfc(text: str) -> str:
    normal: str = unicodedata2.normalize("NFC", text)
    return normal


def is_ignorable(character: str) -> bool:
    """Whether a renderer shows nothing for this character by default, joiners apart."""
    value = ord(character)
    return any(first <= value <= last for first, last in _IGNORABLE)


def whitespace(text: str) -> str:
    """``ws/1``."""
    if not text.isascii():
        text = text.translate(_spaces())
    # split() would also split at controls, but none of them is in a text that the profile accepts.
    return " ".join(part for part in text.split(" ") if part)


@cache
def _spaces() -> Mapping[int, str]:
    found = (
        value for value in range(0x80, 0x10000) if unicodedata2.category(chr(value)) in {"Zs", "Zl", "Zp"}
    )
    return dict.fromkeys(found, " ")


def width(text: str) -> str:
    """``width/1``."""
    return text if text.isascii() else _nfc(text.translate(_widths()))


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
    return _nfc(unicodedata2.normalize("NFD", text).casefold())


def caseless_turkic(text: str) -> str:
    """``ccf-tr/1``."""
    return caseless(text.replace("I", "\u0131").replace("\u0130", "i"))


def dashes(text: str) -> str:
    """``dash/1``."""
    return text.replace("-", "") if text.isascii() else _nfc(text.translate(_dashes()))


@cache
def _dashes() -> Mapping[int, None]:
    found = (value for value in range(0x20000) if unicodedata2.category(chr(value)) == "Pd")
    return dict.fromkeys((*found, *map(ord, _DASHES)))


def quotes(text: str) -> str:
    """``quote/1``."""
    return text.translate(_QUOTES)


_QUOTES: Final = str.maketrans(dict.fromkeys(_DOUBLE_QUOTES, '"') | dict.fromkeys(_SINGLE_QUOTES, "'"))


def ignorables(text: str) -> str:
    """``ignorable/1``."""
    if text.isascii():
        return text
    return _nfc("".join(character for character in text if not is_ignorable(character)))


def joiners(text: str) -> str:
    """``joiner/1``."""
    return text if text.isascii() else _nfc(text.translate(dict.fromkeys(map(ord, JOINERS))))


def compatibility_caseless(text: str) -> str:
    """``nfkccf/1``."""
    if text.isascii():
        return text.lower()
    text = unicodedata2.normalize("NFKD", unicodedata2.normalize("NFD", joiners(ignorables(text))).casefold())
    folded: str = unicodedata2.normalize("NFKC", text.casefold())
    return folded


def marks(text: str, kept: frozenset[str] = frozenset()) -> str:
    """``marks/1``; with the letters in ``kept`` left alone, ``marks-XX/1``."""
    if text.isascii():
        return text
    return _nfc("".join(letter if letter.lower() in kept else _bare(letter) for letter in text))


def _bare(letter: str) -> str:
    parts = unicodedata2.normalize("NFD", letter)
    return "".join(part for part in parts if not _is_accent(unicodedata2.combining(part)))


def _is_accent(combining_class: int) -> bool:
    # Overlays, the points of Hebrew, Arabic and Syriac, and the attached or positional classes. Class 0
    # marks, nukta (7), kana voicing (8), virama (9), the vowel and tone signs of Indic scripts, Thai, Lao and
    # Tibetan (84 to 132) and the iota subscript (240) make another letter or syllable.
    return combining_class == 1 or 10 <= combining_class <= 36 or 200 <= combining_class <= 234  # noqa: PLR2004


def punctuation(text: str) -> str:
    """``punct/1``."""
    if text.isascii():
        return text.translate(_ASCII_PUNCTUATION)
    return _nfc(dashes(quotes(text)).translate(_punctuation()))


@cache
def _punctuation() -> Mapping[int, None]:
    removed = {"Pd", "Pe", "Pf", "Pi", "Po", "Ps"}
    found = (value for value in range(0x20000) if unicodedata2.category(chr(value)) in removed)
    return dict.fromkeys((*(value for value in found if not _is_kept(chr(value))), ord("`")))


def _is_kept(character: str) -> bool:
    # With its wide and small forms, which nfkccf/1 makes the same.
    return unicodedata2.normalize("NFKC", character) in _KEPT_PUNCTUATION


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
    kept = frozenset(_LETTERS.get(language, ""))
    found = []
    for fold in _ANY:
        if fold.id == "ccf-tr/1" and language not in {"tr", "az"}:
            continue
        if fold.id == "marks/1" and kept:
            found.append(Fold(f"marks-{language}/1", partial(marks, kept=kept)))
        else:
            found.append(fold)
    return tuple(found)
