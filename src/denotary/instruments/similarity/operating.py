"""What a gate does at its cutoff, which cutoff would have served best, and what one cutoff for all strata costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity.results import CutoffRow, OperatingRow, recorded
from denotary.statistics import betting, binomial

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.instruments.similarity.gates import Gate
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import BoolArray, FloatArray


def operating_points(pairs: Pairs, scores: FloatArray, gates: Sequence[Gate]) -> Iterator[OperatingRow]:
    """Yield what each gate does, by task, over both strata and in each alone."""
    for gate in gates:
        yield from decided(pairs, gate.approves(scores), name=gate.name, rule=gate.rule)


def decided(pairs: Pairs, approved: BoolArray, *, name: str, rule: str) -> Iterator[OperatingRow]:
    """Yield what decisions come to, by task, over both strata and in each alone."""
    for task in pairs.values("task"):
        for pole, at in pairs.poles(pairs.of(task=task)):
            yield _point(pairs, approved, at, named=(name, rule), task=task, pole=pole)


def rate_bound(events: BoolArray, units: NDArray[np.int64], alpha: float = 0.05) -> tuple[float, str]:
    """Return the one-sided upper bound of a rate over units, and its method.

    Exact where each unit holds one case; else the order-free bound of the unit-weighted rate.
    """
    _, unit = np.unique(units, return_inverse=True)
    size = np.bincount(unit)
    if not len(size):
        return 1.0, "no cases"
    found = np.bincount(unit, events.astype(np.float64))
    if size.max() == 1:
        return binomial.upper_bound(int(events.sum()), len(size), alpha), "exact binomial"
    return betting.upper_ratio(found, size, size, alpha=alpha), "order-free over anchors"


def balanced_accuracy(approved: BoolArray, same: BoolArray) -> float:
    """Return the mean of the shares of same pairs approved and opposite pairs refused; NaN without one kind."""
    if not same.any() or same.all():
        return float("nan")
    return (float(approved[same].mean()) + 1.0 - float(approved[~same].mean())) / 2.0


def best_cutoff(scores: FloatArray, same: BoolArray) -> tuple[float, float]:
    """Return the cutoff, approving from it on, with the highest balanced accuracy on these pairs, and that accuracy.

    Among equals the lowest. The cutoff lies half-way between two scores, or just above all of them.
    NaN for both without one kind of pair.
    """
    if not same.any() or same.all():
        return float("nan"), float("nan")
    values, position = np.unique(scores, return_inverse=True)
    approved_same = np.append(np.cumsum(np.bincount(position[same], minlength=len(values))[::-1])[::-1], 0)
    approved_opposite = np.append(
        np.cumsum(np.bincount(position[~same], minlength=len(values))[::-1])[::-1], 0
    )
    accuracy = (approved_same / same.sum() + 1.0 - approved_opposite / (~same).sum()) / 2.0
    place = int(np.argmax(accuracy))
    return float(edges(values)[place]), float(accuracy[place])


def edges(values: FloatArray) -> FloatArray:
    """Return the cutoffs that tell scores apart.

    Args:
        values: distinct scores, rising, shape (N,).

    Returns:
        Shape (N + 1,). Scores at or above cutoff ``i`` are those from number ``i`` on; none for the last cutoff.
    """
    between = values[1:] / 2.0 + values[:-1] / 2.0
    # Half-way between neighbours of float64 is one of them, and may be the lower one.
    between = np.where(between > values[:-1], between, values[1:])
    return np.concatenate([values[:1], between, np.nextafter(values[-1:], np.inf)])


def cutoffs(pairs: Pairs, scores: FloatArray) -> Iterator[CutoffRow]:
    """Yield the best cutoff of each task on all its pairs, and fitted on each half with its accuracy on the other."""
    for task in pairs.values("task"):
        mask = pairs.of(task=task)
        halves = pairs.values("half")
        yield _cutoff(pairs, scores, mask, task)
        for half in halves if len(halves) > 1 else ():
            row = _cutoff(pairs, scores, mask & pairs.of(half=half), task)
            other = mask & ~pairs.of(half=half)
            held_out = (
                None
                if row.cutoff is None
                else recorded(balanced_accuracy(scores[other] >= row.cutoff, pairs.same[other]))
            )
            yield CutoffRow(
                **{name: getattr(row, name) for name in row.__struct_fields__}
                | {"fitted_on": half, "held_out": held_out}
            )


def _cutoff(pairs: Pairs, scores: FloatArray, mask: BoolArray, task: str) -> CutoffRow:
    cutoff, accuracy = best_cutoff(scores[mask], pairs.same[mask])
    parts = [best_cutoff(scores[at], pairs.same[at]) for at in (mask & pairs.close, mask & ~pairs.close)]
    known = [part[1] for part in parts if not np.isnan(part[1])]
    oracle = float(np.mean(known)) if known else float("nan")
    return CutoffRow(
        task=task,
        cutoff=recorded(cutoff),
        balanced_accuracy=recorded(accuracy),
        close_cutoff=recorded(parts[0][0]),
        distant_cutoff=recorded(parts[1][0]),
        oracle=recorded(oracle),
        cost=recorded(oracle - accuracy),
    )


def _point(
    pairs: Pairs, approved: BoolArray, at: BoolArray, *, named: tuple[str, str], task: str, pole: str
) -> OperatingRow:
    same, opposite = at & pairs.same, at & ~pairs.same
    wrong, method = rate_bound(approved[opposite], pairs.codes[opposite])
    refused, refused_method = rate_bound(~approved[same], pairs.codes[same])
    accuracy = balanced_accuracy(approved[at], pairs.same[at])
    return OperatingRow(
        gate=named[0],
        rule=named[1],
        task=task,
        pole=pole,
        opposites=int(opposite.sum()),
        wrong_approvals=int(approved[opposite].sum()),
        approval_bound=wrong,
        sames=int(same.sum()),
        wrong_rejections=int((~approved[same]).sum()),
        rejection_bound=refused,
        balanced_accuracy=recorded(accuracy),
        youden=recorded(2.0 * accuracy - 1.0),
        bound_method=method,
        rejection_bound_method=refused_method,
    )
