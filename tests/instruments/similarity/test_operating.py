"""Operating points against counts and scipy's exact bounds; the best cutoff against trying every one."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn.metrics import balanced_accuracy_score

from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.gates import gate
from denotary.instruments.similarity.operating import (
    balanced_accuracy,
    best_cutoff,
    cutoffs,
    operating_points,
    rate_bound,
)


def test_a_gate_is_counted_by_task_and_stratum(corpus: Corpus) -> None:
    pairs = corpus.pairs
    scores = np.round(np.random.default_rng(5).random(len(pairs)), 1)
    rows = list(operating_points(pairs, scores, [gate("score>=0.4"), gate("score>0.4")]))
    assert len(rows) == 2 * 2 * 3
    for row in rows:
        at = pairs.of(task=row.task) & ((pairs.close == (row.pole == "close")) if row.pole else True)
        approved = scores >= 0.4 if row.gate == "score>=0.4" else scores > 0.4
        assert row.opposites == row.sames == (24 if row.pole else 48)
        assert row.wrong_approvals == np.sum(approved & ~pairs.same & at)
        assert row.wrong_rejections == np.sum(~approved & pairs.same & at)
        assert row.balanced_accuracy == pytest.approx(balanced_accuracy_score(pairs.same[at], approved[at]))
        assert row.balanced_accuracy is not None
        assert row.youden == pytest.approx(2 * row.balanced_accuracy - 1)
        if row.pole:
            k, n = row.wrong_approvals, row.opposites
            assert row.bound_method == row.rejection_bound_method == "exact binomial"
            assert row.approval_bound == pytest.approx(beta.ppf(0.95, k + 1, n - k))
        else:
            assert row.bound_method == "order-free over anchors"
            assert row.wrong_approvals / row.opposites < row.approval_bound <= 1


def test_no_case_bounds_nothing() -> None:
    assert rate_bound(np.zeros(0, dtype=bool), np.zeros(0, dtype=np.int64)) == (1.0, "no cases")
    assert np.isnan(balanced_accuracy(np.array([True]), np.array([True])))
    assert np.isnan(best_cutoff(np.array([0.5]), np.array([True]))).all()


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=25))
def test_the_best_cutoff_is_the_best_of_all(cases: list[tuple[int, bool]]) -> None:
    scores = np.array([score for score, _ in cases]) / 8
    same = np.array([decision for _, decision in cases])
    if same.all() or not same.any():
        return
    cutoff, accuracy = best_cutoff(scores, same)
    tried = [balanced_accuracy(scores >= at, same) for at in [*np.unique(scores), 2.0]]
    assert accuracy == pytest.approx(max(tried))
    assert balanced_accuracy(scores >= cutoff, same) == pytest.approx(accuracy)
    assert np.isfinite(cutoff)


def test_a_cutoff_is_judged_on_the_half_that_it_was_not_fitted_on(corpus_of: Callable[[int], Corpus]) -> None:
    pairs = corpus_of(10).pairs
    scores = np.random.default_rng(6).random(len(pairs)) + 0.3 * pairs.same + pairs.close
    rows = {(row.task, row.fitted_on): row for row in cutoffs(pairs, scores)}
    assert len(rows) == 6
    whole = rows["constraint", ""]
    assert whole.held_out is None
    at = pairs.of(task="constraint")
    parts = [best_cutoff(scores[s], pairs.same[s])[1] for s in (at & pairs.close, at & ~pairs.close)]
    assert whole.oracle == pytest.approx(np.mean(parts))
    assert whole.cost == pytest.approx(np.mean(parts) - best_cutoff(scores[at], pairs.same[at])[1])
    fitted = rows["constraint", "A"]
    other = pairs.of(task="constraint", half="B")
    assert fitted.held_out == pytest.approx(
        balanced_accuracy_score(pairs.same[other], scores[other] >= fitted.cutoff)
    )
    own = pairs.of(task="constraint", half="A")
    assert fitted.balanced_accuracy == pytest.approx(best_cutoff(scores[own], pairs.same[own])[1])
    close = own & pairs.close
    assert fitted.close_cutoff == best_cutoff(scores[close], pairs.same[close])[0]


def test_a_stratum_of_one_kind_has_no_cutoff(corpus: Corpus) -> None:
    pairs = corpus.pairs.where(corpus.pairs.close <= corpus.pairs.same)
    row = next(iter(cutoffs(pairs, pairs.overlap)))
    assert row.close_cutoff is None
    assert row.oracle == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(30))
def test_the_best_cutoff_holds_between_neighbours_of_float64(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = [rng.random()]
    for _ in range(4):
        values.append(float(np.nextafter(values[-1], 2.0)))
    scores, same = rng.choice(values, 12), np.arange(12) % 2 == 0
    cutoff, accuracy = best_cutoff(scores, same)
    assert balanced_accuracy(scores >= cutoff, same) == pytest.approx(accuracy)


def test_the_best_cutoff_lies_between_scores_of_any_size() -> None:
    cutoff, accuracy = best_cutoff(np.array([1e308, 1.6e308]), np.array([False, True]))
    assert (1e308 < cutoff <= 1.6e308, accuracy) == (True, 1.0)
