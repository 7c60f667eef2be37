"""The relation of two words in sense."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from denotary.text.differences.lists import antonyms, stem
from denotary.text.lexicon.table import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Relation: TypeAlias = Literal[
    "same", "opposite", "synonym", "indirect", "similar", "above", "beside", "unknown"
]
RELATIONS: Final[tuple[Relation, ...]] = (
    "same", "opposite", "synonym", "indirect", "similar", "above", "beside", "unknown"
)  # fmt: skip
"""In the order in which they are looked for. ``indirect``: one is the opposite of a word near the other; ``above``:
one is a kind of the other within three steps; ``beside``: both are kinds of one thing."""
_ENDINGS: Final = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"),
    ("est", ""), ("ier", "y"), ("iest", "y"), ("ly", ""),
)  # fmt: skip
_DOUBLING: Final = ("ing", "ed", "er", "est")
_NEGATING: Final = ("un", "non", "in", "im", "dis", "ir", "il")
_LEAST: Final = 3
_STEPS: Final = 3
_KEPT: Final = 65_536


@lru_cache(maxsize=_KEPT)
def relation(first: str, second: str) -> Relation:
    """Return how two case-folded English words relate; sides may be exchanged.

    >>> relation("raise", "lower"), relation("buy", "purchase")
    ('opposite', 'synonym')
    """
    return next((name for name, holds in _TESTS if holds(first, second)), "unknown")


def is_prefixed(word: str) -> bool:
    """Return whether a case-folded English word is listed as the opposite of its own end, as *unsafe* is.

    >>> is_prefixed("disagrees"), is_prefixed("image")
    (True, False)
    """
    return any(
        lemma.startswith(part) and lemma.removeprefix(part) in _opposites(lemma)
        for lemma in _lemmas(word)
        for part in _NEGATING
    )


def _either(holds: Callable[[str, str], object]) -> Callable[[str, str], object]:
    return lambda a, b: holds(a, b) or holds(b, a)


def _are_opposite(first: str, second: str) -> bool:
    one, two = _lemmas(first), _lemmas(second)
    if one & _opposites(second) or two & _opposites(first):
        return True
    return any(
        left == part + right for part in _NEGATING for left, right in ((first, second), (second, first))
    )


@lru_cache(maxsize=_KEPT)
def _lemmas(word: str) -> frozenset[str]:
    return frozenset({word, stem(word), *table().irregular.get(word, ()), *_cut(word)})


def _cut(word: str) -> Iterator[str]:
    """Yield what a word may be a form of; most of it is no word, which costs nothing."""
    for ending, put in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _LEAST:
            yield rest + put
    for ending in _DOUBLING:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > _LEAST and rest[-1] == rest[-2]:
            yield rest[:-1]


@lru_cache(maxsize=_KEPT)
def _senses(word: str) -> frozenset[int]:
    return frozenset(number for lemma in _lemmas(word) for number in table().senses.get(lemma, ()))


@lru_cache(maxsize=_KEPT)
def _opposites(word: str) -> frozenset[str]:
    listed = {*antonyms().get(word, ()), *antonyms().get(stem(word), ())}
    return frozenset(listed.union(*(table().opposites.get(lemma, ()) for lemma in _lemmas(word))))


@lru_cache(maxsize=_KEPT)
def _near(word: str) -> frozenset[str]:
    """Return the synonyms of all senses of a word, and of what is similar to them."""
    known = table()
    senses = _senses(word)
    reached = senses.union(*(known.similar[number] for number in senses))
    return frozenset(near for number in reached for near in known.members[number])


@lru_cache(maxsize=_KEPT)
def _opposites_near(word: str) -> frozenset[str]:
    return frozenset(other for near in _near(word) for other in table().opposites.get(near, ()))


@lru_cache(maxsize=_KEPT)
def _above(word: str, steps: int) -> frozenset[int]:
    level = seen = _senses(word)
    for _ in range(steps):
        level = frozenset(above for number in level for above in table().above[number]) - seen
        seen |= level
    return seen


@lru_cache(maxsize=_KEPT)
def _parents(word: str) -> frozenset[int]:
    return frozenset(above for number in _senses(word) for above in table().above[number])


_TESTS: Final[tuple[tuple[Relation, Callable[[str, str], object]], ...]] = (
    ("same", lambda a, b: a == b or stem(a) == stem(b)),
    ("opposite", _are_opposite),
    ("synonym", lambda a, b: _senses(a) & _senses(b)),
    ("indirect", _either(lambda a, b: _lemmas(a) & _opposites_near(b))),
    ("similar", _either(lambda a, b: _lemmas(a) & _near(b))),
    ("above", _either(lambda a, b: _senses(a) & _above(b, _STEPS))),
    ("beside", lambda a, b: _parents(a) & _parents(b)),
)
