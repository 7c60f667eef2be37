"""Every lint rule: a registry that breaks it alone, and one that does not."""

from typing import Any

import pytest

from denotary.errors import Problem
from denotary.registry import lint, load_registry

RETIRED = {"status": "retired"}
NEIGHBOUR = {"code": "element", "type": "sibling", "reason": "another thing"}


@pytest.fixture
def problems(build: Any) -> Any:
    """Return the problems of a registry, without the warning that a concept has no expression."""

    def found(*expressions: Any, **lists: Any) -> list[Problem]:
        return [
            item for item in lint(load_registry(build(*expressions, **lists))) if item.code != "no-expression"
        ]

    return found


def codes(found: list[Problem]) -> list[str]:
    return [item.code for item in found]


@pytest.mark.parametrize(
    "parts",
    [
        {"text": "planet Mercury"},
        {"text": "\u062a\u0646\u200c\u0647\u0627", "language": "fa", "script": "Arab"},
        {"text": "AI\u6a21\u578b", "language": "zh-Hans", "script": "Hans"},
        {"text": "10^-3"},
        {"text": "\U0001f469\u200d\U0001f52c", "script": "Zsye"},
    ],
)
def test_good_expressions(problems: Any, make: Any, parts: dict[str, Any]) -> None:
    assert problems(make.expression("x1", **parts)) == []


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"text": " Mercury"}, "whitespace"),
        ({"text": "Mercury "}, "whitespace"),
        ({"text": "planet  Mercury"}, "whitespace"),
        ({"text": "planet\u00a0Mercury"}, "whitespace"),
        ({"text": "co\u00adop"}, "ignorable"),
        ({"text": "gas\u200blight"}, "ignorable"),
        ({"text": "gas\u200dlight"}, "ignorable"),
        ({"text": "p\u0430ypal"}, "mixed-script"),
        ({"text": "planet"}, "equals-code"),
        ({"text": ""}, "rejected-text"),
        ({"text": "a\u202eb"}, "rejected-text"),
        ({"text": "Mercury", "language": "EN"}, "language-tag"),
        ({"text": "Mercury", "language": "en_US"}, "language-tag"),
        ({"text": "Mercury", "script": "Latin"}, "script"),
        ({"text": "Mercury", "script": "Cyrl"}, "script"),
        ({"text": "Mercury", "review": {"by": "a", "on": "31.1.2026", "status": "approved"}}, "review"),
        ({"text": "Mercury", "review": {"by": " ", "on": "2026-01-31", "status": "approved"}}, "review"),
        ({"text": "Mercury", "codes": []}, "codes"),
        ({"text": "Mercury", "codes": ["planet", "planet"]}, "codes"),
    ],
)
def test_expressions_that_are_errors(problems: Any, make: Any, parts: dict[str, Any], code: str) -> None:
    (problem,) = problems(make.expression("x1", **parts))
    assert (problem.severity, problem.code) == ("error", code)
    assert (problem.path, problem.line, problem.record) == ("expressions.jsonl", 1, "x1")


def test_a_text_that_is_not_in_nfc_is_a_warning(problems: Any, make: Any) -> None:
    (problem,) = problems(make.expression("x1", "Ethole\u0301n"))
    assert (problem.severity, problem.code) == ("warning", "not-nfc")


def test_the_text_of_an_ambiguity_is_held_to_the_same(problems: Any, make: Any) -> None:
    found = problems(ambiguities=[make.ambiguity("a1", " planet", "open", language="EN")])
    assert sorted(codes(found)) == ["language-tag", "whitespace"]
    assert {item.path for item in found} == {"ambiguities.jsonl"}


def test_languages_of_the_header_are_all_there_are(problems: Any, make: Any) -> None:
    german = make.expression("x1", "Merkur", language="de")
    assert codes(problems(german, header={"languages": ["en"]})) == ["language"]
    assert problems(german, header={"languages": ["en", "de"]}) == []
    assert codes(problems(header={"languages": ["DE"]})) == ["language-tag"]


@pytest.mark.parametrize(
    ("concept", "code"),
    [
        ({"definitions": {}}, "missing-definition"),
        ({"definitions": {"en": "  "}}, "missing-definition"),
        ({"definitions": {"EN": "something"}}, "language-tag"),
        ({"neighbours": [NEIGHBOUR | {"reason": " "}]}, "neighbour-reason"),
        ({"neighbours": [NEIGHBOUR | {"code": "planet"}]}, "neighbour"),
        ({"neighbours": [NEIGHBOUR, NEIGHBOUR]}, "neighbour"),
        ({"parents": ["planet"]}, "parent-cycle"),
    ],
)
def test_concepts_that_are_errors(problems: Any, make: Any, concept: dict[str, Any], code: str) -> None:
    found = problems(concepts=[make.concept("planet", **concept), make.concept("element")])
    assert set(codes(found)) == {code}
    assert found[0].severity == "error"
    assert (found[0].path, found[0].line, found[0].record) == ("concepts.jsonl", 1, "planet")


def test_a_longer_cycle_of_parents_is_seen_from_each_of_its_members(problems: Any, make: Any) -> None:
    links = {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}
    found = problems(concepts=[make.concept(code, parents=parents) for code, parents in links.items()])
    assert [(item.code, item.record) for item in found] == [("parent-cycle", code) for code in "abc"]


def test_a_retired_concept_has_no_living_expression(problems: Any, make: Any) -> None:
    concepts = [
        make.concept("planet", **RETIRED),
        make.concept("element", neighbours=[NEIGHBOUR | {"code": "planet"}]),
    ]
    assert codes(problems(make.expression("x1", "Mercury"), concepts=concepts)) == [
        "neighbour",
        "retired-concept",
    ]
    rejected = {"by": "a", "on": "2026-01-31", "status": "rejected"}
    assert codes(problems(make.expression("x1", "Mercury", review=rejected), concepts=concepts)) == [
        "neighbour"
    ]


def test_a_concept_without_expression_is_a_warning(build: Any, make: Any) -> None:
    found = lint(load_registry(build(make.expression("x1", "Mercury", "planet"))))
    assert [(item.severity, item.code, item.record) for item in found] == [
        ("warning", "no-expression", "element")
    ]


def test_a_registry_without_active_concept_is_an_error(problems: Any, make: Any) -> None:
    assert codes(problems(concepts=[make.concept("planet", **RETIRED)])) == ["no-concept"]


@pytest.mark.parametrize("field", ["name", "version"])
@pytest.mark.parametrize("value", ["", "a b", "a\tb"])
def test_name_and_version_make_a_snapshot_id(problems: Any, field: str, value: str) -> None:
    assert codes(problems(header={field: value})) == ["header"]


def test_a_closed_ambiguity_has_two_senses_and_an_open_one_any_number(problems: Any, make: Any) -> None:
    one = problems(ambiguities=[make.ambiguity("a1", "Mercury", "closed", "planet", "planet")])
    assert codes(one) == ["ambiguity"]
    good = [
        make.ambiguity("a1", "Mercury", "closed", "planet", "element"),
        make.ambiguity("a2", "GC", "open", "planet"),
        make.ambiguity("a3", "XYZ", "open"),
    ]
    assert problems(ambiguities=good) == []


def test_a_waiver_makes_a_warning_of_a_rule_that_may_be_waived(problems: Any, make: Any) -> None:
    mixed = make.expression("x1", "x\u03b1-ray")
    (problem,) = problems(mixed, header={"waivers": ["mixed-script:x1"]})
    assert (problem.severity, problem.code) == ("warning", "mixed-script")
    assert "waived" in problem.message


def test_waivers_that_do_nothing_are_told(problems: Any, make: Any) -> None:
    idle = problems(make.expression("x1", "Mercury"), header={"waivers": ["mixed-script:x1"]})
    assert [(item.severity, item.code) for item in idle] == [("warning", "waiver")]
    forbidden = problems(make.expression("x1", "planet"), header={"waivers": ["equals-code:x1"]})
    assert [(item.severity, item.code) for item in forbidden] == [
        ("error", "waiver"),
        ("error", "equals-code"),
    ]


def test_lines_are_right_where_blank_lines_stand_between(build: Any, make: Any) -> None:
    folder = build(make.expression("x1", "a"), make.expression("x2", " b"))
    path = folder / "expressions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\n\n  \n"))
    lines = {item.record: item.line for item in lint(load_registry(folder)) if item.code == "whitespace"}
    assert lines == {"x2": 4}


def test_no_message_quotes_a_text(problems: Any, make: Any) -> None:
    found = problems(
        make.expression("x1", " secret\u200b words p\u0430y"),
        make.expression("x2", "secret\u202e"),
        make.expression("x3", "Secret words", "planet"),
        make.expression("x4", "secret words", "element"),
    )
    assert len(found) >= 5
    assert "secret" not in "".join(map(str, found)).lower()
