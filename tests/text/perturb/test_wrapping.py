"""Formats: other parsers read the text back."""

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from denotary.text.perturb import apply, operator_named

CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cs", "Cn", "Co"])
ANY = st.text(
    st.one_of(st.sampled_from("\"'\\<>&:#\n\r\t\u0085\u2028é"), CHARACTERS), min_size=1, max_size=20
)


@given(ANY)
def test_json_reads_the_field_back(text: str) -> None:
    assume(text.strip())
    made = apply("format.json_field", text, options={"field": "label"})
    assert made.text is not None
    assert json.loads(made.text) == {"label": text}


@given(ANY)
def test_the_yaml_value_is_a_json_string_without_bare_controls(text: str) -> None:
    assume(text.strip())
    made = apply("format.yaml_field", text)
    assert made.text is not None
    key, _, value = made.text.partition(": ")
    assert (key, json.loads(value)) == ("text", text)
    assert not set(value) & set(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)))


@given(ANY)
def test_xml_reads_the_content_back(text: str) -> None:
    made = apply("format.xml_field", text)
    if made.text is not None and "\r" not in text:
        assert ET.fromstring(made.text).text == text


@pytest.mark.parametrize(
    ("operator", "language", "text", "expected"),
    [
        ("format.code", "en", "plain", "`plain`"),
        ("format.code", "en", "a `b` c", "`` a `b` c ``"),
        ("format.quoted", "en", "word", "“word”"),
        ("format.quoted", "de-AT", "Wort", "„Wort“"),
        ("format.quoted", "fr", "mot", "«mot»"),
        ("format.quoted", "ja", "語", "「語」"),
        ("format.struck", "en", "word", "~~word~~"),
        ("format.numbered", "en", "word", "1. word"),
        ("format.upper", "tr", "ışık", "IŞIK"),
        ("format.upper", "tr", "iki", "İKİ"),
        ("format.lower", "tr", "IŞIK", "ışık"),
        ("format.lower", "az", "İKİ", "iki"),
        ("format.alternating", "en", "words", "wOrDs"),
        ("format.double_space", "en", "a b", "a  b"),
    ],
)
def test_what_comes_out(operator: str, language: str, text: str, expected: str) -> None:
    assert apply(operator, text, language).text == expected


@pytest.mark.parametrize(
    ("operator", "text", "relation"),
    [
        ("format.upper", "registry", "SAME_MEANING"),
        ("format.upper", "us", "POTENTIALLY_AMBIGUOUS"),
        ("format.upper", "Strasse", "SAME_MEANING"),
        ("format.upper", "Straße", "POTENTIALLY_AMBIGUOUS"),
        ("format.lower", "Registry", "SAME_MEANING"),
        ("format.lower", "the Polish", "POTENTIALLY_AMBIGUOUS"),
        ("format.lower", "WHO", "POTENTIALLY_AMBIGUOUS"),
        ("format.quoted", "word", "POTENTIALLY_AMBIGUOUS"),
        ("format.bold", "word", "SAME_MEANING"),
    ],
)
def test_the_relation_follows_from_the_word(operator: str, text: str, relation: str) -> None:
    assert apply(operator, text, "de" if "ß" in text else "en").relation == relation


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', '{"a": "b", "c": "d"}', "text: open", "<a>b</c>", "**"])
def test_an_inverse_leaves_what_is_no_such_field(text: str) -> None:
    for name in ("format.json_field", "format.yaml_field", "format.xml_field", "format.bold"):
        inverse = operator_named(name).inverse
        assert inverse is not None
        assert inverse(text) == text
