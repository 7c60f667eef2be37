"""Dawid-Skene: annotators' confusion and items' classes by expectation-maximisation. A diagnostic, no override.

Dawid and Skene, Applied Statistics 28 (1979). Both steps are products of one sparse incidence matrix (item by
annotator-and-label) with a dense one; the start is the vote shares. A last column that every item has stands for the
class shares: their logs are one more row of the dense matrix, and the sums of the posterior one more of its product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray

_LEAST = 1e-10
"""Smallest confusion probability before normalisation: no single vote rules a class out for good."""

_SMALLEST_LOG = -600.0
"""Logs above this have exponentials far from underflow."""


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """The fitted model.

    Attributes:
        posterior: chance of each class of each item, shape (N, K).
        prior: shares of the classes, shape (K,).
        confusion: chance that an annotator gives a label to an item of a class, shape (W, K class, K label).
        steps: steps taken.
        converged: whether the posterior moved by at most the tolerance in the last step.
    """

    posterior: FloatArray
    prior: FloatArray
    confusion: FloatArray
    steps: int
    converged: bool


def fit(
    item: ArrayLike,
    worker: ArrayLike,
    label: ArrayLike,
    *,
    classes: int | None = None,
    steps: int = 100,
    tolerance: float = 1e-6,
) -> DawidSkene:
    """Fit the model to votes.

    Args:
        item: item code of each vote, shape (V,); every item up to the largest code needs a vote.
        worker: annotator code of each vote, shape (V,).
        label: label code of each vote, shape (V,).
        classes: number of classes, if more than the largest label + 1.
        steps: most steps taken.
        tolerance: largest change of any posterior at which the fit stops.

    Raises:
        InputError: no vote, an item without one, a bad code, or unequal length.
    """
    from scipy.sparse import csr_array

    items, n = checks.codes("item", item)
    workers, w = checks.codes("worker", worker)
    labels, k = checks.codes("label", label, classes)
    votes = checks.same_length({"item": items, "worker": workers, "label": labels})
    missing = np.flatnonzero(np.bincount(items, minlength=n) == 0)
    if votes == 0 or missing.size:
        where = f"item {missing[0]} has none" if missing.size else "there are none"
        raise InputError(f"every item needs a vote; {where}")
    checks.positive("steps", steps)
    checks.fits("item by label", n, k)
    checks.fits("worker by label by label", w, k, k)
    # Positions of 32 bits where they suffice: the products wait for memory.
    position = np.int32 if max(n, w * k) < np.iinfo(np.int32).max else np.int64
    row = np.concatenate([items, np.arange(n)]).astype(position)
    column = np.concatenate([workers * k + labels, np.full(n, w * k)]).astype(position)
    incidence = csr_array((np.ones(votes + n), (row, column)), shape=(n, w * k + 1))
    # By columns the product goes through the items in order, and scatters into a table that stays in the cache.
    transposed = incidence.T
    posterior = _shares(np.bincount(items * k + labels, minlength=n * k).reshape(n, k).astype(np.float64))
    taken, moved = 0, np.inf
    while taken < steps and moved > tolerance:
        prior, confusion = _maximise(transposed @ posterior, w, k)
        updated = _expect(incidence @ _logs(prior, confusion))
        np.subtract(updated, posterior, out=posterior)
        moved = float(np.abs(posterior, out=posterior).max())
        posterior = updated
        taken += 1
    prior, confusion = _maximise(transposed @ posterior, w, k)
    return DawidSkene(posterior, prior, confusion, taken, moved <= tolerance)


def _maximise(weights: FloatArray, workers: int, classes: int) -> tuple[FloatArray, FloatArray]:
    """Return class shares and confusions from the expected votes, shape (W * K label + 1, K class)."""
    given = np.maximum(weights[:-1].reshape(workers, classes, classes).transpose(0, 2, 1), _LEAST)
    return weights[-1] / weights[-1].sum(), given / given.sum(axis=2, keepdims=True)


def _logs(prior: FloatArray, confusion: FloatArray) -> FloatArray:
    """Return the logs of the confusions, and of the class shares below them, shape (W * K label + 1, K class)."""
    with np.errstate(divide="ignore"):
        return np.vstack([np.log(confusion).transpose(0, 2, 1).reshape(-1, prior.size), np.log(prior)])


def _expect(joint: FloatArray) -> FloatArray:
    """Return the posterior from the log likelihood of each item's votes and class, shape (N, K).

    Rows are shifted to a maximum of 0 only where an exponential could vanish: a reduction along short rows
    costs as much as the rest of the step.
    """
    if float(joint.min()) < _SMALLEST_LOG:
        joint -= joint.max(axis=1, keepdims=True)
    return _shares(np.exp(joint, out=joint))


def _shares(rows: FloatArray) -> FloatArray:
    """Return rows that sum to 1."""
    rows /= (rows @ np.ones(rows.shape[1]))[:, np.newaxis]
    return rows
