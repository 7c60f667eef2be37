"""Calibration errors with less of the plug-in's bias: debiased over bins, and without bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.calibration import Reliability
    from denotary.statistics.checks import FloatArray

_MESH = 1000
"""Grid intervals of [0, 1]; bandwidths below one interval are not resolved."""

_HALVINGS = 40


def debiased_root_error(table: Reliability) -> FloatArray:
    """Return the debiased root mean squared gap over bins, one value a group, shape (G,).

    Kumar, Liang and Ma, NeurIPS 2019: from each squared gap the sampling variance acc (1 - acc) / (n - 1) is
    taken off; bins with one case count 0 and a negative sum counts 0. NaN for an empty group.
    """
    count = table.count
    rate = table.correct / np.maximum(count, 1)
    squared = table.gaps() ** 2 - rate * (1.0 - rate) / np.maximum(count - 1, 1)
    total = count.sum(axis=1)
    mean = np.where(count > 1, squared * count, 0.0).sum(axis=1) / np.maximum(total, 1)
    return np.where(total > 0, np.sqrt(np.maximum(mean, 0.0)), np.nan)


def smooth_error(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Return the smooth calibration error: the bandwidth at which the smoothed error equals it.

    Blasiok and Nakkiran, ICLR 2024. The error at a bandwidth is the integral of the absolute residuals,
    smoothed by a Gaussian reflected at 0 and 1; it falls as the bandwidth rises, so there is one solution.
    Reflection makes the residuals even with period 2, where the Gaussian is exp(-(pi k sigma)**2 / 2) on the
    k-th harmonic.

    Args:
        confidence: one value a case in [0, 1], shape (N,).
        correct: whether the answer was right, shape (N,).

    Raises:
        InputError: not finite, outside [0, 1], no case, or unequal length.
    """
    scores = checks.floats("confidence", confidence, low=0.0, high=1.0, ndim=1)
    right = checks.flags("correct", correct, ndim=1)
    if checks.same_length({"confidence": scores, "correct": right}) == 0:
        raise InputError("confidence is empty; an error needs at least one case")
    harmonics = np.fft.rfft(_even_residuals(scores, right - scores))
    frequencies = np.pi * np.arange(harmonics.size)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        sigma = (low + high) / 2.0
        smoothed = np.fft.irfft(harmonics * np.exp(-0.5 * (frequencies * sigma) ** 2), 2 * _MESH)
        half = np.abs(smoothed[: _MESH + 1])
        error = float(half.sum() - (half[0] + half[-1]) / 2.0)
        low, high = (sigma, high) if error > sigma else (low, sigma)
    return high


def _even_residuals(scores: FloatArray, residuals: FloatArray) -> FloatArray:
    """Return the mean residual mass on the grid, split between neighbours and mirrored, shape (2 * mesh,)."""
    place = scores * _MESH
    left = np.minimum(place.astype(np.int64), _MESH - 1)
    share = place - left
    near = np.bincount(left, residuals * (1.0 - share), _MESH + 1)
    far = np.bincount(left + 1, residuals * share, _MESH + 1)
    grid = (near + far) / scores.size
    mirrored = np.concatenate([grid, grid[-2:0:-1]])
    mirrored[[0, _MESH]] *= 2.0
    return mirrored
