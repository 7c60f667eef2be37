"""The validator: each rule is broken once, in an otherwise sound suite, and named by its code."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.instruments.identity.sets import edit_distance
from denotary.suites import check, load_suite

Make = Callable[..., Path]
Case = Callable[..., dict[str, Any]]
Found = set[tuple[str, str | None]]

UNKNOWN = {"disposition": "UNKNOWN_REGISTRY"}
INVALID = {"disposition": "INVALID_INPUT"}
AMBIGUOUS = {"disposition": "AMBIGUOUS", "acceptable_concept_codes": ["x.alpha", "x.beta"]}
HELD_OUT = {
    "primary_family": "held_out_paraphrase",
    "author_saw": {"definition": True},
    "native_author": True,
    "equivalence_reviewed_by": "reviewer-2",
    "overlap_stratum": "moderate",
}
ADVERSARIAL = HELD_OUT | {"primary_family": "adversarial_paraphrase", "made_against": "none"}
NOTE = {"code": "x.beta", "type": "sibling", "reason": "another purpose"}
NEGATIVE = {
    "disposition": "SINGLE",
    "acceptable_concept_codes": ["x.alpha"],
    "forbidden_neighbor_codes": ["x.beta"],
}


@pytest.fixture
def problems(make_suite: Make) -> Callable[..., Found]:
    """Return (code, record) of every error, and of warnings where asked for."""

    def of(*cases: dict[str, Any], severity: str = "error", **manifest: Any) -> Found:
        suite = load_suite(make_suite(cases, **manifest))
        return {(item.code, item.record) for item in check(suite) if item.severity == severity}

    return of


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


def triple(case: Case, **changes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a sound triple in which the members named in ``changes`` differ."""
    texts = {"x": "a durable name", "x_same": "a durable names", "x_flip": "no durable name"}
    golds: dict[str, Any] = {"x": "x.alpha", "x_same": "x.alpha", "x_flip": UNKNOWN}
    distances = {"x": None, "x_same": 1, "x_flip": 2}
    made = []
    for role, text in texts.items():
        contrast = {"set": "t1", "role": role, "edit_distance": distances[role]}
        parts: dict[str, Any] = {"gold": golds[role], "text": text, "semantic_seed_id": "t"}
        change = dict(changes.get(role, {}))
        contrast |= change.pop("contrast", {})
        construction = {"primary_family": "minimal_contrast", "contrast": contrast}
        made.append(case(role, **parts | change, construction=construction))
    return made


def family(case: Case, **changes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a sound ambiguity family in which the members named in ``changes`` differ."""
    golds: dict[str, Any] = {"unresolved": AMBIGUOUS, "forced_a": "x.alpha", "forced_b": "x.beta"}
    return [
        case(
            role,
            **{"gold": gold, "semantic_seed_id": "a"} | changes.get(role, {}),
            construction={"primary_family": "ambiguity", "contrast": {"set": "a1", "role": role}},
        )
        for role, gold in golds.items()
    ]


def pair(case: Case, *roles: str, seed: str | None = "p") -> list[dict[str, Any]]:
    return [
        case(
            f"{role}{number}",
            semantic_seed_id=seed or f"p{number}",
            construction={"contrast": {"set": "p1", "role": role}},
        )
        for number, role in enumerate(roles)
    ]


def test_complete_sets_are_sound(problems: Callable[..., Found], case: Case) -> None:
    assert problems(*triple(case), *family(case), *pair(case, "original", "changed", "changed")) == set()


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_an_incomplete_set_is_found(problems: Callable[..., Found], case: Case, missing: int) -> None:
    for members in (triple(case), family(case)):
        del members[missing]
        assert "contrast_incomplete" in {code for code, _ in problems(*members)}


@pytest.mark.parametrize(
    "roles",
    [
        ("original",),
        ("changed",),
        ("original", "original", "changed"),
        ("original", "changed", "x"),
        ("x", "x"),
    ],
)
def test_a_set_of_wrong_roles_is_found(
    problems: Callable[..., Found], case: Case, roles: tuple[str, ...]
) -> None:
    assert "contrast_incomplete" in {code for code, _ in problems(*pair(case, *roles))}


def test_the_members_of_a_set_are_in_one_unit(problems: Callable[..., Found], case: Case) -> None:
    assert problems(*pair(case, "original", "changed", seed=None)) == {("contrast_units", "original0")}


@pytest.mark.parametrize(
    ("role", "change", "code"),
    [
        ("x_same", {"gold": "x.beta"}, "contrast_gold"),
        ("x_flip", {"gold": "x.alpha"}, "contrast_gold"),
        ("x_same", {"contrast": {"edit_distance": None}}, "edit_distance"),
        ("x_flip", {"contrast": {"edit_distance": 3}}, "edit_distance"),
    ],
)
def test_a_triple_contrasts(
    problems: Callable[..., Found], case: Case, role: str, change: dict[str, Any], code: str
) -> None:
    assert problems(*triple(case, **{role: change})) == {(code, role)}


@pytest.mark.parametrize(
    ("role", "gold"),
    [("unresolved", "x.alpha"), ("forced_a", AMBIGUOUS), ("forced_a", "x.gamma"), ("forced_b", "x.alpha")],
)
def test_an_ambiguity_family_resolves_to_its_readings(
    problems: Callable[..., Found], case: Case, role: str, gold: Any
) -> None:
    assert "contrast_gold" in {code for code, _ in problems(*family(case, **{role: {"gold": gold}}))}


def test_a_translation_family_has_one_gold(problems: Callable[..., Found], case: Case) -> None:
    shared = {"primary_family": "paired_multilingual", "translation_family": "f1"}
    cases = [
        case("c1", construction=shared),
        case("c2", text="ein Name", input={"language": "de"}, construction=shared),
        case("c3", "x.beta", text="un nom", input={"language": "fr"}, construction=shared),
        case("c4", UNKNOWN, construction=shared | {"meaning_relation_to_parent": "DIFFERENT_MEANING"}),
    ]
    assert problems(*cases) == {("translation_gold", "c3")}


def test_a_stated_stratum_that_is_not_the_measured_one_is_warned_of(
    problems: Callable[..., Found], case: Case
) -> None:
    def stated(stratum: str) -> dict[str, Any]:
        return HELD_OUT | {"overlap_stratum": stratum}

    cases = [
        case("same", text="a PERSISTENT name", construction=stated("high")),
        case("half", text="one persistent thing", construction=stated("moderate")),
        case("none", text="whatever lasts", construction=stated("low")),
        case("off", text="whatever lasts", construction=stated("high")),
    ]
    found = problems(*cases, severity="warning")
    assert {record for code, record in found if code == "overlap_stratum"} == {"off"}


def test_mechanisms_without_a_case_need_a_reason(problems: Callable[..., Found], case: Case) -> None:
    reasons = {f"F{number:02}": "not in this suite" for number in range(1, 20) if number not in (5, 6)}
    assert not problems(case("c1"), severity="warning", mechanisms_not_exercised=reasons)
    assert ("mechanism", None) in problems(case("c1"), severity="warning")
    declared = reasons | {"F05": "said not to be exercised, but it is"}
    assert ("mechanism", None) in problems(case("c1"), severity="warning", mechanisms_not_exercised=declared)
    assert ("mechanism", None) in problems(case("c1"), mechanisms_not_exercised={"F99": "none"})


def test_a_dominant_template_is_warned_of_and_barred_from_certification(
    problems: Callable[..., Found], case: Case
) -> None:
    def suite(dominant: int, visibility: str) -> list[dict[str, Any]]:
        return [
            case(
                f"c{number}",
                construction={"generation_template": "t" if number < dominant else None},
                security={"visibility": visibility},
            )
            for number in range(100)
        ]

    def shares(*args: Any, **more: Any) -> set[str]:
        return {code for code, _ in problems(*args, **more) if code.endswith("_share")}

    assert shares(*suite(5, "public"), severity="warning") == set()
    assert shares(*suite(6, "public"), severity="warning") == {"template_share", "unit_share"}
    assert shares(*suite(6, "sealed"), role="sealed-certification") == {"template_share"}


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        ({"version": "1.0"}, "version_format"),
        ({"looks": 0}, "looks"),
        ({"unknown_share": 1.5}, "unknown_share"),
        ({"review": "reviewed"}, "review"),
    ],
)
def test_a_fault_of_the_manifest_is_found(
    problems: Callable[..., Found], case: Case, manifest: dict[str, Any], code: str
) -> None:
    assert (code, None) in problems(case("c1"), **manifest)


@pytest.mark.parametrize(("share", "sound"), [(0.25, True), (0.3, True), (0.5, False), (0.0, False)])
def test_the_declared_share_of_unknown_texts_is_that_of_the_cases(
    problems: Callable[..., Found], case: Case, share: float, sound: bool
) -> None:
    cases = [case("u", gold=UNKNOWN, construction={"primary_family": "shadow_concept_unknown"})]
    cases += [case(f"c{number}") for number in range(3)]
    found = problems(*cases, unknown_share=share)
    assert (("unknown_share", None) not in found) is sound


def test_a_suite_without_cases_is_not_sound(problems: Callable[..., Found]) -> None:
    assert problems() == {("no_cases", None)}


@pytest.mark.parametrize(
    ("role", "visibility", "sound"),
    [
        ("public-diagnostic", "public", True),
        ("sealed-certification", "sealed", True),
        ("sealed-certification", "public", False),
        ("sealed-certification", "regression", False),
        ("regression", "regression", True),
        ("regression", "sealed", False),
        ("registry-exact-conformance", "sealed", False),
    ],
)
def test_who_may_see_the_cases_of_a_role(
    problems: Callable[..., Found], case: Case, role: str, visibility: str, sound: bool
) -> None:
    found = problems(case("c1", security={"visibility": visibility}), role=role)
    assert (("visibility", "c1") not in found) is sound


words = st.text(st.sampled_from("abc é語"), max_size=7)


@given(words, words)
def test_edit_distance_is_the_shortest_path_of_edits(left: str, right: str) -> None:
    assert edit_distance(left, right) == shortest(left, right)


@cache
def shortest(left: str, right: str) -> int:
    """Return the Levenshtein distance by its recursive definition."""
    if not left or not right:
        return len(left) + len(right)
    if left[0] == right[0]:
        return shortest(left[1:], right[1:])
    return 1 + min(shortest(left[1:], right), shortest(left, right[1:]), shortest(left[1:], right[1:]))


def test_a_text_under_another_seed_is_no_further_evidence(problems: Callable[..., Found], case: Case) -> None:
    """Three hundred copies of one text would pass a gate of one per cent."""
    cases = [case(name, text=text) for name, text in (("c1", "A  Text"), ("c2", "a text"))]
    found = {("repeated_text", "c2")}
    assert found <= problems(*cases, severity="warning")
    sealed = [{**item, "security": {"visibility": "sealed"}} for item in cases]
    assert problems(*sealed, role="sealed-certification") == found
    siblings = [{**item, "semantic_seed_id": "one"} for item in sealed]
    assert problems(*siblings, role="sealed-certification") == set()
    other_language = [
        sealed[0],
        case("c2", input={"text": "a text", "language": "de"}, security={"visibility": "sealed"}),
    ]
    assert problems(*other_language, role="sealed-certification") == set()


def test_one_text_cannot_have_two_golds(problems: Callable[..., Found], case: Case) -> None:
    cases = [case("c1", text="a text"), case("c2", "x.beta", text="a text")]
    assert problems(*cases) == {("repeated_text_gold", "c2")}
    # Where case makes the meaning, as in Polish and polish, the texts are two.
    assert problems(case("c1", text="A text"), case("c2", "x.beta", text="a text")) == set()
