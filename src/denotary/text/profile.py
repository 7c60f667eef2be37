"""The identity profile ``esid-nfc/1``: what it refuses, and its one step, NFC.

The Unicode character database is the one that ``unicodedata2`` pins, never the interpreter's, so that a text
has the same identity on every Python. A profile with another database would be another profile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec
import unicodedata2

PROFILE: Final = "esid-nfc/1"
"""Identifier of the profile, part of every answer and of every registry lock."""
UNICODE_VERSION: Final[str] = unicodedata2.unidata_version
"""Version of the Unicode character database in use."""
VECTORS: Final = "sha256:f09ea458e020b80e8aabe53f24bcc64325f97bef7cba29f84a12bf5f98ed7b51"
"""Digest of the profile's golden vectors; a changed vector is a changed profile."""
MAX_CODE_POINTS: Final = 2048
"""Longest text, in code points, before and after NFC."""
MAX_BYTES: Final = 8192
"""Longest text, in bytes of UTF-8. A text of 2048 code points never exceeds it."""

_NAMED: Final = (
    (0xFEFF, 0xFEFF, "byte_order_mark"),
    (0xFFF9, 0xFFFB, "interlinear_annotation"),
    (0xE0000, 0xE007F, "tag_character"),
    (0x202A, 0x202E, "bidi_control"),
    (0x2066, 0x2069, "bidi_control"),
    (0x206A, 0x206F, "deprecated_format"),
    (0xFDD0, 0xFDEF, "noncharacter"),
)
_NAMED_WITHIN: Final = frozenset({"Cf", "Cn"})
"""The categories that those code points have."""
_CATEGORIES: Final = {"Cs": "surrogate", "Cn": "unassigned", "Co": "private_use", "Cc": "control"}


class Normalised(msgspec.Struct, frozen=True):
    """A text that the profile accepts.

    Attributes:
        text: the text in NFC.
        changed: whether NFC differs from the text as given.

    A struct, because one is made for every text resolved, and a frozen dataclass costs six times as much.
    """

    text: str
    changed: bool

    def __repr__(self) -> str:
        return f"<Normalised {len(self.text)} code points>"


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why the profile refuses a text. Names at most one code point, never the text.

    Attributes:
        rule: ``empty``, ``blank``, ``too_many_code_points``, ``too_many_bytes``, ``not_utf8``, ``surrogate``,
            ``unassigned``, ``private_use``, ``noncharacter``, ``control``, ``byte_order_mark``,
            ``interlinear_annotation``, ``tag_character``, ``bidi_control`` or ``deprecated_format``.
        code_point: the first refused code point, or the first byte that is not UTF-8.
        offset: where it stands, from 0: in code points of the text as given; in bytes for ``not_utf8``.
    """

    rule: str
    code_point: int | None = None
    offset: int | None = None

    def __str__(self) -> str:
        if self.code_point is None:
            return self.rule.replace("_", " ")
        if self.rule == "not_utf8":
            return f"byte 0x{self.code_point:02X} at byte offset {self.offset} is not UTF-8"
        return f"U+{self.code_point:04X} ({self.rule.replace('_', ' ')}) at offset {self.offset}"


def normalise(text: str | bytes) -> Normalised | Rejection:
    """Return a text in the form that identity is decided by, or why it is refused.

    A text that is refused is never repaired or cut. White space alone is refused as ``blank``: there is
    nothing in it to resolve.

    Args:
        text: a text, or its bytes in UTF-8.
    """
    if isinstance(text, bytes):
        decoded = _decode(text)
        return decoded if isinstance(decoded, Rejection) else normalise(decoded)
    if len(text) > MAX_CODE_POINTS:
        return Rejection("too_many_code_points")
    # Printable ASCII is in NFC and holds nothing that is refused: most texts end here.
    if not (text.isascii() and text.isprintable()):
        refused = first_refused(text)
        if refused is not None:
            return refused
    if not text or text.isspace():
        return Rejection("blank" if text else "empty")
    normal: str = text if text.isascii() else unicodedata2.normalize("NFC", text)
    if len(normal) > MAX_CODE_POINTS:
        return Rejection("too_many_code_points")
    return Normalised(normal, changed=normal != text)


def _decode(data: bytes) -> str | Rejection:
    if len(data) > MAX_BYTES:
        return Rejection("too_many_bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Rejection("not_utf8", data[error.start], error.start)


def first_refused(text: str) -> Rejection | None:
    """Return the first code point that the profile refuses, or None."""
    search = _suspects().search
    match = search(text)
    while match is not None:
        rule = refusal_rule(match[0])
        if rule is not None:
            return Rejection(rule, ord(match[0]), match.start())
        match = search(text, match.end())
    return None


def refusal_rule(character: str) -> str | None:
    """Return the rule by which the profile refuses a code point, or None if it accepts it."""
    category = unicodedata2.category(character)
    if category in _NAMED_WITHIN:
        value = ord(character)
        for first, last, rule in _NAMED:
            if first <= value <= last:
                return rule
        if value & 0xFFFE == 0xFFFE:  # noqa: PLR2004 - the last two of every plane
            return "noncharacter"
    return _CATEGORIES.get(category)


@cache
def _suspects() -> re.Pattern[str]:
    # One bitmap search passes over the accepted part of the BMP at the speed of C. Code points above it are
    # all suspects, looked up one by one: a class of their hundreds of ranges is searched range by range.
    refused = "".join(f"\\u{value:04x}" for value in range(0x10000) if refusal_rule(chr(value)))
    return re.compile(f"[{refused}\\U00010000-\\U0010ffff]")
