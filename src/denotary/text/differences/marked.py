"""Differences of kinds that single words and phrases mark: negation, modality, scope, exception, condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.text.differences.lists import word_list
from denotary.text.differences.records import Difference

if TYPE_CHECKING:
    from denotary.text.differences.reading import Mark, Reading

NEGATIVE: Final = {("modality", "forbidden"), ("modality", "exempt")}
"""Marks that hold a negation."""
ALONE: Final = {
    "modality": {"must", "should", "uncertain"},
    "scope": {"only", "not_all"},
    "exception": {"except"},
    "condition": {"if", "only_if", "even_if", "unless"},
}
"""Labels that tell where the other text has none of the kind; the others are often left out without a change."""


def negations(reading: Reading) -> list[Mark]:
    """Return the marks that negate, in order."""
    return [
        m
        for m in reading.marks
        if (m.kind == "negation" and m.label == "not") or (m.kind, m.label) in NEGATIVE
    ]


def negation_differs(one: Reading, two: Reading) -> bool:
    """Whether one text is negated and the other is not; silent on more than one negation in a text."""
    counts = sorted((len(negations(one)), len(negations(two))))
    return counts == [0, 1] and not is_unless_if_not(one, two)


def compare_marks(one: Reading, two: Reading) -> list[Difference]:
    """Return the differences of modality, scope, exception and condition."""
    found = []
    for kind in ALONE:
        left, right = _telling(one, kind), _telling(two, kind)
        labels, others = {m.label for m in left}, {m.label for m in right}
        if kind == "condition" and len(labels | others) > 1 and is_unless_if_not(one, two):
            continue
        both = bool(labels and others)
        telling = labels ^ others if both else (labels | others) & ALONE[kind]
        if labels != others and telling:
            found.append(Difference(kind, _words(left), _words(right)))
        elif kind == "scope" and "only" in labels & others and _moved(one, two):
            found.append(Difference(kind, ("only",), ("only",)))
    return found


def is_unless_if_not(one: Reading, two: Reading) -> bool:
    """Whether *unless* stands against *if ... not*."""
    labels = [{m.label for m in side.marked("condition")} for side in (one, two)]
    counts = [
        len(negations(side)) + (label == {"unless"}) for side, label in zip((one, two), labels, strict=True)
    ]
    return labels in ([{"unless"}, {"if"}], [{"if"}, {"unless"}]) and counts[0] == counts[1]


def _telling(reading: Reading, kind: str) -> list[Mark]:
    """Return the marks of a kind, without polite or personal forms such as *can you* and *I need to*."""
    persons = word_list("words", "persons")
    marks = reading.marked(kind)
    if kind != "modality":
        return list(marks)
    tokens = reading.tokens
    return [
        m for m in marks if not persons & {*tokens[max(m.start - 1, 0) : m.start], *tokens[m.end : m.end + 1]}
    ]


def _moved(one: Reading, two: Reading) -> bool:
    """Whether *only* opens one text and in the other does not touch the word that it opens with there."""
    for left, right in ((one, two), (two, one)):
        if left.tokens[:1] == ("only",) and left.content and "only" in right.tokens[1:]:
            at = right.tokens.index("only")
            if left.content[0][1] not in right.tokens[max(at - 1, 0) : at + 3]:
                return True
    return False


def _words(marks: list[Mark]) -> tuple[str, ...]:
    return tuple(word for mark in marks for word in mark.words)
