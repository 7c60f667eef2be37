"""Both axes against scikit-learn, scipy and what the fixtures' encoders were made to read."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from denotary.instruments.similarity.axes import (
    CLAIMED,
    beside,
    content_axis,
    decision_axis,
    lexical_axis,
    naive_comparison,
    paired_test,
    spearman,
)
from denotary.instruments.similarity.baselines import content_jaccard
from denotary.instruments.similarity.corpus import Corpus, load_corpus


@pytest.fixture
def scores(corpus: Corpus) -> np.ndarray:
    """Few distinct values, so that ties occur, with a little of both axes."""
    rng = np.random.default_rng(0)
    drawn: np.ndarray = rng.integers(0, 6, len(corpus.pairs)) + corpus.pairs.same + 2.0 * corpus.pairs.close
    return drawn


def weighted(positive: np.ndarray, scores: np.ndarray, stratum: np.ndarray) -> float:
    parts = [
        (roc_auc_score(positive[at], scores[at]), at.sum()) for s in set(stratum) for at in [stratum == s]
    ]
    return float(np.average([value for value, _ in parts], weights=[size for _, size in parts]))


def test_decision_axis_is_the_weighted_auroc_within_overlap_strata(
    corpus: Corpus, scores: np.ndarray
) -> None:
    pairs = corpus.pairs
    rows = list(decision_axis(pairs, scores))
    for row in rows:
        at = pairs.of(task=row.task)
        at &= pairs.of(half=row.half) if row.half else True
        at &= pairs.of(mutation=row.mutation) if row.mutation else True
        at &= pairs.close == (row.pole == "close") if row.pole else True
        assert row.value == pytest.approx(weighted(pairs.same[at], scores[at], pairs.close[at].astype(int)))
        assert row.pairs == at.sum()
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        assert row.low < row.value < row.high
    assert {(r.half, r.pole, r.mutation) for r in rows if r.task == "constraint"} == {
        ("", "", ""), ("A", "", ""), ("B", "", ""), ("", "close", ""), ("", "distant", ""),
        ("", "", "negation"), ("", "", "quantity_unit"),
    }  # fmt: skip


def test_what_leans_with_content_words_alone_says_nothing_between_pairs_that_share_as_many() -> None:
    pairs = load_corpus().pairs
    scores = content_jaccard(list(pairs.first), list(pairs.second))
    plain = {
        (row.task, row.pole): row for row in decision_axis(pairs, scores) if not (row.half or row.mutation)
    }
    found = {(row.task, row.pole): row for row in content_axis(pairs, scores)}
    assert set(found) == set(product(("constraint", "distinctness"), ("", "close")))
    for key, row in found.items():
        value, before = row.value, plain[key].value
        assert value is not None and before is not None  # noqa: PT018 - for the types
        assert abs(value - 0.5) < abs(before - 0.5) / 3
    assert max(row.value or 1.0 for (_, pole), row in plain.items() if pole == "close") < 0.45


def test_the_content_axis_is_the_weighted_auroc_within_tenths_of_content_overlap() -> None:
    pairs = load_corpus().half("A").pairs
    scores = np.random.default_rng(0).integers(0, 6, len(pairs)) + 1.0 * pairs.same
    shared = content_jaccard(list(pairs.first), list(pairs.second))
    for row in content_axis(pairs, scores):
        at = pairs.of(task=row.task) & (pairs.close if row.pole else True)
        tenth = np.zeros(len(pairs), dtype=int)
        for close in (True, False):
            cell = pairs.of(task=row.task) & (pairs.close == close)
            cuts = [np.percentile(shared[cell], 10 * k) for k in range(1, 10)]
            tenth[cell] = 100 * close + np.array(
                [sum(value >= cut for cut in cuts) for value in shared[cell]]
            )
        both = [s for s in set(tenth[at]) if 0 < pairs.same[at & (tenth == s)].mean() < 1]
        at &= np.isin(tenth, both)
        assert row.value == pytest.approx(weighted(pairs.same[at], scores[at], tenth[at]))
        assert row.pairs == at.sum()


def test_a_class_with_few_anchors_is_exploratory(corpus_of: Callable[[int], Corpus]) -> None:
    for anchors, exploratory in ((2 * CLAIMED - 2, True), (2 * CLAIMED, False)):
        pairs = corpus_of(anchors).pairs
        rows = decision_axis(pairs, np.arange(len(pairs), dtype=float))
        assert {row.exploratory for row in rows if row.mutation} == {exploratory}


def test_lexical_axis_separates_poles_within_decisions(corpus: Corpus, scores: np.ndarray) -> None:
    pairs = corpus.pairs
    rows = {(row.axis, row.task): row for row in lexical_axis(pairs, scores)}
    at = pairs.of(task="constraint")
    expected = weighted(pairs.close[at], scores[at], pairs.same[at].astype(int))
    assert rows["lexical", "constraint"].value == pytest.approx(expected)
    # All pairs of a cell share as many words as each other: nothing to tell apart within one.
    assert rows["lexical narrowed", "constraint"].value is None
    assert rows["overlap rank", "constraint"].value is None


def test_overlap_is_ranked_within_cells(corpus: Corpus) -> None:
    pairs = corpus.pairs
    rng = np.random.default_rng(4)
    jittered = pairs.overlap + rng.integers(-3, 4, len(pairs)) / 100
    pairs.overlap[:] = jittered
    scores = jittered + rng.normal(0, 0.03, len(pairs))
    rows = {(row.axis, row.task): row for row in lexical_axis(pairs, scores)}
    at = pairs.of(task="distinctness")
    cells = [at & (pairs.same == same) & (pairs.close == close) for same in (0, 1) for close in (0, 1)]
    expected = np.mean([spearmanr(scores[cell], jittered[cell]).statistic for cell in cells])
    assert rows["overlap rank", "distinctness"].value == pytest.approx(expected)
    upper = np.zeros(len(pairs), dtype=bool)
    kept = np.zeros(len(pairs), dtype=bool)
    for cell in cells:
        upper |= cell & (jittered > np.median(jittered[cell]))
        kept |= cell & (jittered != np.median(jittered[cell]))
    narrowed = rows["lexical narrowed", "distinctness"]
    assert narrowed.pairs == kept.sum()
    strata = 2 * pairs.same.astype(int) + pairs.close
    assert narrowed.value == pytest.approx(weighted(upper[kept], scores[kept], strata[kept]))


def test_the_naive_comparison_ranks_close_opposites_above_distant_agreements(corpus: Corpus) -> None:
    rows = list(naive_comparison(corpus.pairs, corpus.pairs.overlap))
    assert {row.value for row in rows} == {0.0}
    assert {row.pairs for row in rows} == {48}


def test_rank_correlation_against_scipy() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 5, (2, 50)).astype(float)
    assert spearman(a, b) == pytest.approx(spearmanr(a, b).statistic)
    assert np.isnan(spearman(a, np.ones(50)))
    assert np.isnan(spearman(a[:1], b[:1]))


def test_decisions_are_exchanged_only_where_every_cell_stands_once(corpus: Corpus) -> None:
    pairs = corpus.pairs.where(corpus.pairs.of(task="constraint"))
    truth = pairs.same.astype(float)
    found = paired_test(pairs, truth)
    assert found is not None
    assert found.p < 0.001
    assert paired_test(pairs.where(np.arange(len(pairs)) > 0), truth[1:]) is None


def test_lexical_baselines_read_no_decision_where_wording_is_matched(corpus: Corpus) -> None:
    rows = list(beside(corpus.pairs))
    assert {(row.baseline, row.value) for row in rows if row.baseline == "token-jaccard"} == {
        ("token-jaccard", 0.5)
    }
    assert len(rows) == 10
