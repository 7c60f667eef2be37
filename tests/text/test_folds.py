"""Evidence folds: pure, idempotent, in NFC; and the coarse key that finds every pair a fold brings together."""

from collections.abc import Callable
from hashlib import sha256

import pytest
import unicodedata2
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denotary.text import FOLDS, Fold, coarse, folds_for, transforms
from denotary.text.characters import LETTERS
from denotary.text.profile import refusal_rule

CASE_FOLDING = "03cd92bae08e68ddc3c5f59c29fd75876d079f13781e66820de659303432cd82"
LANGUAGES = ["en", "tr", *sorted(LETTERS)]
TRICKY = st.sampled_from(
    "aIi\u0130\u0131\u0307\u0301\u0323 .-'\u00b4\u00a0\u2026\u200c\u200d\ufe0f\u0345\u1e9e\u00df"
)
CHARACTERS = st.one_of(
    TRICKY,
    st.characters(codec="utf-8", categories=["Lm", "Mn", "Nl", "No", "Pd", "Pf", "Pi", "Po", "Ps", "Sk"]),
    st.characters(codec="utf-8", categories=["Lu", "Lt", "Ll"]),
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]),
).filter(lambda character: refusal_rule(character) is None)
TEXTS = st.text(CHARACTERS, max_size=8).map(lambda text: unicodedata2.normalize("NFC", f"x{text}"))
CHANGES: dict[str, Callable[[str], str]] = {
    "case": str.upper,
    "dot": lambda text: f"{text}.",
    "space": lambda text: f"{text} ",
    "dash": lambda text: f"{text}-",
    "joiner": lambda text: f"{text}\u200c",
    "filler": lambda text: f"{text}\u3164",
    "accent": lambda text: f"{text}\u0301",
    "width": lambda text: text.replace("x", "\uff58"),
    "quote": lambda text: f"{text}\u2019",
}


def check(fold: Fold, text: str) -> None:
    folded = fold.apply(text)
    assert unicodedata2.normalize("NFC", folded) == folded
    assert fold.apply(folded) == folded
    assert coarse(folded) == coarse(text)


@given(TEXTS, st.sampled_from(LANGUAGES))
@settings(deadline=None, max_examples=300)
def test_every_fold_is_idempotent_stays_in_nfc_and_keeps_the_coarse_key(text: str, language: str) -> None:
    for fold in folds_for(language):
        check(fold, text)


@pytest.mark.slow
def test_the_same_for_every_code_point_alone_and_within_a_word() -> None:
    folds = {fold.id: fold for language in ("en", "tr", "vi") for fold in folds_for(language)}
    for value in range(0x110000):
        if refusal_rule(chr(value)) is None:
            for text in (chr(value), f"a{chr(value)}b"):
                for fold in folds.values():
                    check(fold, unicodedata2.normalize("NFC", text))


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=12))
@settings(deadline=None)
def test_the_way_for_ascii_gives_what_the_way_for_all_text_gives(text: str) -> None:
    # An ideograph, which no fold touches, leads the text the other way.
    for fold in folds_for("en"):
        if fold.id == "ws/1":
            assert fold.apply(f"\u4e2d {text} \u4e2d") == f"\u4e2d {fold.apply(text)} \u4e2d".replace(
                "  ", " "
            )
        else:
            assert fold.apply(f"{text}\u4e2d") == f"{fold.apply(text)}\u4e2d"
    assert coarse(f"{text}\u4e2d") == f"{coarse(text)}\u4e2d"


@given(TEXTS, st.lists(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=3), st.sampled_from(LANGUAGES))
@settings(deadline=None)
def test_transforms_make_two_texts_equal_and_hold_nothing_more(
    one: str, changes: list[str], language: str
) -> None:
    changed = one
    for change in changes:
        changed = CHANGES[change](changed)
    other = unicodedata2.normalize("NFC", changed)
    assume(one != other)
    declared = {fold.id: fold for fold in folds_for(language)}
    names = transforms(one, other, tuple(declared.values()))
    if names is None:
        assert all(fold.apply(one) != fold.apply(other) for fold in declared.values())
        return
    assert list(names) == [name for name in declared if name in names]
    for without in (None, *names):
        x, y = one, other
        for name in names:
            if name != without:
                x, y = declared[name].apply(x), declared[name].apply(y)
        assert (x == y) == (without is None)
    assert coarse(one) == coarse(other)


@given(TEXTS, st.sampled_from(LANGUAGES))
@settings(deadline=None)
def test_a_folded_text_is_found_and_explained_by_one_fold(text: str, language: str) -> None:
    for fold in folds_for(language):
        folded = fold.apply(text)
        if folded != text:
            assert coarse(folded) == coarse(text)
            names = transforms(text, folded, folds_for(language))
            assert names is not None
            assert len(names) == 1


def test_the_declared_order_is_that_of_the_profile() -> None:
    assert FOLDS == (
        "ws/1", "width/1", "ccf/1", "ccf-tr/1", "dash/1", "quote/1", "ignorable/1", "joiner/1", "nfkccf/1",
        "marks/1", "punct/1",
    )  # fmt: skip


def test_turkic_folding_holds_in_turkish_and_azerbaijani_alone() -> None:
    having = {language for language in LANGUAGES if "ccf-tr/1" in {fold.id for fold in folds_for(language)}}
    assert having == {"tr", "az"}


@pytest.mark.parametrize("language", sorted(LETTERS))
def test_the_letters_of_a_language_keep_their_marks_in_both_cases(language: str) -> None:
    (fold,) = (fold for fold in folds_for(language) if fold.id.startswith("marks"))
    letters = LETTERS[language]
    assert fold.id == f"marks-{language}/1"
    assert fold.apply(letters) == letters
    assert fold.apply(letters.upper()) == letters.upper()
    assert fold.apply("\u00e8") == "e"


def test_case_folding_is_the_same_on_every_supported_python() -> None:
    """The digest is that of Unicode 14.0 (Python 3.11); 15.0 and 15.1 added no folding."""
    pairs = ((value, chr(value).casefold()) for value in range(0x110000) if not 0xD800 <= value < 0xE000)
    lines = "".join(f"{value:x} {folded}\n" for value, folded in pairs if folded != chr(value))
    assert lines.count("\n") == 1530
    assert sha256(lines.encode()).hexdigest() == CASE_FOLDING


@pytest.mark.parametrize(
    ("language", "text", "folded"),
    [
        ("vi", "vi\u1ec7t", "vi\u00eat"),  # a letter of the alphabet under a tone mark
        ("vi", "\u1ef1", "\u01b0"),
        ("vi", "\u00e1", "a"),
        ("sv", "\u01fb", "\u00e5"),
        ("de", "\u1ec7", "e"),
    ],
)
def test_a_letter_of_the_language_loses_only_its_further_marks(language: str, text: str, folded: str) -> None:
    (fold,) = [fold for fold in folds_for(language) if fold.id.startswith("marks")]
    assert fold.apply(text) == folded
