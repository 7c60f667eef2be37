"""The comparison of two texts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from denotary.text.differences.exchange import compare_roles
from denotary.text.differences.framing import compare_framing
from denotary.text.differences.lists import antonyms
from denotary.text.differences.marked import compare_marks, negation_differs, negations
from denotary.text.differences.numbers import compare_quantities, find_quantities
from denotary.text.differences.order import compare_order
from denotary.text.differences.reading import read, tokenise
from denotary.text.differences.records import KINDS, Difference
from denotary.text.languages import primary_subtag
from denotary.text.negation import negating, words
from denotary.text.negation import negations as listed

if TYPE_CHECKING:
    from denotary.text.differences.reading import Reading

ALIKE: Final = 0.6
"""Least Dice coefficient of the content words (opposites count as shared) at which words are compared at all."""


def differences(first: str, second: str, language: str = "en") -> tuple[Difference, ...]:
    """Return signs that two texts may mean different things; none is no sign that they mean the same.

    Time is linear in the length of the texts. Instructions and quotations are looked for in any two texts, the other
    kinds in texts that are worded alike. Another order of the texts gives the same kinds, sides exchanged.

    Args:
        first: any text.
        second: any text.
        language: tag of both; word lists are English, beside negations in other languages, for which only the kinds
            in :data:`denotary.text.differences.UNIVERSAL` are looked for.
    """
    if first == second:
        return ()
    if primary_subtag(language) != "en":
        found = [*compare_framing(first, second, english=False), *_elsewhere(first, second, language)]
    else:
        one, two = read(first), read(second)
        found = compare_framing(first, second, english=True)
        opposites = _opposites(one, two)
        if _alike(one, two, len(opposites)):
            found += _polarity(one, two, opposites)
            found += compare_marks(one, two)
            found += compare_quantities(one.quantities, two.quantities)
            found += compare_order(one, two) or _exchanged(first, second)
    return tuple(sorted(found, key=lambda difference: KINDS.index(difference.kind)))


def _polarity(one: Reading, two: Reading, opposites: list[tuple[str, str]]) -> list[Difference]:
    """Return negation and opposites; a negation and one opposite cancel, as *not open* is *closed*."""
    negated = negation_differs(one, two)
    if negated and len(opposites) == 1:
        return []
    found = [Difference("antonym", (left,), (right,)) for left, right in opposites]
    if negated:
        sides = (tuple(word for mark in negations(side) for word in mark.words) for side in (one, two))
        found.append(Difference("negation", *sides))
    return found


def _exchanged(first: str, second: str) -> list[Difference]:
    order, words = compare_roles(first, second)
    return [Difference("role_order", words, words[::-1])] if order == "exchanged" else []


def _alike(one: Reading, two: Reading, opposites: int) -> bool:
    left, right = (Counter(stem for stem, _ in side.content) for side in (one, two))
    size = left.total() + right.total()
    if not size:
        return bool(one.tokens and two.tokens)
    return 2 * ((left & right).total() + opposites) / size >= ALIKE


def _opposites(one: Reading, two: Reading) -> list[tuple[str, str]]:
    """Return pairs of opposites of which each text has one word that the other has not."""
    left, right = dict(one.content), dict(two.content)
    only, others, known = left.keys() - right.keys(), right.keys() - left.keys(), antonyms()
    found = []
    for word in (stem for stem in left if stem in only):
        near = {*known.get(word, ()), *known.get(left[word], ()), *_derived(word)} & others
        if near:
            other = min(near)
            others.discard(other)
            found.append((left[word], right[other]))
    return found


def _derived(word: str) -> list[str]:
    """Return the words that *un-*, *non-* and *-less* make of a word, and those that they were made of."""
    found = ["un" + word, "non" + word]
    found += [word.removeprefix(part) for part in ("un", "non") if word.startswith(part)]
    if word.endswith("ful"):
        found.append(word[:-3] + "les")
        found.append(word[:-3] + "less")
    return [*found, word[:-4] + "ful"] if word.endswith("less") else found


def _elsewhere(first: str, second: str, language: str) -> list[Difference]:
    """Return negation and numbers of two texts in another language than English."""
    left, right = negating(first, language), negating(second, language)
    found = []
    if bool(left) != bool(right) and _without(first, left) == _without(second, right):
        found.append(Difference("negation", left, right))
    sides = [
        tuple(t for t in tokenise(text) if t[0].isdecimal() or t[0] in "%$€£¥") for text in (first, second)
    ]
    shared = [{t for t in words(text) if not t[0].isdecimal()} for text in (first, second)]
    size = len(shared[0]) + len(shared[1])
    if size == 0 or 2 * len(shared[0] & shared[1]) / size >= ALIKE:
        found += compare_quantities(find_quantities(sides[0]), find_quantities(sides[1]))
    return found


def _without(text: str, negative: tuple[str, ...]) -> str:
    """Return the letters of a text without what negates in it."""
    left_out = set(negative)
    found = "".join(word for word in words(text) if word not in left_out)
    for part in listed().parts:
        found = found.replace(part, "") if part in left_out else found
    return found
