"""What is asked for wrongly, what is recorded, and what takes a variant back."""

import hashlib

import pytest
from msgspec.structs import replace

from denotary.errors import InputError
from denotary.text.perturb import Edit, apply, operators, restore
from denotary.text.perturb.draws import Draw
from denotary.text.perturb.safety import keeps_clusters

HALF_FLAG, FLAG = "\U0001f1e9", "\U0001f1e9\U0001f1ea"


@pytest.mark.parametrize(
    ("operator", "options", "says"),
    [
        ("unicode.zerowidth", {}, "did you mean unicode.zero_width"),
        ("nothing like it", {}, "--list shows all"),
        ("unicode.nukta_removed", {"target": "x"}, "it has none"),
        ("unicode.script_digits", {"goal": "x"}, "known: target"),
        ("unicode.script_digits", {"target": 3}, "Expected `str | null`"),
        ("unicode.script_digits", {"target": "ROMAN"}, "DEVANAGARI DIGIT"),
        ("unicode.zero_width", {"characters": []}, "length >= 1"),
        ("prompt.override", {}, "needs the option 'codes'"),
        ("prompt.override", {"codes": []}, "length >= 1"),
        ("prompt.competing", {"codes": ["a.b"]}, "at least two codes"),
        ("script.romanised", {}, "'table' or 'function'"),
        ("script.romanised", {"function": "rot13"}, "must be a function that a module holds"),
        ("spelling.adjacent_key", {"layout": "dvorak"}, "known: us"),
        ("format.json_field", {"field": 'a"b'}, "is no name"),
        ("long.embedded", {"length": 0}, "`int` >= 1"),
    ],
)
def test_a_wrong_order_names_what_is_wrong(operator: str, options: dict[str, object], says: str) -> None:
    with pytest.raises(InputError) as raised:
        apply(operator, "a text of 12 words", "en", options=options)
    assert says in str(raised.value)


def test_a_lone_surrogate_is_no_text() -> None:
    with pytest.raises(InputError, match="lone surrogate at offset 2"):
        apply("unicode.dash", "a-\ud800", "en")


@pytest.mark.parametrize("text", ["", " ", "\u3000\n"])
def test_nothing_is_made_of_nothing(text: str) -> None:
    made = apply("unicode.emoji", text)
    assert not made.applies
    assert made.reason == "the text is empty or blank"


@pytest.mark.parametrize(
    ("operator", "text", "reason"),
    [
        ("spelling.unmarked", "cafe", "the text holds no letter with an accent or point"),
        ("unicode.nukta_removed", "नमस्ते", "the text holds no letter with a nukta"),
        ("unicode.punctuation_removed", "?", "nothing would be left"),
        ("format.bold", "two\nlines", "the text holds no single line"),
        ("format.xml_field", "a\x01b", "the text holds no text that XML can carry"),
    ],
)
def test_what_an_operator_cannot_change_is_said(operator: str, text: str, reason: str) -> None:
    made = apply(operator, text, "en")
    assert (made.applies, made.reason, made.text) == (False, reason, None)


def test_a_lineage_holds_what_makes_the_variant_again() -> None:
    made = apply("unicode.script_digits", "no. 7", "en", 5, "high", options={"target": "THAI DIGIT"})
    assert made.text == "no. ๗"
    assert made.lineage.parent == "sha256:" + hashlib.sha256(b"no. 7").hexdigest()
    lineage = made.lineage
    again = apply(
        lineage.operator, "no. 7", lineage.language, lineage.seed, lineage.severity, options=lineage.options
    )
    assert again == made


def test_a_long_option_stands_as_its_digest_and_a_function_as_its_name() -> None:
    table = {f"word{number}": "form" for number in range(40)} | {"stable": "stabil"}
    made = apply("script.romanised", "stable", "en", options={"table": table})
    assert made.text == "stabil"
    assert made.lineage.options["table"].startswith("sha256:")
    made = apply("script.romanised", "stable", "en", options={"function": shouted})
    assert made.text == "STABLE"
    assert made.lineage.options == {"function": f"{__name__}:shouted"}


def shouted(word: str, language: str) -> str:
    return word.upper() if language == "en" else word


@pytest.mark.parametrize("change", ["seed", "language", "text"])
def test_another_seed_language_or_text_gives_other_draws(change: str) -> None:
    text = "a long enough text of many different words"
    places = set()
    for value in range(8):
        one = f"{text} {value}" if change == "text" else text
        language = f"x-{value}" if change == "language" else "en"
        made = apply("unicode.zero_width", one, language, value if change == "seed" else 0)
        places.add(made.edits[0].start)
    assert len(places) > 3


def test_a_variant_of_another_parent_is_not_taken_back() -> None:
    made = apply("unicode.dash", "a-b", "en")
    with pytest.raises(InputError, match="do not belong together"):
        restore(replace(made, text=f"{made.text}!"))
    with pytest.raises(InputError, match="nothing to take back"):
        restore(apply("unicode.dash", "ab", "en"))


def test_half_a_flag_must_not_meet_another() -> None:
    parent = f"{HALF_FLAG}x{FLAG}"
    edit = Edit(start=1, before="x", after="")
    assert not keeps_clusters(parent, HALF_FLAG + FLAG, (edit,))
    assert keeps_clusters(f"{FLAG}x{FLAG}", FLAG + FLAG, (Edit(start=2, before="x", after=""),))
    assert not keeps_clusters("e\u0301", "xe\u0301", (Edit(start=1, before="", after="x"),))


def test_draws_are_pinned() -> None:
    draw = Draw("pinned")
    assert [draw.below(100) for _ in range(6)] == [95, 31, 38, 73, 33, 12]
    assert draw.shuffled("abcdefgh") == list("afdbegch")


def test_draws_are_uniform() -> None:
    draw = Draw("uniform")
    counts = [0] * 6
    for _ in range(6000):
        counts[draw.below(6)] += 1
    # Chi-squared with five degrees of freedom: 20.5 is exceeded once in a thousand.
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5
    orders = {tuple(Draw(str(seed)).shuffled("abc")) for seed in range(60)}
    assert len(orders) == 6


def test_ids_are_stable_names() -> None:
    names = [operator.id for operator in operators()]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and name.count(".") == 1 for name in names)
    families = {operator.family for operator in operators()}
    assert families == {"unicode", "spelling", "morphology", "script", "format", "prompt", "long"}
    for operator in operators():
        assert operator.about.endswith((".", "all."))
        assert not operator.needs.endswith(".")
