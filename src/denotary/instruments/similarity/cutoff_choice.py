"""Which cutoff to choose, and what it does where it was not chosen: a bound that was searched over is no bound."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from denotary.instruments.similarity.operating import edges, rate_bound
from denotary.instruments.similarity.pairs import CLOSE
from denotary.instruments.similarity.results import ChosenCutoffRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import BoolArray, FloatArray

LIMIT: Final = 0.10
"""Upper bound of the wrong-approval rate that a cutoff is chosen for, as the policy ``similarity-gate`` has it."""


def chosen_cutoffs(pairs: Pairs, scores: FloatArray, limit: float = LIMIT) -> Iterator[ChosenCutoffRow]:
    """Yield, by task, the lowest cutoff that keeps a limit on one half, and what it does on the rest.

    It is the lowest one from which on scores are approved and whose 95 % upper bound of the wrong-approval rate lies
    within the limit on that half. Over both poles of overlap, and over close pairs alone. A corpus without two halves
    is parted by the digests of its anchors' ids.
    """
    halves = pairs.half if len(pairs.values("half")) > 1 else _parted(pairs)
    for task in pairs.values("task"):
        for pole, at in (("", pairs.of(task=task)), (CLOSE, pairs.of(task=task) & pairs.close)):
            for half in sorted({str(name) for name in halves[at]} - {""}):
                yield _chosen(
                    pairs, scores, (at & (halves == half), at & (halves != half)), limit, (task, pole, half)
                )


def _parted(pairs: Pairs) -> NDArray[Any]:
    """Return ``first`` or ``second`` for each pair, by its anchor."""
    side = {
        anchor: ("first", "second")[hashlib.sha256(str(anchor).encode()).digest()[0] % 2]
        for anchor in set(pairs.anchor)
    }
    return np.array([side[anchor] for anchor in pairs.anchor], dtype=object)


def _chosen(
    pairs: Pairs,
    scores: FloatArray,
    masks: tuple[BoolArray, BoolArray],
    limit: float,
    named: tuple[str, str, str],
) -> ChosenCutoffRow:
    fitted, rest = masks
    cutoff, bound = _lowest(pairs.where(fitted), scores[fitted], limit)
    task, pole, half = named
    row = ChosenCutoffRow(task=task, pole=pole, fitted_on=half, limit=limit, cutoff=cutoff, bound=bound)
    if cutoff is None or not rest.any():
        return row
    same, opposite = rest & pairs.same, rest & ~pairs.same
    approved = scores >= cutoff
    held_out, method = rate_bound(approved[opposite], pairs.codes[opposite])
    return msgspec.structs.replace(
        row,
        wrong_approvals=int(approved[opposite].sum()),
        opposites=int(opposite.sum()),
        held_out_bound=held_out,
        bound_method=method,
        right_approvals=int(approved[same].sum()),
        sames=int(same.sum()),
        holds=held_out <= limit,
    )


def _lowest(pairs: Pairs, scores: FloatArray, limit: float) -> tuple[float | None, float | None]:
    """Return the lowest cutoff within the limit that approves something, and its bound; None where there is none."""
    opposite = ~pairs.same
    tried, units = scores[opposite], pairs.codes[opposite]
    candidates = edges(np.unique(scores))[:-1]
    if not len(tried) or not len(candidates):
        return None, None

    def bound(place: int) -> float:
        return rate_bound(tried >= candidates[place], units)[0]

    low, high = 0, len(candidates)  # the bound never rises with the cutoff
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) <= limit else (middle + 1, high)
    return (None, None) if low == len(candidates) else (float(candidates[low]), bound(low))
