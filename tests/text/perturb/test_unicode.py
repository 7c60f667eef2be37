"""Operators on Unicode: what they can put, and what they say of the meaning where."""

import pytest
import unicodedata2

from denotary.text.perturb import apply, operators
from denotary.text.perturb.invisible import (
    BIDI_MARKS,
    EMBEDDINGS,
    FILLERS,
    SELECTORS,
    TAGS,
    ZERO_WIDTH,
)
from denotary.text.perturb.lookalikes import _table
from denotary.text.perturb.numbers import digit_sets
from denotary.text.perturb.punctuation import DASHES, DOUBLE_QUOTES, NOT_DASHES, SINGLE_QUOTES, SPACES

SAME, AMBIGUOUS, DIFFERENT = "SAME_MEANING", "POTENTIALLY_AMBIGUOUS", "DIFFERENT_MEANING"

MINIMUM = {
    ZERO_WIDTH + FILLERS + BIDI_MARKS: "200B 2060 FEFF 00AD 034F 061C 180E 2061-2064 3164 FFA0 115F "
    "17B4 17B5 2800 200E 200F",
    "".join({*EMBEDDINGS, *EMBEDDINGS.values()}): "202A-202E 2066-2069",
    TAGS: "E0001 E0020-E007F",
    SELECTORS: "FE00-FE0F E0100-E01EF",
    SPACES: "00A0 1680 2000-200A 2028 2029 202F 205F 3000 0085",
    DASHES + NOT_DASHES: "002D 058A 2010-2015 2212 FE58 FE63 FF0D 30FC 4E00",
    SINGLE_QUOTES + DOUBLE_QUOTES: "0027 0060 00B4 02B9 02BB 02BC 02BD 02C8 2018-201F 2032 2033 2035 2036 05F3 05F4 "
    "FF07 FF02 00AB 00BB 300C-300F",
}  # fmt: skip
"""Characters that an operator of a kind must be able to put."""


@pytest.mark.parametrize(("characters", "codes"), MINIMUM.items(), ids=list(MINIMUM.values()))
def test_every_character_of_a_kind_can_be_put(characters: str, codes: str) -> None:
    for span in codes.split():
        first, _, last = span.partition("-")
        for value in range(int(first, 16), int(last or first, 16) + 1):
            assert chr(value) in characters, hex(value)


def outcomes(operator: str, text: str, language: str = "en", seeds: int = 12) -> dict[str, str]:
    """Return the relation by the text that comes out, over some seeds."""
    made = [apply(operator, text, language, seed) for seed in range(seeds)]
    return {one.text: one.relation for one in made if one.text is not None and one.relation is not None}


@pytest.mark.parametrize(
    ("operator", "text", "relation"),
    [
        ("unicode.quote", "it's", SAME),
        ("unicode.quote", "5' tall", AMBIGUOUS),
        ("unicode.quote", "Hawai\u02bbi", AMBIGUOUS),
        ("unicode.dash", "3-5", AMBIGUOUS),
        ("unicode.punctuation_removed", "It is.", SAME),
        ("unicode.punctuation_removed", "That costs 3.14 each", DIFFERENT),
        ("unicode.punctuation_removed", "Eat, grandma", AMBIGUOUS),
        ("unicode.question", "It is.", DIFFERENT),
        ("unicode.question", "a concept", AMBIGUOUS),
        ("unicode.script_digits", "page 12", SAME),
        ("unicode.script_digits", "H2O", AMBIGUOUS),
        ("unicode.digit_value", "page 12", DIFFERENT),
        ("unicode.nukta_removed", "ज़रा", AMBIGUOUS),
        ("unicode.kana_voicing_removed", "がく", AMBIGUOUS),
        ("unicode.joiner_removed", "می‌روم", AMBIGUOUS),
        ("unicode.joiner_removed", "क्‍ष", AMBIGUOUS),
        ("unicode.joiner_removed", "co\u200cop", SAME),
        ("unicode.joiner_removed", "👩‍🔬", AMBIGUOUS),
        ("unicode.joiner_inserted", "stable", SAME),
        ("unicode.joiner_inserted", "کتاب", AMBIGUOUS),
        ("unicode.bidi_reorder", "stable", SAME),
        ("unicode.bidi_reorder", "ספר", SAME),
        ("unicode.bidi_reorder", "كتاب", AMBIGUOUS),
        ("unicode.decomposed", "é", SAME),
        ("unicode.singleton", "Å", SAME),
    ],
)
def test_the_relation_follows_from_the_place(operator: str, text: str, relation: str) -> None:
    found = outcomes(operator, text)
    assert found
    assert set(found.values()) == {relation}


def test_a_hyphen_between_letters_is_the_same_but_for_what_is_no_dash() -> None:
    found = outcomes("unicode.dash", "well-read", seeds=80)
    assert found["well\u2010read"] == SAME
    assert found["well\u30fcread"] == AMBIGUOUS


@pytest.mark.parametrize(
    ("operator", "text", "expected"),
    [
        ("unicode.nukta_removed", "क़लम", {"कलम"}),
        ("unicode.nukta_removed", "\u0958लम", {"कलम"}),
        ("unicode.kana_voicing_removed", "ぱ", {"は"}),
        ("unicode.kana_voicing_removed", "ｶﾞ", {"ｶ"}),
        ("unicode.kana_voicing_swapped", "ば", {"ぱ"}),
        ("unicode.kana_voicing_swapped", "ﾋﾟ", {"ﾋﾞ"}),
        ("unicode.kana_voicing_swapped", "が", set()),
        ("unicode.kana_voicing_spacing", "が", {"か\u309b"}),
        ("unicode.half_width", "ガ", {"ｶﾞ"}),
        ("unicode.half_width", "が", set()),
        ("unicode.half_width", "Ａ", {"A"}),
        ("unicode.full_width", "A", {"Ａ"}),
        ("unicode.decomposed", "각", {"\u1100\u1161\u11a8"}),
        ("unicode.composed", "e\u0301", {"é"}),
        ("unicode.mark_order", "a\u0323\u0301", {"a\u0301\u0323"}),
        ("unicode.singleton", "K", {"\u212a"}),
        ("unicode.question", "Ναι.", {"Ναι;"}),
        ("unicode.question", "نعم.", {"نعم؟"}),
        ("unicode.joiner_removed", "می‌روم", {"میروم", "می روم"}),
        ("unicode.bidi_reorder", "abc", {"\u202ecba\u202c"}),
        ("unicode.script_variant", "ك", {"ک", "ڪ"}),
        ("unicode.script_variant", "अा", {"आ"}),
        ("unicode.script_variant", "เเ", {"แ"}),
        ("unicode.confusable", "カ", {"力"}),
        ("unicode.confusable", "べ", {"ベ"}),
    ],
)
def test_what_comes_out(operator: str, text: str, expected: set[str]) -> None:
    assert set(outcomes(operator, text)) == expected


def test_backwards_and_overridden_shows_the_clusters_in_order() -> None:
    (made,) = outcomes("unicode.bidi_reorder", "क्षमा")
    assert made == "\u202eमाक्ष\u202c"


def test_look_alikes_are_assigned_and_never_canonically_equivalent() -> None:
    table = _table()
    assert len(table) > 300
    for text, others in table.items():
        assert all(unicodedata2.name(character, "") for character in text)
        for other in others:
            assert unicodedata2.normalize("NFC", other.text) != unicodedata2.normalize("NFC", text)
            assert text in {back.text for back in table[other.text]}


def test_digits_of_a_script_are_its_ten_values() -> None:
    for digits in digit_sets().values():
        assert [unicodedata2.decimal(digit) for digit in digits] == list(range(10))


def test_what_the_profile_refuses_is_said_with_its_rule() -> None:
    expected = {
        "unicode.bidi_control": "bidi_control",
        "unicode.bidi_reorder": "bidi_control",
        "unicode.tag": "tag_character",
        "unicode.control": "control",
        "unicode.backspace": "control",
        "format.line_break": "control",
        "long.over_limit": "too_many_code_points",
    }
    for name, rule in expected.items():
        (effect,) = apply(name, "a stable code", "en").effects
        assert (effect.outcome, effect.rule) == ("refused", rule)
    (effect,) = apply("unicode.zero_width", "ab", options={"characters": ["\ufeff"]}).effects
    assert effect.rule == "byte_order_mark"


def test_folds_that_explain_the_difference_are_named() -> None:
    expected = {"unicode.full_width": "width/1", "unicode.quote": "quote/1", "format.upper": "ccf/1"}
    for name, fold in expected.items():
        (effect,) = apply(name, "it's", "en").effects
        assert effect.folds == (fold,)


def test_only_canonical_operators_expect_the_same_key() -> None:
    same = {operator.id for operator in operators() if operator.expects == {"same_key"}}
    assert same == {"unicode.decomposed", "unicode.composed", "unicode.mark_order", "unicode.singleton"}
