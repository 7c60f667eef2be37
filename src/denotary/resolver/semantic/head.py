"""The head: multinomial logistic regression with a ridge penalty, fitted by L-BFGS and applied row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]

GRID: Final = 6
"""Decimals of a confidence: the declared grid on which scores are compared."""
STEPS: Final = 150
"""Most steps of the optimiser."""


def fit_head(rows: FloatArray, labels: IntArray, classes: int, penalty: float) -> FloatArray:
    """Return weights, shape (classes, d), that minimise mean log loss plus penalty/2 * |weights|^2.

    The last column of ``rows`` is the constant and is not penalised. The objective is convex, so that the start
    does not matter.

    Args:
        rows: features, shape (n, d).
        labels: class of each row, in [0, classes).
        classes: how many there are.
        penalty: strength of the ridge, above 0.
    """
    from scipy.optimize import minimize

    target = np.zeros((len(labels), classes))
    target[np.arange(len(labels)), labels] = 1.0
    free = np.append(np.ones(rows.shape[1] - 1), 0.0)

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        weights = flat.reshape(classes, -1)
        scores = rows @ weights.T
        probabilities = softmax(scores)
        picked = np.maximum((probabilities * target).sum(axis=1), np.finfo(np.float64).tiny)
        ridge = weights * free
        gradient = (probabilities - target).T @ rows / len(labels) + penalty * ridge
        return float(-np.log(picked).mean() + 0.5 * penalty * (ridge * weights).sum()), gradient.ravel()

    start = np.zeros(classes * rows.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    weights: FloatArray = np.asarray(found.x).reshape(classes, -1)
    return weights


def softmax(scores: FloatArray) -> FloatArray:
    """Return probabilities along the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: FloatArray = raised / raised.sum(axis=-1, keepdims=True)
    return found


def probabilities(rows: FloatArray, weights: FloatArray) -> FloatArray:
    """Return class probabilities on the declared grid, shape (n, classes).

    Each row is multiplied by itself: the product of a whole batch may differ in its last bits from that of one row.
    """
    if not len(rows):
        return np.zeros((0, len(weights)))
    return np.stack([softmax(weights @ row) for row in rows]).round(GRID)
