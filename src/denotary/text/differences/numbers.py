"""Numbers in digits and English words, the relation that they are put in, and their units."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, TypeAlias

from denotary.text.differences.lists import bounds, number_words, tables, units
from denotary.text.differences.records import Difference

_Key: TypeAlias = tuple[object, str, str]
_LONGEST: Final = 30
"""Characters of a number in digits that is read as a value; a longer one is compared as text."""
_PHRASE: Final = 3
"""Most words of a phrase that puts a number in a relation."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text.

    Attributes:
        value: the number, or its digits if there are too many.
        bound: ``>=``, ``>``, ``<=``, ``<`` or empty.
        dimension: of the unit, empty if there is none that is known.
        factor: of the unit.
        words: as they stand.
        start: index of the first token.
        end: index after the last.
    """

    value: float | str
    bound: str
    dimension: str
    factor: float
    words: tuple[str, ...]
    start: int
    end: int

    @property
    def is_pronoun(self) -> bool:
        """Whether it may be the pronoun *one*."""
        return self.words == ("one",)


def find_quantities(tokens: tuple[str, ...]) -> tuple[Quantity, ...]:
    """Return the numbers among tokens, in order."""
    found, at, free = [], 0, 0
    while at < len(tokens):
        value, end = _number(tokens, at)
        if value is None:
            at += 1
            continue
        start, bound = _before(tokens, at, free)
        dimension, factor, end, start = _unit(tokens, start, at, end)
        end, bound = _after(tokens, end, bound)
        found.append(Quantity(value, bound, dimension, factor, tokens[start:end], start, end))
        at = free = end
    return tuple(found)


def compare_quantities(one: tuple[Quantity, ...], two: tuple[Quantity, ...]) -> list[Difference]:
    """Return the difference of two texts' numbers; none where one of them has no other number to put against it."""
    if not one or not two:
        return []
    plain = any(not q.dimension for q in (*one, *two))
    left, right = ([(_key(q, plain=plain), q) for q in side] for side in (one, two))
    common = Counter(key for key, _ in left) & Counter(key for key, _ in right)
    first, second = _rest(left, common.copy()), _rest(right, common.copy())
    if not first or not second:
        return []
    words = (tuple(word for q in side for word in q.words) for side in (first, second))
    return [Difference("quantity", *words)]


def _key(quantity: Quantity, *, plain: bool) -> _Key:
    if plain or isinstance(quantity.value, str):
        return quantity.value, quantity.bound, ""
    return round(quantity.value * quantity.factor, 6), quantity.bound, quantity.dimension


def _rest(side: list[tuple[_Key, Quantity]], common: Counter[_Key]) -> list[Quantity]:
    found = []
    for key, quantity in side:
        if common[key] > 0:
            common[key] -= 1
        elif not quantity.is_pronoun or len(side) == 1:
            found.append(quantity)
    return found


def _number(tokens: tuple[str, ...], at: int) -> tuple[float | str | None, int]:
    token, scales, small = tokens[at], tables()["numbers"]["scales"], number_words()
    if token[0].isdecimal():
        value = _digits(token)
        if at + 1 < len(tokens) and tokens[at + 1] in scales and not isinstance(value, str):
            return value * scales[tokens[at + 1]], at + 2
        return value, at + 1
    if token in {"a", "an"} and at + 1 < len(tokens) and tokens[at + 1] in scales:
        at += 1
    elif token not in small and token not in scales:
        return None, at
    return _in_words(tokens, at)


def _in_words(tokens: tuple[str, ...], at: int) -> tuple[float, int]:
    total, part, start = 0.0, 0.0, at
    scales, small = tables()["numbers"]["scales"], number_words()
    while at < len(tokens):
        word = tokens[at]
        if word in small and (at == start or part == 0 or _fits(part, small[word])):
            part += small[word]
        elif word in scales and scales[word] <= 100:  # noqa: PLR2004 - hundreds stay within a group of three digits
            part = max(part, 1.0) * scales[word]
        elif word in scales:
            total, part = total + max(part, 1.0) * scales[word], 0.0
        elif not (
            word == "and"
            and (part >= scales["hundred"] or total)
            and at + 1 < len(tokens)
            and tokens[at + 1] in small
        ):
            break
        at += 1
    return total + part, at


def _fits(part: float, more: int) -> bool:
    """Whether a word below one hundred can follow: forty two, one hundred twelve, but no two five."""
    return part % 100 == 0 or (part % 10 == 0 and 0 < more < 10 and part % 100 >= 20)  # noqa: PLR2004


def _digits(token: str) -> float | str:
    plain = token.replace(",", "") if "," in token and all(len(p) == 3 for p in _groups(token)) else token  # noqa: PLR2004
    plain = plain.replace(",", ".")
    if len(plain) > _LONGEST or plain.count(".") > 1:
        return plain
    return float(plain)


def _groups(token: str) -> list[str]:
    return token.partition(".")[0].split(",")[1:]


def _before(tokens: tuple[str, ...], at: int, free: int) -> tuple[int, str]:
    known = bounds("bound")
    for length in range(_PHRASE, 0, -1):
        start = at - length
        if start >= free and tokens[start:at] in known:
            return start, known[tokens[start:at]]
    return at, ""


def _after(tokens: tuple[str, ...], end: int, bound: str) -> tuple[int, str]:
    known = bounds("bound_after")
    for length in range(_PHRASE, 0, -1):
        if tokens[end : end + length] in known:
            return end + length, known[tokens[end : end + length]]
    return end, bound


def _unit(tokens: tuple[str, ...], start: int, at: int, end: int) -> tuple[str, float, int, int]:
    known = units()
    if end < len(tokens) and tokens[end] in known:
        return *known[tokens[end]], end + 1, start
    if start == at and at and tokens[at - 1] in {"$", "€", "£", "¥"}:
        return *known[tokens[at - 1]], end, at - 1
    return "", 1.0, end, start
