"""The join of cases and answers."""

from collections.abc import Iterator
from typing import Any

import measured as m  # type: ignore[import-not-found]
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_loop import Loop  # type: ignore[import-not-found]

from denotary.errors import IntegrityError
from denotary.instruments.identity import answer_columns
from denotary.instruments.identity.answer_columns import STATUSES
from denotary.instruments.identity.table import table
from denotary.measures.table import Table
from denotary.statistics import ranking


@st.composite
def runs(draw: st.DrawFn) -> tuple[Any, Any]:
    suite = draw(m.suites())
    return suite, draw(m.answers(suite))


def label(found: Table, name: str, row: int) -> str | None:
    column = found.coded[name]
    code = int(column.codes[row])
    return None if code < 0 else column.labels[code]


@given(runs())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_columns_are_those_of_the_loop(run: tuple[Any, Any]) -> None:
    suite, answers = run
    loop = Loop(suite, answers)
    found = table(suite, answers)
    assert len(found) == len(suite.cases)
    for row, case in enumerate(suite.cases):
        name, body = case.record_id, loop.body(case.record_id)
        assert label(found, "outcome", row) == loop.outcome(case)
        assert label(found, "disposition", row) == case.gold.disposition
        assert label(found, "family", row) == case.construction.primary_family
        assert label(found, "language", row) == case.language_slice
        code = loop.code(name)
        assert label(found, "answered_code", row) == ("unregistered code 1" if code == "c.invented" else code)
        assert label(found, "kind", row) == (body["kind"] if body else None)
        assert found.plain["correct"][row] == loop.correct(case)
        assert found.plain["kind_right"][row] == loop.right_kind(case)
        assert found.plain["invented_code"][row] == (loop.code(name) == "c.invented")
        assert found.plain["has_candidates"][row] == bool(loop.candidates(name))
        assert found.plain["has_neighbours"][row] == bool(case.gold.forbidden_neighbor_codes)
        assert found.plain["neighbour_first"][row] == loop.neighbour_first(case)
        rank = found.plain["gold_rank"][row]
        assert (None if np.isnan(rank) else rank) == loop.rank(case)
        confidence = found.plain["confidence"][row]
        assert (None if np.isnan(confidence) else confidence) == (body["confidence"] if body else None)
        check_scores(found, row, [score for _, score in loop.candidates(name)])


def check_scores(found: Table, row: int, scores: list[float]) -> None:
    best = sorted(scores, reverse=True)
    margin, share = found.plain["margin"][row], found.plain["top_share"][row]
    assert np.isnan(margin) if len(best) < 2 else margin == best[0] - best[1]
    if best and min(best) >= 0 and sum(best) > 0:
        assert share == pytest.approx(best[0] / sum(best))
    else:
        assert np.isnan(share)


@given(runs(), st.integers(1, 5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_answers_may_come_in_chunks_and_from_a_stream(run: tuple[Any, Any], size: int) -> None:
    suite, answers = run
    whole = table(suite, answers)
    usual = answer_columns.CHUNK
    try:
        answer_columns.CHUNK = size  # type: ignore[misc]
        parts = table(suite, iter(answers))
    finally:
        answer_columns.CHUNK = usual  # type: ignore[misc]
    for name, column in whole.plain.items():
        np.testing.assert_array_equal(column, parts.plain[name])
    for name, coded in whole.coded.items():
        np.testing.assert_array_equal(coded.codes, parts.coded[name].codes)
        assert coded.labels == parts.coded[name].labels


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_ranks_are_those_of_the_ranking_module(data: st.DataObject) -> None:
    """Where lists have no duplicates, which the dense form refuses, both must agree."""
    lists = data.draw(
        st.lists(st.lists(st.sampled_from(range(3)), unique=True, max_size=3), min_size=1, max_size=6)
    )
    scores = [[data.draw(st.sampled_from((0.1, 0.5, 0.9))) for _ in listed] for listed in lists]
    suite = m.suite([m.case(f"n{index}") for index in range(len(lists))])
    answers = [
        m.answer(
            f"n{index}",
            "c.one",
            candidates=[(m.CODES[code], score) for code, score in zip(codes, values, strict=True)],
        )
        for index, (codes, values) in enumerate(zip(lists, scores, strict=True))
    ]
    dense = np.full((len(lists), 3), -1)
    values = np.zeros((len(lists), 3))
    for index, codes in enumerate(lists):
        dense[index, : len(codes)], values[index, : len(codes)] = codes, scores[index]
    expected = ranking.ranks(dense, values, np.zeros(len(lists), dtype=int)).reciprocal()
    found = 1.0 / table(suite, answers).plain["gold_rank"]
    np.testing.assert_allclose(np.nan_to_num(found), expected)


def test_an_answer_to_no_case_of_the_suite_is_refused() -> None:
    with pytest.raises(IntegrityError, match="gone: an answer is to a case that is not in the suite"):
        table(m.suite([m.case("a")]), [m.answer("a", "c.one"), m.answer("gone", "c.one")])


@pytest.mark.parametrize("order", [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "b")])
@pytest.mark.parametrize("chunk", [1, 2, 4096])
def test_a_call_answered_twice_is_refused(order: Any, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_columns, "CHUNK", chunk)
    with pytest.raises(IntegrityError, match=r"(a|b)#0: a call is answered twice"):
        table(m.suite([m.case("a"), m.case("b")]), [m.answer(name, "c.one") for name in order])


def test_an_answered_call_without_a_body_is_an_error() -> None:
    import msgspec

    given_answer = msgspec.structs.replace(m.answer("a", "c.one"), body=None)
    assert table(m.suite([m.case("a")]), [given_answer]).outcomes()["error"] == 1


@pytest.mark.parametrize(
    ("version", "right"),
    [
        ("1.0.0", True),
        ("r 1.0.0 sha256:" + "f" * 64, True),
        ("f" * 64, True),
        ("1.0.1", False),
        ("", False),
        (None, False),
    ],
)
def test_an_answer_must_name_the_snapshot(version: str | None, right: bool) -> None:
    found = table(m.suite([m.case("a")]), [m.answer("a", "c.one", version=version)])
    assert bool(found.plain["version_ok"][0]) is right


def test_every_answer_to_a_case_must_name_the_snapshot() -> None:
    suite = m.suite([m.case(name) for name in ("all", "later", "first", "lost")])
    answers = [m.answer(name, "c.one", version="1.0.0") for name in ("all", "later", "lost")]
    answers += [m.answer("first", "c.one", version="0.9.0")]
    answers += [m.answer(name, "c.one", repeat=1, version="1.0.0") for name in ("all", "first")]
    answers += [m.answer("later", "c.one", repeat=1, version="0.9.0")]
    answers += [m.answer("later", "c.one", repeat=2, version="1.0.0")]
    answers += [m.answer("lost", repeat=1, status="timeout")]
    for order in (answers, answers[::-1]):
        assert table(suite, order).plain["version_ok"].tolist() == [True, False, False, True]


def test_scores_of_any_size_do_no_harm() -> None:
    huge = [("c.one", 1e308), ("c.two", 1e308), ("c.three", -1e308)]
    found = table(m.suite([m.case("a")]), [m.answer("a", "c.one", candidates=huge)])
    assert found.plain["gold_rank"][0] == 2.0
    assert np.isnan(found.plain["top_share"][0])
    spread = table(m.suite([m.case("a")]), [m.answer("a", "c.one", candidates=[huge[0], huge[2]])])
    assert np.isnan(spread.plain["margin"][0])


def test_a_candidate_listed_twice_counts_by_its_best_score() -> None:
    twice = [("c.one", 0.1), ("c.two", 0.5), ("c.one", 0.9)]
    found = table(m.suite([m.case("a")]), [m.answer("a", "c.one", candidates=twice)])
    assert found.plain["gold_rank"][0] == 1.0


def test_a_repeat_that_differs_or_fails() -> None:
    suite = m.suite([m.case(name) for name in ("same", "other", "lost", "once")])
    answers = [m.answer(name, "c.one") for name in ("same", "other", "lost", "once")]
    answers += [m.answer("same", "c.one", repeat=1), m.answer("other", "c.two", repeat=1)]
    answers += [m.answer("lost", repeat=1, status="timeout")]
    found = table(suite, answers)
    assert found.plain["repeated"].tolist() == [True, True, True, False]
    assert found.plain["repeats_differ"].tolist() == [False, True, False, False]
    assert found.plain["repeats_answered"].tolist() == [True, True, False, True]


def test_a_refusal_of_another_kind_is_another_decision() -> None:
    suite = m.suite([m.case("a")])
    answers = [m.answer("a", kind="MIXED"), m.answer("a", kind=None, repeat=1)]
    assert table(suite, answers).plain["repeats_differ"].tolist() == [True]


def test_units_and_concepts() -> None:
    suite = m.suite(
        [
            m.case("a", semantic_seed_id="s"),
            m.case("b", "UNKNOWN_REGISTRY", semantic_seed_id="s", concept_neighbourhood="c.two"),
            m.case("c", "UNKNOWN_REGISTRY", semantic_seed_id="t"),
        ]
    )
    found = table(suite, [])
    assert found.unit.tolist() == [0, 0, 1]
    assert [label(found, "concept", row) for row in range(3)] == ["c.one", "c.two", ""]
    assert [label(found, "tier", row) for row in range(3)] == ["C3", "C2", None]
    assert found.plain["critical"].tolist() == [True, False, False]
    assert found.capabilities == {"ambiguity"}
    assert STATUSES[found.coded["status"].codes[0]] == "not_run"


def test_the_collector_is_as_it_was() -> None:
    import gc

    def broken() -> Iterator[Any]:
        yield m.answer("a", "c.one")
        raise OSError("the disk is gone")

    assert gc.isenabled()
    with pytest.raises(OSError, match="the disk is gone"):
        table(m.suite([m.case("a")]), broken())
    assert gc.isenabled()


def test_an_invented_code_is_numbered_and_not_quoted() -> None:
    suite = m.suite([m.case(name) for name in ("a", "b", "c")])
    found = table(suite, [m.answer("a", "zz echoed"), m.answer("b", "aa echoed"), m.answer("c", "zz echoed")])
    assert found.coded["answered_code"].labels == (
        "c.one",
        "c.three",
        "c.two",
        "unregistered code 1",
        "unregistered code 2",
    )
    assert [label(found, "answered_code", row)[-1] for row in range(3)] == ["2", "1", "2"]  # type: ignore[index]
    assert found.plain["invented_code"].all()


def test_the_table_shows_no_text() -> None:
    found = table(m.suite([m.case("a", text="secret words")]), [])
    assert "secret" not in repr(found)
    assert repr(found).startswith("<Table 1 rows")
