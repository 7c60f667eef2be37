"""Columns about pairs and sets of cases.

A pair or set is counted once, on one of its rows, so that a denominator counts pairs or sets and each stays
in its unit (the members of a set share a unit):

* a case and its original (``same_pair``, ``flip_pair``, ``has_original``) stand on the row of the case; a case has one
  original;
* a contrast set (``contrast_set``) stands on the row of its ``x``, ``original`` or ``unresolved`` member;
* a seed aligned across languages (``aligned_set``) stands on the row of its first member in the suite.

A slice of such a row is the slice of the case that it stands on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.measures.table import BoolArray, IntArray

HEADS: Final = frozenset(("x", "original", "unresolved"))
"""Roles of the member that a contrast set is counted on."""
_OF_HEAD: Final = frozenset(("x_same", "x_flip", "changed"))
"""Roles of the members that have the head of their set as original."""


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets of rows, one after the other.

    Attributes:
        rows: members, the head of each set first, shape (M,).
        starts: position of each head in ``rows``, shape (S,).
        owner: set of each member, shape (M,).
        turned: whether the gold of each member differs from the head's, shape (M,).
    """

    rows: IntArray
    starts: IntArray
    owner: IntArray
    turned: BoolArray

    def heads(self, size: int, chosen: BoolArray | None = None) -> BoolArray:
        """Return a column that is true on the heads of the chosen sets (all by default), shape (size,)."""
        column = np.zeros(size, dtype=np.bool_)
        heads = self.rows[self.starts]
        column[heads if chosen is None else heads[chosen]] = True
        return column

    def every(self, flag: BoolArray) -> BoolArray:
        """Return whether a flag of the members, shape (M,), holds throughout each set, shape (S,)."""
        if not len(self.starts):
            return np.zeros(0, dtype=np.bool_)
        whole: BoolArray = np.logical_and.reduceat(flag, self.starts)
        return whole

    def like_head(self, decision: IntArray) -> BoolArray:
        """Return whether each member was decided as its head, shape (M,)."""
        same: BoolArray = decision[self.rows] == decision[self.rows[self.starts]][self.owner]
        return same


@dataclass(frozen=True, slots=True)
class Links:
    """How the cases of a suite belong together; row numbers throughout.

    Attributes:
        original: the row that each case was changed from, -1 if none is in the suite, shape (N,).
        same: whether the case keeps the meaning of its original, shape (N,).
        contrasts: contrast sets of two or more.
        aligned: seeds that stand in two or more languages.
    """

    original: IntArray
    same: BoolArray
    contrasts: Sets
    aligned: Sets


def links(cases: Sequence[IdentityCase], row: Mapping[str, int]) -> Links:
    """Return how cases belong together: by contrast set, else by parent, and by translation family."""
    made = [case.construction for case in cases]
    original = np.full(len(cases), -1, dtype=np.int64)
    children = [index for index, case in enumerate(cases) if case.parent_record_id is not None]
    original[children] = [row.get(cases[index].parent_record_id or "", -1) for index in children]
    same = np.asarray([item.meaning_relation_to_parent == "SAME_MEANING" for item in made], dtype=np.bool_)
    members: defaultdict[str, list[int]] = defaultdict(list)
    families: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for index, item in enumerate(made):
        if item.contrast is not None:
            members[item.contrast.set].append(index)
        if item.translation_family is not None:
            families[item.translation_family, *cases[index].gold.answer].append(index)
    groups = [rows for rows in members.values() if len(rows) > 1]
    for rows in groups:
        _put_head_first(rows, cases, original, same)
    several = [rows for rows in families.values() if len({cases[index].language_slice for index in rows}) > 1]
    return Links(original, same & (original >= 0), _sets(groups, cases), _sets(several, cases))


def _put_head_first(
    rows: list[int], cases: Sequence[IdentityCase], original: IntArray, same: BoolArray
) -> None:
    roles = {index: contrast.role for index in rows if (contrast := cases[index].construction.contrast)}
    head = next((index for index in rows if roles[index] in HEADS), rows[0])
    rows.sort(key=lambda index: index != head)
    if roles[head] not in HEADS:
        return
    for index in rows[1:]:
        if roles[index] in _OF_HEAD:
            original[index] = head
        if roles[index] in ("x_same", "x_flip"):
            same[index] = roles[index] == "x_same"


def _sets(groups: Sequence[Sequence[int]], cases: Sequence[IdentityCase]) -> Sets:
    sizes = np.fromiter(map(len, groups), np.int64, len(groups))
    turned = [cases[index].gold.answer != cases[rows[0]].gold.answer for rows in groups for index in rows]
    return Sets(
        np.fromiter((index for rows in groups for index in rows), np.int64, int(sizes.sum())),
        np.cumsum(sizes) - sizes,
        np.repeat(np.arange(len(groups)), sizes),
        np.asarray(turned, dtype=np.bool_),
    )


def pair_columns(
    found: Links, decision: IntArray, answered: BoolArray, correct: BoolArray
) -> dict[str, BoolArray]:
    """Return the columns about pairs and sets.

    Args:
        found: how the cases belong together.
        decision: what was decided, shape (N,); equal numbers are equal decisions.
        answered: shape (N,).
        correct: the case was decided as its gold asks, shape (N,).
    """
    partner = np.where(found.same, found.original, np.arange(len(decision)))
    both = found.same & answered & answered[partner]
    flipped = (found.original >= 0) & ~found.same
    before = np.where(flipped, found.original, np.arange(len(decision)))
    contrasts, aligned, size = found.contrasts, found.aligned, len(decision)
    whole = contrasts.every(answered[contrasts.rows])
    alike = contrasts.like_head(decision)
    complete = aligned.every(answered[aligned.rows])
    return {
        "same_pair": found.same,
        "pair_answered": both,
        "pair_alike": both & (decision == decision[partner]),
        "pair_correct": found.same & correct & correct[partner],
        "flip_pair": flipped,
        "flip_answered": flipped & answered & answered[before],
        "flip_correct": flipped & correct & correct[before],
        "contrast_set": contrasts.heads(size),
        "contrast_turns": contrasts.heads(size, ~contrasts.every(~contrasts.turned)),
        "contrast_answered": contrasts.heads(size, whole),
        "contrast_noticed": contrasts.heads(size, whole & contrasts.every(~(contrasts.turned & alike))),
        "contrast_correct": contrasts.heads(size, contrasts.every(correct[contrasts.rows])),
        "aligned_set": aligned.heads(size),
        "aligned_answered": aligned.heads(size, complete),
        "aligned_alike": aligned.heads(size, complete & aligned.every(aligned.like_head(decision))),
        "aligned_correct": aligned.heads(size, aligned.every(correct[aligned.rows])),
    }


def original_codes(found: Links, gold: IntArray, neighbourhood: IntArray) -> IntArray:
    """Return the code that the original meaning of each changed text has, -1 where there is none, shape (N,).

    It is the one right code of the original. Where the suite does not hold the original, or no single code is
    right for it, it is the concept in whose neighbourhood the case lies. A text that keeps the meaning has
    none.

    Args:
        found: how the cases belong together.
        gold: number of the one right code of each case, or -1.
        neighbourhood: number of the concept in whose neighbourhood each case lies, or -1.
    """
    known = np.append(gold, -1)[found.original]
    return np.where(found.same, -1, np.where(known >= 0, known, neighbourhood))
