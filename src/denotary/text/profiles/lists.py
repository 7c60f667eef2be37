"""The phrases of ``profiles.toml``, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from denotary.canonical import sha256
from denotary.text.differences.lists import split_phrases

_FILE: Final = Path(__file__).parent.parent / "data" / "profiles.toml"
_LONGEST: Final = 6
"""Most words of a phrase."""


@cache
def profiles_hash() -> str:
    """Return the SHA-256 of the lists, in hexadecimal."""
    return sha256(_FILE.read_bytes())


@cache
def labels(table: str) -> dict[tuple[str, ...], str]:
    """Return the label of every phrase of a table; a phrase that stands under two labels has the first."""
    found: dict[tuple[str, ...], str] = {}
    for label, text in tomllib.loads(_FILE.read_text("utf-8"))[table].items():
        for words in split_phrases(text):
            found.setdefault(words, label)
    return found


def marks(table: str, tokens: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """Return label, start and end of the phrases of a table among tokens; the longest counts, none overlaps."""
    known, found, at = labels(table), [], 0
    while at < len(tokens):
        for length in range(_LONGEST, 0, -1):
            if tokens[at : at + length] in known and at + length <= len(tokens):
                found.append((known[tokens[at : at + length]], at, at + length))
                at += length
                break
        else:
            at += 1
    return tuple(found)
