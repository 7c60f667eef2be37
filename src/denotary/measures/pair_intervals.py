"""Paired cluster bootstrap of differences: units are resampled, and both systems with them. Description only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.statistics import bootstrap, paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.measures.pair_counts import UnitPairs
    from denotary.measures.table import FloatArray, IntArray

    Chosen = tuple[UnitPairs, int]

_TOGETHER: Final = 1 << 25
"""Sums (units times columns) resampled at once."""

_COLUMNS: Final = 4
"""Events and population of either system."""


def intervals(chosen: Sequence[Chosen], resamples: int) -> list[dict[str, Any]]:
    """Return, for each measure in a slice, the fields ``low``, ``high`` and ``interval``, or a ``note`` why not.

    All rows of a batch share the resamples.

    Args:
        chosen: a measure by unit, and the slice value meant.
        resamples: number of resamples.
    """
    if not chosen:
        return []
    units = np.unique(np.concatenate([pairs.unit[pairs.key == key] for pairs, key in chosen]))
    width = max(1, _TOGETHER // max(1, _COLUMNS * len(units)))
    batches = (chosen[start : start + width] for start in range(0, len(chosen), width))
    return [found for batch in batches for found in _resampled(batch, units, resamples)]


def _resampled(batch: Sequence[Chosen], units: IntArray, resamples: int) -> Iterator[dict[str, Any]]:
    sums = np.stack([_sums(pairs, key, units) for pairs, key in batch], axis=1)
    new, base = (sums[..., 0], sums[..., 1]), (sums[..., 2], sums[..., 3])
    for found in paired.ratio_differences(new, base, resamples=resamples):
        yield _fields(found, resamples)


def _sums(pairs: UnitPairs, key: int, units: IntArray) -> FloatArray:
    """Return the sums of each unit in one slice, shape (U, 4)."""
    inside = pairs.key == key
    table = np.zeros((len(units), _COLUMNS))
    at = np.searchsorted(units, pairs.unit[inside])
    for column, values in enumerate(pairs.sums()):
        table[at, column] = values[inside]
    return table


def _fields(found: bootstrap.Interval, resamples: int) -> dict[str, Any]:
    if found.state is not bootstrap.State.OK:
        return {"note": f"no interval: {found.state.value.replace('_', ' ')}"}
    method = f"paired cluster bootstrap 95 %, {resamples:,} resamples"
    return {"low": found.low, "high": found.high, "interval": method}
