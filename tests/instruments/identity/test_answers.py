"""Decoding of replies and outcome classes, against the contract written out case by case."""

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.canonical import canonical_json
from denotary.instruments.identity.answers import OUTCOMES, decode, encode, outcome
from denotary.instruments.identity.cases import Gold, IdentityCase
from denotary.runs.replies import parse
from denotary.suites.instrument import AnswerError

FULL = {
    "record_id": "esid-private-000842",
    "system_version": "candidate-2026-08-23",
    "decision": {"type": "concept", "concept_code": "CONCEPT_A", "confidence": 0.9981},
    "candidates": [
        {"concept_code": "CONCEPT_A", "score": 0.91},
        {"concept_code": "CONCEPT_B", "score": 0.90},
    ],
    "registry_version_returned": "REGISTRY_SNAPSHOT_ID",
}
"""The system output as the published record schema shows it."""


PROBLEMS = {
    "not_json",
    "not_an_object",
    "no_decision",
    "bad_type",
    "no_code",
    "several_codes",
    "confidence_not_finite",
    "confidence_out_of_range",
    "score_not_finite",
    "bad_candidates",
}


def problem(raw: Any) -> str:
    with pytest.raises(AnswerError) as caught:
        decode(parse(raw) if isinstance(raw, bytes) else raw)
    return caught.value.problem


def decided(**decision: Any) -> dict[str, Any]:
    return decode({"decision": decision})


def test_the_published_output_decodes_to_the_canonical_body() -> None:
    assert decode(FULL) == {
        "type": "concept",
        "code": "CONCEPT_A",
        "kind": None,
        "reason": None,
        "confidence": 0.9981,
        "candidates": [["CONCEPT_A", 0.91], ["CONCEPT_B", 0.90]],
        "registry_version": "REGISTRY_SNAPSHOT_ID",
        "system_version": "candidate-2026-08-23",
    }


@pytest.mark.parametrize(
    ("type_", "reason", "kind"),
    [
        ("abstain", "ambiguous", "AMBIGUOUS"),
        ("abstain", "Ambiguous-Expression", "AMBIGUOUS"),
        ("abstain", "UNKNOWN_REGISTRY", "UNKNOWN_REGISTRY"),
        ("abstain", "unknown", "UNKNOWN_REGISTRY"),
        ("abstain", "Underspecified", "UNDERSPECIFIED"),
        ("abstain", "mixed concepts", "MIXED"),
        ("abstain", "mixed_concept", "MIXED"),
        ("abstain", "mixed", "MIXED"),
        ("abstain", "invalid", "INVALID_INPUT"),
        ("reject", "invalid input", "INVALID_INPUT"),
        ("reject", None, "INVALID_INPUT"),
        ("reject", "too busy", None),
        ("clarify", None, "CLARIFY"),
        ("clarify", "ambiguous", "CLARIFY"),
        ("abstain", "unknown_expression", None),
        ("abstain", "low_confidence", None),
        ("abstain", "other_language_only", None),
        ("abstain", None, None),
        ("abstain", 7, None),
    ],
)
def test_kind_of_refusal(type_: str, reason: Any, kind: str | None) -> None:
    body = decided(type=type_, reason=reason, concept_code="CONCEPT_A")
    assert body["kind"] == kind
    assert body["code"] is None


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"[]", "not_an_object"),
        (b"null", "not_an_object"),
        (b'"concept"', "not_an_object"),
        (b"{}", "no_decision"),
        (b'{"decision": "concept"}', "no_decision"),
        (b'{"decision": {}}', "bad_type"),
        (b'{"decision": {"type": "assign"}}', "bad_type"),
        (b'{"decision": {"type": "Concept", "concept_code": "A"}}', "bad_type"),
        (b'{"decision": {"type": "concept"}}', "no_code"),
        (b'{"decision": {"type": "concept", "concept_code": ""}}', "no_code"),
        (b'{"decision": {"type": "concept", "concept_code": 3}}', "no_code"),
        (b'{"decision": {"type": "concept", "concept_code": ["A"]}}', "no_code"),
        (b'{"decision": {"type": "concept", "concept_code": ["A", "B"]}}', "several_codes"),
        (b'{"decision": {"type": "abstain", "confidence": NaN}}', "confidence_not_finite"),
        (b'{"decision": {"type": "abstain", "confidence": 1e999}}', "confidence_not_finite"),
        (b'{"decision": {"type": "abstain", "confidence": "0.9"}}', "confidence_not_finite"),
        (b'{"decision": {"type": "abstain", "confidence": true}}', "confidence_not_finite"),
        (b'{"decision": {"type": "abstain", "confidence": 1.01}}', "confidence_out_of_range"),
        (b'{"decision": {"type": "abstain", "confidence": -0.5}}', "confidence_out_of_range"),
        (
            b'{"decision": {"type": "abstain"}, "candidates": [{"concept_code": "A", "score": NaN}]}',
            "score_not_finite",
        ),
        (
            b'{"decision": {"type": "abstain"}, "candidates": [{"concept_code": "A", "score": -1e999}]}',
            "score_not_finite",
        ),
        (b'{"decision": {"type": "abstain"}, "candidates": [{"concept_code": "A"}]}', "bad_candidates"),
        (b'{"decision": {"type": "abstain"}, "candidates": [{"score": 1}]}', "bad_candidates"),
        (b'{"decision": {"type": "abstain"}, "candidates": ["A"]}', "bad_candidates"),
        (b'{"decision": {"type": "abstain"}, "candidates": {"A": 1}}', "bad_candidates"),
    ],
)
def test_a_reply_that_is_no_answer_has_one_short_problem(raw: bytes, expected: str) -> None:
    assert problem(raw) == expected


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_an_object_with_a_number_that_is_not_finite_is_refused(value: float) -> None:
    assert problem({"decision": {"type": "abstain", "confidence": value}}) == "confidence_not_finite"
    candidates = [{"concept_code": "A", "score": value}]
    assert problem({"decision": {"type": "abstain"}, "candidates": candidates}) == "score_not_finite"


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.5])
def test_the_ends_of_the_confidence_scale_are_in_it(value: float) -> None:
    assert decided(type="abstain", confidence=value)["confidence"] == value


def test_unknown_keys_and_control_characters_in_codes_are_let_through() -> None:
    body = decode({"decision": {"type": "concept", "concept_code": "a\x00<b>", "why": []}, "debug": {}})
    assert body["code"] == "a\x00<b>"


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["type", "concept_code", "reason", "confidence"])
replies = st.fixed_dictionaries(
    {
        "decision": st.dictionaries(names, json_values | st.sampled_from(["concept", "abstain", "reject"]))
        | json_values
    },
    optional={
        "candidates": json_values,
        "registry_version_returned": json_values,
        "system_version": json_values,
    },
)


@given(json_values | replies)
def test_whatever_comes_back_is_an_answer_or_a_problem(reply: Any) -> None:
    found = body_or_problem(reply)
    if isinstance(found, dict):
        assert msgspec.json.decode(canonical_json(found)) == found
    else:
        assert found in PROBLEMS


def body_or_problem(reply: Any) -> dict[str, Any] | str:
    try:
        return decode(reply)
    except AnswerError as error:
        return error.problem


REFUSALS = [
    ("abstain", None),
    ("abstain", "AMBIGUOUS"),
    ("abstain", "UNKNOWN_REGISTRY"),
    ("abstain", "UNDERSPECIFIED"),
    ("abstain", "MIXED"),
    ("abstain", "INVALID_INPUT"),
    ("reject", "INVALID_INPUT"),
    ("reject", None),
    ("clarify", "CLARIFY"),
]
"""(type, kind) of every refusal."""

RIGHTLY = {
    "SINGLE": set(),
    "AMBIGUOUS": {("abstain", None), ("reject", None), ("abstain", "AMBIGUOUS")},
    "UNKNOWN_REGISTRY": {("abstain", None), ("reject", None), ("abstain", "UNKNOWN_REGISTRY")},
    "UNDERSPECIFIED": {
        ("abstain", None),
        ("reject", None),
        ("abstain", "UNDERSPECIFIED"),
        ("clarify", "CLARIFY"),
    },
    "MIXED": {("abstain", None), ("reject", None), ("abstain", "MIXED"), ("clarify", "CLARIFY")},
    "INVALID_INPUT": {("reject", "INVALID_INPUT"), ("reject", None)},
    "EXACT_MISS": set(REFUSALS),
}
"""The refusals that are right for each gold; every other one is a refusal by another kind."""


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("disposition", RIGHTLY)
def test_outcome_of_a_refusal(disposition: Any, refusal: tuple[str, str | None]) -> None:
    codes = {"SINGLE": ("A",), "AMBIGUOUS": ("A", "B"), "MIXED": ("A", "B")}.get(disposition, ())
    gold = Gold(disposition=disposition, acceptable_concept_codes=codes)
    body = {"type": refusal[0], "code": None, "kind": refusal[1]}
    expected = "refused_rightly" if refusal in RIGHTLY[disposition] else "refused_otherwise"
    assert outcome(gold, "answered", body) == expected


@pytest.mark.parametrize("disposition", RIGHTLY)
def test_outcome_of_a_code(disposition: Any) -> None:
    codes = {"SINGLE": ("A",), "AMBIGUOUS": ("A", "B"), "MIXED": ("A", "B")}.get(disposition, ())
    gold = Gold(disposition=disposition, acceptable_concept_codes=codes)

    def of(code: str) -> str:
        return outcome(gold, "answered", {"type": "concept", "code": code, "kind": None})

    assert of("A") == ("right" if disposition == "SINGLE" else "wrong")
    assert of("B") == "wrong"
    assert of("invented") == "wrong"


@pytest.mark.parametrize("status", ["invalid_output", "error", "timeout", "not_run"])
def test_a_case_without_an_answer_keeps_its_class(status: str) -> None:
    assert outcome(Gold(disposition="SINGLE", acceptable_concept_codes=("A",)), status, None) == status
    assert status in OUTCOMES


def test_the_payload_is_text_language_and_registry_version(case: Any) -> None:
    made = msgspec.convert(case("c1", text="some text"), IdentityCase)
    assert encode(made) == {"text": "some text", "language": "en", "registry_version": "1.0.0"}


def test_undecodable_bytes_travel_as_base64(case: Any) -> None:
    invalid = {"disposition": "INVALID_INPUT"}
    made = msgspec.convert(case("c1", invalid, input={"text": None, "text_b64": "/w=="}), IdentityCase)
    assert encode(made) == {"text_b64": "/w==", "language": "en", "registry_version": "1.0.0"}
