"""The laxest threshold that calibration records certify, counted by independent units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.statistics import binomial, planning
from denotary.statistics.risk_path import order_cases
from denotary.statistics.strata import share_p_value
from denotary.statistics.threshold import Risk, choose_threshold

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from denotary.statistics.risk_path import Walk

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]

STARTS: Final = 3
"""Walks along the thresholds; each spends its share of delta."""
COVERAGE: Final = 0.1
"""Part of delta for the share of known texts that are accepted; the rest is for the errors."""


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

    At the share as found, the records are one sample and the exact p-value of the gate decides, or the betting
    one where a unit holds several records. At a declared share, known and unknown records are strata: what is
    accepted of the known is bounded with a part of delta, and the errors of both are tested together with the
    rest. With units, each rate is the mean over units of a unit's own rate: a unit weighs the same however many
    records it holds.

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
    alpha = delta / STARTS
    n, m = (int(np.unique(of[stratum]).size) for stratum in (~unknown, unknown))
    bad = _touched(walk, of, ~right & ~unknown)
    false = _touched(walk, of, unknown)
    known = _filled(walk, of, ~unknown)
    least = binomial.lower(known, np.full_like(known, n), COVERAGE * alpha)

    def passes(first: int, last: int) -> bool:
        """Whether all of some thresholds pass, by the errors of the last with what the first accepts."""
        if unknown_limit is not None and binomial.p_value(false[last], m, unknown_limit) > alpha:
            return False
        counts = int(bad[last]), n, int(false[last]), m
        p = share_p_value(*counts, coverage=least[first], limit=limit, share=share)
        return p <= (1.0 - COVERAGE) * alpha

    # As in `choose_threshold`, a walk starts where scores alone show that enough is covered: here twice the known
    # coverage at which a set without a single error would just do, or half-way to all of it. How many unknown records
    # there are is the caller's choice, and what they score is what is tested, so the start must not look at them.
    wanted = binomial.upper_bound(0, n, alpha) / limit
    wanted += share * binomial.upper_bound(0, m, alpha) / ((1.0 - share) * limit)
    covered = min(2.0 * wanted, (1.0 + wanted) / 2.0) * n
    starts = np.searchsorted(known, covered + (n - covered) * np.arange(STARTS) / STARTS)
    best = max(_reached(passes, int(start), walk.ends.size) for start in starts)
    return None if best < 0 else float(walk.thresholds[best])


def least_units(limit: float, *, delta: float, share: float | None, single: bool) -> int:
    """Return the units that must be accepted, without an error, before any threshold can be certified.

    At the share as found that many do; at a declared share they are of known texts, and it takes more of them the fewer
    unknown ones there are.

    Args:
        limit: on the assignment risk.
        delta: error probability.
        share: declared share of unknown texts; None for the share as found.
        single: whether each unit holds one record.
    """
    alpha = delta / STARTS
    if share is not None:
        return planning.units_for(limit, 0, alpha)
    # A walk starts at twice the units with which a set without an error would just do.
    return 2 * planning.units_for(limit, 0, alpha, "exact" if single else "betting")


def _reached(passes: Callable[[int, int], bool], start: int, stop: int) -> int:
    """Return the last index of the unbroken run of passes that begins at ``start``; -1 if it fails there.

    Whole stretches are tried first, and cut where one does not pass: what a stretch passes, each of its indices does.
    """
    at, length = start, 64
    while at < stop:
        end = min(at + length, stop) - 1
        if passes(at, end):
            at, length = end + 1, 2 * length
        elif end == at:
            break
        else:
            length = max(1, (end + 1 - at) // 4)
    return at - 1 if at > start else -1


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
