"""Hooks: the user's forms are put, and nothing else."""

import pytest

from denotary.text.perturb import apply

TABLE = {"saw": ["sees", "seen"], "house": "houses", "houses": "house"}


def test_only_words_of_the_table_change() -> None:
    made = {
        apply("morphology.inflection", "she saw it", "en", seed, options={"table": TABLE}).text
        for seed in range(20)
    }
    assert made == {"she sees it", "she seen it"}


def test_a_form_that_is_another_entry_may_be_read_as_that() -> None:
    options = {"table": TABLE}
    assert (
        apply("morphology.inflection", "a house", "en", options=options).relation == "POTENTIALLY_AMBIGUOUS"
    )
    assert apply("morphology.inflection", "we saw", "en", options=options).relation == "SAME_MEANING"
    shared = {"table": {"कल": "kal", "काल": "kal"}}
    assert apply("script.romanised", "कल", "hi", options=shared).relation == "POTENTIALLY_AMBIGUOUS"


@pytest.mark.parametrize(
    ("operator", "relation"),
    [
        ("spelling.attested", "SAME_MEANING"),
        ("morphology.inflection", "SAME_MEANING"),
        ("morphology.derivation", "POTENTIALLY_AMBIGUOUS"),
        ("morphology.negation", "DIFFERENT_MEANING"),
        ("script.romanised", "SAME_MEANING"),
        ("script.other", "SAME_MEANING"),
        ("script.vowels_omitted", "POTENTIALLY_AMBIGUOUS"),
        ("script.respelled", "POTENTIALLY_AMBIGUOUS"),
    ],
)
def test_each_hook_declares_a_relation_that_reviewers_can_overrule(operator: str, relation: str) -> None:
    options: dict[str, object] = {"table": {"word": "wort"}}
    assert apply(operator, "word", "de", options=options).relation == relation
    for other in ("SAME_MEANING", "DIFFERENT_MEANING", "POTENTIALLY_AMBIGUOUS"):
        assert apply(operator, "word", "de", options={**options, "relation": other}).relation == other


def test_kept_words_stay_and_units_are_what_is_looked_up() -> None:
    table = {"Ada": "आदा", "writes": "लिखती"}
    made = apply("script.romanised", "Ada writes", "en", 0, "high", options={"table": table, "keep": ["Ada"]})
    assert made.text == "Ada लिखती"
    whole = {"Ada writes": "आदा लिखती है"}
    assert (
        apply("script.other", "Ada writes", "en", options={"table": whole, "unit": "text"}).text
        == "आदा लिखती है"
    )
    assert apply("script.other", "क्ष", "hi", options={"table": {"क्ष": "क्स"}, "unit": "cluster"}).text == "क्स"


def test_a_function_may_return_one_form_several_or_none() -> None:
    forms = {"one": "eins", "two": ["zwei", "zwo"]}
    made = {
        apply(
            "script.other",
            "one two three",
            "en",
            seed,
            "high",
            options={"function": lambda word, _: forms.get(word)},
        ).text
        for seed in range(20)
    }
    assert made == {"eins zwei three", "eins zwo three"}
