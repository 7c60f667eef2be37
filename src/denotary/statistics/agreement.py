"""Agreement of annotators, from one table of votes: how much of it is more than chance.

Every coefficient here is a function of sums over items, so its interval resamples items, or the independent units
that items belong to, never votes.
Coefficients are NaN where they are not defined (no item with two votes, or no disagreement possible).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import bootstrap, checks
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray


_PAIR = 2
"""Votes an item needs before its votes can agree."""


def vote_counts(
    item: ArrayLike, label: ArrayLike, items: int | None = None, labels: int | None = None
) -> IntArray:
    """Return how many votes each label got on each item, shape (N, L).

    Args:
        item: item code of each vote, shape (V,).
        label: label code of each vote, shape (V,).
        items: number of items, if more than the largest code + 1.
        labels: number of labels, if more than the largest code + 1.

    Raises:
        InputError: a negative code, one not below its number, or unequal length.
    """
    rows, n = checks.codes("item", item, items)
    columns, width = checks.codes("label", label, labels)
    checks.same_length({"item": rows, "label": columns})
    checks.fits("item by label", n, width)
    return np.bincount(rows * width + columns, minlength=n * width).reshape(n, width)


def percent_agreement(votes: ArrayLike) -> float:
    """Return the share of agreeing pairs of votes, averaged over items with at least two votes.

    Args:
        votes: counts per item and label, shape (N, L).

    Raises:
        InputError: a negative or fractional count.
    """
    return float(_percent(_sums(_percent_columns(_votes(votes))))[0])


def krippendorff_alpha(votes: ArrayLike, distance: ArrayLike | None = None) -> float:
    """Return Krippendorff's alpha; Krippendorff, Content Analysis (2004), chapter 11.

    Args:
        votes: counts per item and label, shape (N, L).
        distance: squared difference between labels, shape (L, L), symmetric with a zero diagonal; nominal
            (0 or 1) by default. :func:`masi_distance` gives that of label sets.

    Raises:
        InputError: a bad count, or a distance of the wrong shape, sign or symmetry.
    """
    table = _votes(votes)
    delta = _distance(distance, table.shape[1])
    return float(_alpha(_sums(_alpha_columns(table, delta)), delta)[0])


def gwet_ac1(votes: ArrayLike) -> float:
    """Return Gwet's AC1, whose chance term does not collapse when one label dominates.

    Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008). The number of labels is the
    number of columns, used or not.

    Args:
        votes: counts per item and label, shape (N, L), L at least 2.

    Raises:
        InputError: a bad count, or fewer than two labels.
    """
    table = _votes(votes)
    _two_labels(table)
    return float(_ac1(_sums(_ac1_columns(table)))[0])


def agreement_interval(
    votes: ArrayLike,
    coefficient: str = "alpha",
    distance: ArrayLike | None = None,
    *,
    unit: ArrayLike | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> bootstrap.Interval:
    """Return a coefficient with its item-bootstrap interval.

    Args:
        votes: counts per item and label, shape (N, L).
        coefficient: ``percent``, ``alpha`` or ``ac1``.
        distance: for ``alpha``, as in :func:`krippendorff_alpha`.
        unit: code of the independent unit of each item, shape (N,); by default each item is one.
        resamples: number of resamples of items.
        confidence: nominal coverage.
        seed: of the streams.

    Returns:
        The interval; its units are those that hold an item with at least two votes.

    Raises:
        InputError: an unknown coefficient, or as the coefficient.
    """
    table = _votes(votes)
    if coefficient == "percent":
        columns, function = _percent_columns(table), _percent
    elif coefficient == "ac1":
        _two_labels(table)
        columns, function = _ac1_columns(table), _ac1
    elif coefficient == "alpha":
        delta = _distance(distance, table.shape[1])
        columns = _alpha_columns(table, delta)

        def function(sums: FloatArray) -> FloatArray:
            return _alpha(sums, delta)
    else:
        raise InputError(f"coefficient is {coefficient!r}; expected percent, alpha or ac1")
    has_pair = table.sum(axis=1, keepdims=True) >= _PAIR
    sums = _by_unit(np.hstack([columns, has_pair]), unit)
    draws = function(bootstrap.resampled_sums(sums[:, :-1], resamples=resamples, seed=seed))
    observed = float(function(_sums(columns))[0])
    return bootstrap.interval(observed, draws, units=int(np.sum(sums[:, -1] > 0)), confidence=confidence)


def vote_entropy(votes: ArrayLike) -> FloatArray:
    """Return the entropy of each item's votes in bits, shape (N,); NaN without votes.

    Raises:
        InputError: a bad count.
    """
    from scipy.special import entr

    table = _votes(votes)
    total = table.sum(axis=1)
    shares = table / np.maximum(total, 1)[:, np.newaxis]
    return np.where(total > 0, entr(shares).sum(axis=1) / np.log(2.0), np.nan)


def masi_distance(sets: Sequence[AbstractSet[str]]) -> FloatArray:
    """Return 1 - J M between label sets, shape (L, L); Passonneau, LREC 2006.

    J is the Jaccard similarity; M is 1 for equal sets, 2/3 if one holds the other, 1/3 if they overlap, else
    0. Two empty sets are equal.
    """
    size = len(sets)
    return np.array([[_masi(a, b) for b in sets] for a in sets], dtype=np.float64).reshape(size, size)


def _masi(first: AbstractSet[str], second: AbstractSet[str]) -> float:
    """Return the MASI distance of two sets."""
    if first == second:
        return 0.0
    shared = len(first & second)
    if shared == 0:
        return 1.0
    nested = first <= second or second <= first
    return 1.0 - shared / len(first | second) * (2.0 / 3.0 if nested else 1.0 / 3.0)


def _votes(votes: ArrayLike) -> IntArray:
    """Return checked counts of shape (N, L)."""
    return checks.counts("votes", votes, ndim=2)


def _two_labels(table: IntArray) -> None:
    """Refuse a table in which chance agreement has no meaning."""
    if table.shape[1] < _PAIR:
        raise InputError(f"votes has {table.shape[1]} labels; AC1 needs at least 2")


def _distance(distance: ArrayLike | None, labels: int) -> FloatArray:
    """Return a checked distance of shape (L, L)."""
    if distance is None:
        return 1.0 - np.eye(labels)
    delta = checks.floats("distance", distance, low=0.0, ndim=2)
    if delta.shape != (labels, labels):
        raise InputError(f"distance has shape {delta.shape}; expected ({labels}, {labels})")
    if not np.array_equal(delta, delta.T) or np.diag(delta).any():
        raise InputError("distance must be symmetric with a zero diagonal")
    return delta


def _sums(columns: FloatArray) -> FloatArray:
    """Return the observed sums as one row."""
    total: FloatArray = columns.sum(axis=0, keepdims=True)
    return total


def _by_unit(columns: FloatArray, unit: ArrayLike | None) -> FloatArray:
    """Return the sums of each unit's items; the items themselves if there are no units."""
    if unit is None:
        return columns
    given = checks.members("unit", unit)
    checks.same_length({"votes": columns, "unit": given})
    # A code that no item has is no unit, and is not to be drawn.
    present, codes = np.unique(given, return_inverse=True)
    sums = np.zeros((present.size, columns.shape[1]))
    np.add.at(sums, codes, columns)
    return sums


def _pairwise(table: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return each item's agreement (0 without a pair) and whether it has a pair."""
    total = table.sum(axis=1)
    pairs = np.maximum(total * (total - 1), 1)
    return (table * (table - 1)).sum(axis=1) / pairs, (total >= _PAIR).astype(np.float64)


def _percent_columns(table: IntArray) -> FloatArray:
    """Return per item: agreement, has a pair."""
    return np.stack(_pairwise(table), axis=1)


def _percent(sums: FloatArray) -> FloatArray:
    """Return the mean agreement of rows of sums."""
    return quotient(sums[:, 0], sums[:, 1])


def _alpha_columns(table: IntArray, delta: FloatArray) -> FloatArray:
    """Return per item: disagreement of its pairs, then its pairable votes per label."""
    total = table.sum(axis=1, keepdims=True)
    pairable = np.where(total >= _PAIR, table, 0)
    observed = ((pairable @ delta) * pairable).sum(axis=1, keepdims=True) / np.maximum(total - 1, 1)
    return np.hstack([observed, pairable])


def _alpha(sums: FloatArray, delta: FloatArray) -> FloatArray:
    """Return 1 - observed / expected disagreement of rows of sums."""
    labels = sums[:, 1:]
    total = labels.sum(axis=1)
    expected = ((labels @ delta) * labels).sum(axis=1)
    return 1.0 - quotient(sums[:, 0] * (total - 1.0), expected)


def _ac1_columns(table: IntArray) -> FloatArray:
    """Return per item: agreement, has a pair, has a vote, then its vote shares."""
    agreement, pair = _pairwise(table)
    total = table.sum(axis=1)
    shares = table / np.maximum(total, 1)[:, np.newaxis]
    return np.column_stack([agreement, pair, total > 0, shares])


def _ac1(sums: FloatArray) -> FloatArray:
    """Return (agreement - chance) / (1 - chance) of rows of sums."""
    agreement = quotient(sums[:, 0], sums[:, 1])
    shares = sums[:, 3:] / np.maximum(sums[:, 2], 1.0)[:, np.newaxis]
    chance = (shares * (1.0 - shares)).sum(axis=1) / (shares.shape[1] - 1)
    return quotient(agreement - chance, 1.0 - chance)
