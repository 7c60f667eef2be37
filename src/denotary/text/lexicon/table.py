"""The table of word relations, read once. ``tools/wordnet_table.py`` writes it from WordNet 3.0."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from denotary.canonical import sha256

_FOLDER: Final = Path(__file__).parent.parent / "data"
_FILES: Final = ("wordnet-3.0.tsv.gz", "antonyms.toml")


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Synsets by number, and words by what is known of them.

    Attributes:
        members: words of each synset.
        above: synsets above each synset.
        similar: synsets like each synset, of adjectives.
        senses: synsets of each word.
        opposites: opposites of each word.
        irregular: base forms of irregular forms.
    """

    members: tuple[tuple[str, ...], ...]
    above: tuple[tuple[int, ...], ...]
    similar: tuple[tuple[int, ...], ...]
    senses: dict[str, tuple[int, ...]]
    opposites: dict[str, frozenset[str]]
    irregular: dict[str, tuple[str, ...]]


@cache
def lexicon_hash() -> str:
    """Return the SHA-256 of the tables behind every relation, in hexadecimal."""
    return sha256(b"\0".join((_FOLDER / name).read_bytes() for name in _FILES))


@cache
def table() -> Table:
    """Return the table; about 0.3 CPU-seconds at the first call."""
    lines = gzip.decompress((_FOLDER / _FILES[0]).read_bytes()).decode("utf-8").splitlines()
    synsets = [line.split("\t") for line in lines if line[:1] not in {"!", "~"}]
    members = tuple(tuple(words.split()) for words, _, _ in synsets)
    senses: dict[str, list[int]] = {}
    for number, words in enumerate(members):
        for word in words:
            senses.setdefault(word, []).append(number)
    opposites: dict[str, set[str]] = {}
    irregular: dict[str, list[str]] = {}
    for mark, one, two in (line.split("\t") for line in lines if line[:1] in {"!", "~"}):
        if mark == "~":
            irregular.setdefault(one, []).append(two)
            continue
        opposites.setdefault(one, set()).add(two)
        opposites.setdefault(two, set()).add(one)
    return Table(
        members=members,
        above=tuple(tuple(map(int, above.split())) for _, above, _ in synsets),
        similar=tuple(tuple(map(int, similar.split())) for _, _, similar in synsets),
        senses={word: tuple(numbers) for word, numbers in senses.items()},
        opposites={word: frozenset(others) for word, others in opposites.items()},
        irregular={form: tuple(bases) for form, bases in irregular.items()},
    )
