"""The estimator ``stratified_auroc(score, positive, stratum)`` of a statistic.

Mean AUROC over the strata that hold both kinds, weighted by their cases. Its interval resamples units
(:mod:`denotary.statistics.clustered_auroc`): description, never a gate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denotary.statistics.auroc import stratified_auroc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.table import BoolArray, FloatArray, IntArray


class Separated(NamedTuple):
    """A separation before its interval.

    Attributes:
        value: None where no stratum holds both kinds.
        used: rows in strata that do, shape (n,).
    """

    value: float | None
    used: BoolArray


def separated(columns: Sequence[FloatArray]) -> Separated:
    """Return the separation of the rows whose columns are given, each of shape (n,)."""
    score, positive, stratum = columns
    if not len(score):
        return Separated(None, np.zeros(0, dtype=np.bool_))
    codes = stratum.astype(np.int64)
    by_stratum = stratified_auroc(score, positive > 0, codes)
    used = ~np.isnan(by_stratum)[codes]
    if not used.any():
        return Separated(None, used)
    sizes = np.bincount(codes[used], minlength=len(by_stratum))
    weighed = np.nan_to_num(by_stratum) @ sizes
    return Separated(float(weighed / used.sum()), used)


def interval(columns: Sequence[FloatArray], unit: IntArray, resamples: int) -> dict[str, Any]:
    """Return the fields of a row that say its interval.

    Args:
        columns: score, positive, stratum of the rows that were used, each of shape (n,).
        unit: unit of each, shape (n,).
        resamples: bootstrap resamples.
    """
    from denotary.statistics.clustered_auroc import separation

    score, positive, stratum = columns
    found = separation(score, positive > 0, stratum.astype(np.int64), unit, resamples=resamples)
    if not found.method:
        return {"note": "no interval: too few units"}
    return {"low": found.low, "high": found.high, "interval": f"95 %, {found.method}"}


def interval_of_difference(
    base: Sequence[FloatArray], new: Sequence[FloatArray], unit: IntArray, resamples: int
) -> tuple[float | None, float | None, str]:
    """Return ends and method of the interval of a paired difference, new less base; None without one.

    Args:
        base: score, positive, stratum of the rows with the base system, each of shape (n,).
        new: the same of the new system; it differs in the score alone.
        unit: unit of each row, shape (n,).
        resamples: bootstrap resamples.
    """
    from denotary.statistics.clustered_auroc import separation_difference

    score, positive, stratum = new
    found = separation_difference(
        score, base[0], positive > 0, stratum.astype(np.int64), unit, resamples=resamples
    )
    if np.isnan(found.low):
        return None, None, "none: no resample differs from another"
    return found.low, found.high, f"95 %, units resampled in pairs, {resamples:,} times"
