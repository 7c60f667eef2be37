"""Who does what to whom, and what comes before what: two parts of a text that changed places round a middle."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from denotary.text.differences.lists import stem, word_list
from denotary.text.differences.records import Difference

if TYPE_CHECKING:
    from denotary.text.differences.reading import Mark, Reading


def compare_order(one: Reading, two: Reading) -> list[Difference]:
    """Return that parts changed places, as ``role_order`` or, round a word of time, as ``temporal_order``."""
    times = one.marked("temporal_order"), two.marked("temporal_order")
    if len(times[0]) == len(times[1]) == 1 and times[0][0].label != times[1][0].label:
        return _turned(one, two, times[0][0], times[1][0])
    left, right = _sequence(one), _sequence(two)
    found = _swapped(left, right)
    if found is None and _passive(one) != _passive(two):
        found = _swapped(_active(left), _active(right))
    if found is None:
        return []
    first, middle, second = found
    if _is_symmetric(middle):
        return []
    kind = "temporal_order" if set(middle) & {"befor", "after", "then", "until"} else "role_order"
    return [Difference(kind, (*first, *middle, *second), (*second, *middle, *first))]


def _sequence(reading: Reading) -> list[str]:
    articles, marks = word_list("words", "articles"), {m.start: m for m in reading.marked("temporal_order")}
    found, at = [], 0
    while at < len(reading.tokens):
        mark, token = marks.get(at), reading.tokens[at]
        if mark:
            found.append(stem(mark.label))
        elif token not in articles:
            found.append(stem(token))
        at = mark.end if mark else at + 1
    return found


def _swapped(one: list[str], two: list[str]) -> tuple[list[str], list[str], list[str]] | None:
    """Return A, m, B where one text is P A m B S and the other P B m A S; None where they are not."""
    if len(one) != len(two) or one == two or Counter(one) != Counter(two):
        return None
    start = next(at for at, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)
    tail = next(at for at, (a, b) in enumerate(zip(one[::-1], two[::-1], strict=True)) if a != b)
    one, two = one[start : len(one) - tail], two[start : len(two) - tail]
    if one[0] not in two or two[0] not in one:
        return None
    first, last = len(two) - two.index(one[0]), len(one) - one.index(two[0])
    if first + last >= len(one) or one[:first] != two[-first:] or one[-last:] != two[:last]:
        return None
    middle = one[first:-last]
    return (one[:first], middle, one[-last:]) if middle == two[last:-first] else None


def _is_symmetric(middle: list[str]) -> bool:
    known = word_list("words", "symmetric") | {stem(word) for word in word_list("words", "symmetric")}
    lists = {"and", "or", ",", ";", "nor", "&"}
    return all(word in known for word in middle) or (middle[0] in lists and middle[-1] in lists)


def _passive(reading: Reading) -> bool:
    tokens, be = reading.tokens, word_list("words", "be")
    return any(t == "by" and at > 1 and tokens[at - 2] in be for at, t in enumerate(tokens))


def _active(sequence: list[str]) -> list[str]:
    """Return *X is done by Y* as *Y do X*; another sequence without its forms of be."""
    be = {stem(word) for word in word_list("words", "be")}
    for at, word in enumerate(sequence):
        if word == "by" and at > 1 and sequence[at - 2] in be and at + 1 < len(sequence):
            return [*sequence[at + 1 :], sequence[at - 1], *sequence[: at - 2]]
    return [word for word in sequence if word not in be]


def _turned(one: Reading, two: Reading, mark: Mark, other: Mark) -> list[Difference]:
    """Compare texts whose one word of time differs: *A before B* is *B after A*, and is not *A after B*."""
    if _is_opening(one, mark) != _is_opening(two, other):
        return []
    left, right = _sides(one, mark), _sides(two, other)
    if {mark.label, other.label} == {"before", "after"} and _shared(left, right[::-1]) >= _shared(
        left, right
    ):
        return []
    return [Difference("temporal_order", mark.words, other.words)]


def _is_opening(reading: Reading, mark: Mark) -> bool:
    return mark.start == 0 and len(reading.tokens) > mark.end and bool(_sides(reading, mark)[1])


def _sides(reading: Reading, mark: Mark) -> tuple[Counter[str], Counter[str]]:
    function = word_list("words", "function")
    before, after = reading.tokens[: mark.start], reading.tokens[mark.end :]
    return tuple(  # type: ignore[return-value]
        Counter(stem(t) for t in side if t not in function and t != ",") for side in (before, after)
    )


def _shared(one: tuple[Counter[str], ...], two: tuple[Counter[str], ...]) -> int:
    return sum((a & b).total() for a, b in zip(one, two, strict=True))
