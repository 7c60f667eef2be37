"""Where the right candidate stands: ranks with explicit ties, recall, reciprocal rank, intrusion.

A rank is one plus the number of better candidates; no list is sorted. Ties are never broken by row order:
the pessimistic rank puts every tied candidate before the right one (gates use it), the optimistic rank after
it, and the expected value averages over all orders. A right code that is not among the candidates has no
rank: recall and reciprocal rank are 0, and every query stays in the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

NO_CANDIDATE = -1
"""Code that fills the unused places of a row."""

_NO_CODE = -2
"""Code that no place holds."""

_ROWS = 1024
"""Rows compared at once, so that the intermediate flags stay in the cache."""


class Ties(StrEnum):
    """How candidates with the score of the right one are counted."""

    PESSIMISTIC = "pessimistic"
    OPTIMISTIC = "optimistic"
    EXPECTED = "expected"


@dataclass(frozen=True, slots=True)
class Ranks:
    """Where the right code stands in each query; arrays of shape (N,).

    Attributes:
        found: whether it is among the candidates.
        above: candidates with a higher score; 0 if not found.
        tied: other candidates with the same score; 0 if not found.
    """

    found: BoolArray
    above: IntArray
    tied: IntArray

    def recall(self, k: int, ties: Ties = Ties.PESSIMISTIC) -> FloatArray:
        """Return, per query, whether the right code is among the first k (its chance, if expected).

        Raises:
            InputError: k below 1.
        """
        checks.positive("k", k)
        if ties is Ties.EXPECTED:
            value = np.clip((k - self.above) / (self.tied + 1.0), 0.0, 1.0)
        else:
            value = self._rank(ties) <= k
        return np.where(self.found, value, 0.0)

    def reciprocal(self, ties: Ties = Ties.PESSIMISTIC) -> FloatArray:
        """Return 1 / rank of each query, 0 where the right code is missing."""
        if ties is Ties.EXPECTED:
            last = self.above + self.tied + 1
            harmonic = np.append(0.0, np.cumsum(1.0 / np.arange(1, int(last.max(initial=0)) + 1)))
            value = (harmonic[last] - harmonic[self.above]) / (self.tied + 1)
        else:
            value = 1.0 / self._rank(ties)
        return np.where(self.found, value, 0.0)

    def _rank(self, ties: Ties) -> IntArray:
        """Return 1-based ranks; meaningless where the right code is missing."""
        return self.above + 1 + (self.tied if ties is Ties.PESSIMISTIC else 0)


def ranks(candidates: ArrayLike, scores: ArrayLike, gold: ArrayLike) -> Ranks:
    """Return where the right code of each query stands among its candidates.

    Args:
        candidates: candidate codes, shape (N, K); -1 fills unused places.
        scores: their scores, shape (N, K), any float or integer type, compared as given; higher is better.
        gold: the right code, shape (N,).

    Raises:
        InputError: NaN in a used place, the right code listed twice, negative gold, or shapes that do not
            fit.
    """
    table = _Table.read(candidates, scores, gold)
    found, above, tied = table.zeros(bool), table.zeros(int), table.zeros(int)
    for block in table.blocks():
        rows, values, own_score = block.rows, block.values, block.own_score
        found[rows] = block.held
        above[rows] = block.count(values > own_score)
        tied[rows] = block.count(values == own_score) - 1
    return Ranks(found, np.where(found, above, 0), np.where(found, tied, 0))


def trec_ranks(candidates: ArrayLike, scores: ArrayLike, gold: ArrayLike, order: ArrayLike) -> Ranks:
    """Return the ranks that trec_eval gives: scores in single precision, ties by identifier, last one first.

    Args:
        candidates: candidate codes, shape (N, K); -1 fills unused places.
        scores: their scores, shape (N, K).
        gold: the right code, shape (N,).
        order: position of each code's identifier in byte order, shape (codes,).

    Returns:
        Ranks without ties.

    Raises:
        InputError: as :func:`ranks`, or a code that has no position.
    """
    with np.errstate(over="ignore"):  # as trec_eval has it, such a score is infinite
        single = checks.numeric("scores", scores).astype(np.float32)
    table = _Table.read(candidates, single, gold)
    position = checks.counts("order", order, ndim=1)
    largest = max(int(table.candidates.max(initial=-1)), int(table.gold.max(initial=-1)))
    if largest >= position.size:
        raise InputError(f"order has {position.size} positions; code {largest} has none")
    found, above = table.zeros(bool), table.zeros(int)
    for block in table.blocks():
        rows, values, own_score = block.rows, block.values, block.own_score
        later = position[block.codes] > position[table.gold[rows]][:, np.newaxis]
        found[rows] = block.held
        above[rows] = block.count((values > own_score) | ((values == own_score) & later))
    return Ranks(found, np.where(found, above, 0), table.zeros(int))


def intrusion(
    candidates: ArrayLike,
    scores: ArrayLike,
    gold: ArrayLike,
    negatives: ArrayLike,
    ties: Ties = Ties.PESSIMISTIC,
) -> FloatArray:
    """Return, per query, whether a designated hard negative is ranked above the right code.

    A listed negative intrudes where the right code is missing. Tied negatives intrude if pessimistic, do not
    if optimistic, and with t of them tied (none above) intrude with chance t / (t + 1) if expected.

    Args:
        candidates: candidate codes, shape (N, K); -1 fills unused places.
        scores: their scores, shape (N, K).
        gold: the right code, shape (N,).
        negatives: designated neighbours, shape (N, H); -1 fills unused places.
        ties: rule for negatives with the score of the right code.

    Raises:
        InputError: as :func:`ranks`, or the right code among its own negatives.
    """
    table = _Table.read(candidates, scores, gold)
    wrong = _codes("negatives", negatives, 2)
    if wrong.shape[0] != table.gold.size:
        raise InputError(f"negatives has {wrong.shape[0]} rows for {table.gold.size} queries")
    clash = (wrong == table.gold[:, np.newaxis]).any(axis=1)
    if clash.any():
        raise InputError(f"negatives[{int(np.argmax(clash))}] holds the right code itself")
    above, tied, found = table.zeros(bool), table.zeros(int), table.zeros(bool)
    for block in table.blocks():
        rows, values, own_score = block.rows, block.values, block.own_score
        query, place = block.listed(wrong[rows])
        score, own = values[query, place], own_score[query, 0]
        higher, size = (score > own) | ~block.held[query], block.held.size
        above[rows] = np.bincount(query[higher], minlength=size) > 0
        tied[rows] = np.bincount(query[score == own], minlength=size)
        found[rows] = block.held
    if ties is Ties.EXPECTED:
        share = np.where(found, tied / (tied + 1.0), 0.0)
    else:
        share = np.where(found & (ties is Ties.PESSIMISTIC), tied > 0, 0.0)
    return np.where(above, 1.0, share)


@dataclass(frozen=True, slots=True)
class _Block:
    """Some rows of a table, checked and compared while they are in the cache.

    Attributes:
        rows: which rows.
        codes: their candidates.
        values: their scores.
        held: whether the right code is listed.
        own_score: its score as a column; 0 if it is not listed.
        used: which places are used; None if all are.
    """

    rows: slice
    codes: NDArray[np.signedinteger[Any]]
    values: NDArray[Any]
    held: BoolArray
    own_score: NDArray[Any]
    used: BoolArray | None

    def count(self, mask: BoolArray) -> IntArray:
        """Return how many used places of each row are marked; a product with ones beats a sum of flags."""
        marked = mask if self.used is None else mask & self.used
        totals = marked.astype(np.float32) @ np.ones(mask.shape[1], dtype=np.float32)
        return totals.astype(np.int64)

    def listed(self, wanted: NDArray[np.signedinteger[Any]]) -> tuple[IntArray, IntArray]:
        """Return the rows and columns of the places that hold a code of their row of ``wanted``, shape (rows, H).

        There are few of them, so the scores are looked at in these places alone.
        """
        marked = np.zeros(self.codes.shape, dtype=np.bool_)
        for column in np.where(wanted == NO_CANDIDATE, _NO_CODE, wanted).T:
            marked |= self.codes == column[:, np.newaxis]
        query, place = np.divmod(np.flatnonzero(marked), max(self.codes.shape[1], 1))
        return query, place


@dataclass(frozen=True, slots=True)
class _Table:
    """Candidates, scores and gold codes that fit together."""

    candidates: NDArray[np.signedinteger[Any]]
    scores: NDArray[Any]
    gold: NDArray[np.signedinteger[Any]]

    @classmethod
    def read(cls, candidates: ArrayLike, scores: ArrayLike, gold: ArrayLike) -> _Table:
        """Check shapes and types; scores keep their precision, and the values are checked block by block."""
        codes, right = _codes("candidates", candidates, 2), _codes("gold", gold, 1)
        values = checks.numeric("scores", scores)
        if values.dtype.kind not in "iuf":
            raise InputError(f"scores: expected numbers, got dtype {values.dtype}")
        if values.shape != codes.shape or codes.shape[0] != right.size:
            raise InputError(
                f"candidates {codes.shape}, scores {values.shape} and gold {right.shape} do not fit together"
            )
        if right.size and int(right.min()) < 0:
            raise InputError(f"gold[{int(np.argmin(right))}] is negative; every query has a right code")
        return cls(codes, values, right)

    def zeros(self, kind: type[bool | int]) -> NDArray[Any]:
        """Return zeros, one a query."""
        return np.zeros(self.gold.size, dtype=kind)

    def blocks(self) -> Iterator[_Block]:
        """Yield the rows in blocks.

        Raises:
            InputError: NaN in a used place, a code below -1, or the right code listed twice.
        """
        width = max(self.candidates.shape[1], 1)
        for start in range(0, self.gold.size, _ROWS):
            rows = slice(start, start + _ROWS)
            codes, values = self.candidates[rows], self.scores[rows]
            used = self._used(start, codes, values)
            query, place = np.divmod(np.flatnonzero(codes == self.gold[rows][:, np.newaxis]), width)
            twice = query[1:] == query[:-1]
            if twice.any():
                row = start + int(query[np.argmax(twice)])
                raise InputError(f"candidates[{row}] lists the right code twice")
            held = np.zeros(codes.shape[0], dtype=np.bool_)
            held[query] = True
            own_score = np.zeros((codes.shape[0], 1), dtype=values.dtype)
            own_score[query, 0] = values[query, place]
            yield _Block(rows, codes, values, held, own_score, used)

    @staticmethod
    def _used(start: int, codes: NDArray[np.signedinteger[Any]], values: NDArray[Any]) -> BoolArray | None:
        """Return which places are used (None if all are), after checking codes and scores."""
        least = int(codes.min(initial=0))
        if least < NO_CANDIDATE:
            raise InputError(
                f"candidates: found code {least}; codes are 0 or more, or -1 for an unused place"
            )
        used = None if least >= 0 else codes >= 0
        if values.dtype.kind == "f" and np.isnan(values.min(initial=0.0)):
            bad = np.isnan(values) if used is None else np.isnan(values) & used
            if bad.any():
                row, column = np.unravel_index(int(np.argmax(bad)), bad.shape)
                raise InputError(f"scores[{start + row}, {column}] is nan; expected a number")
        return used


def _codes(name: str, values: ArrayLike, ndim: int) -> NDArray[np.signedinteger[Any]]:
    """Return integer codes of at least -1."""
    array = checks.numeric(name, values)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.ndim != ndim:
        raise InputError(f"{name}: expected integer codes with {ndim} axes, got {array.dtype} {array.shape}")
    if array.dtype.kind == "u":  # -1 fills places
        return checks.counts(name, array)
    return array
