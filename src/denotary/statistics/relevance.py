"""Ranked lists against graded judgements: precision, recall, reciprocal rank, average precision, nDCG.

For one right code a query, with the expectation over tied orders, see :mod:`denotary.statistics.ranking`. Here a
query may have several relevant documents, each with a gain. Documents are ordered by score, and ties by a stated
rule, never by row order. A relevant document that is not listed is not found; every query stays in the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray

UNUSED = -1
"""Code that fills the unused places of a row."""

_LARGEST = 2.0**31
"""Codes above this could not be told apart once the query is part of the key."""


class Order(StrEnum):
    """How documents of one score are ordered."""

    PESSIMISTIC = "pessimistic"
    """The less relevant first: every measure here takes its least value."""
    OPTIMISTIC = "optimistic"
    """The more relevant first: every measure here takes its greatest value."""
    TREC = "trec"
    """As trec_eval does: scores in single precision, ties by identifier, the last one first."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Ranked lists with the gain of each place. A document is relevant iff its gain is above 0.

    Attributes:
        gains: gain of the document in each place, first place first, shape (N, K); 0 in unused places.
        ideal: gains of all relevant documents of the query, listed or not, falling, shape (N, R); padded with 0.
    """

    gains: FloatArray
    ideal: FloatArray

    def precision(self, k: int) -> FloatArray:
        """Return, per query, relevant documents among the first k, divided by k however few are listed.

        Raises:
            InputError: k below 1.
        """
        share: FloatArray = self._hits(k).sum(axis=1) / k
        return share

    def recall(self, k: int | None = None) -> FloatArray:
        """Return, per query, the share of its relevant documents among the first k, or in the whole list.

        Raises:
            InputError: k below 1.
        """
        share: FloatArray = self._hits(k).sum(axis=1) / self._relevant()
        return share

    def reciprocal(self) -> FloatArray:
        """Return 1 / rank of the first relevant document of each query, 0 where none is listed."""
        hits = self._hits(None)
        first = np.argmax(hits, axis=1) if hits.shape[1] else np.zeros(hits.shape[0], dtype=np.int64)
        return np.where(hits.any(axis=1), 1.0 / (first + 1.0), 0.0)

    def average_precision(self, k: int | None = None) -> FloatArray:
        """Return, per query, the mean over its relevant documents of the precision at each one's rank.

        A document that is not among the first k contributes 0; Buckley and Voorhees, SIGIR 2000.

        Raises:
            InputError: k below 1.
        """
        hits = self._hits(k)
        precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
        mean: FloatArray = (precision * hits).sum(axis=1) / self._relevant()
        return mean

    def ndcg(self, k: int | None = None) -> FloatArray:
        """Return the discounted cumulative gain of each query over that of the ideal list, both cut at k.

        Gains are taken as they are and divided by log2(rank + 1); Jarvelin and Kekalainen, ACM TOIS 20 (2002), in
        the form of trec_eval.

        Raises:
            InputError: k below 1.
        """
        return _discounted(self.gains[:, : _depth(k)]) / _discounted(self.ideal[:, : _depth(k)])

    def _hits(self, k: int | None) -> checks.BoolArray:
        """Return which of the first k places hold a relevant document, shape (N, at most k)."""
        return self.gains[:, : _depth(k)] > 0.0

    def _relevant(self) -> IntArray:
        """Return how many relevant documents each query has, at least 1."""
        return np.asarray((self.ideal > 0.0).sum(axis=1))


def judged(
    documents: ArrayLike,
    scores: ArrayLike,
    relevant: ArrayLike,
    gains: ArrayLike,
    *,
    rule: Order = Order.PESSIMISTIC,
    position: ArrayLike | None = None,
) -> Judged:
    """Return each query's documents in ranked order, with their gains.

    Args:
        documents: document codes, shape (N, K), no code twice in a row; -1 fills unused places.
        scores: their scores, shape (N, K); higher is better.
        relevant: codes of the judged documents of each query, shape (N, R), none twice; -1 fills unused places.
        gains: their gains, 0 or more, shape (N, R).
        rule: order of documents of one score.
        position: position of each code's identifier in byte order, shape (codes,); for :attr:`Order.TREC`.

    Raises:
        InputError: a score or gain that is not a finite number, a code below -1 or twice in a row, a query
            without a relevant document, a code without a position, or shapes that do not fit.
    """
    listed, key = _codes("documents", documents), _codes("relevant", relevant)
    checks.same_length({"documents": listed, "relevant": key})
    values, worth = _beside("scores", scores, listed), _beside("gains", gains, key)
    if np.any(worth < 0.0):
        raise InputError("gains holds a negative value; a judged document without relevance has gain 0")
    barren = ~(worth > 0.0).any(axis=1)
    if barren.any():
        raise InputError(
            f"relevant[{int(np.argmax(barren))}] holds no relevant document; leave the query out"
        )
    found = _look_up(listed, key, worth)
    if rule is Order.TREC:
        with np.errstate(over="ignore"):  # as trec_eval has it, such a score is infinite
            values = values.astype(np.float32).astype(np.float64)
        second = -_positions(position, listed)
    else:
        second = found if rule is Order.PESSIMISTIC else -found
    ranked = np.lexsort((second, np.where(listed >= 0, -values, np.inf)), axis=-1)
    return Judged(np.take_along_axis(found, ranked, axis=1), -np.sort(-worth, axis=1))


def _codes(name: str, values: ArrayLike) -> IntArray:
    """Return codes of at least -1 of shape (N, K), none twice in a row."""
    codes = checks.floats(name, values, low=UNUSED, high=_LARGEST, ndim=2)
    whole = codes.astype(np.int64)
    if not np.array_equal(whole, codes):
        raise InputError(f"{name}: expected integer codes")
    ranked = np.sort(whole, axis=1)
    twice = ((ranked[:, 1:] == ranked[:, :-1]) & (ranked[:, 1:] != UNUSED)).any(axis=1)
    if twice.any():
        raise InputError(f"{name}[{int(np.argmax(twice))}] holds a code twice")
    return whole


def _beside(name: str, values: ArrayLike, codes: IntArray) -> FloatArray:
    """Return finite numbers of the shape of ``codes``, 0 in unused places."""
    raw = checks.numeric(name, values, 2)
    if raw.shape != codes.shape:
        raise InputError(f"{name} of shape {raw.shape} for codes of shape {codes.shape}")
    return checks.floats(name, np.where(codes == UNUSED, 0, raw))


def _look_up(documents: IntArray, key: IntArray, gains: FloatArray) -> FloatArray:
    """Return the gain of each document under its own query's key, 0 if it is not judged."""
    width = 1 + max(int(documents.max(initial=0)), int(key.max(initial=0)))
    query = np.arange(key.shape[0])[:, np.newaxis] * width
    judged_at, held = (query + key)[key >= 0], gains[key >= 0]
    order = np.argsort(judged_at)
    judged_at, held = judged_at[order], held[order]
    wanted = query + documents
    place = np.minimum(np.searchsorted(judged_at, wanted), max(judged_at.size - 1, 0))
    return np.where((documents >= 0) & (judged_at[place] == wanted), held[place], 0.0)


def _positions(position: ArrayLike | None, documents: IntArray) -> FloatArray:
    """Return the position of each document's identifier; anything in unused places."""
    places = checks.counts("position", () if position is None else position, ndim=1)
    largest = int(documents.max(initial=UNUSED))
    if largest >= places.size:
        raise InputError(f"position has {places.size} entries; code {largest} has none")
    return np.append(places, 0).astype(np.float64)[documents]


def _depth(k: int | None) -> int | None:
    """Return a cut-off of at least 1, or none."""
    return None if k is None else checks.positive("k", k)


def _discounted(gains: FloatArray) -> FloatArray:
    """Return the discounted cumulative gain of each row."""
    total: FloatArray = gains @ (1.0 / np.log2(np.arange(gains.shape[1]) + 2.0))
    return total
