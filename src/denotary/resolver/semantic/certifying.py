"""The laxest threshold that calibration records certify, counted by independent units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.statistics import binomial
from denotary.statistics.risk_path import order_cases
from denotary.statistics.threshold import Risk, choose_threshold, fixed_sequence, risk_at_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from denotary.statistics.risk_path import Walk

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]

STARTS: Final = 3
"""Walks along the thresholds; each spends its share of delta."""
SPLIT: Final = (0.45, 0.1, 0.45)
"""Parts of delta for wrong and for accepted known texts, and for accepted unknown ones."""


def certified(
    confidence: FloatArray,
    right: BoolArray,
    unknown: BoolArray,
    units: IntArray | None = None,
    *,
    limit: float,
    unknown_limit: float | None,
    delta: float,
    share: float | None,
) -> float | None:
    """Return the laxest threshold that fixed-sequence testing certifies, or None.

    At the share as found, the records are one sample and the exact p-value of the gate decides, or the betting one
    where a unit holds several records. At a declared share, known and unknown records are strata, each bounded with
    its part of delta, and combined. With units, each rate is the mean over units of a unit's own rate: a unit weighs
    the same however many records it holds.

    Args:
        confidence: of the answer to each record, shape (n,).
        right: whether the answer is the record's concept.
        unknown: whether the record means no concept.
        units: code of each record's independent unit, from 0, shape (n,); each record its own by default.
        limit: on the assignment risk.
        unknown_limit: on the share of unknown texts that are accepted; None for no limit.
        delta: error probability.
        share: declared share of unknown texts, in (0, 1); None for the share as found.
    """
    if share is None:
        risks = [Risk("assignment_risk", ~right | unknown, np.ones_like(right), limit)]
        if unknown_limit is not None:
            risks.append(Risk("unknown_far", unknown, unknown, unknown_limit, among_accepted=False))
        return choose_threshold(confidence, risks, units, delta=delta, starts=STARTS).threshold
    walk = order_cases(confidence)
    of = np.arange(confidence.size) if units is None else units
    alphas = [part * delta / STARTS for part in SPLIT]
    n, m = (np.unique(of[stratum]).size for stratum in (~unknown, unknown))
    bad = _touched(walk, of, ~right & ~unknown)
    false = _touched(walk, of, unknown)
    wrong = binomial.upper(bad, np.full_like(bad, n), alphas[0])
    known = _filled(walk, of, ~unknown)
    accepted = np.maximum(binomial.lower(known, np.full_like(known, n), alphas[1]), wrong)
    passes = (
        risk_at_share(wrong, accepted, binomial.upper(false, np.full_like(false, m), alphas[2]), share)
        <= limit
    )
    if unknown_limit is not None:
        passes &= binomial.upper(false, np.full_like(false, m), delta / STARTS) <= unknown_limit
    # As in `choose_threshold`, a walk starts where scores alone show that enough is covered: here twice the coverage at
    # which a set without a single error would just do, or half-way to all of it.
    least = binomial.upper_bound(0, n, alphas[0]) / limit
    least += share * binomial.upper_bound(0, m, alphas[2]) / ((1.0 - share) * limit)
    wanted = min(2.0 * least, (1.0 + least) / 2.0) * np.unique(of).size
    covered = _touched(walk, of, np.ones_like(unknown))
    first, last = int(np.searchsorted(covered, wanted)), walk.ends.size
    starts = sorted({first + (last - first) * at // STARTS for at in range(STARTS)}) if first < last else []
    reached = [fixed_sequence(passes, start) for start in starts]
    best = max((at for at in reached if at is not None), default=None)
    return None if best is None else float(walk.thresholds[best])


def _touched(walk: Walk, units: IntArray, event: BoolArray) -> IntArray:
    """Return at each threshold how many units have an accepted record with the event.

    Not fewer than the sum of the units' own rates, so that an upper bound from it is one of their mean.
    """
    rows = walk.order[event[walk.order]]
    first = np.zeros(event.size, dtype=np.int64)
    first[rows[np.unique(units[rows], return_index=True)[1]]] = 1
    return _along(walk, first)


def _filled(walk: Walk, units: IntArray, stratum: BoolArray) -> IntArray:
    """Return at each threshold how many units have all records of a stratum accepted.

    Not more than the sum of the units' own rates, so that a lower bound from it is one of their mean.
    """
    rows = walk.order[stratum[walk.order]][::-1]
    last = np.zeros(stratum.size, dtype=np.int64)
    last[rows[np.unique(units[rows], return_index=True)[1]]] = 1
    return _along(walk, last)


def _along(walk: Walk, counted: IntArray) -> IntArray:
    found: IntArray = np.cumsum(counted[walk.order])[walk.ends]
    return found
