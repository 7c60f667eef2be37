"""Scripts, mixed words, characters out of place, and what is made visible."""

import pytest
import unicodedata2
from hypothesis import given
from hypothesis import strategies as st

from denotary.text import holds_script, mixed_words, script_of, scripts, stray_ignorables, visible

BY_NAME = {
    "LATIN": "Latn", "GREEK": "Grek", "CYRILLIC": "Cyrl", "HEBREW": "Hebr", "ARABIC": "Arab",
    "DEVANAGARI": "Deva", "BENGALI": "Beng", "TAMIL": "Taml", "THAI": "Thai", "GEORGIAN": "Geor", "HANGUL": "Hang",
    "ETHIOPIC": "Ethi", "KHMER": "Khmr", "HIRAGANA": "Hira", "KATAKANA": "Kana", "CJK": "Hani", "ARMENIAN": "Armn",
    "CHEROKEE": "Cher", "GARAY": "Gara", "ADLAM": "Adlm", "MYANMAR": "Mymr", "TIBETAN": "Tibt", "GOTHIC": "Goth",
}  # fmt: skip
"""First word of a character's name, which is an oracle for its script apart from Scripts.txt."""
PERSIAN = "\u062a\u0646\u200c\u0647\u0627"


def test_the_script_of_a_letter_is_the_one_that_its_name_begins_with() -> None:
    seen = 0
    for value in range(0x20000):
        character = chr(value)
        if unicodedata2.category(character) in {"Lu", "Ll", "Lo"}:
            expected = BY_NAME.get(unicodedata2.name(character, "").split(" ")[0].split("-")[0])
            if expected is not None:
                seen += 1
                assert script_of(character) == expected, hex(value)
    assert seen > 40_000


@pytest.mark.parametrize(
    ("character", "script"),
    [
        (" ", "Zyyy"),
        ("1", "Zyyy"),
        ("\u0301", "Zinh"),
        ("\u0378", "Zzzz"),
        ("\U0010ffff", "Zzzz"),
        ("\u30fc", "Zyyy"),
    ],
)
def test_scripts_that_say_nothing(character: str, script: str) -> None:
    assert script_of(character) == script
    assert scripts(character) == frozenset()


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_ascii_letters_are_latin(text: str) -> None:
    assert scripts(text) == ({"Latn"} if any(char.isalpha() for char in text) else set())


@pytest.mark.parametrize(
    ("text", "script", "holds"),
    [
        ("日本語のテスト", "Jpan", True),
        ("日本語のテスト", "Hani", True),
        ("日本語のテスト", "Latn", False),
        ("한국", "Kore", True),
        ("国家", "Hans", True),
        ("국가", "Hans", False),
        ("10^3", "Cyrl", True),
        ("DNA analysis", "Cyrl", False),
        ("анализ DNA", "Cyrl", True),
    ],
)
def test_a_text_holds_a_script(text: str, script: str, holds: bool) -> None:
    assert holds_script(text, script) is holds


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("paypal", ()),
        ("p\u0430ypal", (0,)),
        ("see p\u0430ypal and \u0440aypal.", (4, 15)),
        ("Vladimir (Владимир)", ()),
        ("AI模型", ()),
        ("Tシャツ", ()),
        ("K팝", ()),
        ("模型ы", (0,)),
        ("x\u03b1", (0,)),
        ("10-Мбит", ()),
        (PERSIAN, ()),
    ],
)
def test_words_that_mix_scripts(text: str, offsets: tuple[int, ...]) -> None:
    assert mixed_words(text) == offsets


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("plain", ()),
        (PERSIAN, ()),
        ("\u0915\u094d\u200d\u0937", ()),
        ("\u0915\u094d\u200c\u0937", ()),
        ("\U0001f469\u200d\U0001f52c", ()),
        ("\U0001f469\U0001f3fd\u200d\U0001f52c", ()),
        ("\U0001f3f3\ufe0f\u200d\U0001f308", ()),
        ("\u2764\ufe0f", ()),
        ("1\ufe0f\u20e3", ()),
        ("a\u200cb", (1,)),
        ("a\u200db", (1,)),
        ("\u0628\u200c", (1,)),
        ("\u200c\u0628", (0,)),
        ("a\ufe0f", (1,)),
        ("co\u00adop\u200b", (2, 5)),
        ("\u200ea", (0,)),
    ],
)
def test_characters_that_change_nothing_where_they_stand(text: str, offsets: tuple[int, ...]) -> None:
    assert stray_ignorables(text) == offsets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("é 中", "é 中"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("a\tb\n", "a⟨U+0009⟩b⟨U+000A⟩"),
        ("a\u00a0b\u3000", "a⟨U+00A0⟩b⟨U+3000⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ufe0f\u3164\u034f", "⟨U+FE0F⟩⟨U+3164⟩⟨U+034F⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\x7f", "⟨U+007F⟩"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_number(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters(codec=None)))
def test_what_is_shown_can_be_encoded_and_printed(text: str) -> None:
    shown = visible(text)
    assert shown.encode().decode() == shown
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not any(unicodedata2.category(character) in hidden for character in shown)
