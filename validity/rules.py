"""How the risk of a simulated system depends on its confidence, and rules that choose a threshold from cases.

Confidences are numbered from sure to unsure; a threshold is the number of the last one that it accepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from denotary.statistics import threshold
from validity.results import ALPHA

if TYPE_CHECKING:
    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]
    FloatArray = NDArray[np.float64]

Shape = Literal["flat", "steep"]

LEVELS: Final = 20
"""Distinct confidences."""

CROSSING: Final = 0.6
"""Coverage at which the risk of the steep shape is at the limit."""

NONE: Final = -1
"""No threshold qualifies."""


def wrong_rates(shape: Shape, limit: float) -> FloatArray:
    """Return the chance that a code of each confidence is wrong, from sure to unsure, shape (LEVELS,)."""
    if shape == "flat":
        return np.full(LEVELS, limit)
    return limit * 2.0 / CROSSING * (np.arange(LEVELS) + 0.5) / LEVELS


def cumulative(rates: FloatArray) -> FloatArray:
    """Return the risk of everything accepted at each threshold, from strict to lax."""
    found: FloatArray = np.cumsum(rates) / np.arange(1, len(rates) + 1)
    return found


def careless(held: IntArray, wrong: IntArray, limit: float) -> IntArray:
    """Return the laxest threshold at which the observed risk is within the limit, -1 for none.

    Args:
        held: cases of each confidence, from sure to unsure, shape (R, LEVELS).
        wrong: wrong ones among them.
        limit: the limit.
    """
    within = np.cumsum(wrong, axis=1) <= limit * np.cumsum(held, axis=1)
    last = LEVELS - 1 - np.argmax(within[:, ::-1], axis=1)
    return np.where(within.any(axis=1), last, NONE)


def fixed_sequence(held: IntArray, wrong: IntArray, limit: float) -> int:
    """Return the threshold that the product chooses, -1 for none; arguments as :func:`careless`, one set."""
    level = np.repeat(np.arange(LEVELS), held)
    start = np.repeat(np.cumsum(held) - held, held)
    event = np.arange(len(level)) - start < wrong[level]
    risk = threshold.Risk("assignment_risk", event, np.ones(len(level), dtype=np.bool_), limit)
    found = threshold.choose_threshold(LEVELS - level, [risk], delta=ALPHA)
    return NONE if found.threshold is None else LEVELS - int(found.threshold)
