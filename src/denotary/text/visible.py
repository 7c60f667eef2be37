"""Invisible characters made visible, for reports and terminals."""

from __future__ import annotations

from typing import Final

import unicodedata2

from denotary.text.characters import IGNORABLE

_SHOWN_BY_NUMBER: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})


def visible(text: str) -> str:
    """Return a text in which every character that shows nothing, or reorders others, stands as ``⟨U+200B⟩``.

    That is controls, format and bidi characters, white space other than U+0020, characters that a renderer
    ignores by default, and code points that are unassigned, private or surrogates. The result can always be
    encoded.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    hidden = character != " " and (
        unicodedata2.category(character) in _SHOWN_BY_NUMBER or character in IGNORABLE
    )
    return f"\u27e8U+{ord(character):04X}\u27e9" if hidden else character
