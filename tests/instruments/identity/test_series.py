"""Series for figures."""

from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_loop import Loop  # type: ignore[import-not-found]

from denotary.instruments.identity import confidence_series
from denotary.instruments.identity.series import series
from denotary.instruments.identity.table import table
from denotary.reports.figures import confidence, confusion, curves, floors, graph
from denotary.runs.records import Identity
from denotary.statistics import binomial


def found(suite: Any, answers: Any, threshold: str = "") -> dict[tuple[str, str], Any]:
    identity = Identity(acceptance_threshold=threshold)
    return {(item.series, item.slice): item for item in series(suite, table(suite, answers), identity)}


@st.composite
def runs(draw: st.DrawFn) -> tuple[Any, Any]:
    suite = draw(m.suites())
    return suite, draw(m.answers(suite))


@given(runs())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_confusion_counts_every_case_of_the_semantic_track_once(run: tuple[Any, Any]) -> None:
    suite, answers = run
    loop = Loop(suite, answers)
    rows = found(suite, answers)["confusion", "all"].rows
    assert sum(row[3] for row in rows) == len(semantic(suite))
    unit = dict(zip((case.record_id for case in suite.cases), suite.units, strict=True))
    for expected, answered, kind, cases, units in rows:
        inside = [
            case.record_id
            for case in semantic(suite)
            if name_of_gold(case) == expected and name_of_answer(loop, case) == (answered, kind)
        ]
        assert (len(inside), len({unit[name] for name in inside})) == (cases, units)


def semantic(suite: Any) -> list[Any]:
    return [case for case in suite.cases if case.construction.primary_family != "reviewed_exact"]


def name_of_gold(case: Any) -> str:
    single = case.gold.disposition == "SINGLE"
    return str(case.gold.acceptable_concept_codes[0] if single else case.gold.disposition)


def name_of_answer(loop: Any, case: Any) -> tuple[str, str]:
    body = loop.body(case.record_id)
    if body is None:
        return loop.outcome(case), "unanswered"
    if body["type"] != "concept":
        return body["kind"] or "ABSTAIN", "refusal"
    return "unregistered code 1" if body["code"] == "c.invented" else body["code"], "code"


@given(runs())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_risk_and_coverage_at_every_threshold(run: tuple[Any, Any]) -> None:
    suite, answers = run
    loop, cases = Loop(suite, answers), semantic(suite)
    made = found(suite, answers)
    sure = {
        case.record_id: body["confidence"]
        for case in cases
        if (body := loop.body(case.record_id))
        and body["type"] == "concept"
        and body["confidence"] is not None
    }
    if not sure:
        assert ("risk_coverage", "all") not in made
        return
    lost = sum(not loop.answered(case.record_id) for case in cases)
    wrong = {case.record_id for case in cases if loop.outcome(case) == "wrong"}
    for threshold, coverage, risk, bound in made["risk_coverage", "all"].rows:
        kept = {name for name, value in sure.items() if value >= threshold}
        assert coverage == pytest.approx(len(kept) / len(cases))
        assert risk == pytest.approx((len(kept & wrong) + lost) / (len(kept) + lost))
        assert bound >= risk
    reliability = made["reliability", "all"].rows
    assert sum(row[2] for row in reliability) == len(sure)
    errors = made["error_confidence", "all"].rows
    assert sum(row[2] for row in errors) == len(sure.keys() & wrong)


def test_the_operating_point_is_what_the_gate_judges() -> None:
    suite = m.suite([m.case(f"n{index}") for index in range(40)])
    answers = [
        m.answer(f"n{index}", "c.one" if index else "c.two", confidence=0.5 + index / 100)
        for index in range(30)
    ]
    answers += [m.answer(f"n{index}", kind=None) for index in range(30, 39)]
    # The declared threshold stands there, not the least confidence that happened to be given.
    (row,) = found(suite, answers, "0.4")["operating_point", "all"].rows
    assert row == (0.4, 30 / 40, 2 / 31, binomial.upper_bound(2, 31))


@pytest.mark.parametrize("threshold", ["", "high", "1.5", "nan"])
def test_without_a_declared_threshold_there_is_no_operating_point(threshold: str) -> None:
    suite, answers = m.suite([m.case("a")]), [m.answer("a", "c.one", confidence=0.5)]
    made = found(suite, answers, threshold)
    assert ("operating_point", "all") not in made
    assert ("risk_coverage", "all") in made


def test_a_long_curve_is_thinned_and_keeps_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confidence_series, "POINTS", 10)
    suite = m.suite([m.case(f"n{index}") for index in range(200)])
    answers = [m.answer(f"n{index}", "c.one", confidence=index / 200) for index in range(200)]
    rows = found(suite, answers)["risk_coverage", "all"].rows
    assert len(rows) == 10
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    assert rows[-1][:2] == (0.0, 1.0)


def test_neighbours_are_counted_by_ordered_pair() -> None:
    from denotary.registry.records import Concept, Neighbour

    concepts = dict(m.registry().concepts)
    declared = Neighbour(code="c.three", type="sibling", reason="r")
    concepts["c.one"] = Concept(
        code="c.one",
        definitions={"en": "x"},
        semantic_type="t",
        consequence_tier="C3",
        owner="o",
        neighbours=(declared,),
    )
    cases = [
        m.case("a", forbidden_neighbor_codes=("c.two",)),
        m.case("b", forbidden_neighbor_codes=("c.two", "c.three")),
        m.case("c", "UNKNOWN_REGISTRY", forbidden_neighbor_codes=("c.one",)),
    ]
    suite = m.suite(cases, of=m.registry(concepts=concepts))
    made = found(suite, [m.answer("a", "c.two"), m.answer("b", "c.two"), m.answer("c", "c.one")])
    assert made["neighbours", "all"].rows == (
        ("UNKNOWN_REGISTRY", "c.one", "", 1, 1),
        ("c.one", "c.three", "sibling", 1, 0),
        ("c.one", "c.two", "", 2, 2),
    )


def test_floors_and_scorecards() -> None:
    cases = [
        m.case(f"n{index}", semantic_seed_id="s", language="en", script="Latn", native_author=index == 0)
        for index in range(3)
    ]
    suite = m.suite(
        [*cases, m.case("u", "UNKNOWN_REGISTRY", concept_neighbourhood="c.one", language="de", script="Cyrl")]
    )
    made = found(suite, [m.answer("n0", "c.two"), m.answer("n1", "c.two"), m.answer("u", "c.two")])
    have = {row[:3]: row[3:] for row in made["floors", "all"].rows}
    assert have["concept", "c.one", "known single"] == (3, 50)
    assert have["concept", "c.one", "abstention"] == (1, 20)
    assert have["language", "de", "unknown, ambiguous, underspecified"] == (1, 50)
    card = dict(made["scorecard", "concept=c.one"].rows)
    assert card["evidence"] == "INSUFFICIENT EVALUATION EVIDENCE"
    assert (card["cases"], card["units"], card["consequence tier"]) == ("4", "2", "C3")
    assert card["top confusions"] == "c.two in 1 unit"
    assert card["against floors"].startswith("known single 3 of 50; boundary or hard negative ")
    # Two wrong codes and a case without an answer in English, one wrong code in German: all in both, the first by name.
    assert card["worst language"] == "en: a wrong code or no answer in 3 of 3 cases; of 2 languages"
    assert card["open ontology questions"] == "none"
    language = dict(made["scorecard", "language=en"].rows)
    assert (language["scripts"], language["native-authored"]) == ("Latn 3", "1 of 3")
    assert dict(made["scorecard", "language=de"].rows)["scripts"] == "Cyrl 1"
    assert "varieties" not in language


def test_varieties_of_a_language_are_counted_where_there_are_any() -> None:
    cases = [m.case("a", language="de-AT"), m.case("b", language="de"), m.case("c", language="de-AT")]
    made = found(m.suite(cases), [m.answer(item.record_id, "c.one") for item in cases])
    assert dict(made["scorecard", "language=de"].rows)["varieties"] == "de 1, de-AT 2"


def test_the_worst_language_of_a_concept_is_that_with_the_largest_share_of_harm() -> None:
    cases = [
        m.case(f"{language}{index}", language=language)
        for language in ("de-AT", "en", "hi")
        for index in (0, 1, 2)
    ]
    wrong = {"de-AT0", "en0", "en1", "hi2"}
    given = [m.answer(item.record_id, "c.two" if item.record_id in wrong else "c.one") for item in cases]
    given = [item for item in given if item.case_id != "hi0"]
    made = found(m.suite(cases), given)
    # German 1 of 3; English 2 of 3; Hindi one wrong and one not run, 2 of 3 too: the later name decides.
    card = dict(made["scorecard", "concept=c.one"].rows)
    assert card["worst language"] == "hi: a wrong code or no answer in 2 of 3 cases; of 3 languages"
    right = found(m.suite(cases), [m.answer(item.record_id, "c.one") for item in cases])
    card = dict(right["scorecard", "concept=c.one"].rows)
    assert card["worst language"] == "none: no wrong code in 3 languages"


def test_open_questions_about_the_registry_are_counted_by_concept() -> None:
    cases = [
        m.case("a", adjudication_status="contested"),
        m.case("b", adjudication_status="contested", mechanisms=("F19",)),
        m.case("c", registry_complete_for_item=False),
        m.case("d", "UNKNOWN_REGISTRY", concept_neighbourhood="c.two", registry_complete_for_item=False),
        m.case("e", "AMBIGUOUS", concept_neighbourhood="c.two", registry_complete_for_item=False),
    ]
    made = found(m.suite(cases), [m.answer(item.record_id, "c.one") for item in cases])
    assert dict(made["scorecard", "concept=c.one"].rows)["open ontology questions"] == (
        "a defect of the registry is suspected in 1 case; registry found incomplete for 1 case; "
        "reviewers do not agree on 2 cases"
    )
    two = dict(made["scorecard", "concept=c.two"].rows)
    assert two["open ontology questions"] == "registry found incomplete for 1 case"


def test_margins_are_binned_by_what_was_decided() -> None:
    cases = [m.case(name) for name in "abcd"] + [m.case("x", primary_family="reviewed_exact")]
    given = [
        m.answer("a", "c.one", candidates=[("c.one", 0.9), ("c.two", 0.1)]),
        m.answer("b", "c.two", candidates=[("c.two", 0.5), ("c.one", 0.1)]),
        m.answer("c", candidates=[("c.two", 0.5), ("c.one", 0.5)]),
        m.answer("d", "c.one", candidates=[("c.one", 0.5)]),
        m.answer("x", "c.one", candidates=[("c.one", 9.0), ("c.two", 0.0)]),
    ]
    rows = found(m.suite(cases), given)["margin", "all"].rows
    assert [row[2:] for row in rows if any(row[2:])] == [(0, 0, 1), (1, 0, 0), (0, 1, 0)]
    assert rows[0][:2] == (0.0, pytest.approx(0.08))
    assert rows[-1][1] == pytest.approx(0.8)
    assert rows[-1][2:] == (0, 1, 0)
    assert rows[5][2:] == (1, 0, 0)
    flat = found(m.suite(cases[:1]), [m.answer("a", "c.one", candidates=[("c.one", 0.5), ("c.two", 0.5)])])
    assert ("margin", "all") not in flat


def test_series_have_the_columns_that_the_report_draws() -> None:
    suite = m.suite([m.case("a", forbidden_neighbor_codes=("c.two",)), m.case("b")])
    given = [m.answer("a", "c.two", confidence=0.9), m.answer("b", "c.one", confidence=0.8)]
    made = found(suite, given, "0.5")
    wanted = {
        "confusion": confusion.COLUMNS,
        "neighbours": graph.COLUMNS,
        "floors": floors.COLUMNS,
        "risk_coverage": curves.RISK_COVERAGE,
        "operating_point": curves.RISK_COVERAGE,
        "reliability": confidence.RELIABILITY,
        "error_confidence": confidence.ERROR_CONFIDENCE,
    }
    for name, columns in wanted.items():
        assert made[name, "all"].columns == columns
        assert made[name, "all"].rows
