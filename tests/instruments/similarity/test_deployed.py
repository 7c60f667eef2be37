"""What those who deploy a score see, against counts by hand."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from denotary.instruments.similarity.configurations import Configuration, baseline
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.deployed import beyond, displacements, histograms, ranges

CELL = {(True, True): 0.96, (True, False): 0.5, (False, True): 0.97, (False, False): 0.6}
"""Score by (same, close): opposites lie above in both strata."""


@pytest.fixture
def scores(corpus: Corpus) -> np.ndarray:
    return np.array(
        [CELL[bool(s), bool(c)] for s, c in zip(corpus.pairs.same, corpus.pairs.close, strict=True)]
    )


def test_reachable_ranges_are_quantiles_by_cell(corpus: Corpus) -> None:
    pairs = corpus.pairs
    scores = np.random.default_rng(8).random(len(pairs))
    rows = {(row.task, row.cell): row for row in ranges(pairs, scores)}
    assert len(rows) == 8
    values = np.sort(scores[pairs.of(task="constraint") & pairs.same & ~pairs.close])
    row = rows["constraint", "same, distant"]
    assert (row.lowest, row.highest, row.median) == pytest.approx(
        (values[0], values[-1], values[11:13].mean())
    )


def test_a_histogram_counts_every_pair_of_a_cell_once(corpus: Corpus) -> None:
    pairs = corpus.pairs
    drawn = np.random.default_rng(9).normal(size=len(pairs))
    rows = {(row.task, row.cell): row for row in histograms(pairs, drawn)}
    assert len(rows) == 8
    assert {sum(row.counts) for row in rows.values()} == {24}
    row = rows["constraint", "opposite, close"]
    assert (row.lowest, row.highest) == (drawn.min(), drawn.max())
    chosen = drawn[pairs.of(task="constraint") & ~pairs.same & pairs.close]
    width = (row.highest - row.lowest) / len(row.counts)
    assert row.counts[4] == np.sum((chosen >= row.lowest + 4 * width) & (chosen < row.lowest + 5 * width))
    assert {sum(row.counts) for row in histograms(pairs, np.zeros(len(pairs)))} == {24}
    assert list(histograms(pairs, np.where(pairs.same, 1.7e308, -1.7e308))) == []


def test_policies_beyond_a_cutoff(corpus: Corpus, scores: np.ndarray) -> None:
    fixed = Configuration("fixed", "fixed", lambda first, second: np.full(len(first), 0.5), scale="cosine")
    rows = {(row.task, row.policy): row for row in beyond(corpus.pairs, scores, fixed)}
    found = {policy: row.value for (task, policy), row in rows.items() if task == "constraint"}
    assert found["continuous score"] == pytest.approx((-0.01 - 0.1) / 2)
    # 24 anchors; the 24 highest scores are all opposite.
    assert found["top-k mining"] == pytest.approx(1.0)
    assert found["adaptive chunker"] == 0.0
    assert found["redundancy filter (score>0.95)"] == 1.0
    assert found["answer grader (score>=0.8)"] == 0.5
    assert found["answer grader, Youden's J"] == pytest.approx(0.0)


def test_ties_share_the_last_places_of_mining(corpus: Corpus) -> None:
    rows = list(beyond(corpus.pairs, np.zeros(len(corpus.pairs)), baseline("token-jaccard")))
    assert {row.value for row in rows if row.policy == "top-k mining"} == {0.5}


def told(score: Callable[[str, str], float]) -> Configuration:
    return Configuration(
        "told",
        "told",
        lambda first, second: np.array([score(a, b) for a, b in zip(first, second, strict=True)]),
    )


def chunked(corpus: Corpus, configuration: Configuration) -> dict[str, float | None]:
    rows = beyond(corpus.pairs, np.zeros(len(corpus.pairs)), configuration)
    return {row.task: row.value for row in rows if row.policy == "adaptive chunker"}


def reversed_of(first: str, second: str) -> bool:
    """Whether the second text is the close reversal of the first: it ends otherwise and begins alike."""
    return second.endswith("drop") and second.split()[:8] == first.split()[:8]


def test_a_score_that_puts_reversals_farthest_is_always_split_by_a_chunker(corpus: Corpus) -> None:
    perfect = told(lambda first, second: -1.0 if reversed_of(first, second) else 0.0)
    assert chunked(corpus, perfect) == {"constraint": 1.0, "distinctness": 1.0}
    upside_down = told(lambda first, second: 1.0 if reversed_of(first, second) else 0.0)
    assert chunked(corpus, upside_down) == {"constraint": 0.0, "distinctness": 0.0}
    assert chunked(corpus, told(lambda _, second: 0.0)) == {"constraint": 0.0, "distinctness": 0.0}


def test_a_chunker_splits_each_document_by_itself(corpus: Corpus) -> None:
    one = told(
        lambda first, second: -1.0 if reversed_of(first, second) and first.startswith("c0x0 ") else 0.0
    )
    assert chunked(corpus, one) == {"constraint": pytest.approx(1 / 24), "distinctness": 0.0}


def test_a_score_without_meaning_is_split_as_often_as_chance_has_it(
    corpus_of: Callable[[int], Corpus],
) -> None:
    rng = np.random.default_rng(4)
    noise = Configuration("noise", "noise", lambda first, _: rng.random(len(first)))
    found = chunked(corpus_of(500), noise)["constraint"]
    assert found is not None
    # 1,000 documents of 20 distances: 0.05, give or take four standard errors.
    assert abs(found - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1000)


def test_one_anchor_has_no_unrelated_neighbour(corpus: Corpus) -> None:
    alone = replace(corpus, pairs=corpus.pairs.where(corpus.pairs.of(anchor="constraint-0")))
    assert chunked(alone, baseline("token-jaccard")) == {"constraint": None}


def test_reversals_move_the_score_less_than_restatements_only_unmatched(corpus: Corpus) -> None:
    pairs = corpus.pairs
    scores = pairs.overlap + 0.01 * pairs.same
    rows = {(row.task, row.comparison): row for row in displacements(pairs, scores)}
    unmatched, close = rows["constraint", "unmatched"], rows["constraint", "close"]
    assert (unmatched.less, unmatched.anchors) == (24, 24)
    assert close.less == 0
    assert close.reversal - close.restatement == pytest.approx(0.01)
    assert unmatched.restatement == pytest.approx(1 - (pairs.overlap[pairs.same & ~pairs.close][0] + 0.01))
