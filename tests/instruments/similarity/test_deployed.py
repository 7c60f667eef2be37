"""What those who deploy a score see, against counts by hand."""

import numpy as np
import pytest

from denotary.instruments.similarity.configurations import Configuration, baseline
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.deployed import beyond, displacements, ranges

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


def test_policies_beyond_a_cutoff(corpus: Corpus, scores: np.ndarray) -> None:
    fixed = Configuration("fixed", "fixed", lambda first, second: np.full(len(first), 0.5))
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


def test_a_chunker_splits_what_lies_beyond_its_own_percentile(corpus: Corpus) -> None:
    # Reversals far from their anchor, neighbours near: 24 of 47 distances are 0.9, so the percentile is 0.9 itself.
    far = Configuration(
        "far",
        "far",
        lambda first, second: np.array(
            [0.1 if a.split()[0] == b.split()[0] else 1.0 for a, b in zip(first, second, strict=True)]
        ),
    )
    rows = list(beyond(corpus.pairs, np.zeros(len(corpus.pairs)), far))
    assert {row.value for row in rows if row.policy == "adaptive chunker"} == {0.0}
    one = Configuration(
        "one",
        "one",
        lambda first, second: np.array(
            [
                0.1 if a.startswith("c0x0 ") and b.startswith("c0x0 ") else 1.0
                for a, b in zip(first, second, strict=True)
            ]
        ),
    )
    rows = list(beyond(corpus.pairs, np.zeros(len(corpus.pairs)), one))
    found = [row.value for row in rows if (row.policy, row.task) == ("adaptive chunker", "constraint")]
    assert found == pytest.approx([1 / 24])


def test_reversals_move_the_score_less_than_restatements_only_unmatched(corpus: Corpus) -> None:
    pairs = corpus.pairs
    scores = pairs.overlap + 0.01 * pairs.same
    rows = {(row.task, row.comparison): row for row in displacements(pairs, scores)}
    unmatched, close = rows["constraint", "unmatched"], rows["constraint", "close"]
    assert (unmatched.less, unmatched.anchors) == (24, 24)
    assert close.less == 0
    assert close.reversal - close.restatement == pytest.approx(0.01)
    assert unmatched.restatement == pytest.approx(1 - (pairs.overlap[pairs.same & ~pairs.close][0] + 0.01))
