"""Keyboard layouts, and which letters lie beside each other on them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import unicodedata2

from denotary.text.forms import NFC, NFD
from denotary.text.languages import primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DATA: Final = Path(__file__).parent / "data" / "keyboards.toml"
_NO_LETTER: Final = "\u00b7"
_OFFSETS: Final = (0.0, 0.5, 0.75, 1.25)
"""How far a row begins to the right of the row of digits, in keys: the stagger of ISO/IEC 9995-2 keyboards."""
_REACH: Final = 1.3
"""Largest distance of the centres of neighbouring keys, in keys: the same row, and the two nearest of the next."""
_JAMO: Final = ("CHOSEONG", "JUNGSEONG", "JONGSEONG")
"""Kinds of conjoining jamo, as their names say; the letter on the key has LETTER there."""


@cache
def layouts() -> Mapping[str, Mapping[str, Any]]:
    """Return the layouts by name: title, languages, and the rows of plain and shifted letters."""
    return tomllib.loads(_DATA.read_text("utf-8"))


@cache
def layouts_for(language: str) -> tuple[str, ...]:
    """Return the names of the layouts of a language, by its primary subtag."""
    subtag = primary_subtag(language)
    return tuple(name for name, layout in layouts().items() if subtag in layout["languages"])


@cache
def neighbours(layout: str) -> Mapping[str, tuple[str, ...]]:
    """Return, by letter, the letters on the keys around its key, with the same use of the shift key."""
    found: dict[str, list[str]] = {}
    for level in ("plain", "shifted"):
        keys = list(_keys(layouts()[layout][level]))
        for row, place, letter in keys:
            for other_row, other_place, other in keys:
                near = (row - other_row) ** 2 + (place - other_place) ** 2 <= _REACH**2
                if near and letter != other:
                    found.setdefault(letter, []).append(other)
    return {letter: tuple(others) for letter, others in found.items()}


def _keys(rows: list[str]) -> Iterator[tuple[int, float, str]]:
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            if letter != _NO_LETTER:
                yield row, column + _OFFSETS[row], letter


def mistyped(cluster: str, layout: str) -> Iterator[str]:
    """Yield the clusters that come out when one key of a cluster is missed for the one beside it.

    A Hangul syllable is typed by jamo, so that one of its jamo changes. Marks are keys of their own in Indic and Thai
    layouts. What would not be one character again is left out by the caller.
    """
    table = neighbours(layout)
    for form in dict.fromkeys((NFC(cluster), NFD(cluster))):
        for place, character in enumerate(form):
            for other in _beside(character, table):
                yield NFC(f"{form[:place]}{other}{form[place + 1 :]}")


def _beside(character: str, table: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    kind = next(
        (kind for kind in _JAMO if unicodedata2.name(character, "").startswith(f"HANGUL {kind} ")), None
    )
    if kind is None:
        yield from table.get(character, ())
        return
    for other in table.get(_renamed(character, kind, "LETTER"), ()):
        jamo = _renamed(other, "LETTER", kind)
        if jamo:
            yield jamo


def _renamed(character: str, old: str, new: str) -> str:
    """Return the character whose name differs in one word; an empty text if there is none."""
    try:
        found: str = unicodedata2.lookup(unicodedata2.name(character).replace(old, new, 1))
    except KeyError:
        return ""
    return found
