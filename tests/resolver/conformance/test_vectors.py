"""The vectors are right by themselves: checked with the standard library and by reading the registry from end to end,
never with the resolver."""

import base64
import unicodedata
from collections import Counter
from typing import Any

import pytest

from denotary.registry import lint
from denotary.registry.records import Ambiguity, Expression
from denotary.resolver.conformance.records import Vector
from denotary.resolver.conformance.templates import filled, values_of
from denotary.resolver.conformance.vectors import load_vectors

SUITE = load_vectors()
VALUES = values_of(SUITE.registry)
ANSWERED = [vector for vector in SUITE.vectors if vector.expected != "error"]
LONGEST = 2048


def request(vector: Vector) -> dict[str, Any]:
    return filled(vector.request, VALUES)


def text_of(vector: Vector) -> str | None:
    """The text asked, or None if the bytes are no UTF-8."""
    asked = request(vector)
    if "text_b64" not in asked:
        return str(asked["text"])
    try:
        return base64.b64decode(asked["text_b64"]).decode("utf-8")
    except UnicodeDecodeError:
        return None


def is_refused(text: str | None) -> bool:
    """By the profile's declared list, with the standard library's database."""
    if text is None or len(text) > LONGEST or not text.strip():
        return True
    named = {0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080), *range(0x202A, 0x202F),
             *range(0x2066, 0x206A), *range(0x206A, 0x2070)}  # fmt: skip
    return any(unicodedata.category(c) in {"Cs", "Cn", "Co", "Cc"} or ord(c) in named for c in text)


def wanted(vector: Vector) -> tuple[str, Any]:
    """The disposition and code or senses, from the lists of the registry alone."""
    text, asked = text_of(vector), request(vector)
    if is_refused(text):
        return "INVALID_INPUT", None
    nfc = unicodedata.normalize("NFC", text or "")
    tag = None if asked["language"] in {None, "und"} else str(asked["language"]).casefold()
    tags = [tag]
    while asked.get("language_match") == "extended" and tag and "-" in tag:
        tag = tag.rpartition("-")[0].removesuffix("-x")
        tags.append(tag)
    everything: list[Expression | Ambiguity] = [*SUITE.registry.authorised, *SUITE.registry.ambiguities]
    records = [(r.language, r.codes, isinstance(r, Ambiguity))
               for r in everything if unicodedata.normalize("NFC", r.text) == nfc]  # fmt: skip
    for one in tags:
        under = [r for r in records if one is None or r[0].casefold() == one]
        codes = sorted({code for _, held, _ in under for code in held})
        if under and (len(codes) > 1 or any(declared for *_, declared in under)):
            return ("AMBIGUOUS", codes) if len(codes) > 1 else ("UNDERSPECIFIED", codes)
        if under:
            return "SINGLE", codes[0]
    return "ABSTAIN", "other_language_only" if records else "unknown_expression"


def said(vector: Vector) -> tuple[str, Any]:
    expected: Any = vector.expected
    match expected["disposition"]:
        case "SINGLE":
            return "SINGLE", expected["decision"]["concept_code"]
        case "ABSTAIN":
            return "ABSTAIN", expected["decision"]["reason"]
        case "INVALID_INPUT":
            return "INVALID_INPUT", None
        case other:
            return other, expected["senses"]


def test_there_are_at_least_two_hundred_each_with_its_own_id_and_a_source() -> None:
    assert len(SUITE.vectors) >= 200
    assert max(Counter(vector.id for vector in SUITE.vectors).values()) == 1
    assert all(
        vector.source.strip() and vector.id.startswith(f"{vector.section}.") for vector in SUITE.vectors
    )


@pytest.mark.parametrize("vector", ANSWERED, ids=lambda vector: vector.id)
def test_the_decision_follows_from_the_registry_and_the_profile(vector: Vector) -> None:
    assert said(vector) == wanted(vector)


@pytest.mark.parametrize(
    "vector", [v for v in ANSWERED if v.section == "invalid"], ids=lambda vector: vector.id
)
def test_a_refused_code_point_stands_where_it_is_said(vector: Vector) -> None:
    expected: Any = vector.expected
    for shown in expected.get("evidence", ()):
        if "code_point" in shown:
            assert f"U+{ord((text_of(vector) or '')[shown['offset']]):04X}" == shown["code_point"]


def test_near_misses_name_folds_and_concepts_of_the_registry() -> None:
    expected: list[Any] = [vector.expected for vector in ANSWERED]
    entries = [entry for item in expected for entry in item.get("near_exact", ())]
    assert {code for entry in entries for code in entry["concept_codes"]} <= set(SUITE.registry.concepts)
    folds = {name.partition("/")[0].partition("-")[0] for entry in entries for name in entry["transforms"]}
    assert folds == {"ws", "width", "ccf", "dash", "quote", "ignorable", "joiner", "nfkccf", "marks", "punct"}


def test_the_registry_is_frozen_and_every_collision_is_declared() -> None:
    assert SUITE.registry.is_frozen
    assert [item.code for item in lint(SUITE.registry)] == ["no-expression", "unreviewed"]


@pytest.mark.parametrize(
    "needed",
    ["canonical.hangul-jamo", "canonical.angstrom-sign", "canonical.ohm-sign", "canonical.kelvin-sign",
     "joiner.persian-alone", "joiner.devanagari-zwj", "case.turkish-capital-dotless", "case.eszett-upper",
     "case.capital-eszett", "case.final-sigma", "width.half-kana-dakuten", "compatibility.superscript",
     "compatibility.micro", "space.nbsp", "space.narrow-nbsp", "space.ideographic", "dash.u2212",
     "quote.u2019", "ignorable.soft-hyphen", "ignorable.zwsp", "invalid.rlo", "invalid.tag-letter",
     "invalid.unassigned-0378", "invalid.high-surrogate", "joiner.emoji", "ignorable.vs16",
     "exact.homograph-cyrillic", "length.last-character-differs"],
)  # fmt: skip
def test_what_the_profile_lists_has_a_vector(needed: str) -> None:
    assert needed in {vector.id for vector in SUITE.vectors}
