"""SKOS in and out; rdflib reads what we write."""

from dataclasses import replace
from pathlib import Path

import pytest
from rdflib import Graph, Literal, URIRef

from denotary.errors import InputError
from denotary.registry import lint, load_registry
from denotary.registry.exchange.gathering import Defaults, Gathered
from denotary.registry.exchange.skos import CORE, read_skos
from denotary.registry.exchange.skos_writing import write_skos
from denotary.registry.exchange.writing import import_into
from denotary.registry.records import Concept

DEFAULTS = Defaults(prefix="https://example.org/water/")


def counts(found: Gathered) -> dict[tuple[str, str], int]:
    return {(item.what, item.why): item.count for item in found.skipped}


def test_labels_of_all_three_kinds_become_unreviewed_texts_with_their_language(skos_file: Path) -> None:
    found = read_skos(skos_file, DEFAULTS)
    river = {(item.language, item.text, item.source, item.script) for item in found.expressions
             if item.codes == ("river",)}  # fmt: skip
    assert river == {
        ("en", "river", "illustrative.ttl:prefLabel", "Latn"),
        ("de", "Fluss", "illustrative.ttl:prefLabel", "Latn"),
        ("ar", "نهر", "illustrative.ttl:prefLabel", "Arab"),
        ("en", "watercourse", "illustrative.ttl:altLabel", "Latn"),
        ("en", "rivver", "illustrative.ttl:hiddenLabel", "Latn"),
    }
    assert {item.review.status for item in found.expressions} == {"unreviewed"}
    assert ("en-US", "creek") in {(item.language, item.text) for item in found.expressions}
    assert ("und", "plain label") in {(item.language, item.text) for item in found.expressions}


def test_broader_narrower_exact_match_and_deprecated_are_kept(skos_file: Path) -> None:
    concepts = {item.code: item for item in read_skos(skos_file, DEFAULTS).concepts}
    assert sorted(concepts) == ["bank", "creek", "ford", "river", "shoal", "stream"]
    assert concepts["river"].parents == ("stream",)
    assert concepts["creek"].parents == ("river",)
    assert concepts["river"].exact_matches == ("https://example.com/hydro/17",)
    assert concepts["ford"].status == "retired"
    assert concepts["river"].source == "illustrative.ttl:<https://example.org/water/river>"


def test_what_is_left_is_counted_with_its_reason(skos_file: Path) -> None:
    assert counts(read_skos(skos_file, DEFAULTS)) == {
        ("concept", "it is a blank node, which has no lasting name"): 1,
        ("parent", "it is no concept of this source"): 1,
        ("property skos:notation", "no part of a registry takes it"): 1,
        ("property skos:related", "no part of a registry takes it"): 1,
        ("text", "it expresses a retired concept"): 1,
    }


def test_two_concepts_with_one_label_are_not_merged_and_lint_reports_the_collision(
    skos_file: Path, tmp_path: Path
) -> None:
    report = import_into(tmp_path / "water", read_skos(skos_file, DEFAULTS))
    assert any(warning.startswith("1 texts stand for several concepts") for warning in report.warnings)
    registry = load_registry(tmp_path / "water")
    found = [problem.record for problem in lint(registry) if problem.code == "nfc-collision"]
    assert found == [
        next(item.id for item in registry.expressions if item.codes == ("shoal",) and item.text == "bank")
    ]


def test_the_same_file_gives_the_same_records(skos_file: Path) -> None:
    first, again = (read_skos(skos_file, DEFAULTS) for _ in range(2))
    assert (first.concepts, first.expressions, first.skipped) == (
        again.concepts,
        again.expressions,
        again.skipped,
    )


def test_what_is_exported_comes_back_the_same_where_the_format_carries_it(
    skos_file: Path, tmp_path: Path
) -> None:
    import_into(tmp_path / "water", read_skos(skos_file, DEFAULTS))
    before = load_registry(tmp_path / "water")
    out = tmp_path / "out.ttl"
    out.write_bytes(write_skos(before, DEFAULTS.prefix).content)
    after = read_skos(out, DEFAULTS)

    def shape(concept: Concept) -> tuple[object, ...]:
        return (concept.code, concept.definitions, concept.parents, concept.exact_matches, concept.status)

    assert [shape(item) for item in after.concepts] == [shape(item) for item in before.concepts.values()]
    assert [(item.id, item.text, item.language, item.script, item.codes, item.review)
            for item in after.expressions] == [
        (item.id, item.text, item.language, item.script, item.codes, item.review)
        for item in before.expressions
    ]  # fmt: skip
    assert [item for item in after.skipped if item.what != "text"] == []


def test_an_independent_parser_reads_what_is_written() -> None:
    registry = load_registry("bundled:bootstrap")
    made = write_skos(registry)
    graph = Graph().parse(data=made.content, format="turtle")
    labels = [URIRef(f"{CORE}{name}") for name in ("prefLabel", "altLabel", "hiddenLabel")]
    found = {(str(s).removeprefix("urn:denotary:bootstrap:"), str(o.language), str(o))
             for label in labels for s, o in graph.subject_objects(label) if isinstance(o, Literal)}  # fmt: skip
    assert found == {(code, item.language, item.text) for item in registry.standing for code in item.codes}
    preferred = list(graph.subject_objects(labels[0]))
    assert len(preferred) == len({(s, getattr(o, "language", None)) for s, o in preferred})
    assert made.content == write_skos(registry).content


def test_what_skos_cannot_carry_is_listed() -> None:
    registry = load_registry("bundled:bootstrap")
    left = write_skos(registry).not_carried
    assert left["neighbours"] == sum(len(item.neighbours) for item in registry.concepts.values())
    assert left["ambiguities"] == len(registry.ambiguities)
    assert left["expressions: review"] == len(registry.standing)
    assert not {"concepts: definitions", "concepts: parents", "expressions: language"} & left.keys()


def test_codes_that_differ_stay_apart(skos_file: Path, tmp_path: Path) -> None:
    import_into(tmp_path / "water", read_skos(skos_file, DEFAULTS))
    registry = load_registry(tmp_path / "water")
    one = registry.concepts["river"]
    codes = ("a b", "a%20b", "a%2520b")
    named = {c: type(one)(**{n: getattr(one, n) for n in one.__struct_fields__} | {"code": c}) for c in codes}
    graph = Graph().parse(data=write_skos(replace(registry, concepts=named)).content, format="turtle")
    assert len(set(graph.subjects(None, URIRef(f"{CORE}Concept")))) == len(codes)


@pytest.mark.parametrize("text", ['quote " and \\ backslash', "tab\tline\nreturn\r", "🙂 déjà"])
def test_literals_survive_whatever_they_hold(text: str, skos_file: Path, tmp_path: Path) -> None:
    import_into(tmp_path / "water", read_skos(skos_file, DEFAULTS))
    registry = load_registry(tmp_path / "water")
    one = registry.concepts["river"]
    changed = type(one)(
        **{name: getattr(one, name) for name in one.__struct_fields__} | {"definitions": {"en": text}}
    )
    made = write_skos(replace(registry, concepts={"river": changed}))
    graph = Graph().parse(data=made.content, format="turtle")
    assert [str(value) for value in graph.objects(None, URIRef(f"{CORE}definition"))] == [text]


@pytest.mark.parametrize(
    ("name", "content"), [("a.ttl", "<a"), ("a.rdf", "no xml"), ("a.jsonld", "{}"), ("a.nt", "x y")]
)
def test_a_file_that_cannot_be_read_is_a_named_error(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=name):
        read_skos(path, DEFAULTS)


HALVES = (
    "skos:prefLabel 'a \\uD800'@en",
    "skos:definition 'a \\uDFFF'@en",
    "skos:exactMatch <http://x/\\uD800>",
)


@pytest.mark.parametrize("said", HALVES)
def test_half_a_character_is_an_error_with_its_file_and_concept(tmp_path: Path, said: str) -> None:
    path = tmp_path / "half.ttl"
    path.write_text(
        f"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<http://x/a> a skos:Concept ; {said} .\n"
    )
    with pytest.raises(InputError, match=r"half\.ttl: <http://x/a>: a string holds a lone surrogate"):
        read_skos(path, Defaults())
