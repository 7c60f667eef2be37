"""The two axes of a score: does it follow the decision at equal overlap, does it follow overlap at equal decision?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from denotary.instruments.similarity.baselines import BASELINES, content_jaccard
from denotary.instruments.similarity.pairs import CLOSE
from denotary.instruments.similarity.results import AxisRow, BaselineRow, recorded
from denotary.statistics.auroc import PermutationTest, anchor_permutation
from denotary.statistics.bootstrap import RESAMPLES
from denotary.statistics.clustered_auroc import separation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import FloatArray, IntArray

CLAIMED = 30
"""Anchors in every half that a mutation class needs; with fewer its row is exploratory."""
CONTENT = "decision, content matched"
"""Name of the decision axis between pairs that also share about as many content words."""
DECILES = 10
"""Strata of content overlap within a pole."""
DETAIL = 2_000
"""Resamples of rows that stand beneath a headline."""


def decision_axis(pairs: Pairs, scores: FloatArray) -> Iterator[AxisRow]:
    """Yield how well a score tells same from opposite within overlap strata: by task, half, pole and mutation."""
    for task, mask in _tasks(pairs):
        yield _decision(pairs, scores, mask, task, resamples=RESAMPLES)
        halves = pairs.values("half")
        for half in halves if len(halves) > 1 else ():
            yield _decision(pairs, scores, mask & pairs.of(half=half), task, half=half, resamples=RESAMPLES)
        for pole, at in (("close", pairs.close), ("distant", ~pairs.close)):
            yield _decision(pairs, scores, mask & at, task, pole=pole)
        for mutation in pairs.values("mutation"):
            chosen = mask & pairs.of(mutation=mutation)
            if chosen.any():
                yield _decision(pairs, scores, chosen, task, mutation=mutation)


def content_axis(pairs: Pairs, scores: FloatArray) -> Iterator[AxisRow]:
    """Yield the decision axis within tenths of content overlap in each pole, by task, and at the close pole alone.

    Overlap is matched on all words. Where opposites differ in words like *not* and restatements in nouns and verbs,
    same pairs share fewer content words, and a score that weighs those more is pulled below what it reads.
    """
    shared = content_jaccard(list(pairs.first), list(pairs.second))
    for task, mask in _tasks(pairs):
        strata = pairs.stratum * DECILES
        for at in (mask & pairs.close, mask & ~pairs.close):
            if at.any():
                edges = np.quantile(shared[at], np.arange(1, DECILES) / DECILES)
                strata[at] += np.searchsorted(edges, shared[at], side="right")
        for pole, among in (("", mask), (CLOSE, mask & pairs.close)):
            row = _row(pairs, scores, among, positive=pairs.same, stratum=strata, axis=CONTENT, task=task)
            yield msgspec.structs.replace(row, pole=pole)


def beside(pairs: Pairs) -> Iterator[BaselineRow]:
    """Yield the decision axis of every lexical baseline, by task."""
    for name, score in BASELINES.items():
        scores = score(list(pairs.first), list(pairs.second))
        for task, mask in _tasks(pairs):
            row = _row(
                pairs, scores, mask, positive=pairs.same, stratum=pairs.stratum, axis="decision", task=task
            )
            yield BaselineRow(baseline=name, task=task, value=row.value, low=row.low, high=row.high)


def lexical_axis(pairs: Pairs, scores: FloatArray) -> Iterator[AxisRow]:
    """Yield how well a score tells close from distant within decisions, also between near overlaps: the control.

    ``lexical narrowed`` tells the upper from the lower half of overlap within each cell; ``overlap rank`` is the mean
    Spearman correlation of score and overlap within cells.
    """
    for task, mask in _tasks(pairs):
        yield _row(
            pairs,
            scores,
            mask,
            positive=pairs.close,
            stratum=pairs.same.astype(np.int64),
            axis="lexical",
            task=task,
            resamples=RESAMPLES,
        )
        cells = 2 * pairs.same.astype(np.int64) + pairs.stratum
        upper, kept = _median_split(pairs.overlap, cells, mask)
        yield _row(pairs, scores, kept, positive=upper, stratum=cells, axis="lexical narrowed", task=task)
        ranks = [
            spearman(scores[at], pairs.overlap[at]) for cell in range(4) for at in [mask & (cells == cell)]
        ]
        known = [value for value in ranks if not np.isnan(value)]
        yield AxisRow(
            axis="overlap rank",
            task=task,
            value=float(np.mean(known)) if known else None,
            anchors=len(set(pairs.anchor[mask])),
            pairs=int(mask.sum()),
        )


def naive_comparison(pairs: Pairs, scores: FloatArray) -> Iterator[AxisRow]:
    """Yield what an unmatched corpus would show: same pairs in other words against opposite ones in the same words."""
    for task, mask in _tasks(pairs):
        chosen = mask & (pairs.same != pairs.close)
        nothing = np.zeros(len(pairs), dtype=np.int64)
        yield _row(pairs, scores, chosen, positive=pairs.same, stratum=nothing, axis="naive", task=task)


def spearman(first: FloatArray, second: FloatArray) -> float:
    """Return Spearman's rank correlation, ties at their mean rank; NaN where one side does not vary."""
    a, b = _midranks(first), _midranks(second)
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:  # noqa: PLR2004 - a correlation needs two
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def _tasks(pairs: Pairs) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    for task in pairs.values("task"):
        yield task, pairs.of(task=task)


def _decision(
    pairs: Pairs,
    scores: FloatArray,
    mask: NDArray[np.bool_],
    task: str,
    *,
    half: str = "",
    pole: str = "",
    mutation: str = "",
    resamples: int = DETAIL,
) -> AxisRow:
    made = _row(
        pairs,
        scores,
        mask,
        positive=pairs.same,
        stratum=pairs.stratum,
        axis="decision",
        task=task,
        resamples=resamples,
    )
    test = paired_test(pairs.where(mask), scores[mask])
    return AxisRow(
        **{name: getattr(made, name) for name in made.__struct_fields__}
        | {
            "half": half,
            "pole": pole,
            "mutation": mutation,
            "p": None if test is None else test.p,
            "p_floor": None if test is None else test.floor,
            "exploratory": bool(mutation)
            and (made.value is None or fewest_anchors(pairs.where(mask), pairs.values("half")) < CLAIMED),
        }
    )


def fewest_anchors(pairs: Pairs, halves: tuple[str, ...]) -> int:
    """Return the number of anchors in the half that has fewest."""
    return min(len(set(pairs.anchor[pairs.of(half=half)])) for half in halves or ("",))


def paired_test(pairs: Pairs, scores: FloatArray) -> PermutationTest | None:
    """Return the test that exchanges decisions within anchors; None unless each anchor holds each cell once."""
    strata = sorted(set(pairs.stratum))
    cells = [
        (scores[at], pairs.codes[at])
        for stratum in strata
        for same in (True, False)
        for at in [(pairs.stratum == stratum) & (pairs.same == same)]
    ]
    anchors = np.unique(pairs.codes)
    if not cells or any(len(codes) != len(anchors) or len(set(codes)) != len(anchors) for _, codes in cells):
        return None
    ordered = np.array([values[np.argsort(codes)] for values, codes in cells])
    return anchor_permutation(ordered[0::2], ordered[1::2])


def _row(
    pairs: Pairs,
    scores: FloatArray,
    mask: NDArray[np.bool_],
    *,
    positive: NDArray[np.bool_],
    stratum: IntArray,
    axis: str,
    task: str,
    resamples: int = DETAIL,
) -> AxisRow:
    found = separation(scores[mask], positive[mask], stratum[mask], pairs.codes[mask], resamples=resamples)
    return AxisRow(
        axis=axis,
        task=task,
        value=recorded(found.value),
        low=recorded(found.low),
        high=recorded(found.high),
        anchors=found.anchors,
        pairs=found.cases,
        method=found.method,
    )


def _median_split(
    overlap: FloatArray, cells: IntArray, mask: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which pairs lie above the median overlap of their cell, and which do not lie on it."""
    upper = np.zeros(len(overlap), dtype=np.bool_)
    kept = np.zeros(len(overlap), dtype=np.bool_)
    for cell in np.unique(cells[mask]):
        at = mask & (cells == cell)
        middle = np.median(overlap[at])
        upper |= at & (overlap > middle)
        kept |= at & (overlap != middle)
    return upper, kept


def _midranks(values: FloatArray) -> FloatArray:
    _, position, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks: FloatArray = (np.cumsum(count) - (count - 1) / 2.0)[position]
    return ranks
