"""Words that negate: a sign in a text that its meaning may be another, never a judgement that it is."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from denotary.text.languages import primary_subtag

_DATA: Final = Path(__file__).parent / "data" / "negations.toml"
# Vowel signs and points are marks, which \w leaves out: they would cut words of Hindi or pointed Arabic.
_WORD: Final = re.compile("[\\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff]+")
UNSPACED: Final = frozenset({"zh", "yue", "ja", "ko"})
"""Languages that the parts of words in the list are of."""
_TELLING: Final = 3
"""Least length of a word that counts where the language is not known: shorter ones mean other things elsewhere."""


class Negations(NamedTuple):
    """What ``negations.toml`` holds.

    Attributes:
        words: words in case folded form, by primary subtag of a language.
        parts: parts of words, whatever the language.
        all: the words of all languages together.
    """

    words: dict[str, frozenset[str]]
    parts: tuple[str, ...]
    all: frozenset[str]


@cache
def negations() -> Negations:
    """Return the words that negate; their status is unreviewed."""
    tables = tomllib.loads(_DATA.read_text("utf-8"))
    parts = tuple(tables.pop("parts"))
    words: dict[str, frozenset[str]] = {}
    for group in tables.values():
        for language in group["languages"]:
            words[language] = words.get(language, frozenset()) | frozenset(group["words"].casefold().split())
    return Negations(words, parts, frozenset().union(*words.values()))


def is_listed(language: str) -> bool:
    """Whether the list holds words, or parts of words, of a language, given by its tag."""
    primary = primary_subtag(language)
    return primary in UNSPACED or primary in negations().words


def words(text: str) -> list[str]:
    """Return the words of a text in their order, case folded."""
    return _WORD.findall(text.casefold())


def negating(text: str, language: str) -> tuple[str, ...]:
    """Return the words and parts of words of a text that negate, in their order, words first.

    Args:
        text: any text.
        language: its tag. Where the language is unknown or has no words, those of all languages count that are at
            least three characters long.
    """
    known, folded = negations(), text.casefold()
    listed = known.words.get(primary_subtag(language))
    if listed is None:
        listed = frozenset(word for word in known.all if len(word) >= _TELLING)
    found = [word for word in words(text) if word in listed]
    return (*found, *(part for part in known.parts for _ in range(folded.count(part))))
