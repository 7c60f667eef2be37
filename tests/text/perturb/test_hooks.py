"""Hooks: the user's forms are put, and nothing else."""

from functools import partial

import pytest

from denotary.errors import InputError
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


def german(word: str, language: str) -> str | list[str] | None:
    assert language == "en"
    forms: dict[str, str | list[str]] = {"one": "eins", "two": ["zwei", "zwo"]}
    return forms.get(word)


def of_no_type(_: str, __: str) -> int:
    return 5


def of_mixed_types(_: str, __: str) -> list[object]:
    return ["eins", 5]


def of_no_order(_: str, __: str) -> set[str]:
    return {"eins", "zwei"}


def failing(word: str, _: str) -> str:
    raise KeyError(word)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (of_no_type, "returned int; expected a text"),
        (of_mixed_types, "returned list; expected a text"),
        (of_no_order, "returned set; expected a text"),
        (failing, "raised KeyError"),
    ],
)
def test_a_function_that_gives_no_form_is_named_and_quotes_no_text(function: object, says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        apply("script.other", "quagga", "en", options={"function": function})
    assert "quagga" not in str(raised.value)


class Forms:
    def of(self, word: str, _: str) -> str:
        return word.upper()


def named() -> list[object]:
    def inner(word: str, _: str) -> str:
        return word.upper()

    return [inner, lambda word, _: word.upper(), partial(german, "one"), Forms().of, Forms()]


@pytest.mark.parametrize("number", range(5))
def test_a_function_without_a_name_of_its_own_is_refused(number: int) -> None:
    """Two of them would stand in two lineages under one name, and give different texts."""
    with pytest.raises(InputError, match="a module holds under its name") as raised:
        apply("script.other", "one", "en", options={"function": named()[number]})
    assert "lambda" in str(raised.value.hint)


def test_a_function_may_return_one_form_several_or_none() -> None:
    made = {
        apply(
            "script.other",
            "one two three",
            "en",
            seed,
            "high",
            options={"function": german},
        ).text
        for seed in range(20)
    }
    assert made == {"eins zwei three", "eins zwo three"}
