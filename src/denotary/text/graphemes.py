"""Extended grapheme clusters (UAX #29, Unicode 18.0.0): what a reader takes for one character.

The rules pass the official test file of that version. Rule GB9c changed in 15.1, 17.0 and 18.0, so that a count
of clusters means something only beside :data:`RULES`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from denotary.text.ranges import value_of

RULES: Final = "UAX #29 extended, Unicode 18.0.0"
"""The rule set, to be printed beside any number that depends on it."""

_OTHER: Final = "A"
_HANGUL: Final = range(0xAC00, 0xD7A4)
_SYLLABLES_OF_A_VOWEL: Final = 28
"""Syllables with one leading consonant and one vowel; the first of them has no trailing consonant."""

# Table 1c of UAX #29 over the letters of data/graphemes-18.0.0.txt, with r and n for CR and LF, H and I for Hangul
# syllables without and with a trailing consonant. A conjunct (GB9c) goes on wherever a linker and a consonant meet; a
# linker of class J is not extending, so that it begins a cluster.
_CONJUNCT: Final = "[EZ]*O"
_HANGUL_SYLLABLE: Final = "L*(?:V+|HV*|I)T*|L+|T+"
_PICTOGRAPHS: Final = "X(?:[EKW]*ZX)*"
_CLUSTER: Final = re.compile(
    f"rn|[Crn]|P*(?:[KJ]{_CONJUNCT}|{_HANGUL_SYLLABLE}|RR|{_PICTOGRAPHS}|[^Crn])(?:K{_CONJUNCT}|[EKWZS])*"
)


class _Letters(dict[int, str]):
    """Code point to the letter of its class, looked up once each."""

    def __missing__(self, value: int) -> str:
        letter = _class_of(value)
        self[value] = letter
        return letter


_LETTERS: Final = _Letters()


def clusters(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text, in order; joined they are the text."""
    if text.isascii() and "\r" not in text:
        return list(text)
    ends = boundaries(text)
    return [text[start:end] for start, end in pairwise(ends)]


def boundaries(text: str) -> list[int]:
    """Return the offsets, in code points, between which the clusters stand: 0, the end of each, in order.

    An empty text has the one boundary 0.
    """
    if text.isascii() and "\r" not in text:
        return list(range(len(text) + 1))
    return [0, *(match.end() for match in _CLUSTER.finditer(text.translate(_LETTERS)))]


def _class_of(value: int) -> str:
    if value in _HANGUL:
        return "I" if (value - _HANGUL.start) % _SYLLABLES_OF_A_VOWEL else "H"
    if value in {0x0A, 0x0D}:
        return "n" if value == 0x0A else "r"  # noqa: PLR2004 - line feed
    return value_of(value, "graphemes-18.0.0.txt", _OTHER)
