"""Scripts of characters and texts (UAX #24), mixed-script words, ignorable characters out of place."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import unicodedata2

from denotary.text.characters import IGNORABLE, JOINERS
from denotary.text.ranges import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

UNSPECIFIC: Final = frozenset({"Zyyy", "Zinh", "Zzzz"})
"""Common, inherited, unknown: scripts that say nothing about a text."""
_WITHIN: Final = {
    "Jpan": frozenset({"Hani", "Hira", "Kana"}),
    "Hrkt": frozenset({"Hira", "Kana"}),
    "Kore": frozenset({"Hang", "Hani"}),
    "Hanb": frozenset({"Hani", "Bopo"}),
    "Hans": frozenset({"Hani"}),
    "Hant": frozenset({"Hani"}),
}
_READ_TOGETHER: Final = tuple(_WITHIN[name] | {"Latn"} for name in ("Jpan", "Kore", "Hanb"))
"""Scripts that one word may mix: level Highly Restrictive of UTS #39 section 5.2."""
CURSIVE: Final = frozenset({"Adlm", "Arab", "Mand", "Mong", "Nkoo", "Phag", "Rohg", "Syrc"})
"""Scripts whose letters join their neighbours."""
UNSPACED: Final = frozenset({"Hani", "Hira", "Kana", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"})
"""Scripts that put no space between words."""
_VIRAMA: Final = 9
_EMOJI_STYLE: Final = "\ufe0f"
_KEYCAP: Final = "\u20e3"


@lru_cache(maxsize=1 << 16)
def script_of(character: str) -> str:
    """Return the ISO 15924 code of a character's script; ``Zyyy`` is common, ``Zzzz`` unknown."""
    return value_of(ord(character), "scripts-18.0.0.txt", "Zzzz")


def scripts(text: str) -> frozenset[str]:
    """Return the scripts of a text without common, inherited and unknown; empty for ``10^3``."""
    if text.isascii():
        return frozenset({"Latn"}) if any(map(str.isalpha, text)) else frozenset()
    return frozenset(map(script_of, set(text))) - UNSPECIFIC


def holds_script(text: str, script: str) -> bool:
    """Whether a text is written, at least in part, in a script.

    ``Jpan``, ``Kore``, ``Hans`` and their like hold their parts. A text without letters is in any script.
    """
    found = scripts(text)
    return not found or not found.isdisjoint(_WITHIN.get(script, {script}))


def mixed_words(text: str) -> tuple[int, ...]:
    """Return where the words begin that mix scripts no reader expects in one word (offsets in code points).

    A word is a run of letters, marks, numbers and joiners. Latin beside Japanese, Korean or Bopomofo with Han
    is expected.
    """
    if len(scripts(text)) <= 1:
        return ()
    found = []
    start, seen = 0, frozenset[str]()
    for offset, character in enumerate(f"{text} "):
        if unicodedata2.category(character)[0] in "LMN" or character in JOINERS:
            seen |= {script_of(character)}
            continue
        if not _expected(seen - UNSPECIFIC):
            found.append(start)
        start, seen = offset + 1, frozenset()
    return tuple(found)


def _expected(found: frozenset[str]) -> bool:
    return len(found) <= 1 or any(found <= together for together in _READ_TOGETHER)


def stray_ignorables(text: str) -> tuple[int, ...]:
    """Return the offsets of characters that show nothing and change nothing where they stand.

    In context is a joiner (U+200C, U+200D) after a virama (Indic conjuncts), a joiner between two letters of
    a cursive script (as in Persian), U+200D between two pictographs, and U+FE0F after a pictograph or in a
    keycap (emoji). For joiners that is the rule of RFC 5892 appendix A without the joining types of single
    letters, so it lets pass some joiners after letters that never join.
    """
    if text.isascii():
        return ()
    return tuple(
        offset
        for offset, character in enumerate(text)
        if (character in JOINERS or character in IGNORABLE) and not _in_context(text, offset)
    )


def _in_context(text: str, offset: int) -> bool:
    before = text[:offset].rstrip(_EMOJI_STYLE)
    if text[offset] == _EMOJI_STYLE:
        return _pictographic(before[-1:] or " ") or text[offset + 1 : offset + 2] == _KEYCAP
    if text[offset] not in JOINERS:
        return False
    if before and unicodedata2.combining(before[-1]) == _VIRAMA:
        return True
    left, right = _base(reversed(before)), _base(text[offset + 1 :])
    if script_of(left) in CURSIVE and script_of(right) in CURSIVE:
        return True
    return text[offset] == "\u200d" and _pictographic(left) and _pictographic(right)


def _base(characters: Iterable[str]) -> str:
    # The nearest character that is no mark; a space if there is none.
    for character in characters:
        if unicodedata2.category(character)[0] != "M":
            return character
    return " "


def _pictographic(character: str) -> bool:
    # Most emoji are So; the skin tones are Sk.
    return unicodedata2.category(character) in {"So", "Sk"}
