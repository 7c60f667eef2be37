"""OBO 1.4 in: names and EXACT synonyms, nothing that means something else."""

from pathlib import Path

import pytest

from denotary.errors import InputError
from denotary.registry.exchange.gathering import Defaults
from denotary.registry.exchange.obo import read_obo

DEFAULTS = Defaults(language="en", prefix="HYD:")


def test_names_and_exact_synonyms_are_texts_and_no_other_scope_is(obo_file: Path) -> None:
    found = read_obo(obo_file, DEFAULTS)
    assert [(item.codes, item.text, item.source) for item in found.expressions] == [
        (("1",), "river", "illustrative.obo:8 name"),
        (("1",), "watercourse", "illustrative.obo:11 synonym EXACT"),
        (("2",), "brook, big ! or small", "illustrative.obo:25 synonym EXACT"),
        (("2",), "stream", "illustrative.obo:22 name"),
    ]
    assert {item.review.status for item in found.expressions} == {"unreviewed"}


def test_everything_left_is_counted(obo_file: Path) -> None:
    found = read_obo(obo_file, DEFAULTS)
    assert {(item.what, item.why): item.count for item in found.skipped} == {
        ("[Typedef] stanza", "only terms are concepts"): 1,
        ("parent", "it is no concept of this source"): 1,
        ("synonym BROAD", "it does not mean the same"): 1,
        ("synonym NARROW", "it does not mean the same"): 1,
        ("synonym RELATED", "it does not mean the same"): 2,
        ("tag replaced_by", "no part of a registry takes it"): 1,
        ("tag xref", "no part of a registry takes it"): 1,
        ("text", "it expresses a retired concept"): 1,
    }


def test_structure_and_definitions(obo_file: Path) -> None:
    found = read_obo(obo_file, DEFAULTS)
    concepts = {item.code: item for item in found.concepts}
    assert concepts["1"].definitions == {"en": 'A natural stream, "wide" as a rule.'}
    assert (concepts["1"].parents, concepts["1"].exact_matches) == (("2",), ("EX:17",))
    assert (concepts["1"].semantic_type, concepts["3"].status) == ("water", "retired")
    assert found.about == {"ontology": "illustrative", "data-version": "2026-11-30"}


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("[Term]\nname: a\n", 1),
        ("[Term]\nid: a:1\nid: a:2\n", 1),
        ("[Term]\nid: a:1\ndef: bare\n", 3),
        ("[Term]\nid: a:1\nno tag here\n", 3),
    ],
)
def test_what_breaks_the_format_is_named_by_line(content: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "broken.obo"
    path.write_text(content)
    with pytest.raises(InputError, match=rf"broken\.obo:{line}: "):
        read_obo(path, DEFAULTS)


def test_a_line_separator_within_a_text_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "a.obo"
    path.write_bytes("[Term]\r\nid: a:1\r\nname: one\u2028two\r\n".encode())
    assert [item.text for item in read_obo(path, DEFAULTS).expressions] == ["one\u2028two"]


@pytest.mark.parametrize("value", ["", " skos:exactMatch", " {a=1}"])
def test_a_property_without_a_value_is_named_by_line(value: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.obo"
    path.write_text(f"[Term]\nid: a:1\nproperty_value:{value}\n")
    with pytest.raises(InputError, match=r"broken\.obo:3: "):
        read_obo(path, DEFAULTS)
