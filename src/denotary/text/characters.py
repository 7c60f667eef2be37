"""The sets of characters that folds remove or replace, from the pinned Unicode character database."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import unicodedata2

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

JOINERS: Final = "\u200c\u200d"
"""Zero-width non-joiner and joiner: they distinguish words, and are no ignorable characters here."""
_DASHES: Final = "\u02d7\u2043\u207b\u208b\u2212"
"""Dashes outside category Pd: modifier minus, hyphen bullet, super- and subscript minus, minus sign."""
_DOUBLE_QUOTES: Final = (
    '"\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u2e42\u300c\u300d\u300e\u300f'
    "\u301d\u301e\u301f\ufe41\ufe42\ufe43\ufe44\uff02\uff62\uff63"
)
_SINGLE_QUOTES: Final = (
    "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u275b\u275c\ua78c\uff07"
)
QUOTES: Final = str.maketrans(dict.fromkeys(_DOUBLE_QUOTES, '"') | dict.fromkeys(_SINGLE_QUOTES, "'"))
"""Quotation marks to U+0022, apostrophes and primes to U+0027, for ``str.translate``."""
_KEPT_PUNCTUATION: Final = "#%&*/@\\\u2020\u2021\u2030\u2031\u00a7\u00b6"
ASCII_PUNCTUATION: Final = str.maketrans(dict.fromkeys("!\"'(),-.:;?[]{}`"))
"""The part of :attr:`Classes.punctuation` that is ASCII, for ``str.translate``."""
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
IGNORABLE: Final = frozenset(chr(value) for first, last in _IGNORABLE for value in range(first, last + 1))
"""Default_Ignorable_Code_Point without the joiners and without what the profile refuses anyway."""
LETTERS: Final[Mapping[str, str]] = {
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


class Classes(NamedTuple):
    """Patterns that match one character of a kind.

    Attributes:
        spaces: white space, categories Zs, Zl and Zp.
        dashes: hyphens, dashes and minus signs.
        punctuation: dashes, quotes, brackets and sentence punctuation; without what names tell apart
            (``C#``).
        accents: marks that decorate a letter.
        ignorable: characters that a renderer ignores.
    """

    spaces: re.Pattern[str]
    dashes: re.Pattern[str]
    punctuation: re.Pattern[str]
    accents: re.Pattern[str]
    ignorable: re.Pattern[str]


@cache
def classes() -> Classes:
    """Return the patterns. One pass over the database, on first use: most texts are ASCII and need none."""
    characters = [chr(value) for value in range(0x20000)]
    categories = [unicodedata2.category(character) for character in characters]
    of = dict(zip(characters, categories, strict=True))
    dashes = [*_DASHES, *(character for character in of if of[character] == "Pd")]
    removed = [
        character
        for character in of
        if of[character] in {"Pe", "Pf", "Pi", "Po", "Ps"} and not _is_kept(character)
    ]
    return Classes(
        spaces=_one_of(character for character in of if of[character][0] == "Z"),
        dashes=_one_of(dashes),
        punctuation=_one_of([*dashes, *map(chr, QUOTES), *removed]),
        accents=_one_of(
            character
            for character in of
            if of[character] == "Mn" and _is_accent(unicodedata2.combining(character))
        ),
        ignorable=_one_of(IGNORABLE),
    )


def _one_of(characters: Iterable[str]) -> re.Pattern[str]:
    # As ranges, because above the BMP the engine tries them one by one; by number, so that none is an
    # operator.
    values = sorted({ord(character) for character in characters})
    firsts = [value for value, before in zip(values, [-2, *values], strict=False) if value != before + 1]
    lasts = [value for value, after in zip(values, [*values[1:], -2], strict=True) if value + 1 != after]
    ranges = (f"\\U{first:08x}-\\U{last:08x}" for first, last in zip(firsts, lasts, strict=True))
    return re.compile(f"[{''.join(ranges)}]")


def _is_kept(character: str) -> bool:
    # With its wide and small forms, which nfkccf/1 makes the same.
    return unicodedata2.normalize("NFKC", character) in _KEPT_PUNCTUATION


def _is_accent(combining_class: int) -> bool:
    # Overlays, the points of Hebrew, Arabic and Syriac, and the attached or positional classes. Class 0
    # marks, nukta (7), kana voicing (8), virama (9), the vowel and tone signs of Indic scripts, Thai, Lao and
    # Tibetan (84 to 132) and the iota subscript (240) make another letter or syllable.
    return combining_class == 1 or 10 <= combining_class <= 36 or 200 <= combining_class <= 234  # noqa: PLR2004
