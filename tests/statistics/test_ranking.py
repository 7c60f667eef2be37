from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.errors import InputError
from denotary.statistics import ranking
from denotary.statistics.ranking import Ties

Query = tuple[list[float], int, list[int]]
"""Scores of candidates 0..K-1, the right code (K means missing), negatives."""

queries = st.integers(1, 5).flatmap(
    lambda k: st.tuples(
        st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=k, max_size=k),
        st.integers(0, k),
        st.lists(st.integers(0, k - 1), max_size=3),
    )
)


def over_all_orders(query: Query) -> tuple[list[int | None], list[bool]]:
    """Rank and intrusion under every order of the candidates that respects the scores."""
    scores, gold, negatives = query
    ranks: list[int | None] = []
    intruded: list[bool] = []
    for order in itertools.permutations(range(len(scores))):
        ranked = [scores[i] for i in order]
        if ranked == sorted(ranked, reverse=True):
            place = order.index(gold) if gold < len(scores) else len(scores)
            ranks.append(place + 1 if gold < len(scores) else None)
            intruded.append(any(order.index(n) < place for n in negatives if n != gold))
    return ranks, intruded


def arrays(rows: list[Query]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Padded matrices; padding carries NaN scores."""
    codes = np.full((len(rows), 6), -1)
    scores = np.full((len(rows), 6), np.nan)
    negatives = np.full((len(rows), 3), -1)
    for i, (values, gold, wrong) in enumerate(rows):
        codes[i, : len(values)] = range(len(values))
        scores[i, : len(values)] = values
        others = [n for n in wrong if n != gold]
        negatives[i, : len(others)] = others
    return codes, scores, np.array([row[1] for row in rows]), negatives


@given(st.lists(queries, min_size=1, max_size=6))
def test_ties_by_exhaustive_orders(rows: list[Query]) -> None:
    codes, scores, gold, negatives = arrays(rows)
    found = ranking.ranks(codes, scores, gold)
    for i, row in enumerate(rows):
        places, intruded = over_all_orders(row)
        known = [p for p in places if p is not None]
        for k in (1, 2, 5):
            hits = [p is not None and p <= k for p in places]
            assert found.recall(k)[i] == (all(hits) if known else 0)
            assert found.recall(k, Ties.OPTIMISTIC)[i] == any(hits)
            assert found.recall(k, Ties.EXPECTED)[i] == pytest.approx(np.mean(hits))
        inverse = [0 if p is None else 1 / p for p in places]
        assert found.reciprocal()[i] == min(inverse)
        assert found.reciprocal(Ties.OPTIMISTIC)[i] == max(inverse)
        assert found.reciprocal(Ties.EXPECTED)[i] == pytest.approx(np.mean(inverse))
        for ties, expected in (
            (Ties.PESSIMISTIC, any(intruded)),
            (Ties.OPTIMISTIC, all(intruded)),
            (Ties.EXPECTED, np.mean(intruded)),
        ):
            got = ranking.intrusion(
                codes[i : i + 1], scores[i : i + 1], gold[i : i + 1], negatives[i : i + 1], ties
            )
            assert got[0] == pytest.approx(float(expected))


def test_trec_order_is_score_then_identifier_descending() -> None:
    """Three candidates tied: trec_eval lists them as c, b, a."""
    codes, scores = [[0, 1, 2]] * 3, [[0.5, 0.5, 0.5]] * 3
    found = ranking.trec_ranks(codes, scores, [0, 1, 2], order=[0, 1, 2])
    assert found.reciprocal().tolist() == [1 / 3, 1 / 2, 1.0]
    flipped = ranking.trec_ranks(codes, scores, [0, 1, 2], order=[2, 1, 0])
    assert flipped.reciprocal().tolist() == [1.0, 1 / 2, 1 / 3]


def test_trec_scores_are_single_precision() -> None:
    close = [[0.5, 0.5 + 1e-12]]
    assert ranking.ranks([[0, 1]], close, [0]).reciprocal().tolist() == [0.5]
    assert ranking.trec_ranks([[0, 1]], close, [0], order=[1, 0]).reciprocal().tolist() == [1.0]


@given(st.lists(queries, min_size=1, max_size=6))
def test_trec_ranks_are_those_of_the_sorted_list(rows: list[Query]) -> None:
    codes, scores, gold, _ = arrays(rows)
    order = np.array([3, 0, 5, 1, 4, 2])
    found = ranking.trec_ranks(codes, scores, gold, order)
    for i, (values, right, _) in enumerate(rows):
        listed = sorted(range(len(values)), key=lambda c: (values[c], order[c]), reverse=True)
        assert found.reciprocal()[i] == (1 / (listed.index(right) + 1) if right < len(values) else 0)


def test_a_constant_scorer_gets_no_credit_it_did_not_earn() -> None:
    codes = np.tile(np.arange(100), (50, 1))
    found = ranking.ranks(codes, np.ones((50, 100)), np.arange(50))
    assert found.recall(1).mean() == 0.0
    assert found.recall(1, Ties.EXPECTED).mean() == pytest.approx(0.01)
    assert found.reciprocal().mean() == pytest.approx(0.01)
    assert found.recall(100).mean() == 1.0


def test_missing_codes_and_empty_lists_stay_in_the_mean() -> None:
    found = ranking.ranks([[0, 1], [-1, -1]], [[0.9, 0.1], [0.0, 0.0]], [0, 0])
    assert found.recall(5).tolist() == [1.0, 0.0]
    assert found.reciprocal(Ties.EXPECTED).tolist() == [1.0, 0.0]
    nobody = ranking.ranks(np.zeros((0, 3), dtype=int), np.zeros((0, 3)), [])
    assert nobody.recall(1).size == nobody.reciprocal(Ties.EXPECTED).size == 0
    empty = ranking.ranks(np.zeros((2, 0), dtype=int), np.zeros((2, 0)), [0, 1])
    assert empty.recall(1).tolist() == [0.0, 0.0]


def test_blocks_agree_with_one_row_at_a_time() -> None:
    rng = np.random.default_rng(0)
    codes = rng.permuted(np.tile(np.arange(20), (2_500, 1)), axis=1).astype(np.int32)
    scores = rng.integers(0, 6, size=codes.shape).astype(np.float32)
    gold = rng.integers(0, 25, size=2_500)
    found = ranking.ranks(codes, scores, gold)
    for i in (0, 1_023, 1_024, 2_499):
        one = ranking.ranks(codes[i : i + 1], scores[i : i + 1], gold[i : i + 1])
        assert (one.found[0], one.above[0], one.tied[0]) == (found.found[i], found.above[i], found.tied[i])


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: ranking.ranks([[0, 1]], [[0.1, np.nan]], [0]), r"scores\[0, 1\]"),
        (lambda: ranking.ranks([[0, 0]], [[0.1, 0.2]], [0]), r"candidates\[0\] lists the right code twice"),
        (lambda: ranking.ranks([[0, 1]], [[0.1]], [0]), "do not fit"),
        (lambda: ranking.ranks([[0, 1]], [[0.1, 0.2]], [-1]), r"gold\[0\]"),
        (lambda: ranking.ranks([[0, -2]], [[0.1, 0.2]], [0]), "candidates"),
        (lambda: ranking.ranks([[0.5]], [[0.1]], [0]), "integer codes"),
        (lambda: ranking.ranks([[0]], [["a"]], [0]), "expected numbers"),
        (lambda: ranking.ranks([[0]], [[0.1]], [0]).recall(0), "k is 0"),
        (lambda: ranking.trec_ranks([[0, 1]], [[0.1, 0.2]], [0], [0]), "code 1 has none"),
        (lambda: ranking.intrusion([[0, 1]], [[0.1, 0.2]], [0], [[0]]), "right code itself"),
        (lambda: ranking.intrusion([[0, 1]], [[0.1, 0.2]], [0], [[1], [1]]), "2 rows for 1"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]
