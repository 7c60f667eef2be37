"""Which root cause the rules propose: one tiny suite a rule, the proposals written down by hand."""

from types import ModuleType

import msgspec
import pytest
from caused import ONE, THREE, TWO, codes, found, neighbour, only, related  # type: ignore[import-not-found]

from denotary.instruments.identity.cause_rules import FORCED, RULES
from denotary.instruments.identity.root_causes import OUTSIDE, ROOT_CAUSES
from denotary.instruments.identity.table import table


def test_the_codes_are_those_of_the_taxonomy() -> None:
    assert list(ROOT_CAUSES) == [f"E{number:02d}" for number in range(1, 32)]
    assert set(OUTSIDE) == {"E29", "E30", "E31"}
    assert set(FORCED.values()) <= set(ROOT_CAUSES)


def test_what_counts_as_a_failure(measured: ModuleType) -> None:
    cases = [
        measured.case("right"),
        measured.case("refused"),
        measured.case("wrong"),
        measured.case("rightly", "UNKNOWN_REGISTRY"),
        measured.case("kind", "UNKNOWN_REGISTRY"),
        measured.case("lost"),
        measured.case("never"),
        measured.case("exact", primary_family="reviewed_exact"),
        measured.case("shaky"),
        measured.case("old"),
        measured.case("silent"),
    ]
    answers = [
        measured.answer("right", ONE),
        measured.answer("refused"),
        measured.answer("wrong", TWO),
        measured.answer("rightly", kind="UNKNOWN_REGISTRY"),
        measured.answer("kind", kind="AMBIGUOUS"),
        measured.answer("lost", status="timeout"),
        measured.answer("exact", kind="UNKNOWN_REGISTRY"),
        measured.answer("shaky", ONE),
        measured.answer("shaky", repeat=1),
        measured.answer("old", ONE, version="0.9.0"),
        measured.answer("silent", ONE, version=None),
    ]
    kinds = {item.case: item.kind for item in found(measured, cases, answers)}
    assert kinds == {
        "refused": "refusal",
        "wrong": "wrong_code",
        "kind": "refusal",
        "lost": "no_answer",
        "never": "no_answer",
        "exact": "conformance",
        "shaky": "unstable",
        "old": "other_version",
        "silent": "other_version",
    }
    assert {item.case for item in found(measured, cases, answers) if not item.counts} == {"refused", "kind"}


@pytest.mark.parametrize(("gold", "code"), FORCED.items())
def test_a_code_where_none_is_right_is_named_by_what_was_forced(
    measured: ModuleType, gold: str, code: str
) -> None:
    failure = only(measured, measured.answer("n", THREE if gold != "MIXED" else ONE), gold)
    assert (failure.proposed, failure.expected) == (code, gold)
    assert failure.proposals[0].rule == "forced"


def test_a_code_that_is_not_registered_is_not_quoted(measured: ModuleType) -> None:
    secret = "the text of a sealed case"
    failure = only(measured, measured.answer("n", secret), "UNKNOWN_REGISTRY", (), text=secret)
    assert (failure.answered, codes(failure)[0]) == ("unregistered code", "E27")
    assert secret not in repr(failure)


def test_identical_calls_that_differ(measured: ModuleType) -> None:
    calls = [
        measured.answer("n", TWO),
        measured.answer("n", ONE, repeat=1),
        measured.answer("n", ONE, repeat=2),
    ]
    (failure,) = found(measured, [measured.case("n")], calls)
    assert (failure.kind, failure.proposed) == ("wrong_code", "E26")
    assert failure.proposals[0].evidence.startswith("2 of 3 identical calls")
    # Wrong each time, though by turns: the turns are not what made it wrong.
    calls = [measured.answer("n", TWO), measured.answer("n", THREE, repeat=1)]
    registry = related(measured, one={"neighbours": (neighbour(TWO, "sibling"),)})
    (failure,) = found(measured, [measured.case("n")], calls, of=registry)
    assert codes(failure) == ["E01", "E26"]
    # A call without an answer beside one that was decided differs from it.
    calls = [measured.answer("n", ONE), measured.answer("n", status="timeout", repeat=1)]
    (failure,) = found(measured, [measured.case("n")], calls)
    assert (failure.kind, failure.proposed) == ("unstable", "E26")


@pytest.mark.parametrize(
    ("tags", "gold", "code"),
    [
        ((), "SINGLE", "E28"),
        (("language_constraint",), "EXACT_MISS", "E16"),
        (("normalisation",), "SINGLE", "E19"),
        (("escaping",), "SINGLE", "E19"),
        ((), "EXACT_MISS", "E11"),
        (("declared_ambiguity",), "AMBIGUOUS", "E28"),
    ],
)
def test_the_exact_path(measured: ModuleType, tags: tuple[str, ...], gold: str, code: str) -> None:
    failure = only(measured, measured.answer("n", THREE), gold, primary_family="reviewed_exact", tags=tags)
    assert failure.proposed == code


@pytest.mark.parametrize("status", ["error", "timeout", "invalid_output", "not_run"])
def test_a_case_without_an_answer_is_looked_for_in_the_harness(measured: ModuleType, status: str) -> None:
    failure = only(measured, measured.answer("n", status=status), tags=("spelling_noise",))
    assert (failure.kind, codes(failure), failure.answered) == ("no_answer", ["E31"], status)
    assert only(measured, None).answered == "not_run"


def test_several_codes_for_a_mixed_text_are_a_collapse(measured: ModuleType) -> None:
    given = msgspec.structs.replace(measured.answer("n", status="invalid_output"), problem="several_codes")
    assert codes(only(measured, given, "MIXED")) == ["E14", "E31"]
    assert codes(only(measured, given)) == ["E31"]


@pytest.mark.parametrize("version", ["1.0.0", "f" * 64, "0.9.0", None, ""])
@pytest.mark.parametrize("repeat", [0, 1])
def test_triage_and_the_gate_of_provenance_count_the_same_answers(
    measured: ModuleType, version: str | None, repeat: int
) -> None:
    """The table is what the gate reads: a case whose answers do not all name the snapshot is in both or in neither."""
    case = measured.case("n")
    answers = [
        measured.answer("n", ONE, repeat=number, version=version if number == repeat else "1.0.0")
        for number in (0, 1)
    ]
    counted = not table(measured.suite([case]), answers).plain["version_ok"][0]
    assert counted == (version not in {"1.0.0", "f" * 64})
    assert [item.kind for item in found(measured, [case], answers)] == ["other_version"] * counted


def test_another_version_and_overconfidence(measured: ModuleType) -> None:
    assert only(measured, measured.answer("n", ONE, version="0.9.0")).proposed == "E27"
    assert codes(only(measured, measured.answer("n", TWO, confidence=0.9))) == ["E25"]
    assert codes(only(measured, measured.answer("n", TWO, confidence=0.89))) == []


def test_what_speaks_against_the_gold_is_proposed_and_no_more(measured: ModuleType) -> None:
    votes = (TWO, TWO, ONE)
    agreed = only(measured, measured.answer("n", TWO), independent_votes=votes)
    assert (agreed.proposed, agreed.proposals[0].rule) == ("E29", "annotated")
    assert "2 of 3 independent votes" in agreed.proposals[0].evidence
    other = only(measured, measured.answer("n", THREE), "UNKNOWN_REGISTRY", (), independent_votes=votes)
    assert codes(other) == ["E11", "E29"]
    machines = {"independent_votes": votes, "reviewers": ("generated-1", "generated-2", "reviewer-1")}
    assert codes(only(measured, measured.answer("n", TWO), **machines)) == []
    tie = only(measured, measured.answer("n", THREE), independent_votes=(ONE, TWO))
    assert codes(tie) == []
    contested = only(measured, measured.answer("n", TWO), adjudication_status="contested")
    assert codes(contested) == ["E29"]
    gap = only(measured, measured.answer("n", TWO), registry_complete_for_item=False)
    assert codes(gap) == ["E30"]
    unknown = only(
        measured, measured.answer("n", TWO), "UNKNOWN_REGISTRY", (), registry_complete_for_item=False
    )
    assert codes(unknown) == ["E11"]
    assert codes(only(measured, measured.answer("n", TWO), mechanisms=("F19",))) == ["E30"]


def test_every_rule_has_a_name_that_proposals_carry(measured: ModuleType) -> None:
    failure = only(
        measured, measured.answer("n", TWO, confidence=1.0), tags=("negation",), mechanisms=("F19",)
    )
    assert [item.rule for item in failure.proposals] == ["circumstance", "confident", "doubtful"]
    assert all(item.rule in RULES and item.evidence for item in failure.proposals)
