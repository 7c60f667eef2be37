"""The families and their gold, against the table of the specification written out again."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from denotary.instruments.identity.cases import DISPOSITIONS, IdentityCase
from denotary.instruments.identity.families import (
    FAMILIES,
    MECHANISMS,
    allowed_gold,
    is_flipped,
    mechanisms_of,
)

ALL = "SINGLE AMBIGUOUS UNKNOWN_REGISTRY UNDERSPECIFIED MIXED INVALID_INPUT"
TABLE = {
    "reviewed_exact": "SINGLE AMBIGUOUS EXACT_MISS",
    "held_out_paraphrase": "SINGLE",
    "adversarial_paraphrase": "SINGLE",
    "hard_negative": "SINGLE UNKNOWN_REGISTRY",
    "minimal_contrast": "SINGLE UNKNOWN_REGISTRY",
    "negation_contradiction": "SINGLE UNKNOWN_REGISTRY",
    "compositional": "SINGLE UNKNOWN_REGISTRY MIXED",
    "shadow_concept_unknown": "UNKNOWN_REGISTRY",
    "ambiguity": "AMBIGUOUS SINGLE",
    "underspecified_short": "UNDERSPECIFIED AMBIGUOUS SINGLE INVALID_INPUT",
    "mixed_concept": "MIXED",
    "paired_multilingual": ALL,
    "code_switch": ALL,
    "cross_script": ALL,
    "unicode_punctuation": ALL,
    "spelling_noise": ALL,
    "morphology": ALL,
    "dialect_variety": ALL,
    "rare_language": ALL,
    "domain_shift": "SINGLE UNKNOWN_REGISTRY",
    "long_context": ALL,
    "malicious_input": ALL,
}
"""Gold that a case of each family may have by itself, without a parent and unflipped."""
FOLLOWING = [
    "paired_multilingual",
    "code_switch",
    "cross_script",
    "unicode_punctuation",
    "spelling_noise",
    "morphology",
    "dialect_variety",
    "rare_language",
    "malicious_input",
]
"""Families whose gold follows from the parent's and the relation to it."""
FLIPPING = ("minimal_contrast", "compositional", "negation_contradiction")

Make = Callable[..., IdentityCase]


@pytest.fixture
def make(case: Callable[..., dict[str, Any]]) -> Make:
    return lambda name, *gold, **parts: msgspec.convert(case(name, *gold, **parts), IdentityCase)


def test_there_are_the_families_of_the_table() -> None:
    assert list(FAMILIES) == list(TABLE)
    assert {name: set(family.allowed) for name, family in FAMILIES.items()} == {
        name: set(allowed.split()) for name, allowed in TABLE.items()
    }
    assert [name for name, family in FAMILIES.items() if family.follows_parent] == FOLLOWING
    assert {name for name, family in FAMILIES.items() if family.flips} == set(FLIPPING)


def test_there_are_nineteen_mechanisms_and_families_name_only_them() -> None:
    assert list(MECHANISMS) == [f"F{number:02}" for number in range(1, 20)]
    assert all(
        set(family.mechanisms) <= set(MECHANISMS) and family.mechanisms for family in FAMILIES.values()
    )


@pytest.mark.parametrize("name", FOLLOWING)
@pytest.mark.parametrize("parent_gold", DISPOSITIONS)
def test_the_relation_to_the_parent_rules(make: Make, name: str, parent_gold: str) -> None:
    parent = make("p", {"disposition": parent_gold})

    def allowed(relation: str) -> set[str]:
        child = make(
            "c",
            parent_record_id="p",
            construction={"primary_family": name, "meaning_relation_to_parent": relation},
        )
        return set(allowed_gold(FAMILIES[name], child, parent))

    assert allowed("SAME_MEANING") == {parent_gold}
    assert allowed("POTENTIALLY_AMBIGUOUS") == {parent_gold, "AMBIGUOUS"}
    assert allowed("DIFFERENT_MEANING") == set(DISPOSITIONS)


@pytest.mark.parametrize("name", FLIPPING)
@pytest.mark.parametrize("flip", [{"meaning_relation_to_parent": "DIFFERENT_MEANING"}, "x_flip", "changed"])
def test_a_flipped_member_may_have_any_gold(make: Make, name: str, flip: Any) -> None:
    more = flip if isinstance(flip, dict) else {"contrast": {"set": "s", "role": flip}}
    flipped = make("c", construction={"primary_family": name, **more})
    assert is_flipped(flipped)
    assert set(allowed_gold(FAMILIES[name], flipped, None)) == set(DISPOSITIONS)


@pytest.mark.parametrize("name", sorted(set(TABLE) - set(FLIPPING) - set(FOLLOWING)))
def test_a_flip_widens_no_other_family(make: Make, name: str) -> None:
    flipped = make("c", construction={"primary_family": name, "contrast": {"set": "s", "role": "changed"}})
    assert set(allowed_gold(FAMILIES[name], flipped, None)) == set(TABLE[name].split())


def test_a_case_may_name_its_own_mechanisms(make: Make) -> None:
    assert mechanisms_of(make("c")) == FAMILIES["compositional"].mechanisms
    assert mechanisms_of(make("c", construction={"mechanisms": ["F19"]})) == ("F19",)
    assert mechanisms_of(make("c", construction={"primary_family": "none"})) == ()


@pytest.mark.parametrize(
    ("language", "more", "expected"),
    [
        ("en-GB", {}, "en"),
        ("hi-Latn", {}, "hi"),
        (None, {}, "und"),
        ("es", {"tags": ["code_switch"]}, "mixed"),
        ("es", {"primary_family": "code_switch"}, "mixed"),
    ],
)
def test_language_slice(make: Make, language: str | None, more: dict[str, Any], expected: str) -> None:
    assert make("c", input={"language": language}, construction=more).language_slice == expected
