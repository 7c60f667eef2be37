"""The validator: each rule is broken once, in an otherwise sound suite, and named by its code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from checked import ADVERSARIAL, AMBIGUOUS, HELD_OUT, INVALID, NEGATIVE, NOTE, UNKNOWN  # type: ignore[import-not-found]

from denotary.suites import check, load_suite

Make = Callable[..., Path]
Case = Callable[..., dict[str, Any]]
Found = set[tuple[str, str | None]]


def test_a_sound_case_has_no_error(problems: Callable[..., Found], case: Case) -> None:
    assert problems(case("c1")) == set()


FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "single without a code": ("gold_codes", {"gold": {"disposition": "SINGLE"}}),
    "single with two codes": ("gold_codes", {"gold": AMBIGUOUS | {"disposition": "SINGLE"}}),
    "ambiguous with one code": (
        "gold_codes",
        {"gold": AMBIGUOUS | {"acceptable_concept_codes": ["x.alpha"]}},
    ),
    "unknown with a code": ("gold_codes", {"gold": UNKNOWN | {"acceptable_concept_codes": ["x.alpha"]}}),
    "code of no registry": ("unknown_code", {"gold": "x.nothing"}),
    "forbidden code of no registry": (
        "unknown_code",
        {"gold": UNKNOWN | {"forbidden_neighbor_codes": ["x.no"]}},
    ),
    "code twice": ("repeated_code", {"gold": UNKNOWN | {"forbidden_neighbor_codes": ["x.beta", "x.beta"]}}),
    "acceptable and forbidden": (
        "forbidden_code",
        {"gold": NEGATIVE | {"forbidden_neighbor_codes": ["x.alpha"]}},
    ),
    "shares that do not sum": (
        "distribution",
        {"gold": AMBIGUOUS | {"ambiguity_distribution": {"x.alpha": 0.5}}},
    ),
    "shares below zero": (
        "distribution",
        {"gold": AMBIGUOUS | {"ambiguity_distribution": {"x.alpha": 1.5, "x.beta": -0.5}}},
    ),
    "shares of another code": (
        "distribution",
        {"gold": AMBIGUOUS | {"ambiguity_distribution": {"x.gamma": 1.0}}},
    ),
    "no family": ("family", {"construction": {"primary_family": "riddles"}}),
    "gold that the family forbids": ("family_gold", {"gold": INVALID, "text": ""}),
    "exact miss outside reviewed_exact": ("family_gold", {"gold": {"disposition": "EXACT_MISS"}}),
    "text and bytes": ("input", {"input": {"text_b64": "/w=="}}),
    "neither text nor bytes": ("input", {"input": {"text": None}}),
    "bytes that are no base64": ("base64", {"input": {"text": None, "text_b64": "?"}}),
    "text as bytes": ("base64", {"input": {"text": None, "text_b64": "YQ=="}}),
    "empty text with a meaning": ("invalid_input", {"text": ""}),
    "blank text with a meaning": ("invalid_input", {"text": " \u3000"}),
    "control character with a meaning": ("invalid_input", {"text": "a\u0007b"}),
    "bidi override with a meaning": ("invalid_input", {"text": "a\u202eb"}),
    "over the limit with a meaning": ("invalid_input", {"text": "a" * 2049}),
    "valid text said to be invalid": (
        "invalid_input",
        {"gold": INVALID, "construction": {"primary_family": "malicious_input"}},
    ),
    "no language": ("language", {"input": {"language": None}}),
    "malformed language": ("language", {"input": {"language": "english language"}}),
    "language in another case": ("language", {"input": {"language": "EN-gb"}}),
    "no script": ("script", {"input": {"script": None}}),
    "another script": ("script", {"input": {"script": "Deva"}}),
    "romanised beyond Latin": (
        "script",
        {
            "text": "नाम",
            "input": {"language": "hi", "script": "Deva"},
            "construction": {"tags": ["romanised"]},
        },
    ),
    "one token of two words": ("tokens", {"text": "two words", "construction": {"tags": ["one_token"]}}),
    "no such mechanism": ("mechanism", {"construction": {"mechanisms": ["F20"]}}),
    "another registry version": ("registry_version", {"registry_version": "2.0.0"}),
    "a version to come": ("benchmark_version", {"benchmark_version": "1.0.1"}),
    "no version": ("benchmark_version", {"benchmark_version": "one"}),
    "sealed case in a public suite": ("visibility", {"security": {"visibility": "sealed"}}),
    "two reviewers for three votes": (
        "reviewers",
        {"annotation": {"review": "reviewed", "independent_votes": ["x"] * 3, "reviewers": ["r1", "r2"]}},
    ),
    "its own parent": ("parent_circle", {"parent_record_id": "c1"}),
    "parent without a relation": ("relation", {"parent_record_id": "gone"}),
    "hard negative without a neighbour": (
        "neighbour",
        {"gold": "x.alpha", "construction": {"primary_family": "hard_negative"}},
    ),
    "hard negative without a note": (
        "neighbour",
        {"gold": NEGATIVE, "construction": {"primary_family": "hard_negative"}},
    ),
    "note without a reason": (
        "neighbour",
        {"gold": NEGATIVE, "construction": {"neighbours": [NOTE | {"reason": " "}]}},
    ),
    "note on what is not forbidden": ("neighbour", {"construction": {"neighbours": [NOTE]}}),
    "held out of the system's output": (
        "author_saw",
        {"construction": HELD_OUT | {"author_saw": {"system_output": True}}},
    ),
    "held out and made against a system": (
        "made_against",
        {"construction": HELD_OUT | {"made_against": "system-1"}},
    ),
    "adversarial against nobody": ("made_against", {"construction": ADVERSARIAL | {"made_against": None}}),
    **{
        f"held out without {name}": ("provenance", {"construction": HELD_OUT | {name: None}})
        for name in ("author_saw", "equivalence_reviewed_by", "overlap_stratum")
    },
    "adversarial without review": (
        "provenance",
        {"construction": ADVERSARIAL | {"equivalence_reviewed_by": ""}},
    ),
    "misspelling without severity": (
        "severity",
        {"construction": {"primary_family": "spelling_noise", "meaning_relation_to_parent": "SAME_MEANING"}},
    ),
    "perturbation without relation": (
        "relation",
        {"construction": {"primary_family": "unicode_punctuation"}},
    ),
    "long context without position": ("position", {"construction": {"primary_family": "long_context"}}),
    "domain shift without domain": ("domain", {"construction": {"primary_family": "domain_shift"}}),
    "triple without contrast": ("contrast", {"construction": {"primary_family": "minimal_contrast"}}),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(problems: Callable[..., Found], case: Case, name: str) -> None:
    code, parts = FAULTS[name]
    assert (code, "c1") in problems(case("c1", **parts), case("c2"))


SOUND: dict[str, dict[str, Any]] = {
    "held out": {"construction": HELD_OUT},
    "adversarial": {"construction": ADVERSARIAL},
    "hard negative": {
        "gold": NEGATIVE,
        "construction": {"primary_family": "hard_negative", "neighbours": [NOTE]},
    },
    "empty": {"gold": INVALID, "text": "", "construction": {"primary_family": "underspecified_short"}},
    "control only": {
        "gold": INVALID,
        "text": "\u0007",
        "construction": {"primary_family": "unicode_punctuation"},
    },
    "over the limit": {
        "gold": INVALID,
        "text": "a" * 2049,
        "construction": {"primary_family": "long_context"},
    },
    "undecodable": {
        "gold": INVALID,
        "input": {"text": None, "text_b64": "/w==", "language": None, "script": None},
        "construction": {"primary_family": "malicious_input"},
    },
    "exact miss of an empty text": {
        "gold": {"disposition": "EXACT_MISS"},
        "text": "",
        "construction": {"primary_family": "reviewed_exact"},
    },
    "expression without a language": {
        "input": {"language": None},
        "construction": {"primary_family": "reviewed_exact"},
    },
    "votes": {
        "gold": AMBIGUOUS | {"ambiguity_distribution": {"x.alpha": 0.5, "x.beta": 0.25, "MIXED": 0.25}},
        "construction": {"primary_family": "ambiguity", "contrast": {"set": "s", "role": "unresolved"}},
    },
    "Japanese": {"text": "永続的な名前", "input": {"language": "ja", "script": "Jpan"}},
    "no letters": {"text": "10^3", "input": {"language": "en", "script": "Zyyy"}},
}


@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_is_let_through(problems: Callable[..., Found], case: Case, name: str) -> None:
    found = {code for code, record in problems(case("c1", **SOUND[name])) if record == "c1"}
    assert found <= {"contrast_incomplete"}


def test_an_author_whose_language_is_not_recorded_is_warned_of(
    problems: Callable[..., Found], case: Case
) -> None:
    silent = case("c1", construction=HELD_OUT | {"native_author": None})
    assert problems(silent) == set()
    assert ("provenance", "c1") in problems(silent, severity="warning")


def test_no_finding_quotes_a_text(make_suite: Make, case: Case) -> None:
    cases = [case(f"c{i}", **parts) for i, (_, parts) in enumerate(FAULTS.values()) if "text" not in parts]
    cases = [
        item | {"input": item["input"] | {"text": "Wortlaut"}} for item in cases if item["input"].get("text")
    ]
    found = check(load_suite(make_suite(cases)))
    assert len(found) > 30
    assert not any("Wortlaut" in str(problem) for problem in found)


@pytest.mark.parametrize(
    ("relation", "gold", "sound"),
    [
        ("SAME_MEANING", "x.alpha", True),
        ("SAME_MEANING", "x.beta", False),
        ("SAME_MEANING", UNKNOWN, False),
        ("POTENTIALLY_AMBIGUOUS", AMBIGUOUS, True),
        ("POTENTIALLY_AMBIGUOUS", "x.alpha", True),
        ("POTENTIALLY_AMBIGUOUS", UNKNOWN, False),
        ("DIFFERENT_MEANING", UNKNOWN, True),
        ("DIFFERENT_MEANING", "x.beta", True),
    ],
)
def test_gold_by_relation(
    problems: Callable[..., Found], case: Case, relation: str, gold: Any, sound: bool
) -> None:
    child = case(
        "c2",
        gold,
        parent_record_id="c1",
        lineage=[{"operator": "transpose"}],
        construction={
            "primary_family": "spelling_noise",
            "meaning_relation_to_parent": relation,
            "variant_severity": "low",
        },
    )
    assert (problems(case("c1"), child) == set()) is sound


def test_same_meaning_keeps_the_gold_in_every_family(problems: Callable[..., Found], case: Case) -> None:
    child = case(
        "c2", "x.beta", parent_record_id="c1", construction={"meaning_relation_to_parent": "SAME_MEANING"}
    )
    assert ("relation", "c2") in problems(case("c1"), child)


def test_a_retired_code_is_no_gold(make_suite: Make, frozen_registry: Path, case: Case) -> None:
    from dataclasses import replace

    from denotary.registry import load_registry

    registry = load_registry(frozen_registry)
    retired = msgspec.structs.replace(registry.concepts["x.alpha"], status="retired")
    other = replace(registry, concepts={**registry.concepts, "x.alpha": retired})
    suite = load_suite(make_suite([case("c1"), case("c2", "x.beta")]), registry=other)
    assert {(item.code, item.record) for item in check(suite) if item.severity == "error"} == {
        ("retired_code", "c1")
    }


TEXT = "a sealed text in the wrong column"


@pytest.mark.parametrize(
    "misplaced",
    [
        {"input": {"script": TEXT}},
        {"gold": TEXT},
        {"gold": UNKNOWN | {"forbidden_neighbor_codes": [TEXT]}},
        {"construction": {"mechanisms": [TEXT]}},
        {"construction": {"neighbours": [NOTE | {"code": TEXT}]}},
        {"construction": {"contrast": {"set": TEXT, "role": "x"}}},
        {"parent_record_id": TEXT, "construction": {"meaning_relation_to_parent": "SAME_MEANING"}},
        {"depends_on": [TEXT], "turn": 1},
    ],
)
def test_a_text_in_place_of_a_name_is_not_quoted(
    make_suite: Make, case: Case, misplaced: dict[str, Any]
) -> None:
    """A column that slipped puts texts where codes and ids belong, and a log of CI would show them."""
    found = check(load_suite(make_suite([case("c1", **misplaced)])))
    assert any("sha256:" in item.message for item in found)
    assert TEXT not in str(found)
