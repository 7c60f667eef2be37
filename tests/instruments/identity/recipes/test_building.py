"""Recipes make candidates: what follows is given, what does not is left to a person, and no case changes."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.errors import InputError
from denotary.files import encode_toml
from denotary.instruments.identity.case_columns import case_columns
from denotary.instruments.identity.recipes import Built, build
from denotary.instruments.identity.recipes.records import NominateStep
from denotary.registry import freeze as freeze_registry
from denotary.suites import load_suite, units
from denotary.suites.building import CANDIDATES, read_candidates
from denotary.suites.building_acceptance import accept

Make = Callable[..., Path]
Record = dict[str, Any]
CONCEPTS: list[Record] = [
    {
        "code": f"x.{name}",
        "definitions": {"en": f"the definition of {name}"},
        "semantic_type": "concept",
        "consequence_tier": "C3",
        "owner": "owner-1",
        "neighbours": neighbours,
    }
    for name, neighbours in (
        ("alpha", [{"code": "x.beta", "type": "sibling", "reason": "another part"}]),
        ("beta", []),
        ("gamma", []),
    )
]


def recipe(folder: Path, **parts: Any) -> Path:
    path = folder / "recipe.toml"
    head = {"schema": "denotary.recipe/1", "name": "autumn", "author": "author-1", "seed": 3}
    lists = "".join(
        _table(name, item) for name, items in parts.items() if isinstance(items, list) for item in items
    )
    single = {name: value for name, value in parts.items() if not isinstance(value, list)}
    path.write_text(encode_toml({**head, **single}).decode() + lists, encoding="utf-8")
    return path


def _table(name: str, item: Record) -> str:
    inline = "".join(f"{key} = {_inline(value)}\n" for key, value in item.items())
    return f"\n[[{name}]]\n{inline}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@pytest.fixture
def folder(tmp_path: Path, make_registry: Make, suite_files: Make, case: Callable[..., Record]) -> Path:
    """A draft suite of two seeds beside a frozen registry of three concepts."""
    freeze_registry(make_registry(tmp_path / "registry", concepts=CONCEPTS))
    seeds = [
        case("s1", text="a well-known, lasting name"),
        case("s2", {"disposition": "UNKNOWN_REGISTRY"}, text="weather in May"),
    ]
    return suite_files(tmp_path / "suite", seeds)


def by_operator(built: Built) -> dict[str, Record]:
    return {item.case["lineage"][-1]["operator"].partition("/")[0]: item.case for item in built.candidates}


def test_gold_follows_only_where_the_meaning_stays_or_the_profile_refuses(folder: Path) -> None:
    operators = [
        "unicode.dash",
        "spelling.deleted",
        "unicode.digit_value",
        "unicode.bidi_control",
        "long.negated_later",
    ]
    built = build(recipe(folder, perturb=[{"operators": operators, "select": {"ids": ["s1"]}}]), folder)
    found = by_operator(built)
    same, slip, refused, denied = (
        found[name]
        for name in ("unicode.dash", "spelling.deleted", "unicode.bidi_control", "long.negated_later")
    )
    assert same["gold"]["disposition"] == "SINGLE"
    assert list(same["gold"]["acceptable_concept_codes"]) == ["x.alpha"]
    assert same["construction"]["meaning_relation_to_parent"] == "SAME_MEANING"
    assert "gold" not in slip
    assert "gold" not in denied
    assert refused["gold"] == {"disposition": "INVALID_INPUT"}
    assert "parent_record_id" not in refused
    needs = {
        item.case["lineage"][-1]["operator"]: (item.needs, bool(item.proposed)) for item in built.candidates
    }
    assert needs["spelling.deleted/1"] == (("gold",), True)
    assert needs["long.negated_later/1"] == (("gold",), False)
    assert needs["unicode.dash/1"] == ((), False)
    assert [(item.operator, item.reason) for item in built.skipped] == [
        ("unicode.digit_value", "the text holds no digit")
    ]


def test_a_variant_is_in_the_unit_of_its_seed_and_says_how_it_was_made(folder: Path) -> None:
    built = build(
        recipe(folder, perturb=[{"operators": ["unicode.dash", "format.bold"], "severities": ["low"]}]),
        folder,
    )
    suite = load_suite(folder)
    kind = suite.instrument.case_type
    cases = [msgspec.convert(item.case, kind) for item in built.candidates if not item.needs]
    together = units((*suite.cases, *cases))
    seed = dict(zip((case.record_id for case in suite.cases), together, strict=False))
    for case, unit in zip(cases, together[2:], strict=True):
        assert unit == seed[str(case.parent_record_id)]
        assert case.lineage[-1].seed == 3
        assert json.loads(case.lineage[-1].detail) == {"severity": "low", "options": {}}
        assert case.annotation.review == "generated"
        assert case.construction.generation_method == "recipe:perturb"


TAGGED = ["negation", "gibberish", "spelling_noise", "two_tokens", "zero_regression"]


def test_a_variant_keeps_what_holds_of_its_seeds_content(folder: Path, case: Callable[..., Record]) -> None:
    """A negation that is set in bold is a negation: it asks for the depth of one, and counts among the translated."""
    seed = case("s3", {"disposition": "UNKNOWN_REGISTRY"}, text="no well-known name", construction={
        "primary_family": "dialect_variety", "tags": TAGGED, "translated": True, "native_author": True,
    })  # fmt: skip
    contrary = case("s4", {"disposition": "UNKNOWN_REGISTRY"}, text="a well-known, fleeting name", construction={
        "primary_family": "negation_contradiction",
    })  # fmt: skip
    path = folder / "cases.jsonl"
    path.write_text(path.read_text() + json.dumps(seed) + "\n" + json.dumps(contrary) + "\n")
    operators = ["format.bold", "spelling.deleted", "unicode.bidi_control"]
    built = build(recipe(folder, perturb=[{"operators": operators, "select": {"ids": ["s3"]}}]), folder)
    same, slip, refused = (by_operator(built)[name]["construction"] for name in operators)
    assert same["tags"] == ["negation", "gibberish", "dialect_variety"]
    assert (same["translated"], same["native_author"]) == (True, True)
    # Where the meaning may be another, a person says what the text is; it is translated all the same.
    assert ("tags" in slip, slip["translated"], "native_author" in slip) == (False, True, False)
    assert {"tags", "translated", "native_author"}.isdisjoint(refused)
    built = build(recipe(folder, perturb=[{"operators": operators[:1], "select": {"ids": ["s4"]}}]), folder)
    assert by_operator(built)["format.bold"]["construction"]["tags"] == ["contradiction", "boundary"]
    assert "translated" not in by_operator(built)["format.bold"]["construction"]


@pytest.mark.parametrize(
    ("construction", "boundary"),
    [
        ({"primary_family": "hard_negative"}, True),
        ({"primary_family": "minimal_contrast", "contrast": {"set": "k", "role": "x"}}, True),
        ({"primary_family": "ambiguity", "contrast": {"set": "k", "role": "forced_a"}}, True),
        ({"primary_family": "domain_shift", "tags": ["boundary"]}, True),
        ({"primary_family": "domain_shift"}, False),
    ],
)
def test_a_variant_lies_at_the_boundary_that_its_seed_lies_at(
    folder: Path, case: Callable[..., Record], construction: Record, boundary: bool
) -> None:
    """As the table counts it, whatever family the variant is in; a slip that may say something else is not counted."""
    path = folder / "cases.jsonl"
    path.write_text(json.dumps(case("s", text="a well-known name", construction=construction)) + "\n")
    operators = ["unicode.dash", "spelling.deleted", "unicode.bidi_control"]
    built = build(recipe(folder, perturb=[{"operators": operators}]), folder)
    suite = load_suite(folder)
    gold = {"disposition": "INVALID_INPUT"}
    made = [{"gold": gold} | by_operator(built)[name] for name in operators]
    cases = tuple(msgspec.convert(item, suite.instrument.case_type) for item in made)
    variants = replace(suite, cases=cases, units=units(cases), lines=(1, 2, 3))
    assert case_columns(suite).plain["boundary"].tolist() == [boundary]
    assert case_columns(variants).plain["boundary"].tolist() == [boundary, False, False]


def test_what_one_template_makes_is_one_unit(folder: Path) -> None:
    built = build(recipe(folder, perturb=[{"operators": ["prompt.override"]}]), folder)
    suite = load_suite(folder)
    cases = [msgspec.convert(item.case, suite.instrument.case_type) for item in built.candidates]
    assert len(cases) == 2
    assert len(set(units(cases))) == 1
    assert all(case.construction.attack_family == "prompt.override" for case in cases)


def test_attacks_name_wrong_codes_and_neighbours_come_from_the_registry(folder: Path) -> None:
    step = {"operators": ["prompt.bare_code", "long.decoy"], "select": {"ids": ["s1"]}}
    found = by_operator(build(recipe(folder, perturb=[step]), folder))
    text = found["prompt.bare_code"]["input"]["text"]
    assert "x.alpha" not in text
    assert "x.beta" in text or "x.gamma" in text
    assert 'the "gamma" part' in found["long.decoy"]["input"]["text"]
    assert found["long.decoy"]["construction"]["position_of_evidence"] in {
        "begin",
        "quarter",
        "middle",
        "three_quarter",
        "end",
    }


def test_what_was_accepted_is_no_seed_and_stays_decided(folder: Path) -> None:
    path = recipe(folder, perturb=[{"operators": ["unicode.dash", "format.bold"]}])
    first = build(path, folder)
    chosen = next(item.candidate for item in first.candidates)
    accept(folder, [chosen], who="reviewer-1", why="read")
    before = (folder / CANDIDATES).read_bytes()
    assert build(path, folder) == first
    assert (folder / CANDIDATES).read_bytes() == before
    recipe(folder, perturb=[{"operators": ["format.italic"]}])
    build(path, folder)
    left = {item.candidate: item.status for item in read_candidates(folder)}
    assert left[chosen] == "accepted"
    assert sum(status == "candidate" for status in left.values()) == 2


def test_building_changes_no_case_and_gives_the_same_bytes(folder: Path) -> None:
    cases = (folder / "cases.jsonl").read_bytes()
    path = recipe(folder, perturb=[{"operators": ["unicode", "format"], "severities": ["low", "high"]}])
    build(path, folder)
    first = (folder / CANDIDATES).read_bytes()
    (folder / CANDIDATES).unlink()
    build(path, folder)
    assert (folder / CANDIDATES).read_bytes() == first
    assert (folder / "cases.jsonl").read_bytes() == cases
    texts = [
        (item.case.get("parent_record_id"), item.case["lineage"][-1]["operator"], item.case["input"]["text"])
        for item in read_candidates(folder)
    ]
    assert len(set(texts)) == len(texts)


def test_seeds_may_stand_in_a_file_of_their_own(folder: Path, case: Callable[..., Record]) -> None:
    (folder / "seeds.jsonl").write_text(json.dumps(case("mine", text="a one-off")) + "\n", encoding="utf-8")
    built = build(recipe(folder, seeds="seeds.jsonl", perturb=[{"operators": ["unicode.dash"]}]), folder)
    assert [item.case["parent_record_id"] for item in built.candidates] == ["mine"]


def test_every_candidate_that_needs_nothing_passes_the_check_of_the_suite(folder: Path) -> None:
    steps = {
        "perturb": [
            {
                "operators": [
                    "unicode",
                    "format",
                    "prompt",
                    "long.embedded",
                    "long.over_limit",
                    "long.no_target",
                ]
            }
        ],
        "contrast": [CONTRAST],
        "ambiguity": [AMBIGUITY],
        "unknown": [UNKNOWN],
        "hard_negative": [HARD],
    }
    built = build(recipe(folder, **steps), folder)
    names = [item.candidate for item in built.candidates if not item.needs]
    assert len(names) > 40
    accept(folder, names, who="reviewer-1", why="read one by one")
    from denotary.suites import check

    errors = [problem for problem in check(load_suite(folder)) if problem.severity == "error"]
    assert not errors


CONTRAST: Record = {
    "id": "c1", "language": "en", "code": "x.alpha", "x": "a name that lasts", "x_same": "a name which lasts",
    "x_flip": "a name that fades", "flip_disposition": "UNKNOWN_REGISTRY",
}  # fmt: skip
AMBIGUITY: Record = {
    "id": "a1", "language": "en", "unresolved": "the bank",
    "forced_a": {"text": "the bank that lends", "code": "x.alpha"},
    "forced_b": {"text": "the bank of the river", "code": "x.beta"},
}  # fmt: skip
NEAR: Record = {"near": "x.alpha", "type": "modality_strength", "reason": "it does not last"}
UNKNOWN: Record = {
    "kind": "near_boundary",
    "texts": [{"text": "a name for a day", "language": "en", **NEAR}, {"text": "gift", "language": "en"}],
}
HARD: Record = {
    "text": "the other part", "language": "en", "neighbour": "x.alpha", "type": "sibling", "reason": "it is beta",
    "code": "x.beta",
}  # fmt: skip


def test_a_contrast_is_a_complete_triple_with_measured_distances(folder: Path) -> None:
    x, same, flip = (item.case for item in build(recipe(folder, contrast=[CONTRAST]), folder).candidates)
    assert [case["construction"]["contrast"]["role"] for case in (x, same, flip)] == ["x", "x_same", "x_flip"]
    # that -> which and lasts -> fades, by hand: the h of both stays in the first, the a and the s in the second.
    assert same["construction"]["contrast"]["edit_distance"] == 4
    assert flip["construction"]["contrast"]["edit_distance"] == 3
    assert same["parent_record_id"] == flip["parent_record_id"] == x["record_id"]
    assert flip["gold"]["disposition"] == "UNKNOWN_REGISTRY"
    assert len({case["semantic_seed_id"] for case in (x, same, flip)}) == 1


def test_an_ambiguity_family_is_unresolved_and_forced_to_either_side(folder: Path) -> None:
    built = build(recipe(folder, ambiguity=[AMBIGUITY]), folder)
    golds = [item.case["gold"]["disposition"] for item in built.candidates]
    assert golds == ["AMBIGUOUS", "SINGLE", "SINGLE"]
    assert len({item.case["semantic_seed_id"] for item in built.candidates}) == 1


def test_a_reviewed_expression_is_not_unknown(folder: Path) -> None:
    built = build(recipe(folder, unknown=[UNKNOWN]), folder)
    (made,) = built.candidates
    assert made.case["construction"]["neighbours"][0]["reason"] == "it does not last"
    assert list(made.case["gold"]["forbidden_neighbor_codes"]) == ["x.alpha"]
    assert built.skipped[0].reason == "the text is a reviewed expression of the registry"


def test_a_hard_negative_carries_its_reason(folder: Path) -> None:
    (made,) = build(recipe(folder, hard_negative=[HARD]), folder).candidates
    assert made.case["construction"]["neighbours"][0]["non_identity_judged"] is False
    assert made.case["gold"]["disposition"] == "SINGLE"


@pytest.fixture
def later(folder: Path, tmp_path: Path, make_registry: Callable[..., Path]) -> Path:
    """A later version of the small registry: x.delta is new, x.epsilon is beta under another name."""
    new = [
        {
            **CONCEPTS[2],
            "code": "x.delta",
            "neighbours": [{"code": "x.alpha", "type": "sibling", "reason": "later"}],
        },
        {**CONCEPTS[2], "code": "x.epsilon"},
    ]
    concepts = [CONCEPTS[0], {**CONCEPTS[1], "status": "retired"}, CONCEPTS[2], *new]
    approved = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}
    texts = [
        ("d1", "a fourth thing", "x.delta"),
        ("d2", "a fourth matter", "x.delta"),
        ("d3", "gift", "x.delta"),
        ("p1", "the second", "x.epsilon"),
    ]
    expressions = [
        {"id": name, "text": text, "language": "en", "script": "Latn", "codes": [code], "review": approved}
        for name, text, code in texts
    ]
    migrations = [
        {"from_version": "1.0.0", "from_code": "x.beta", "to_codes": ["x.epsilon"], "change": "renamed"}
    ]
    made = make_registry(
        tmp_path / "later", concepts=concepts, expressions=expressions, ambiguities=[], migrations=migrations
    )
    header = made / "registry.toml"
    header.write_text(header.read_text().replace('version = "1.0.0"', 'version = "2.0.0"'))
    return made


def test_concepts_that_came_later_are_unknown_to_the_older_snapshot(folder: Path, later: Path) -> None:
    step = {"kind": "future_concept", "registry": str(later), "per_concept": 5}
    built = build(recipe(folder, absent=[step]), folder)
    # Renamed beta is known under its old name, and "gift" is registered already.
    assert [item.case["input"]["text"] for item in built.candidates] == ["a fourth thing", "a fourth matter"]
    assert len({item.case["semantic_seed_id"] for item in built.candidates}) == 1
    first = built.candidates[0].case
    assert first["gold"]["disposition"] == "UNKNOWN_REGISTRY"
    assert first["construction"]["tags"] == ["future_concept"]
    assert first["construction"]["neighbours"][0]["code"] == "x.alpha"
    one = build(recipe(folder, absent=[{**step, "per_concept": 1}]), folder)
    assert len(one.candidates) == 1


def test_withheld_concepts_are_taken_by_code(folder: Path, later: Path) -> None:
    step = {"kind": "withheld_shadow", "registry": str(later), "codes": ["x.delta"]}
    (made,) = build(recipe(folder, absent=[step]), folder).candidates
    assert made.case["construction"]["tags"] == ["withheld_shadow"]


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"name": "Autumn!"}, "small letters"),
        ({"perturb": [{"operators": ["unicode.dish"]}]}, "unicode.dash"),
        ({"perturb": [{"operators": ["unicode.dash"], "select": {"ids": ["s9"]}}]}, "'s9', which is no seed"),
        ({"perturb": [{"operators": ["unicode.dash"]}] * 2}, "two steps make the same candidate"),
        (
            {
                "unknown": [
                    {"kind": "near_boundary", "texts": [{"text": "t", "language": "en", "near": "x.alpha"}]}
                ]
            },
            "needs a type and a reason",
        ),
        ({"seeds": "none.jsonl"}, "no such file"),
        ({"absent": [{"kind": "withheld_shadow", "registry": "none"}]}, "no such"),
        ({"colour": "red"}, "unknown field"),
        ({"unknown": [{"kind": "impossible", "texts": []}]}, "Invalid enum value"),
    ],
)
def test_a_wrong_recipe_is_refused(parts: Record, says: str, folder: Path) -> None:
    with pytest.raises(InputError) as raised:
        build(recipe(folder, **parts), folder)
    assert says in str(raised.value)
    assert not (folder / CANDIDATES).exists()


@pytest.mark.parametrize(
    ("codes", "kind", "says"),
    [
        (["x.alpha"], "withheld_shadow", "is no active concept"),
        ([], "future_concept", "needs a later version"),
    ],
)
def test_another_registry_must_have_what_this_one_lacks(
    codes: list[str], kind: str, says: str, folder: Path, later: Path
) -> None:
    if kind == "future_concept":
        header = later / "registry.toml"
        header.write_text(header.read_text().replace("2.0.0", "1.0.0"))
    step = {"kind": kind, "registry": str(later), "codes": codes}
    with pytest.raises(InputError, match=says):
        build(recipe(folder, absent=[step]), folder)


def test_no_text_shows_in_a_repr(folder: Path) -> None:
    built = build(recipe(folder, contrast=[CONTRAST], perturb=[{"operators": ["unicode.dash"]}]), folder)
    shown = repr(built) + repr(read_candidates(folder)) + repr(NominateStep())
    assert "lasting" not in shown
    assert "name that" not in shown
