"""The collision audit: texts of different concepts that are the same, or look the same under a fold."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Final

from denotary.text import coarse, folds_for, primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MOST_PAIRS: Final = 1000
"""Pairs reported of one fold and key; a registry with more has thousands of texts that look alike."""


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """A text that a registry's record gives to some concepts.

    Attributes:
        id: id of the expression or ambiguity.
        language: BCP 47 tag.
        text: in NFC.
        codes: the concepts.
    """

    id: str
    language: str
    text: str
    codes: frozenset[str]

    def __repr__(self) -> str:
        return f"<Entry {self.id}>"


@dataclass(frozen=True, slots=True, order=True)
class FoldConflict:
    """Two records of different concepts whose texts meet under a fold; ``first`` < ``second``.

    Attributes:
        first: id of one record.
        second: id of the other.
        fold: the first fold, in declared order, under which they meet.
    """

    first: str
    second: str
    fold: str

    @property
    def pair(self) -> str:
        """The pair as it is declared in the header: ``id1|id2``."""
        return f"{self.first}|{self.second}"


def groups_of_equal_text(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return the groups of entries that have one language and one text in NFC, in order of appearance."""
    groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.language, entry.text].append(entry)
    return [group for group in groups.values() if len(group) > 1]


def fold_conflicts(entries: Iterable[Entry]) -> list[FoldConflict]:
    """Return every pair of entries of one language and different concepts that meet under some single fold.

    Entries with equal text are not conflicts of a fold, see :func:`groups_of_equal_text`. One pass over a
    coarse key that no fold can split finds the few entries that need to be compared fold by fold.
    """
    groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.language, coarse(entry.text)].append(entry)
    found: dict[str, FoldConflict] = {}
    for (language, _), group in groups.items():
        if len({entry.codes for entry in group}) > 1:
            for conflict in _conflicts(language, group):
                found.setdefault(conflict.pair, conflict)
    return sorted(found.values())


def _conflicts(language: str, group: Sequence[Entry]) -> Iterator[FoldConflict]:
    for fold in folds_for(primary_subtag(language)):
        keys: dict[str, list[Entry]] = defaultdict(list)
        for entry in group:
            keys[fold.apply(entry.text)].append(entry)
        for met in keys.values():
            yield from islice(_pairs(fold.id, met), _MOST_PAIRS)


def _pairs(fold: str, met: Sequence[Entry]) -> Iterator[FoldConflict]:
    by_codes: dict[frozenset[str], list[Entry]] = defaultdict(list)
    for entry in met:
        by_codes[entry.codes].append(entry)
    for some, others in combinations(by_codes.values(), 2):
        for one, other in product(some, others):
            if one.text != other.text:
                first, second = sorted((one.id, other.id))
                yield FoldConflict(first, second, fold)
