"""Intervals of what a repair decides, over anchors: 95 %, two-sided.

Anchors are resampled, as for the AUROC. Where no resample differs from another, as where everything is decided, that
would be a point; the ends are then the bounds of ``operating.rate_bound``, which need no resample to differ.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity.operating import rate_bound
from denotary.statistics import bootstrap

if TYPE_CHECKING:
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

_TAIL = 0.025


def share_interval(events: BoolArray, units: IntArray, resamples: int) -> tuple[float, float]:
    """Return the ends for the share of cases with an event.

    Args:
        events: shape (N,).
        units: code of each case's anchor, shape (N,).
        resamples: of anchors.
    """
    if not len(events):
        return math.nan, math.nan
    found = bootstrap.ratio(_sums(events, units), _sums(np.ones_like(events), units), resamples=resamples)
    if found.state is bootstrap.State.OK:
        return found.low, found.high
    return _bounds(events, units, _TAIL)


def balanced_interval(
    approved: BoolArray, same: BoolArray, units: IntArray, resamples: int
) -> tuple[float, float]:
    """Return the ends for the balanced accuracy; NaN without one kind.

    Args:
        approved: shape (N,).
        same: what is right, shape (N,).
        units: code of each case's anchor, shape (N,).
        resamples: of anchors; those without one kind are left out.
    """
    if not same.any() or same.all():
        return math.nan, math.nan
    right = approved == same
    found = bootstrap.macro_mean(
        np.stack([_sums(right & same, units), _sums(right & ~same, units)], axis=1),
        np.stack([_sums(same, units), _sums(~same, units)], axis=1),
        resamples=resamples,
    )
    if found.state is bootstrap.State.OK:
        return found.low, found.high
    # Half of the chance of a miss for each kind, so that both bounds hold together.
    ends = [_bounds(right[kind], units[kind], _TAIL / 2) for kind in (same, ~same)]
    return sum(end[0] for end in ends) / 2, sum(end[1] for end in ends) / 2


def _sums(events: BoolArray, units: IntArray) -> FloatArray:
    """Return how many cases of each anchor have the event, shape (U,)."""
    return np.bincount(units, events.astype(np.float64)).astype(np.float64)


def _bounds(events: BoolArray, units: IntArray, tail: float) -> tuple[float, float]:
    return 1.0 - rate_bound(~events, units, tail)[0], rate_bound(events, units, tail)[0]
