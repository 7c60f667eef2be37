"""A logistic model of named numbers: fitted with a ridge penalty, kept as weights of the numbers as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.statistics.checks import BoolArray, FloatArray

INTERCEPT = "intercept"
_DIGITS = 6
"""Significant digits of a kept weight, so that the last bits of an optimiser are no part of a digest."""


def fit(rows: Sequence[Mapping[str, float]], same: BoolArray, penalty: float) -> dict[str, float]:
    """Return the weights of the log-odds of *same*.

    Minimises the mean logistic loss plus ``penalty / N`` times the squared weights of the standardised numbers. A
    number that never varies has no weight.

    Args:
        rows: names to numbers, absent for 0.
        same: shape (N,).
        penalty: at least 0.
    """
    from scipy.optimize import minimize

    names = sorted({name for row in rows for name in row})
    values = matrix(rows, names)
    mean, spread = values.mean(axis=0), values.std(axis=0)
    kept = spread > 0
    scaled = (values[:, kept] - mean[kept]) / spread[kept]
    target = same.astype(np.float64)

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        odds = scaled @ weights[1:] + weights[0]
        value = np.logaddexp(0.0, -(2.0 * target - 1.0) * odds).mean() + penalty * (
            weights[1:] ** 2
        ).sum() / len(odds)
        error = sigmoid(odds) - target
        slope = scaled.T @ error / len(odds) + 2.0 * penalty * weights[1:] / len(odds)
        return float(value), np.concatenate([[error.mean()], slope])

    found = minimize(loss, np.zeros(scaled.shape[1] + 1), jac=True, method="L-BFGS-B").x
    weights = found[1:] / spread[kept]
    plain = dict(zip(np.array(names)[kept], weights, strict=True))
    plain[INTERCEPT] = found[0] - float(weights @ mean[kept])
    return {str(name): float(f"{value:.{_DIGITS}g}") for name, value in sorted(plain.items())}


def log_odds(weights: Mapping[str, float], rows: Sequence[Mapping[str, float]]) -> FloatArray:
    """Return the log-odds of *same*, shape (N,); numbers without a weight count for nothing."""
    return np.array(
        [weights.get(INTERCEPT, 0.0) + sum(weights.get(n, 0.0) * v for n, v in row.items()) for row in rows],
        dtype=np.float64,
    )


def sigmoid(odds: FloatArray) -> FloatArray:
    """Return probabilities of log-odds, without overflow."""
    shares: FloatArray = 0.5 * (1.0 + np.tanh(0.5 * np.asarray(odds, dtype=np.float64)))
    return shares


def matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> FloatArray:
    """Return named numbers as columns, shape (N, names)."""
    return np.array([[row.get(name, 0.0) for name in names] for row in rows], dtype=np.float64).reshape(
        len(rows), -1
    )
