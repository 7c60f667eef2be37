"""The lowest cutoff that keeps a limit, against trying every one, and what it is worth where it was not chosen."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.cutoff_choice import chosen_cutoffs
from denotary.instruments.similarity.operating import edges, rate_bound
from denotary.instruments.similarity.pairs import Pairs


def tried(pairs: Pairs, scores: np.ndarray, limit: float) -> float | None:
    """Return the lowest cutoff within the limit by trying each one that approves something."""
    for cutoff in np.sort(np.unique(scores)):
        if rate_bound(scores[~pairs.same] >= cutoff, pairs.codes[~pairs.same])[0] <= limit:
            return float(cutoff)
    return None


def drawn(pairs: Pairs) -> np.ndarray:
    return np.round(np.random.default_rng(6).random(len(pairs)) + 0.7 * pairs.same, 2)


@pytest.mark.parametrize("limit", [0.2, 0.5])
def test_the_cutoff_is_the_lowest_that_keeps_the_limit(
    corpus_of: Callable[[int], Corpus], limit: float
) -> None:
    pairs = corpus_of(40).pairs
    scores = drawn(pairs)
    rows = {(row.task, row.pole, row.fitted_on): row for row in chosen_cutoffs(pairs, scores, limit)}
    assert len(rows) == 2 * 2 * 2
    for (task, pole, half), row in rows.items():
        where = pairs.of(task=task) & (pairs.close if pole else True)
        fitted, rest = where & pairs.of(half=half), where & ~pairs.of(half=half)
        assert row.cutoff is not None
        # The same scores lie at or above both.
        assert np.array_equal(
            scores[fitted] >= row.cutoff, scores[fitted] >= tried(pairs.where(fitted), scores[fitted], limit)
        )
        wrong = scores[rest & ~pairs.same] >= row.cutoff
        assert (row.wrong_approvals, row.opposites) == (wrong.sum(), len(wrong))
        assert row.right_approvals == (scores[rest & pairs.same] >= row.cutoff).sum()
        assert row.bound is not None
        assert row.bound <= limit
        assert row.held_out_bound is not None
        assert row.holds == (row.held_out_bound <= limit)
        if pole:
            assert row.held_out_bound == pytest.approx(
                beta.ppf(0.95, row.wrong_approvals + 1, row.opposites - row.wrong_approvals)
            )


def test_a_cutoff_that_fits_one_half_alone_is_said_not_to_hold(corpus_of: Callable[[int], Corpus]) -> None:
    pairs = corpus_of(60).pairs
    # In half A opposites score low; in half B they score as high as what is the same.
    scores = np.where(pairs.of(half="A") & ~pairs.same, 0.1, 0.9)
    rows = {
        (row.pole, row.fitted_on): row for row in chosen_cutoffs(pairs, scores) if row.task == "constraint"
    }
    for pole in ("", "close"):
        row = rows[pole, "A"]
        assert row.cutoff == pytest.approx(0.5)
        assert row.bound is not None
        assert row.bound <= 0.1
        assert (row.wrong_approvals, row.opposites, row.holds) == (
            60 if pole else 120,
            60 if pole else 120,
            False,
        )
        assert row.held_out_bound == 1.0
        # In half B no cutoff that approves anything keeps the limit.
        assert (rows[pole, "B"].cutoff, rows[pole, "B"].holds) == (None, False)


def test_too_few_anchors_keep_no_limit(corpus: Corpus) -> None:
    scores = corpus.pairs.same.astype(float)
    # 12 anchors a half, none approved wrongly: the exact bound of close pairs is 1 - 0.05 ** (1 / 12) = 0.22.
    assert {row.cutoff for row in chosen_cutoffs(corpus.pairs, scores) if row.pole} == {None}
    assert None not in {row.cutoff for row in chosen_cutoffs(corpus.pairs, scores, 0.25) if row.pole}


def test_a_corpus_without_halves_is_parted_by_anchors(corpus_of: Callable[[int], Corpus]) -> None:
    pairs = corpus_of(60).pairs
    bare = replace(pairs, half=np.full(len(pairs), "", dtype=object))
    rows = [
        row
        for row in chosen_cutoffs(bare, drawn(bare), 0.3)
        if (row.task, row.pole) == ("constraint", "close")
    ]
    assert [row.fitted_on for row in rows] == ["first", "second"]
    # Each is judged on the pairs of the other: together they are all anchors.
    assert sum(row.opposites for row in rows) == 120
    assert min(row.opposites for row in rows) > 40


def test_edges_part_neighbours() -> None:
    values = np.array([0.1, np.nextafter(0.1, 1), 0.5])
    found = edges(values)
    assert [int((values >= cutoff).sum()) for cutoff in found] == [3, 2, 1, 0]
