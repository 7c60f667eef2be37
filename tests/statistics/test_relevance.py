from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from denotary.errors import InputError
from denotary.statistics import ranking, relevance
from denotary.statistics.relevance import Judged, Order

Query: TypeAlias = tuple[list[float], list[int], list[int]]
"""Scores of the listed documents 0..K-1, their gains, and the gains of relevant documents that are not listed."""

SCORES = (0.1, 0.5, 0.5 + 1e-9, 0.9)
MEASURES = {
    "map", "map_cut_2", "ndcg", "ndcg_cut_3", "P_5", "recall_2", "recip_rank", "set_recall",
}  # fmt: skip

queries = (
    st.integers(1, 5)
    .flatmap(
        lambda k: st.tuples(
            st.lists(st.sampled_from(SCORES), min_size=k, max_size=k),
            st.lists(st.integers(0, 3), min_size=k, max_size=k),
            st.lists(st.integers(1, 3), max_size=2),
        )
    )
    .filter(lambda query: any(query[1]) or bool(query[2]))
)


def arrays(rows: list[Query]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Padded matrices; padding carries NaN, and documents without gain are judged in every other query only."""
    documents, relevant = np.full((len(rows), 6), -1), np.full((len(rows), 8), -1)
    scores, gains = np.full((len(rows), 6), np.nan), np.full((len(rows), 8), np.nan)
    for i, (values, worth, unlisted) in enumerate(rows):
        documents[i, : len(values)] = range(len(values))
        scores[i, : len(values)] = values
        key = [c for c, g in enumerate(worth) if g or i % 2] + list(range(10, 10 + len(unlisted)))
        relevant[i, : len(key)] = key
        gains[i, : len(key)] = [worth[c] if c < len(worth) else unlisted[c - 10] for c in key]
    return documents, scores, relevant, gains


def measures(found: Judged) -> dict[str, np.ndarray]:
    return {
        "map": found.average_precision(),
        "map_cut_2": found.average_precision(2),
        "ndcg": found.ndcg(),
        "ndcg_cut_3": found.ndcg(3),
        "P_5": found.precision(5),
        "recall_2": found.recall(2),
        "recip_rank": found.reciprocal(),
        "set_recall": found.recall(),
    }


def by_trec_eval(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> dict[str, Any]:
    found: dict[str, Any] = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
    return found


@given(st.lists(queries, min_size=1, max_size=5))
def test_agrees_with_trec_eval_ties_included(rows: list[Query]) -> None:
    documents, scores, relevant, gains = arrays(rows)
    names = [f"d{(7 * code) % 12:02d}" for code in range(12)]
    position = np.argsort(np.argsort(names))
    got = measures(relevance.judged(documents, scores, relevant, gains, rule=Order.TREC, position=position))
    qrels = {
        str(i): {names[c]: int(g) for c, g in zip(relevant[i], gains[i], strict=True) if c >= 0}
        for i in range(len(rows))
    }
    run = {
        str(i): {names[c]: float(s) for c, s in zip(documents[i], scores[i], strict=True) if c >= 0}
        for i in range(len(rows))
    }
    theirs = by_trec_eval(qrels, run)
    for name, values in got.items():
        assert values == pytest.approx([theirs[str(i)][name] for i in range(len(rows))], rel=1e-12), name


@given(queries)
def test_ties_take_the_least_and_the_greatest_value_of_all_orders(query: Query) -> None:
    documents, scores, relevant, gains = arrays([query])
    values, worth, unlisted = query
    found: dict[str, list[float]] = {}
    for order in itertools.permutations(range(len(values))):
        ranked = [values[i] for i in order]
        if ranked == sorted(ranked, reverse=True):
            every = sorted([g for g in worth if g] + unlisted, reverse=True)
            listed = Judged(
                np.array([[worth[i] for i in order]], dtype=float), np.array([every], dtype=float)
            )
            for name, value in measures(listed).items():
                found.setdefault(name, []).append(float(value[0]))
    worst = measures(relevance.judged(documents, scores, relevant, gains))
    best = measures(relevance.judged(documents, scores, relevant, gains, rule=Order.OPTIMISTIC))
    for name, possible in found.items():
        assert worst[name][0] == pytest.approx(min(possible), rel=1e-12), name
        assert best[name][0] == pytest.approx(max(possible), rel=1e-12), name


def test_ndcg_agrees_with_sklearn_where_every_document_is_listed() -> None:
    rng = np.random.default_rng(0)
    scores, worth = rng.random((40, 12)), rng.integers(0, 4, size=(40, 12))
    worth[:, 0] = 1
    codes = np.tile(np.arange(12), (40, 1))
    found = relevance.judged(codes, scores, codes, worth)
    for k in (1, 3, 12, 30):
        theirs = [ndcg_score(worth[i : i + 1], scores[i : i + 1], k=k) for i in range(40)]
        assert found.ndcg(k) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize(
    ("order", "ties"),
    [(Order.PESSIMISTIC, ranking.Ties.PESSIMISTIC), (Order.OPTIMISTIC, ranking.Ties.OPTIMISTIC)],
)
def test_with_one_relevant_document_it_is_the_rank_of_the_right_code(
    order: Order, ties: ranking.Ties
) -> None:
    rng = np.random.default_rng(1)
    documents = np.tile(np.arange(9), (60, 1))
    scores, gold = rng.integers(0, 4, size=(60, 9)).astype(float), rng.integers(0, 11, size=60)
    found = relevance.judged(documents, scores, gold[:, np.newaxis], np.ones((60, 1)), rule=order)
    ranks = ranking.ranks(documents, scores, gold)
    assert np.array_equal(found.reciprocal(), ranks.reciprocal(ties))
    assert found.average_precision() == pytest.approx(ranks.reciprocal(ties))
    assert np.array_equal(found.recall(3), ranks.recall(3, ties))
    rank = np.divide(1.0, ranks.reciprocal(ties), where=ranks.found, out=np.full(60, np.inf))
    assert found.ndcg() == pytest.approx(1.0 / np.log2(rank + 1.0))


def test_ranks_of_one_right_code_are_those_of_trec_eval() -> None:
    rng = np.random.default_rng(2)
    names = [f"c{code}" for code in rng.permutation(40)]
    position = np.argsort(np.argsort(names))
    codes = np.array([rng.permutation(40)[:15] for _ in range(80)])
    scores, gold = rng.integers(0, 5, size=codes.shape) / 7, rng.integers(0, 40, size=80)
    found = ranking.trec_ranks(codes, scores, gold, position)
    run = {str(i): {names[c]: float(s) for c, s in zip(codes[i], scores[i], strict=True)} for i in range(80)}
    theirs = by_trec_eval({str(i): {names[gold[i]]: 1} for i in range(80)}, run)
    assert found.reciprocal() == pytest.approx([theirs[str(i)]["recip_rank"] for i in range(80)])
    assert found.recall(2).tolist() == [theirs[str(i)]["recall_2"] for i in range(80)]


def trec_files() -> Path:
    """Folder of trec_eval's own test data: qrels.test, results.test and out.test.aq of its repository."""
    folder = Path(os.environ.get("DENOTARY_DATA", "")) / "trec_eval"
    if not (folder / "out.test.aq").is_file():
        pytest.skip(
            "needs the test files of trec_eval: set DENOTARY_DATA to the folder that holds trec_eval/"
        )
    return folder


def test_trec_evals_own_test_files() -> None:
    """500 documents of 3 queries, judged; the expected figures are those published with trec_eval."""
    folder = trec_files()
    lines = [line.split() for line in (folder / "results.test").read_text().splitlines()]
    judgements = [line.split() for line in (folder / "qrels.test").read_text().splitlines()]
    names = sorted({line[2] for line in lines} | {line[2] for line in judgements})
    code = {name: i for i, name in enumerate(names)}
    topics = sorted({line[0] for line in lines})
    listed = [[line for line in lines if line[0] == topic] for topic in topics]
    keys = [[line for line in judgements if line[0] == topic and int(line[3]) > 0] for topic in topics]
    width = max(map(len, keys))
    found = relevance.judged(
        [[code[line[2]] for line in rows] for rows in listed],
        [[float(line[4]) for line in rows] for rows in listed],
        [[code[line[2]] for line in rows] + [-1] * (width - len(rows)) for rows in keys],
        [[int(line[3]) for line in rows] + [0] * (width - len(rows)) for rows in keys],
        rule=Order.TREC,
        position=np.arange(len(names)),
    )
    published = [line.split() for line in (folder / "out.test.aq").read_text().splitlines()]
    expected = {(line[0], line[1]): line[2] for line in published}
    got = {
        "map": found.average_precision(),
        "recip_rank": found.reciprocal(),
        "P_5": found.precision(5),
        "P_30": found.precision(30),
        "P_1000": found.precision(1000),
    }
    for name, values in got.items():
        assert [f"{value:.4f}" for value in values] == [expected[name, topic] for topic in topics], name
        assert f"{values.mean():.4f}" == expected[name, "all"], name
    retrieved = [int(expected["num_rel_ret", topic]) / int(expected["num_rel", topic]) for topic in topics]
    assert found.recall() == pytest.approx(retrieved, rel=1e-12)
    qrels = {topic: {line[2]: int(line[3]) for line in judgements if line[0] == topic} for topic in topics}
    run = {topic: {line[2]: float(line[4]) for line in lines if line[0] == topic} for topic in topics}
    theirs = by_trec_eval(qrels, run)
    for name, values in measures(found).items():
        assert values == pytest.approx([theirs[topic][name] for topic in topics], rel=1e-12), name


def test_no_query_no_value_and_empty_lists_find_nothing() -> None:
    none = np.zeros((0, 3), dtype=int)
    assert relevance.judged(none, none, none, none).ndcg().size == 0
    empty = relevance.judged(np.zeros((2, 0)), np.zeros((2, 0)), [[0], [4]], [[1], [2]])
    for values in measures(empty).values():
        assert values.tolist() == [0.0, 0.0]
    unused = relevance.judged(
        [[-1, -1]], [[1.0, np.nan]], [[3]], [[1]], rule=Order.TREC, position=[0, 1, 2, 3]
    )
    assert unused.ndcg().tolist() == [0.0]


def test_unused_places_stand_behind_every_document() -> None:
    found = relevance.judged([[-1, 7, 2]], [[9.0, -3.0, -4.0]], [[2, -1]], [[1.0, 5.0]])
    assert found.gains.tolist() == [[0.0, 1.0, 0.0]]
    assert found.ideal.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: relevance.judged([[0, 0]], [[1, 2]], [[0]], [[1]]), r"documents\[0\] holds a code twice"),
        (lambda: relevance.judged([[0]], [[1]], [[4, 4]], [[1, 1]]), r"relevant\[0\] holds a code twice"),
        (lambda: relevance.judged([[0]], [[1]], [[1]], [[0]]), r"relevant\[0\] holds no relevant document"),
        (lambda: relevance.judged([[0]], [[1]], [[-1]], [[1]]), r"relevant\[0\] holds no relevant document"),
        (lambda: relevance.judged([[0]], [[1]], [[0, 1]], [[1, -1]]), "negative value"),
        (lambda: relevance.judged([[0]], [[np.nan]], [[0]], [[1]]), r"scores\[0, 0\] is nan"),
        (lambda: relevance.judged([[0]], [[1]], [[0]], [[np.inf]]), r"gains\[0, 0\] is inf"),
        (lambda: relevance.judged([[0]], [[1, 2]], [[0]], [[1]]), r"scores of shape \(1, 2\)"),
        (lambda: relevance.judged([[0]], [[1]], [[0], [1]], [[1], [1]]), "differ in length"),
        (lambda: relevance.judged([[0.5]], [[1]], [[0]], [[1]]), "integer codes"),
        (lambda: relevance.judged([[-2]], [[1]], [[0]], [[1]]), r"documents\[0, 0\] is -2"),
        (lambda: relevance.judged([[0]], [[1], [1, 2]], [[0]], [[1]]), "not an array of numbers"),
        (
            lambda: relevance.judged([[3]], [[1]], [[0]], [[1]], rule=Order.TREC, position=[0, 1]),
            "code 3 has none",
        ),
        (lambda: relevance.judged([[0]], [[1]], [[0]], [[1]], rule=Order.TREC), "position has 0 entries"),
        (lambda: relevance.judged([[0]], [[1]], [[0]], [[1]]).ndcg(0), "k is 0"),
        (lambda: relevance.judged([[0]], [[1]], [[0]], [[1]]).precision(0), "k is 0"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]
