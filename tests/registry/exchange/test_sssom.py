"""SSSOM in and out, and the curated mappings of Biomappings where they are at hand."""

import csv
import os
from pathlib import Path

import pytest

from denotary.errors import InputError
from denotary.registry import lint, load_registry
from denotary.registry.exchange.gathering import Defaults, Gathered
from denotary.registry.exchange.sssom import read_sssom
from denotary.registry.exchange.sssom_writing import write_sssom
from denotary.registry.exchange.writing import import_into

BIOMAPPINGS = Path(os.environ.get("DENOTARY_BIOMAPPINGS", "biomappings"))
TABLE = """#curie_map:
#  a: https://example.org/a/
#mapping_set_id: https://example.org/set
#license: "CC0-1.0"
subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tobject_label\tmapping_justification\tconfidence
a:1\tone\tskos:exactMatch\t\tb:1\tunity\tsemapv:ManualMappingCuration\t0.9
a:2\ttwo\tskos:broadMatch\t\tb:1\tunity\tsemapv:ManualMappingCuration\t
a:3\tthree\tskos:exactMatch\tNot\tb:1\tunity\tsemapv:ManualMappingCuration\t
a:4\tfour\tskos:exactMatch\t\tb:1\tunity\tsemapv:LexicalMatching\t0.2
a:5\tfive\tskos:exactMatch\t\tsssom:NoTermFound\t\tsemapv:ManualMappingCuration\t
"""


def counts(found: Gathered) -> dict[tuple[str, str], int]:
    return {(item.what, item.why): item.count for item in found.skipped}


def table(tmp_path: Path, content: str = TABLE) -> Path:
    path = tmp_path / "m.sssom.tsv"
    path.write_text(content)
    return path


def test_labels_of_exact_mappings_are_texts_with_predicate_and_justification(tmp_path: Path) -> None:
    found = read_sssom(table(tmp_path), Defaults(language="en"))
    assert [(item.codes, item.text, item.source) for item in found.expressions] == [
        (("b:1",), "one", "m.sssom.tsv:6 skos:exactMatch semapv:ManualMappingCuration"),
        (("b:1",), "unity", "m.sssom.tsv:6 object_label"),
    ]
    assert [(item.code, item.exact_matches) for item in found.concepts] == [("b:1", ("a:1",))]
    assert found.about == {"mapping_set_id": "https://example.org/set", "license": "CC0-1.0"}
    assert counts(found) == {
        ("mapping", "it says that the two are not the same"): 1,
        ("mapping", "it says that there is no term"): 1,
        ("mapping", "its confidence is under 0.5"): 1,
        ("mapping", "its predicate is skos:broadMatch, no exact match"): 1,
    }


def test_the_registered_side_is_chosen(tmp_path: Path) -> None:
    path = table(tmp_path)
    for found in (read_sssom(path, Defaults(prefix="a:"), side="subject"),
                  read_sssom(path, Defaults(prefix="a:"), side="either")):  # fmt: skip
        assert [(item.code, item.exact_matches) for item in found.concepts] == [("1", ("b:1",))]
    with pytest.raises(InputError, match="needs the prefix"):
        read_sssom(path, Defaults(), side="either")


@pytest.mark.parametrize(
    ("content", "message"),
    [("a\tb\n1\t2\n", "column predicate_id is missing"),
     (TABLE.replace("0.9", "high"), r"m\.sssom\.tsv:6: confidence is no number")],
)  # fmt: skip
def test_a_table_that_is_wrong_is_a_named_error(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_sssom(table(tmp_path, content), Defaults())


def test_what_is_exported_comes_back_the_same_where_the_format_carries_it(tmp_path: Path) -> None:
    registry = load_registry("bundled:bootstrap")
    path = tmp_path / "out.sssom.tsv"
    made = write_sssom(registry)
    path.write_bytes(made.content)
    found = read_sssom(path, Defaults(prefix="bootstrap:"))
    assert {(item.codes[0], item.language, item.text) for item in found.expressions} == {
        (code, item.language, item.text) for item in registry.standing for code in item.codes
    }
    neighbours = sum(len(item.neighbours) for item in registry.concepts.values())
    assert counts(found) == {("mapping", "it says that the two are not the same"): neighbours}
    assert made.not_carried["ambiguities"] == len(registry.ambiguities)
    assert "neighbours" not in made.not_carried


@pytest.mark.skipif(not BIOMAPPINGS.is_dir(), reason="DENOTARY_BIOMAPPINGS names no folder with the mappings")
def test_the_mappings_of_biomappings_are_all_accounted_for(tmp_path: Path) -> None:
    path = BIOMAPPINGS / "positive.sssom.tsv"
    found = read_sssom(path, Defaults(language="en", prefix="mesh:"), side="either")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    exact = [row for row in rows if row["predicate_id"] == "skos:exactMatch"]
    mesh = [row["object_id"] if row["object_id"].startswith("mesh:") else row["subject_id"] for row in exact]
    assert {f"mesh:{item.code}" for item in found.concepts} == {
        code for code in mesh if code.startswith("mesh:")
    }
    left = sum(count for (what, _), count in counts(found).items() if what == "mapping")
    assert left == len(rows) - sum(code.startswith("mesh:") for code in mesh)
    import_into(tmp_path / "mesh", found)
    rules = [problem.code for problem in lint(load_registry(tmp_path / "mesh"))]
    assert {"nfc-collision", "missing-definition", "unreviewed"} <= set(rules)


@pytest.mark.parametrize(("modifier", "taken"), [("", 1), (" Not", 0), ("NOT ", 0), ("inverse", 0)])
def test_a_modified_mapping_is_no_exact_match(modifier: str, taken: int, tmp_path: Path) -> None:
    head, row = TABLE.splitlines()[4:6]
    path = table(tmp_path, "\n".join([head, row.replace("exactMatch\t\t", f"exactMatch\t{modifier}\t")]))
    assert len(read_sssom(path, Defaults()).concepts) == taken


@pytest.mark.parametrize("confidence", ["nan", "inf", "-0.1", "7"])
def test_a_confidence_outside_its_range_is_refused(confidence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"m\.sssom\.tsv:6: confidence"):
        read_sssom(table(tmp_path, TABLE.replace("0.9", confidence)), Defaults())


def test_a_licence_of_several_lines_stays_in_its_place() -> None:
    from dataclasses import replace

    import msgspec

    registry = load_registry("bundled:bootstrap")
    licence = 'see "terms"\nmapping_set_id: "forged"'
    header = msgspec.structs.replace(registry.header, licence=licence)
    lines = write_sssom(replace(registry, header=header)).content.decode().splitlines()
    assert [line for line in lines if line.startswith(("#mapping_set_id", "mapping_set_id"))] == [
        '#mapping_set_id: "urn:denotary:bootstrap"'
    ]
