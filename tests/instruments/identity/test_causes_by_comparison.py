"""Root causes that show in comparison: with the original, another language, or a relative of the right code."""

from types import ModuleType
from typing import Any

import pytest
from caused import ONE, THREE, TWO, codes, found, neighbour, only, related  # type: ignore[import-not-found]

from denotary.suites.records import Contrast, NeighbourNote


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"tags": ("negation",)}, "E05"),
        ({"tags": ("role_reversal", "negation")}, "E07"),
        ({"tags": ("contradictory_conjunction", "negation")}, "E06"),
        ({"primary_family": "negation_contradiction"}, "E06"),
        ({"tags": ("quantifier_scope",), "primary_family": "compositional"}, "E08"),
        ({"tags": ("mention",), "primary_family": "compositional"}, "E10"),
        ({"primary_family": "compositional"}, "E09"),
    ],
)
def test_the_code_before_the_change_is_named_by_the_change(
    measured: ModuleType, more: dict[str, Any], code: str
) -> None:
    """The text lies in the neighbourhood of ``c.two`` and says something else; it is given that code."""
    gold = ("UNKNOWN_REGISTRY", ())
    failure = only(measured, measured.answer("n", TWO), *gold, concept_neighbourhood=TWO, **more)
    assert failure.proposed == code
    assert failure.proposals[0].rule == "changed_meaning"
    # Another code is no collapse into the original; it is an unknown meaning that was given a code.
    other = only(measured, measured.answer("n", THREE), *gold, concept_neighbourhood=TWO, **more)
    assert other.proposed == "E11"


def test_the_original_is_the_parent_where_the_suite_holds_it(measured: ModuleType) -> None:
    parent = measured.case("parent", codes=(THREE,))
    child = measured.case(
        "child", codes=(ONE,), parent_record_id="parent", meaning_relation_to_parent="DIFFERENT_MEANING",
        tags=("negation",), concept_neighbourhood=TWO,
    )  # fmt: skip
    (failure,) = found(
        measured, [parent, child], [measured.answer("parent", THREE), measured.answer("child", THREE)]
    )
    assert failure.proposed == "E05"
    (failure,) = found(
        measured, [parent, child], [measured.answer("parent", THREE), measured.answer("child", TWO)]
    )
    assert failure.proposals[0].rule == "circumstance"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("code_switch", "E17"),
        ("romanised", "E18"),
        ("unicode_punctuation", "E19"),
        ("morphology", "E20"),
        ("dialect_variety", "E16"),
        ("long_context", "E22"),
        ("domain_shift", "E21"),
    ],
)
@pytest.mark.parametrize("refused", [True, False])
def test_a_variant_that_fails_where_its_original_does_not(
    measured: ModuleType, name: str, code: str, refused: bool
) -> None:
    cases = [
        measured.case("plain"),
        measured.case(
            "variant", parent_record_id="plain", meaning_relation_to_parent="SAME_MEANING", tags=(name,)
        ),
    ]
    given = measured.answer("variant", None if refused else TWO)
    (failure,) = found(measured, cases, [measured.answer("plain", ONE), given])
    assert (failure.proposed, failure.proposals[0].rule) == (code, "same_meaning")
    assert "plain" in failure.proposals[0].evidence
    # Where the original fails too, the form of the text is a circumstance and no evidence.
    both = found(measured, cases, [measured.answer("plain", TWO), given])
    assert (both[1].proposed, both[1].proposals[0].rule) == (code, "circumstance")


def test_a_contrast_set_has_an_original_too(measured: ModuleType) -> None:
    cases = [
        measured.case("x", contrast=Contrast(set="k", role="x")),
        measured.case("same", contrast=Contrast(set="k", role="x_same"), tags=("spelling_noise",)),
    ]
    (failure,) = found(measured, cases, [measured.answer("x", ONE), measured.answer("same", THREE)])
    assert (failure.proposed, failure.proposals[0].rule) == ("E20", "same_meaning")


def test_a_seed_that_was_right_in_another_language(measured: ModuleType) -> None:
    cases = [
        measured.case("en", translation_family="t", language="en"),
        measured.case("de", translation_family="t", language="de"),
    ]
    (failure,) = found(measured, cases, [measured.answer("en", ONE), measured.answer("de", THREE)])
    assert (failure.case, failure.proposed, failure.proposals[0].rule) == ("de", "E16", "other_language")
    assert "en (en)" in failure.proposals[0].evidence


@pytest.mark.parametrize(
    ("concepts", "code"),
    [
        ({"one": {"parents": (TWO,)}}, "E02"),
        ({"one": {"parents": (THREE,)}, "three": {"parents": (TWO,)}}, "E02"),
        ({"two": {"parents": (ONE,)}}, "E03"),
        ({"one": {"parents": (THREE,)}, "two": {"parents": (THREE,)}}, "E01"),
        ({"one": {"neighbours": (neighbour(TWO, "sibling"),)}}, "E01"),
        ({"one": {"neighbours": (neighbour(TWO, "part_whole"),)}}, "E04"),
        ({"one": {"neighbours": (neighbour(TWO, "negation_or_antonym"),)}}, "E05"),
        ({"one": {"neighbours": (neighbour(TWO, "role_reversal"),)}}, "E07"),
        ({"one": {"neighbours": (neighbour(TWO, "scope_or_quantifier"),)}}, "E08"),
        ({"one": {"neighbours": (neighbour(THREE, "sibling"),)}}, ""),
        ({}, ""),
    ],
)
def test_a_wrong_code_is_named_by_its_relation_to_the_right_one(
    measured: ModuleType, concepts: Any, code: str
) -> None:
    failure = only(measured, measured.answer("n", TWO), of=related(measured, **concepts))
    assert failure.proposed == code


def test_parents_that_go_in_a_circle_do_not_hang(measured: ModuleType) -> None:
    registry = related(measured, one={"parents": (THREE,)}, three={"parents": (ONE,)})
    assert only(measured, measured.answer("n", TWO), of=registry).proposals == ()


def test_the_note_of_the_author_counts_as_a_declaration(measured: ModuleType) -> None:
    note = NeighbourNote(code=TWO, type="sibling", reason="r")
    failure = only(
        measured, measured.answer("n", TWO), "UNKNOWN_REGISTRY", (), neighbours=(note,),
        forbidden_neighbor_codes=(TWO,),
    )  # fmt: skip
    assert codes(failure) == ["E11", "E01"]
    assert "named by the case: sibling" in failure.proposals[1].evidence
