"""What a text does apart from saying something: giving orders to its reader, or only mentioning words."""

from __future__ import annotations

import re
from typing import Final

from denotary.text.differences.lists import tables, word_list
from denotary.text.differences.reading import tokenise
from denotary.text.differences.records import Difference

_REACH: Final = 5
"""Tokens after a verb in which its object must stand."""
_QUOTED: Final = tuple(
    re.compile(pattern) for pattern in (
        '"([^"]+)"', "“([^“”]+)”", "„([^„“”]+)[“”]", "«([^«»]+)»", "`([^`]+)`", "\\u2018([^\\u2018]+?)\\u2019(?!\\w)",
        r"(?<!\w)'(\w[^']*)'(?!\w)", "「([^「」]+)」", "『([^『』]+)』",
    )
)  # fmt: skip


def compare_framing(first: str, second: str, *, english: bool) -> list[Difference]:
    """Return that one text alone gives instructions, or alone quotes words that the other uses."""
    found = []
    left, right = (orders(first), orders(second)) if english else ((), ())
    if bool(left) != bool(right):
        found.append(Difference("instruction", left, right))
    one, two = quoted(first), quoted(second)
    if bool(one) != bool(two):
        words, used = one or two, set(tokenise(second if one else first))
        named = english and not set(tokenise(first)).isdisjoint(word_list("mention", "nouns"))
        if named or 2 * sum(word in used for word in words) >= len(words):
            found.append(Difference("mention", one, two))
    return found


def orders(text: str) -> tuple[str, ...]:
    """Return the words of an English text that look like orders to whoever resolves it."""
    known, folded = tables()["instruction"], text.casefold()
    found = [mark for mark in known["marks"] if mark in folded]
    tokens = tokenise(text)
    for verbs, objects in (("overrides", "overridden"), ("demands", "demanded")):
        acts, things = word_list("instruction", verbs), word_list("instruction", objects)
        for at, token in enumerate(tokens):
            if token in acts and (met := things & set(tokens[at + 1 : at + 1 + _REACH])):
                found += [token, *sorted(met)]
    return tuple(found)


def quoted(text: str) -> tuple[str, ...]:
    """Return the words within pairs of quotation marks."""
    return tuple(word for pattern in _QUOTED for part in pattern.findall(text) for word in tokenise(part))
