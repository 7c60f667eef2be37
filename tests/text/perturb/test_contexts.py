"""Long contexts: the evidence stands where it is said to stand."""

import pytest

from denotary.text.perturb import apply
from denotary.text.perturb.contexts import POSITIONS, Position
from denotary.text.perturb.phrases import contexts
from denotary.text.profile import MAX_CODE_POINTS
from denotary.text.scripts import scripts

TEXT = "The code of a meaning stays with it."
FILLER = contexts()["en"]["filler"]


def share(text: str, evidence: str) -> float:
    assert text.count(evidence) == 1
    return (text.index(evidence) + len(evidence) / 2) / len(text)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("severity", ["low", "medium", "high"])
def test_the_evidence_stands_at_its_position(position: Position, severity: str) -> None:
    for seed in range(5):
        made = apply("long.embedded", TEXT, "en", seed, severity, options={"position": position})  # type: ignore[arg-type]
        assert made.text is not None
        assert made.details == {"position": position}
        if position == "begin":
            assert made.text.startswith(TEXT)
        elif position == "end":
            assert made.text.endswith(TEXT)
        else:
            # As near as the longest sentence of filler allows.
            assert abs(share(made.text, TEXT) - POSITIONS[position]) <= (max(map(len, FILLER)) + 1) / len(
                made.text
            )


def test_every_position_is_drawn_and_does_not_hang_on_the_severity() -> None:
    drawn = [
        {
            apply("long.embedded", TEXT, "en", seed, severity).details["position"]
            for severity in ("low", "medium", "high")
        }
        for seed in range(40)
    ]
    assert all(len(found) == 1 for found in drawn)
    assert set.union(*drawn) == set(POSITIONS)


@pytest.mark.parametrize(("severity", "least"), [("low", 400), ("medium", 800), ("high", 1600)])
def test_the_length_follows_the_severity_or_the_option(severity: str, least: int) -> None:
    made = apply("long.embedded", TEXT, "en", 0, severity)  # type: ignore[arg-type]
    assert least <= len(str(made.text)) - len(TEXT) <= least * 1.2 + 100
    asked = apply("long.embedded", TEXT, "en", 0, severity, options={"length": 120})  # type: ignore[arg-type]
    assert 120 <= len(str(asked.text)) - len(TEXT) <= 200


def test_over_the_limit_is_over_the_limit_even_for_a_text_without_gaps() -> None:
    for language, text, options in (("en", TEXT, {}), ("zh", "念", {"filler": ["天"]})):
        made = apply("long.over_limit", text, language, options=options)
        assert len(str(made.text)) > MAX_CODE_POINTS
        assert made.effects[0].rule == "too_many_code_points"


# Scripts of ISO 15924 that stand for several, by the names of Unicode.
WRITTEN = {"Jpan": {"Hani", "Hira", "Kana"}, "Kore": {"Hang"}, "Hans": {"Hani"}}


@pytest.mark.parametrize("language", contexts())
def test_a_text_stands_among_sentences_of_its_own_language(language: str) -> None:
    known = contexts()[language]
    sentences = [*known["filler"], known["negation"], known["quotation"].replace("{text}", "")]
    assert len(set(known["filler"])) == len(known["filler"]) >= 10
    assert known["quotation"].count("{text}") == 1
    for sentence in sentences:
        assert scripts(sentence) <= WRITTEN.get(known["script"], {known["script"]}), sentence
    for operator, last in (("embedded", ""), ("negated_later", known["negation"]), ("quoted", "")):
        made = apply(f"long.{operator}", "TEXT", language, 3, options={"position": "begin"})
        text = str(made.text)
        assert text.endswith(last)
        around = text.replace("TEXT", "").replace(known["negation"], "")
        for sentence in (*known["filler"], *known["quotation"].split("{text}")):
            around = around.replace(sentence, "")
        assert len(around.strip(" .\u3002\u0964")) == 0
    assert len(str(apply("long.over_limit", "TEXT", language).text)) > MAX_CODE_POINTS


@pytest.mark.parametrize("tag", ["pt-BR", "de-AT", "hi-Deva", "zh-Hans-CN", "zh-SG", "en-x-long"])
def test_a_variety_has_the_sentences_of_its_language(tag: str) -> None:
    assert apply("long.negated_later", "TEXT", tag).applies


@pytest.mark.parametrize(
    "tag", ["is", "arz", "hi-Latn", "ar-Latn", "zh-Hant", "zh-TW", "zh-yue", "und", "mul"]
)
@pytest.mark.parametrize("operator", ["embedded", "negated_later", "quoted", "over_limit"])
def test_another_language_or_script_is_left_out_with_the_reason_and_never_given_english(
    operator: str, tag: str
) -> None:
    made = apply(f"long.{operator}", "TEXT", tag)
    assert (made.applies, made.text) == (False, None)
    assert f"no sentences are known in the language {tag!r}" in str(made.reason)


def test_a_language_without_sentences_needs_the_users() -> None:
    made = apply("long.embedded", "Setning.", "is")
    assert not made.applies
    assert "'is'" in str(made.reason)
    options = {"filler": ["Es regnet.", "Der Zug kam."], "length": 40, "position": "middle"}
    made = apply("long.embedded", "Ein Satz", "de", options=options)
    assert " Ein Satz. " in str(made.text)
    assert not apply("long.quoted", "Setning", "is", options={"filler": ["Það rignir."]}).applies
    quoted = {**options, "quotation": "Man liest: „{text}“, sonst nichts."}
    assert "Man liest: „Ein Satz“, sonst nichts." in str(
        apply("long.quoted", "Ein Satz", "de", options=quoted).text
    )


@pytest.mark.parametrize(
    ("text", "filler", "expected"),
    [
        ("概念", ["天气好。"], "概念。天气好。"),
        ("अवधारणा", ["बारिश हुई।"], "अवधारणा। बारिश हुई।"),
        ("done!", ["It rained."], "done! It rained."),
    ],
)
def test_a_text_ends_with_the_full_stop_of_its_script(text: str, filler: list[str], expected: str) -> None:
    made = apply("long.embedded", text, options={"filler": filler, "length": 1, "position": "begin"})
    assert made.text == expected


def test_decoys_and_neighbours_are_mentioned_as_often_as_the_severity_says() -> None:
    for operator, name in (("long.decoy", "decoys"), ("long.neighbours", "neighbours")):
        for severity, times in (("low", 3), ("medium", 6), ("high", 12)):
            made = apply(operator, TEXT, "en", 2, severity, options={name: ["The other one.", "That one."]})  # type: ignore[arg-type]
            text = str(made.text)
            assert text.count("The other one.") + text.count("That one.") == times
            assert len(text) <= MAX_CODE_POINTS
            assert made.relation == "POTENTIALLY_AMBIGUOUS"


def test_no_target_holds_the_others_and_nothing_else() -> None:
    made = apply("long.no_target", "One.", "en", options={"others": ["Two.", "Three."], "position": "end"})
    assert made.text in {"Two. Three. One.", "Three. Two. One."}
    assert made.relation == "DIFFERENT_MEANING"


def test_the_last_sentence_is_the_last() -> None:
    for position in POSITIONS:
        made = apply("long.negated_later", TEXT, "en", options={"position": position})
        assert str(made.text).endswith(contexts()["en"]["negation"])
        options = {"position": position, "sentence": "That was a joke."}
        made = apply("long.final_sentence", TEXT, "en", options=options)
        assert str(made.text).endswith(" That was a joke.")
        assert made.relation == "DIFFERENT_MEANING"
