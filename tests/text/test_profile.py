"""Rejections, limits and NFC of the identity profile."""

import unicodedata

import pytest
import unicodedata2
from hypothesis import given, settings
from hypothesis import strategies as st

from denotary.text import MAX_CODE_POINTS, UNICODE_VERSION, Normalised, Rejection, normalise
from denotary.text.profile import first_refused, refusal_rule

REFUSED_CATEGORIES = {"Cs", "Cn", "Co", "Cc"}
REFUSED_RANGES = [
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE007F),
    (0x202A, 0x202E),
    (0x2066, 0x2069),
    (0x206A, 0x206F),
]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


def declared_refused(value: int) -> bool:
    """The list of the profile, word for word; noncharacters are unassigned (Cn) in the database."""
    listed = any(first <= value <= last for first, last in REFUSED_RANGES)
    return listed or unicodedata2.category(chr(value)) in REFUSED_CATEGORIES


def check_planes(values: range) -> None:
    wrong = [
        hex(value)
        for value in values
        if (first_refused(chr(value)) is not None) != declared_refused(value)
        or (refusal_rule(chr(value)) is not None) != declared_refused(value)
    ]
    assert not wrong


def test_every_code_point_of_the_bmp_is_refused_or_accepted_as_declared() -> None:
    check_planes(range(0x10000))


@pytest.mark.slow
def test_every_other_code_point_is_refused_or_accepted_as_declared() -> None:
    check_planes(range(0x10000, 0x110000))


def test_the_database_is_the_pinned_one() -> None:
    assert UNICODE_VERSION == "18.0.0" == unicodedata2.unidata_version


@given(TEXTS)
@settings(deadline=None)
def test_what_is_accepted_is_its_own_normal_form(text: str) -> None:
    normal = normalise(text)
    if isinstance(normal, Normalised):
        assert normalise(normal.text) == Normalised(normal.text, changed=False)
        assert normal.changed == (normal.text != text)


@given(TEXTS)
@settings(deadline=None)
def test_it_is_the_nfc_of_the_standard_library_where_both_databases_know_the_characters(text: str) -> None:
    normal = normalise(text)
    if isinstance(normal, Normalised) and all(unicodedata.category(char) != "Cn" for char in text):
        assert normal.text == unicodedata.normalize("NFC", text)


@given(TEXTS)
@settings(deadline=None)
def test_canonically_equivalent_texts_are_one(text: str) -> None:
    composed, decomposed = normalise(text), normalise(unicodedata2.normalize("NFD", text))
    if isinstance(composed, Normalised) and isinstance(decomposed, Normalised):
        assert composed.text == decomposed.text
    else:
        assert isinstance(composed, Rejection)
        assert isinstance(decomposed, Rejection)
        assert composed.rule == decomposed.rule


@given(TEXTS)
@settings(deadline=None)
def test_bytes_and_text_are_read_alike(text: str) -> None:
    assert normalise(text.encode()) == normalise(text)


@given(st.binary(max_size=40))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    valid = data.decode("utf-8", errors="surrogateescape")
    bad = next((position for position, char in enumerate(valid) if "\udc80" <= char <= "\udcff"), None)
    if bad is None:
        assert normalise(data) == normalise(valid)
    else:
        offset = len(valid[:bad].encode())
        assert normalise(data) == Rejection("not_utf8", data[offset], offset)


@given(st.text("ab\u00e9\u4e2d\U0001f600", max_size=10), st.sampled_from("\x00\t\u202e\ufeff\ue000\ud800"))
def test_the_first_refused_code_point_is_named(before: str, refused: str) -> None:
    rejection = normalise(f"{before}{refused}{refused}z")
    assert isinstance(rejection, Rejection)
    assert (rejection.code_point, rejection.offset) == (ord(refused), len(before))
    assert f"U+{ord(refused):04X}" in str(rejection)


def test_the_limit_holds_before_the_content_is_looked_at() -> None:
    assert normalise("\x00" * (MAX_CODE_POINTS + 1)) == Rejection("too_many_code_points")


def test_nothing_that_is_printed_shows_the_text() -> None:
    assert "secret" not in repr(normalise("secret"))
    assert "secret" not in str(normalise("secret\x00"))
    assert "secret" not in repr(normalise("secret\x00"))
    assert "secret" not in str(normalise(b"secret\xff"))
