"""Suites of two versions and registries of two snapshots: what is paired, and what is counted as not comparable."""

import json
import shutil

import pytest
from release_bench import Bench, gate, row, texts, underlying

from denotary.certify import compare, verify
from denotary.certify.comparison_reporting import report
from denotary.certify.comparison_writing import documents
from denotary.errors import InputError
from denotary.files import encode_jsonl
from denotary.registry import freeze as freeze_registry
from denotary.reports.comparison_page import html
from denotary.suites import freeze as freeze_suite
from denotary.suites import withdraw
from denotary.suites.correcting import Decision
from denotary.suites.records import BoardMember


def test_two_suites_are_no_versions_of_one(plain: Bench) -> None:
    folder = plain.root / "another"
    shutil.copytree(plain.root / "suite", folder)
    for file in ("suite.lock", "records.sha256", "ledger.jsonl"):
        (folder / file).unlink()
    manifest = folder / "suite.toml"
    manifest.write_text(manifest.read_text().replace("small-suite", "another"))
    freeze_suite(folder)
    with pytest.raises(InputError, match="two suites, small-suite and another"):
        compare(plain.run("base", {}), plain.run("new", {}, suite="another"))


def test_suites_of_two_versions_pair_by_record_and_content(plain: Bench) -> None:
    cases = texts(plain.case)
    cases[2] = plain.case("c02", text="text 2 reworded")
    plain.suite([*cases[:11], plain.case("added", text="new text")], "later", version="2.0.0")
    found = compare(plain.run("base", {}), plain.run("new", {}, suite="later"))
    alignment = found.alignment
    assert alignment.changed == ("c02",)
    assert alignment.base_alone == ("c11",)
    assert alignment.new_alone == ("added",)
    assert alignment.unexplained == ("c02", "c11")
    assert len(found.pairs) == 10
    compared = row(found, "faar")
    assert (compared.new_denominator, compared.unpaired_base, compared.unpaired_new) == (10, 2, 2)
    assert gate(found, "alignment").verdict == "INSUFFICIENT"
    assert "the ledger says nothing of 2 records: c02, c11" in gate(found, "alignment").reason
    page = html(report(found))
    assert "stand in the base&#39;s suite alone" in page
    assert "c11" in page


def test_what_the_ledger_explains_does_not_withhold(plain: Bench) -> None:
    later = plain.root / "later"
    shutil.copytree(plain.root / "suite", later)
    board = (BoardMember(who="r-1", role="independent"),)
    decision = Decision(who="secretary", why="not a text", cause="E29", board=board)
    withdraw(later, ["c00"], decision)
    manifest = later / "suite.toml"
    manifest.write_text(manifest.read_text().replace('version = "1.0.0"', 'version = "2.0.0"', 1))
    freeze_suite(later)
    found = compare(plain.run("base", {}), plain.run("new", {}, suite="later"))
    assert found.alignment.base_alone == ("c00",)
    assert found.alignment.unexplained == ()
    assert underlying(found, "alignment") == "PASS"
    assert gate(found, "alignment").reason.startswith(
        "11 cases are compared; not compared, with a reason on record: 1 in the base's suite alone"
    )


def test_siblings_of_either_suite_are_siblings(plain: Bench) -> None:
    """An added case ties two texts together; together they are one unit, before as now."""
    cases = texts(plain.case)
    tie = plain.case("tie", text="tie", semantic_seed_id="seed-c00", parent_record_id="c01",
                     construction={"meaning_relation_to_parent": "SAME_MEANING"})  # fmt: skip
    plain.suite([*cases, tie], "later", version="1.1.0")
    found = compare(plain.run("base", {}), plain.run("new", {}, suite="later"))
    assert len(found.pairs) == 12
    assert len(set(found.alignment.unit.tolist())) == 11
    assert found.alignment.unit[0] == found.alignment.unit[1]


RENAMED = [
    {"from_version": "1.0.0", "from_code": "x.alpha", "to_codes": ["x.omega"], "change": "renamed"},
    {"from_version": "1.0.0", "from_code": "x.gamma", "to_codes": ["x.gamma", "x.delta"], "change": "split"},
]


@pytest.fixture
def moved(bench: Bench) -> Bench:
    """Version 2 of the registry calls x.alpha x.omega and splits x.gamma; the cases follow it."""
    bench.registry()
    concepts = [
        json.loads(line) for line in (bench.root / "registry/concepts.jsonl").read_text().splitlines()
    ]
    expressions = [
        json.loads(line) for line in (bench.root / "registry/expressions.jsonl").read_text().splitlines()
    ]
    for record in concepts:
        record["code"] = record["code"].replace("x.alpha", "x.omega")
    concepts.append({**concepts[2], "code": "x.delta", "definitions": {"en": "the other part of gamma"}})
    concepts[2]["definitions"] = {"en": "one part of gamma"}
    for record in expressions:
        record["codes"] = [code.replace("x.alpha", "x.omega") for code in record["codes"]]
    ambiguity = {
        "id": "a-bank", "text": "bank", "language": "en", "codes": ["x.omega", "x.beta"], "kind": "closed",
    }  # fmt: skip
    bench.registry(
        "registry2", "2.0.0", concepts=concepts, expressions=expressions, ambiguities=[ambiguity],
        migrations=RENAMED,
    )  # fmt: skip
    gamma = {"c10": "x.gamma", "c11": "x.gamma"}
    bench.suite(
        [bench.case(f"c{n:02}", gamma.get(f"c{n:02}", "x.alpha"), text=f"text {n}") for n in range(12)]
    )
    later = [
        bench.case(f"c{n:02}", gamma.get(f"c{n:02}", "x.omega"), text=f"text {n}", registry_version="2.0.0")
        for n in range(12)
    ]
    bench.suite(later, "suite2", "registry2", version="2.0.0")
    return bench


def test_runs_on_two_snapshots_align_through_the_map(moved: Bench) -> None:
    renamed = {f"text {n}": "x.omega" for n in range(10)} | {"text 10": "x.gamma", "text 11": "x.gamma"}
    base = moved.run("base", {"text 3": "x.beta", "text 4": "x.beta", "text 10": "x.gamma"})
    new = moved.run("new", renamed | {"text 3": "x.beta", "text 4": "x.beta"}, suite="suite2")
    found = compare(base, new)
    assert found.alignment.unmapped == ("c10", "c11")
    assert found.alignment.changed == ()
    assert len(found.pairs) == 10
    assert row(found, "assignment_risk").ties == 10
    assert row(found, "assignment_risk", "concept=x.omega").base_denominator == 10
    # The same confusion under another name is no new one.
    assert underlying(found, "neighbour_confusion") == "PASS"
    assert underlying(found, "alignment") == "PASS"
    content = json.loads(documents(found)["comparison.json"])["predicate"]["alignment"]
    assert content["unmapped"] == ["c10", "c11"]
    assert [step["change"] for step in content["migration"]["steps"]] == ["renamed", "split"]
    state = {item.component: item.state for item in found.components}
    assert state["concept_set"] == state["definitions"] == "changed"
    page = html(report(found))
    assert "x.alpha: renamed to x.omega" in page
    assert "2 name a concept whose meaning was not carried over" in page


def test_a_release_that_gets_worse_is_found_across_snapshots(moved: Bench) -> None:
    renamed = {f"text {n}": "x.omega" for n in range(10)} | {"text 10": "x.gamma", "text 11": "x.gamma"}
    found = compare(moved.run("base", {}), moved.run("new", renamed | {"text 3": "x.beta"}, suite="suite2"))
    assert (gate(found, "critical_seeds").verdict, gate(found, "critical_seeds").numerator) == ("FAIL", 1)
    assert row(found, "assignment_risk").worse == 1


def test_without_a_map_scores_across_snapshots_are_refused(moved: Bench) -> None:
    folder = moved.root / "registry3"
    shutil.copytree(moved.root / "registry2", folder)
    for file in ("registry.lock", "records.sha256"):
        (folder / file).unlink()
    (folder / "migrations.jsonl").write_text("")
    freeze_registry(folder)
    cases = [json.loads(line) for line in (moved.root / "suite2/cases.jsonl").read_text().splitlines()]
    moved.suite(cases, "suite3", "registry3", version="2.0.0")
    base, new = moved.run("base", {}), moved.run("new", {}, suite="suite3")
    with pytest.raises(
        InputError, match="scores across registry versions are refused without a migration map"
    ):
        compare(base, new)
    given = moved.root / "map.jsonl"
    given.write_bytes(encode_jsonl(RENAMED))
    found = compare(base, new, migration=given)
    assert len(found.pairs) == 10
    found.write(moved.root / "out")
    assert (moved.root / "out/migration.jsonl").read_bytes() == encode_jsonl(found.migrations or ())
    assert verify(moved.root / "out") == []
    given.write_bytes(encode_jsonl(RENAMED[:1]))
    with pytest.raises(InputError, match=r"the migration from 1\.0\.0 to 2\.0\.0 does not hold"):
        compare(base, new, migration=given)
    # The map that was given is written along, so the comparison does not depend on the file any more.
    assert verify(moved.root / "out") == []
    (moved.root / "out/migration.jsonl").unlink()
    assert any("without a migration map" in line for line in verify(moved.root / "out"))
