"""The views of those who deploy a score: ranges, mining, chunking, redundancy filter, grader, displacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity.gates import GRADER, REDUNDANCY
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.results import BeyondRow, DisplacementRow, HistogramRow, RangeRow
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.configurations import Configuration
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import BoolArray, FloatArray

PERCENTILE = 95
"""An adaptive chunker breaks where the distance of neighbours exceeds this percentile of the document's own."""
BINS = 30
"""Bins of a histogram."""
_CELLS = (
    ("same, close", True, True),
    ("opposite, close", False, True),
    ("same, distant", True, False),
    ("opposite, distant", False, False),
)
DISTANCES = 20
"""Distances between neighbours in a document, of a corpus with as many anchors: the percentile leaves room for one."""


def ranges(pairs: Pairs, scores: FloatArray) -> Iterator[RangeRow]:
    """Yield the reachable range of the score by task and cell."""
    for task in pairs.values("task"):
        for name, same, close in _CELLS:
            values = scores[pairs.of(task=task) & (pairs.same == same) & (pairs.close == close)]
            if len(values):
                five = [float(value) for value in np.quantile(values, [0, 0.25, 0.5, 0.75, 1])]
                yield RangeRow(
                    task=task,
                    cell=name,
                    lowest=five[0],
                    quarter=five[1],
                    median=five[2],
                    three_quarters=five[3],
                    highest=five[4],
                )


def histograms(pairs: Pairs, scores: FloatArray) -> Iterator[HistogramRow]:
    """Yield how the scores of each cell are spread over ``BINS`` bins of one width, which all cells share."""
    with np.errstate(over="ignore"):
        if not len(scores) or not np.isfinite(np.ptp(scores)):
            return
    edges = np.histogram_bin_edges(scores, BINS)
    for task in pairs.values("task"):
        for name, same, close in _CELLS:
            values = scores[pairs.of(task=task) & (pairs.same == same) & (pairs.close == close)]
            counts, _ = np.histogram(values, edges)
            yield HistogramRow(
                task=task,
                cell=name,
                lowest=float(edges[0]),
                highest=float(edges[-1]),
                counts=tuple(int(count) for count in counts),
            )


def beyond(pairs: Pairs, scores: FloatArray, configuration: Configuration) -> Iterator[BeyondRow]:
    """Yield policies that use the score without a cutoff, by task, and on the scale of a cosine two shipped ones."""
    for task in pairs.values("task"):
        at = pairs.of(task=task)
        chosen, values = pairs.where(at), scores[at]
        yield _row("continuous score", task, _gap(chosen, values), "mean of same less opposite within strata")
        yield _row(
            "top-k mining", task, _mined(chosen, values), "opposite pairs among the k highest, k = anchors"
        )
        split, of, distances = _chunked(chosen, configuration)
        yield _row(
            "adaptive chunker",
            task,
            split,
            f"of {plural(of, 'reversal')} split from the anchor before it, in documents of {distances} neighbours",
        )
        if configuration.scale == "cosine":
            yield from _at_shipped_cutoffs(task, chosen, values)


def _at_shipped_cutoffs(task: str, chosen: Pairs, values: FloatArray) -> Iterator[BeyondRow]:
    """Yield what a shipped filter and a shipped grader do with one task."""
    opposite_close = ~chosen.same & chosen.close
    yield _row(
        f"redundancy filter ({REDUNDANCY.rule})",
        task,
        _share(REDUNDANCY.approves(values)[opposite_close]),
        "disagreeing documents, in nearly the same words, that are dropped",
    )
    accepted = GRADER.approves(values)
    yield _row(
        f"answer grader ({GRADER.rule})",
        task,
        _share(accepted[~chosen.same]),
        "wrong answers that are accepted",
    )
    yield _row(
        "answer grader, Youden's J",
        task,
        2.0 * balanced_accuracy(accepted, chosen.same) - 1.0,
        "right answers accepted less wrong answers accepted",
    )


def displacements(pairs: Pairs, scores: FloatArray) -> Iterator[DisplacementRow]:
    """Yield how far reversals and restatements move a cosine, unmatched and at matched overlap."""
    for task in pairs.values("task"):
        for comparison, reversal_close, restatement_close in (
            ("unmatched", True, False),
            ("close", True, True),
            ("distant", False, False),
        ):
            reversal = _moved(pairs, scores, task, same=False, close=reversal_close)
            restatement = _moved(pairs, scores, task, same=True, close=restatement_close)
            shared = sorted(reversal.keys() & restatement.keys())
            if shared:
                yield DisplacementRow(
                    task=task,
                    comparison=comparison,
                    reversal=float(np.mean([reversal[anchor] for anchor in shared])),
                    restatement=float(np.mean([restatement[anchor] for anchor in shared])),
                    less=sum(reversal[anchor] < restatement[anchor] for anchor in shared),
                    anchors=len(shared),
                )


def _moved(pairs: Pairs, scores: FloatArray, task: str, *, same: bool, close: bool) -> dict[str, float]:
    """Return, by anchor, the mean of one less the score in one cell."""
    at = pairs.of(task=task) & (pairs.same == same) & (pairs.close == close)
    found: dict[str, list[float]] = {}
    for anchor, score in zip(pairs.anchor[at], scores[at], strict=True):
        found.setdefault(str(anchor), []).append(1.0 - float(score))
    return {anchor: float(np.mean(values)) for anchor, values in found.items()}


def _gap(pairs: Pairs, scores: FloatArray) -> float:
    gaps = [
        scores[at & pairs.same].mean() - scores[at & ~pairs.same].mean()
        for at in (pairs.close, ~pairs.close)
        if (at & pairs.same).any() and (at & ~pairs.same).any()
    ]
    return float(np.mean(gaps)) if gaps else float("nan")


def _mined(pairs: Pairs, scores: FloatArray) -> float:
    """Return the share of opposite pairs among the k highest scores, k the anchors; ties share the last places."""
    k = len(set(pairs.anchor))
    lowest = np.sort(scores)[-k]
    above, level = scores > lowest, scores == lowest
    places = k - int(above.sum())
    return float((~pairs.same[above]).sum() + places * (~pairs.same[level]).mean()) / k


def _chunked(pairs: Pairs, configuration: Configuration) -> tuple[float, int, int]:
    """Return how often a chunker breaks between an anchor and its close reversal, of how many documents, of what size.

    A document is an anchor, its reversal, and other anchors in the order of their ids, which have nothing to do with
    both. Only one of its distances can exceed the percentile: a score that puts a reversal farther than unrelated texts
    gives 1, one that sees nothing gives one in as many as there are distances.
    """
    _, place, anchor = np.unique(pairs.anchor, return_index=True, return_inverse=True)
    at = np.flatnonzero(~pairs.same & pairs.close)
    if len(place) < 2 or not len(at):  # noqa: PLR2004 - a document has unrelated neighbours
        return float("nan"), len(at), 0
    own, count, reversals = anchor[at], len(place), list(pairs.second[at])
    anchors, following = list(pairs.first[place]), list(np.roll(pairs.first[place], -1))
    asked = (
        [*pairs.first[at], *reversals, *anchors],
        [*reversals, *(following[number] for number in own), *following],
    )
    within, onward, between = np.split(-configuration.scores(*asked), [len(at), 2 * len(at)])
    steps = np.arange(1, min(DISTANCES, count) - 1)
    distances = np.column_stack([within, onward, between[(own[:, np.newaxis] + steps) % count]])
    limit = np.percentile(distances, PERCENTILE, axis=1)
    return float((within > limit).mean()), len(at), distances.shape[1]


def _share(events: BoolArray) -> float:
    return float(events.mean()) if len(events) else float("nan")


def _row(policy: str, task: str, value: float, of: str) -> BeyondRow:
    return BeyondRow(policy=policy, task=task, value=None if np.isnan(value) else value, of=of)
