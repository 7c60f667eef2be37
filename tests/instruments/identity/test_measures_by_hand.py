"""Measures on cases made by hand: silence, look-ups, pairs, contrast sets, ties."""

from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest

from denotary.instruments.identity.floors import floors
from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate


def rows(suite: Any, answers: Any, resamples: int = 0) -> dict[tuple[str, str], Any]:
    found = evaluate(
        MEASURES, table(suite, answers), instrument="identity", unit_kind="seed", resamples=resamples
    )
    return {(row.measure, row.slice): row for row in found}


def test_the_harm_of_silence() -> None:
    """Three cases that ask for a refusal: one refused, one given a code, one without an answer."""
    suite = m.suite([m.case(name, "UNKNOWN_REGISTRY") for name in ("a", "b", "c")])
    answers = [
        m.answer("a", kind="UNKNOWN_REGISTRY"),
        m.answer("b", "c.two"),
        m.answer("c", status="timeout"),
    ]
    found = rows(suite, answers)
    risk, unknown = found["assignment_risk", "all"], found["unknown_far", "all"]
    assert (risk.numerator, risk.denominator) == (2, 2)
    assert (risk.answered_numerator, risk.answered_denominator) == (1, 1)
    assert (unknown.numerator, unknown.denominator) == (2, 3)
    assert (unknown.answered_numerator, unknown.answered_denominator) == (1, 2)
    assert found["faar", "all"].numerator == 2
    assert found["assignment_coverage", "all"].numerator == 1
    assert found["timeout_share", "all"].numerator == found["unanswered_share", "all"].numerator == 1


def test_a_case_that_was_never_asked_is_not_run() -> None:
    suite = m.suite([m.case("a"), m.case("b")])
    found = table(suite, [m.answer("a", "c.one")]).outcomes()
    assert (found["right"], found["not_run"]) == (1, 1)


def test_look_ups_change_nothing_that_a_semantic_gate_reads() -> None:
    """Ten unknown texts, two of them forced; then a thousand reviewed expressions, all resolved, beside them."""
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    unknown = [m.case(f"u{index}", "UNKNOWN_REGISTRY", variant_severity="high", attack_family="a",
                      concept_neighbourhood="c.one", forbidden_neighbor_codes=("c.one",))
               for index in range(10)]  # fmt: skip
    known = [m.case(f"k{index}") for index in range(3)]
    exact = [m.case(f"e{index}", primary_family="reviewed_exact", forbidden_neighbor_codes=("c.two",),
                    variant_severity="high", attack_family="a") for index in range(1000)]  # fmt: skip
    asked = [m.answer("u0", "c.one"), m.answer("u1", "c.one"), *(m.answer(f"u{n}") for n in range(2, 9))]
    asked += [m.answer(item.record_id, "c.one", candidates=[("c.one", 1.0)]) for item in known]
    asked += [m.answer("u0", repeat=1)]
    padding = [m.answer(item.record_id, "c.one", candidates=[("c.one", 1.0)]) for item in exact]
    padding += [m.answer(item.record_id, "c.one", repeat=1) for item in exact]
    before, after = (
        rows(m.suite([*unknown, *known]), asked),
        rows(m.suite([*unknown, *known, *exact]), [*asked, *padding]),
    )
    read = {
        gate.measure for name in ("c1", "c5") for gate in load_policy(name, INSTRUMENT).gates if gate.measure
    }
    track = read - {"exact_regression", "version_mismatch"}
    assert {"assignment_risk", "unknown_far", "hncr", "unanswered_share", "decision_instability"} < track
    for (measure, where), row in before.items():
        if measure in track | {"faar", "correct_known_coverage", "assignment_coverage"}:
            assert after[measure, where] == row, (measure, where)
    assert after["exact_regression", "all"].denominator == 1000
    assert after["exact_instability", "all"].denominator == 1000
    assert after["version_mismatch", "all"].denominator == 1013


def test_a_look_up_that_changes_its_mind_is_broken() -> None:
    suite = m.suite([m.case(name, primary_family="reviewed_exact") for name in ("a", "b", "c")])
    first = [m.answer(name, "c.one") for name in ("a", "b", "c")]
    again = [m.answer("a", "c.one", repeat=1), m.answer("b", "c.two", repeat=1)]
    again.append(m.answer("c", status="timeout", repeat=1))
    row = rows(suite, [*first, *again])["exact_regression", "all"]
    assert (row.numerator, row.denominator) == (2, 3)


def test_an_open_ambiguity_with_one_registered_sense_is_a_declared_ambiguity_and_no_miss() -> None:
    """Senses outside the registry exist too: its one code is a guess, and the gate of ambiguities must see it."""
    open_one = m.case("open", "EXACT_MISS", primary_family="reviewed_exact", tags=("declared_ambiguity",))
    suite = m.suite([open_one, m.case("miss", "EXACT_MISS", primary_family="reviewed_exact")])
    found = rows(suite, [m.answer("open", "c.one"), m.answer("miss", kind=None)])
    ambiguity, invented = found["exact_ambiguity_failure", "all"], found["invented_code_on_miss", "all"]
    assert (ambiguity.numerator, ambiguity.denominator) == (1, 1)
    assert (invented.numerator, invented.denominator) == (0, 1)


def test_look_ups_are_no_evidence_for_a_floor() -> None:
    def have(suite: Any) -> dict[tuple[str, str, str], int]:
        found = table(suite, [])
        return {(f.axis, f.group, f.floor): f.have for f in floors(found.plain, found.coded)}

    known = [m.case("k"), m.case("a", "AMBIGUOUS", concept_neighbourhood="c.one", tags=("morphology",))]
    exact = [
        m.case(f"e{index}", gold, primary_family="reviewed_exact", concept_neighbourhood="c.one",
               forbidden_neighbor_codes=("c.three",), tags=("morphology",))
        for index, gold in enumerate(("SINGLE", "AMBIGUOUS") * 200)
    ]  # fmt: skip
    assert have(m.suite([*known, *exact])) == have(m.suite(known))


def test_one_pair_counts_once_and_in_its_unit() -> None:
    suite = m.suite(
        [
            m.case("x", semantic_seed_id="s"),
            m.case(
                "y", semantic_seed_id="s", parent_record_id="x", meaning_relation_to_parent="SAME_MEANING"
            ),
            m.case(
                "z", semantic_seed_id="s", parent_record_id="x", meaning_relation_to_parent="SAME_MEANING"
            ),
        ]
    )
    found = rows(suite, [m.answer("x", "c.one"), m.answer("y", "c.one"), m.answer("z", "c.two")])
    pair = found["pair_correct", "all"]
    assert (pair.numerator, pair.denominator, pair.units) == (1, 2, 1)
    assert [(item.numerator, item.denominator, item.size, item.count) for item in pair.types] == [
        (1, 2, 2, 1)
    ]


@pytest.mark.parametrize(
    ("decisions", "sensitivity", "consistency"),
    [
        (("c.one", "c.one", None), (1, 1), (1, 1)),
        (("c.one", "c.one", "c.one"), (0, 1), (0, 1)),
        (("c.two", "c.two", None), (1, 1), (0, 1)),
        (("c.one", "c.one", "timeout"), (0, 1), (0, 1)),
    ],
)
def test_a_contrast_set(decisions: Any, sensitivity: Any, consistency: Any) -> None:
    from denotary.suites.records import Contrast

    golds: dict[Any, str] = {"x": "SINGLE", "x_same": "SINGLE", "x_flip": "UNKNOWN_REGISTRY"}
    suite = m.suite(
        [
            m.case(role, gold, semantic_seed_id="s", contrast=Contrast(set="k", role=role))
            for role, gold in golds.items()
        ]
    )
    answers = [
        m.answer(role, status="timeout") if code == "timeout" else m.answer(role, code, kind=None)
        for role, code in zip(golds, decisions, strict=True)
    ]
    found = rows(suite, answers)
    for measure, expected in (("contrast_sensitivity", sensitivity), ("contrast_consistency", consistency)):
        row = found[measure, "all"]
        assert (row.numerator, row.denominator) == expected
        assert row.units == 1


def test_a_negated_text_given_the_code_of_its_original() -> None:
    suite = m.suite(
        [
            m.case("plain"),
            m.case("negated", "UNKNOWN_REGISTRY", parent_record_id="plain", tags=("negation",),
                   meaning_relation_to_parent="DIFFERENT_MEANING"),
            m.case("alone", "UNKNOWN_REGISTRY", tags=("negation",), concept_neighbourhood="c.two"),
            m.case("twice", parent_record_id="plain", tags=("negation",), meaning_relation_to_parent="SAME_MEANING"),
        ]
    )  # fmt: skip
    row = rows(suite, [m.answer("negated", "c.one"), m.answer("alone", "c.one"), m.answer("twice", "c.one")])[
        "negation_collapse", "all"
    ]
    assert (row.numerator, row.denominator) == (1, 2)


def test_ties_count_against_the_right_code() -> None:
    suite = m.suite([m.case("a", forbidden_neighbor_codes=("c.two",))])
    found = rows(
        suite, [m.answer("a", "c.one", candidates=[("c.one", 0.5), ("c.two", 0.5), ("c.three", 0.1)])]
    )
    assert found["recall_at_1", "all"].numerator == 0
    assert found["recall_at_5", "all"].numerator == 1
    assert found["mrr", "all"].value == 0.5
    assert found["hard_negative_intrusion", "all"].numerator == 1
    assert found["false_neighbour_rate", "all"].numerator == 1
    assert found["score_margin", "all"].value == 0.0


def test_a_system_that_only_abstains_is_not_judged_by_kind() -> None:
    suite = m.suite([m.case("a", "AMBIGUOUS"), m.case("b")])
    answers = [m.answer("a", kind=None), m.answer("b", type_="reject", kind="INVALID_INPUT")]
    row = rows(suite, answers)["abstention_kind_accuracy", "all"]
    assert row.status == "NOT_APPLICABLE"
    assert row.note == "the system does not say why it refuses"
    named = rows(suite, [m.answer("a", kind="AMBIGUOUS"), m.answer("b", kind="MIXED")])
    row = named["abstention_kind_accuracy", "all"]
    assert (row.numerator, row.denominator) == (1, 2)


@pytest.mark.parametrize(
    "measure", ["recall_at_5", "mrr", "hard_negative_intrusion", "unknown_concentration"]
)
def test_without_candidates_retrieval_does_not_apply(measure: str) -> None:
    row = rows(m.suite([m.case("a")]), [m.answer("a", "c.one")])[measure, "all"]
    assert row.status == "NOT_APPLICABLE"
    assert row.value is row.low is row.high is row.bound is None
