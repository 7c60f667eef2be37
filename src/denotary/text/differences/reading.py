"""One English text read once: its words, what marks a kind of meaning, its numbers, and the words that are left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from denotary.text.differences.lists import phrases, stem, units, word_list
from denotary.text.differences.numbers import Quantity, find_quantities

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|°[cf]|[^\W\d_]+(?:'[^\W\d_]+)?|[,;%$€£¥=&]")
_NEGATED: Final = {"won't": "will not", "can't": "can not", "shan't": "shall not", "cannot": "can not"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A phrase found in a text.

    Attributes:
        kind: of meaning that it marks.
        label: its class.
        words: as they stand.
        start: index of its first token.
        end: index after its last.
    """

    kind: str
    label: str
    words: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds.

    Attributes:
        tokens: words, numbers and some signs, case folded, contractions written out.
        marks: phrases in their order, none within another.
        quantities: numbers with relation and unit.
        content: stems that are left, with their words, in order.
    """

    tokens: tuple[str, ...]
    marks: tuple[Mark, ...]
    quantities: tuple[Quantity, ...]
    content: tuple[tuple[str, str], ...]

    def marked(self, kind: str) -> tuple[Mark, ...]:
        """Return the marks of a kind, those without a meaning left out."""
        return tuple(mark for mark in self.marks if mark.kind == kind and mark.label != "neutral")


def read(text: str) -> Reading:
    """Return what an English text holds, in time linear in its length."""
    tokens = tokenise(text)
    quantities = find_quantities(tokens)
    taken = {at for quantity in quantities for at in range(quantity.start, quantity.end)}
    marks = _marks(tokens, taken)
    taken |= {at for mark in marks for at in range(mark.start, mark.end)}
    function = word_list("words", "function")
    content = tuple(
        (stem(token), token)
        for at, token in enumerate(tokens)
        if at not in taken and token not in function and token[0].isalpha() and token not in units()
    )
    return Reading(tokens, marks, quantities, content)


def tokenise(text: str) -> tuple[str, ...]:
    """Return the tokens of a text, case folded, contractions of *not* written out, other endings after ' left out."""
    found: list[str] = []
    for token in _TOKEN.findall(text.casefold().replace("\u2019", "'")):
        if token in _NEGATED:
            found += _NEGATED[token].split()
        elif token.endswith("n't"):
            found += [word for word in (token[:-3], "not") if word]
        else:
            found.append(token.partition("'")[0])
    return tuple(found)


def _marks(tokens: tuple[str, ...], taken: set[int]) -> tuple[Mark, ...]:
    known, found, at = phrases(), [], 0
    while at < len(tokens):
        for phrase in known.get(tokens[at], ()):
            end = at + len(phrase.words)
            if tokens[at:end] == phrase.words and not any(place in taken for place in range(at, end)):
                found.append(Mark(phrase.kind, phrase.label, phrase.words, at, end))
                at = end
                break
        else:
            at += 1
    return tuple(found)
