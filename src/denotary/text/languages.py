"""BCP 47 language tags: well-formedness, canonical case, primary subtag, broader tags. No subtag registry."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from denotary.errors import InputError

# RFC 5646 section 2.1, without the grandfathered tags that do not fit its grammar. Letters are spelled out in both
# cases, so that a JSON Schema can hold the pattern; and U+212A and U+017F, which fold to k and s, stay out.
TAG_PATTERN: Final = (
    "^("
    "([A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})"  # language, extended language
    "(-[A-Za-z]{4})?"  # script
    "(-([A-Za-z]{2}|[0-9]{3}))?"  # region
    "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"  # variants
    "(-[0-9A-WYZa-wyz](-[A-Za-z0-9]{2,8})+)*"  # extensions
    "(-[Xx](-[A-Za-z0-9]{1,8})+)?"  # private use
    "|[Xx](-[A-Za-z0-9]{1,8})+"
    ")$"
)
"""What a well-formed tag looks like, as a pattern of JSON Schema."""
_WELL_FORMED: Final = re.compile(TAG_PATTERN)


@lru_cache(maxsize=4096)
def is_tag(tag: str) -> bool:
    """Return whether a text is a well-formed BCP 47 tag."""
    return _WELL_FORMED.fullmatch(tag) is not None


def canonical_tag(tag: str) -> str:
    """Return a BCP 47 tag in canonical case: ``zh-hANT-tw`` becomes ``zh-Hant-TW`` (RFC 5646 section 2.1.1).

    Raises:
        InputError: the tag is not well-formed.
    """
    if not is_tag(tag):
        raise InputError(
            "a language tag is not well-formed BCP 47", hint="write en, pt-BR or zh-Hant, with hyphens"
        )
    parts = tag.lower().split("-")
    for position in range(1, len(parts)):
        part = parts[position]
        if len(parts[position - 1]) == 1:
            break
        if len(part) == 2 and part.isalpha():  # noqa: PLR2004 - a region
            parts[position] = part.upper()
        elif len(part) == 4 and part.isalpha():  # noqa: PLR2004 - a script
            parts[position] = part.title()
    return "-".join(parts)


def primary_subtag(tag: str) -> str:
    """Return the language subtag of a tag in lower case: ``pt`` for ``pt-BR``."""
    return tag.partition("-")[0].lower()


def broader_tags(tag: str) -> tuple[str, ...]:
    """Return a tag and its fall-backs from the narrowest to the broadest (lookup of RFC 4647 section 3.4)."""
    parts = tag.split("-")
    found = []
    while parts:
        found.append("-".join(parts))
        parts.pop()
        if parts and len(parts[-1]) == 1:
            parts.pop()
    return tuple(found)
