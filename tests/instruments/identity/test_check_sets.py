"""Checks over several cases: contrast sets, families, translations, repeated texts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checked import AMBIGUOUS, UNKNOWN  # type: ignore[import-not-found]

Make = Callable[..., Path]
Case = Callable[..., dict[str, Any]]
Found = set[tuple[str, str | None]]


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


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"text": "cancel my order"}, {"text": "cancel my order."}),
        ({"text": "cancel my order?!"}, {"text": "\u00bfCancel\u2026 my \u201corder\u201d"}),
        ({"text": "don't cancel it"}, {"text": "don\u2019t \u2014 cancel it"}),
        ({"text": "cancel it", "language": "en-GB"}, {"text": "cancel it", "language": "en-x-second"}),
    ],
)
def test_marks_and_subtags_make_no_further_text(
    problems: Callable[..., Found], case: Case, first: dict[str, str], second: dict[str, str]
) -> None:
    """Ten marks at the end of one text would make a thousand units of it."""
    sealed = {"visibility": "sealed"}
    cases = [case("c1", input=first, security=sealed), case("c2", input=second, security=sealed)]
    assert problems(*cases, role="sealed-certification") == {("repeated_text", "c2")}
    siblings = [{**item, "semantic_seed_id": "one"} for item in cases]
    assert problems(*siblings, role="sealed-certification") == set()


@pytest.mark.parametrize(
    ("first", "second"), [("learn C++", "learn C"), ("learn C#", "learn C"), ("5 %", "5"), ("!!!", "???")]
)
def test_signs_that_tell_names_apart_make_another_text(
    problems: Callable[..., Found], case: Case, first: str, second: str
) -> None:
    sealed = {"visibility": "sealed"}
    cases = [case(name, text=text, security=sealed) for name, text in (("c1", first), ("c2", second))]
    assert ("repeated_text", "c2") not in problems(*cases, role="sealed-certification")


@pytest.mark.parametrize(
    "text",
    [
        "cancel my order {}",
        "I ordered a durable name on Monday, and by now I should very much like to be rid of order {} please",
    ],
)
def test_numbers_make_no_further_text(problems: Callable[..., Found], case: Case, text: str) -> None:
    """ "cancel my order 0" to "cancel my order 399" would be four hundred units."""
    sealed = {"visibility": "sealed"}
    cases = [case(f"c{n}", text=text.format(n), security=sealed) for n in range(9)]
    found = {("repeated_text", f"c{n}") for n in range(1, 9)}
    assert problems(*cases, role="sealed-certification") == found
    public = [{**item, "security": {"visibility": "public"}} for item in cases]
    assert problems(*public) == set()
    assert found <= problems(*public, severity="warning")
    siblings = [{**item, "semantic_seed_id": "one"} for item in cases]
    assert problems(*siblings, role="sealed-certification") == set()
    contrasts = [
        case("c1", text=text.format(1), security=sealed),
        case("c2", "x.beta", text=text.format(2), security=sealed),
    ]
    assert problems(*contrasts, role="sealed-certification") == set()


def test_a_long_text_with_one_other_word_is_no_further_text(
    problems: Callable[..., Found], case: Case
) -> None:
    text = "Since the beginning of the year I have been waiting for an answer to my letter about a {} name in my file"
    sealed = {"visibility": "sealed"}
    cases = [case(word, text=text.format(word), security=sealed) for word in ("good", "goods")]
    assert problems(*cases, role="sealed-certification") == {("repeated_text", "goods")}


def test_a_template_that_nobody_declared_supplies_no_more_than_a_declared_one(
    problems: Callable[..., Found], case: Case
) -> None:
    sealed = {"visibility": "sealed"}
    words = ("alder", "birch", "cedar", "maple")
    cases = [case(word, text=f"please cancel the order for {word}", security=sealed) for word in words]
    assert problems(*cases, role="sealed-certification") == {("template_share", "alder")}
    assert problems(*cases[:2], role="sealed-certification") == set()


def test_one_text_cannot_have_two_golds(problems: Callable[..., Found], case: Case) -> None:
    cases = [case("c1", text="a text"), case("c2", "x.beta", text="a text")]
    assert problems(*cases) == {("repeated_text_gold", "c2")}
    # Where case makes the meaning, as in Polish and polish, the texts are two.
    assert problems(case("c1", text="A text"), case("c2", "x.beta", text="a text")) == set()
