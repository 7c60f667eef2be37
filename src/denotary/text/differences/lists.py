"""The word lists, read once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from denotary.canonical import sha256

_FOLDER: Final = Path(__file__).parent.parent / "data"
_FILES: Final = ("antonyms.toml", "differences.toml", "negations.toml")
MARKED: Final = ("negation", "modality", "scope", "temporal_order", "exception", "condition")
"""Tables of ``differences.toml`` that hold phrases by label."""
_LEAST: Final = 3
"""Least characters of a stem."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that marks a kind of meaning.

    Attributes:
        words: of the phrase.
        kind: the table it stands in.
        label: its class in that table.
    """

    words: tuple[str, ...]
    kind: str
    label: str


@cache
def data_hash() -> str:
    """Return the SHA-256 of the word lists, in hexadecimal."""
    return sha256(b"\0".join((_FOLDER / name).read_bytes() for name in _FILES))


@cache
def tables() -> dict[str, Any]:
    """Return the tables of ``differences.toml``."""
    return tomllib.loads((_FOLDER / "differences.toml").read_text("utf-8"))


@cache
def word_list(table: str, name: str) -> frozenset[str]:
    """Return a list of words parted by spaces."""
    return frozenset(tables()[table][name].split())


def split_phrases(text: str) -> list[tuple[str, ...]]:
    """Return the phrases of a text in which they are parted by bars or ends of lines."""
    return [tuple(p.split()) for line in text.splitlines() for p in line.split("|") if p.strip()]


@cache
def phrases() -> dict[str, tuple[Phrase, ...]]:
    """Return the phrases of the marked kinds by first word, longest first."""
    found: dict[str, list[Phrase]] = {}
    for kind in MARKED:
        for label, text in tables()[kind].items():
            for words in split_phrases(text):
                found.setdefault(words[0], []).append(Phrase(words, kind, label))
    return {word: tuple(sorted(of, key=lambda p: -len(p.words))) for word, of in found.items()}


@cache
def bounds(table: str) -> dict[tuple[str, ...], str]:
    """Return the relation that each phrase of ``bound`` or ``bound_after`` puts a number in."""
    return {words: label for label, text in tables()[table].items() for words in split_phrases(text)}


@cache
def units() -> dict[str, tuple[str, float]]:
    """Return dimension and factor of each word for a unit."""
    return {
        word: (dimension, float(factor))
        for dimension, members in tables()["units"].items()
        for names, factor in members.items()
        for word in names.split()
    }


@cache
def number_words() -> dict[str, int]:
    """Return the values of words below one hundred."""
    known = tables()["numbers"]
    small = {word: value for value, word in enumerate(known["small"].split())}
    return small | {word: 10 * value for value, word in enumerate(known["tens"].split(), 2)}


@cache
def participles() -> dict[str, str]:
    """Return the base form of irregular forms of verbs."""
    return {form: base for forms, base in tables()["participles"].items() for form in forms.split()}


@cache
def antonym_pairs() -> tuple[tuple[str, ...], ...]:
    """Return the pairs of opposite words as they stand in the list."""
    pairs = tomllib.loads((_FOLDER / "antonyms.toml").read_text("utf-8"))["pairs"]
    return tuple(pair for text in pairs.values() for pair in split_phrases(text))


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem."""
    found: dict[str, set[str]] = {}
    for one, two in antonym_pairs():
        for left, right in product({one, stem(one)}, {two, stem(two)}):
            found.setdefault(left, set()).add(right)
            found.setdefault(right, set()).add(left)
    return {word: frozenset(others) for word, others in found.items()}


def stem(word: str) -> str:
    """Return a word without its English endings of number and tense, and without a final e."""
    word = participles().get(word, word)
    for ending in ("ing", "ed", "es", "s"):
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < _LEAST or (ending == "s" and rest[-1] in "sui"):
            continue
        word = rest
        if ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "ls":
            word = word[:-1]
        break
    word = word[:-1] + "y" if word.endswith("i") and len(word) > _LEAST else word
    return word[:-1] if word.endswith("e") and len(word) > _LEAST else word
