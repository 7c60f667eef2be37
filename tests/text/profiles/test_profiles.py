"""Profiles: strength, scope, what is left out, amounts by closed forms, what comes first; any text has one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.text.profiles import Amount, profile, profiles_hash


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("Guests must sign.", (3,)),
        ("Signing is compulsory for guests.", (3,)),
        ("Guests should sign.", (2,)),
        ("Guests may sign.", (1,)),
        ("Guests need not sign.", (1,)),
        ("Perhaps guests sign.", (1,)),
        ("Guests sign if they choose.", (1,)),
        ("It is an unavoidable step.", (3,)),
        ("Guests sign.", ()),
    ],
)
def test_strength(text: str, strength: tuple[int, ...]) -> None:
    assert profile(text).strength == strength


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("three quarters of an hour", 2700, "time"),
        ("half an hour", 1800, "time"),
        ("a quarter of an hour", 900, "time"),
        ("a year and a half", 18, "months"),
        ("one and a half metres", 1500, "length"),
        ("EUR 9k", 9000, "euro"),
        ("a third", 1 / 3, ""),
        ("thirty per cent", 0.3, ""),
        ("a fortnight", 14 * 86400, "time"),
        ("two dozen", 24, ""),
        ("one in twenty", 0.05, ""),
        ("four out of every five", 0.8, ""),
        ("a fiftieth", 0.02, ""),
        ("two teaspoons", 10, "volume"),
        ("a decade", 120, "months"),
    ],
)
def test_amounts(text: str, value: float, dimension: str) -> None:
    (found,) = profile(text).amounts
    assert found.dimension == dimension
    assert found.value == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize(
    ("text", "prefixed", "alternatives"),
    [
        ("It is unsafe to disagree", 2, False),
        ("Under the uncle's image", 0, False),
        ("Safe or unsafe, it stays", 1, True),
        ("Hot and cold meals", 0, True),
        ("Bread or butter", 0, False),
    ],
)
def test_prefixed_opposites_and_alternatives(text: str, prefixed: int, alternatives: bool) -> None:
    assert (profile(text).prefixed, profile(text).alternatives) == (prefixed, alternatives)


def test_amounts_are_equal_but_for_rounding() -> None:
    assert Amount(1 / 3, "").equals(Amount(0.33, ""))
    assert not Amount(60, "time").equals(Amount(60, "length"))
    assert not Amount(60, "time").equals(Amount(62, "time"))


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("eat before you swim", ("eat", "you swim")),
        ("swim after you eat", ("you eat", "swim")),
        ("after lunch, swim", ("lunch", "swim")),
        ("the soup comes first, the roast later", ("the soup comes", "the roast")),
        ("the soup is hot", None),
        ("before lunch", None),
    ],
)
def test_what_comes_first(text: str, sequence: tuple[str, str] | None) -> None:
    assert profile(text).sequence == sequence


def test_scope_leaving_negation() -> None:
    found = profile("All visitors but not the staff, whatever the hour, never pay more")
    assert found.scope >= {"all", "none"}
    assert found.leaving == {"left_out"}
    assert (found.negatives, found.either) == (2, True)
    assert found.size == {"more"}
    assert "visitors" not in repr(found)


@settings(max_examples=50)
@given(st.text(max_size=80))
def test_any_text_has_a_profile(text: str) -> None:
    assert len(profile(text).content) <= len(profile(text).tokens)


def test_the_lists_have_a_digest() -> None:
    assert len(profiles_hash()) == 64
