"""Slips of the hand, keyboards, and what a list of words says of them."""

import pytest
import unicodedata2

from denotary.text.perturb import apply
from denotary.text.perturb.keyboards import layouts, layouts_for, mistyped, neighbours


def outcomes(operator: str, text: str, language: str = "en", seeds: int = 60, **options: object) -> set[str]:
    made = (apply(operator, text, language, seed, options=options) for seed in range(seeds))
    return {one.text for one in made if one.text is not None}


@pytest.mark.parametrize(
    ("layout", "letter", "around"),
    [
        ("us", "s", "adwezx"),
        ("us", "q", "wa"),
        ("us", "p", "ol"),
        ("us", "S", "ADWEZX"),
        ("fr", "a", "zqé"),
        ("de", "z", "tugh"),
        ("ru", "а", "впкесм"),
        ("il", "ש", "דז"),
        ("kr", "ㄱ", "ㄷㅅㄹㅇ"),
        ("th", "ก", "หดำพปแ"),
    ],
)
def test_neighbours_are_the_keys_around(layout: str, letter: str, around: str) -> None:
    assert set(neighbours(layout)[letter]) == set(around)


def test_neighbours_are_mutual_and_on_the_same_level() -> None:
    for layout in layouts():
        table = neighbours(layout)
        for letter, others in table.items():
            assert letter not in others
            assert all(letter in table[other] for other in others)
            for other in others:
                cases = {unicodedata2.category(one) for one in (letter, other)}
                assert not {"Lu", "Ll"} <= cases or layout in {"cz", "bg", "vn", "it"}, (
                    layout,
                    letter,
                    other,
                )


def test_every_layout_serves_a_language_and_holds_letters_and_marks_alone() -> None:
    for name, layout in layouts().items():
        assert layout["languages"]
        assert all(name in layouts_for(language) for language in layout["languages"])
        assert len(layout["plain"]) == len(layout["shifted"]) == 4
        for row in (*layout["plain"], *layout["shifted"]):
            assert all(unicodedata2.category(key)[0] in "LM" or key == "\u00b7" for key in row)


@pytest.mark.parametrize(
    ("cluster", "layout", "expected"),
    [
        ("한", "kr", {"란", "헌"}),
        ("कि", "deva", {"कू", "की", "कु"}),
        ("a", "us", {"q", "s"}),
    ],
)
def test_one_key_of_a_character_is_missed(cluster: str, layout: str, expected: set[str]) -> None:
    assert expected <= set(mistyped(cluster, layout))


def test_a_missed_key_gives_one_character_again() -> None:
    assert outcomes("spelling.adjacent_key", "word") <= {
        f"{'word'[:place]}{other}{'word'[place + 1 :]}"
        for place, letter in enumerate("word")
        for other in neighbours("us")[letter]
    }


def test_single_slips_are_those_of_the_definition() -> None:
    assert outcomes("spelling.deleted", "word") == {"ord", "wrd", "wod", "wor"}
    assert outcomes("spelling.transposed", "word") == {"owrd", "wrod", "wodr"}
    assert outcomes("spelling.repeated", "word") == {"wword", "woord", "worrd", "wordd"}
    assert outcomes("spelling.broken", "word") == {"w ord", "wo rd", "wor d"}
    assert outcomes("spelling.joined", "two words") == {"twowords"}
    assert outcomes("spelling.unmarked", "für", "de") == {"fur"}
    assert outcomes("spelling.unmarked", "שָׁ", "he") == {"ש"}
    assert outcomes("spelling.deleted", "ab") == set()


def test_a_conjunct_is_left_out_as_a_whole() -> None:
    assert outcomes("spelling.deleted", "नमस्ते", "hi") == {"मस्ते", "नस्ते", "नम"}


def test_without_a_layout_an_inserted_letter_comes_from_the_word() -> None:
    for made in outcomes("spelling.inserted", "ქა", "xx"):
        assert set(made) == set("ქა")
    assert not apply("spelling.adjacent_key", "概念", "zh").applies


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        (None, "POTENTIALLY_AMBIGUOUS"),
        (("from", "form"), "POTENTIALLY_AMBIGUOUS"),
        (("from",), "SAME_MEANING"),
    ],
)
def test_a_list_of_words_decides_whether_a_slip_is_another_word(
    words: tuple[str, ...] | None, relation: str
) -> None:
    made = {}
    for seed in range(30):
        one = apply("spelling.transposed", "from", "en", seed, options={"words": words} if words else {})
        made[one.text] = one.relation
    assert made["form"] == relation


def test_words_of_a_script_without_spaces_are_not_known() -> None:
    made = apply("spelling.transposed", "ภาษาไทย", "th", options={"words": ["ภาษา"]})
    assert made.relation == "POTENTIALLY_AMBIGUOUS"


def test_the_number_of_slips_follows_the_length() -> None:
    text = "a text of some length with twelve or more words in it, all ordinary"
    counts = [
        len(apply("spelling.repeated", text, "en", 0, severity).edits)
        for severity in ("low", "medium", "high")
    ]
    letters = sum(map(str.isalpha, text))
    assert counts == [1, -(-letters // 12), -(-letters // 6)]
