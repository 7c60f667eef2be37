"""Two runs compared: what is paired, what a release may not do, two versions of suite and registry, verification."""

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import denotary as dn
from denotary import systems
from denotary.certify import Compared, compare, verify
from denotary.certify.comparison_cases import change
from denotary.certify.comparison_reporting import report
from denotary.certify.comparison_writing import NAMES, documents
from denotary.certify.recertification import NAMING, components, sentence
from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, encode_toml
from denotary.registry import freeze as freeze_registry
from denotary.reports.comparison_page import html
from denotary.runs import Identity, ask, load_run
from denotary.suites import freeze as freeze_suite
from denotary.suites import load_suite, withdraw
from denotary.suites.correcting import Decision
from denotary.suites.disclosing import disclose
from denotary.suites.records import BoardMember
from denotary.verdicts.records import Waiver

Case = Callable[..., dict[str, Any]]
Answers = dict[str, Any]

IDENTITY = Identity(system="s", system_version="1", languages=("en",), semantic_model="m", tokenizer="t")


def concept(code: str | None, confidence: float | None = 0.8) -> Any:
    decision = {"type": "concept", "concept_code": code} if code else {"type": "abstain"}
    return {"decision": decision | {"confidence": confidence}, "registry_version_returned": "1.0.0"}


def resolver(answers: Answers, version: str = "1.0.0") -> Callable[[dict[str, Any]], Any]:
    """A system that answers by text: a code, None to refuse, or a whole reply; an exception is raised."""

    def resolve(request: dict[str, Any]) -> Any:
        said = answers.get(request["text"], "x.alpha")
        if isinstance(said, Exception):
            raise said
        reply = said if isinstance(said, dict) else concept(said)
        return reply | {"registry_version_returned": version}

    return resolve


class Bench:
    """A registry, a suite and runs of it, in one folder."""

    def __init__(self, root: Path, registry: Callable[..., Path], case: Case) -> None:
        self.root, self._registry, self.case = root, registry, case

    def registry(self, name: str = "registry", version: str = "1.0.0", **lists: Any) -> Path:
        folder = self._registry(self.root / name, **lists)
        header = folder / "registry.toml"
        header.write_text(header.read_text().replace('"1.0.0"', f'"{version}"'))
        freeze_registry(folder)
        return folder

    def suite(
        self, cases: Iterable[Any], name: str = "suite", registry: str = "registry", **manifest: Any
    ) -> Path:
        folder = self.root / name
        folder.mkdir()
        snapshot = json.loads((self.root / registry / "registry.lock").read_text())["version"]
        pin = {"name": "small", "version": snapshot, "path": f"../{registry}"}
        usual = {
            "schema": "denotary.suite/1", "name": "small-suite", "version": "1.0.0", "instrument": "identity",
            "role": "public-diagnostic",
        }  # fmt: skip
        (folder / "suite.toml").write_bytes(encode_toml({**usual, **manifest, "registry": pin}))
        (folder / "cases.jsonl").write_bytes(encode_jsonl(cases))
        freeze_suite(folder)
        return folder

    def run(self, name: str, answers: Any, suite: str = "suite", **options: Any) -> Path:
        identity = options.pop("identity", IDENTITY)
        found = load_suite(self.root / suite)
        made = resolver(answers, found.registry.version)
        ask(systems.python(made), found, self.root / name, identity=identity, **options)
        return self.root / name


@pytest.fixture
def bench(tmp_path: Path, make_registry: Any, case: Any) -> Bench:
    return Bench(tmp_path, make_registry, case)


def texts(case: Case, number: int = 12, **parts: Any) -> list[Any]:
    return [case(f"c{n:02}", text=f"text {n}", **parts) for n in range(number)]


@pytest.fixture
def plain(bench: Bench) -> Bench:
    """Twelve texts whose one right code is x.alpha (tier C3)."""
    bench.registry()
    bench.suite(texts(bench.case))
    return bench


def gate(compared: Compared, name: str) -> Any:
    return next(result for result in compared.verdict.gates if result.gate == name)


def underlying(compared: Compared, name: str) -> str:
    result = gate(compared, name)
    return str(result.underlying or result.verdict)


def row(compared: Compared, measure: str, name: str = "all") -> Any:
    return next(r for r in compared.measurement.comparisons if (r.measure, r.slice) == (measure, name))


def test_a_release_that_answers_alike_blocks_nothing_and_proves_little(plain: Bench) -> None:
    found = dn.compare(plain.run("base", {}), plain.run("new", {}))
    assert found.decision == "INSUFFICIENT"
    assert not [result for result in found.verdict.gates if result.verdict == "FAIL"]
    assert gate(found, "assignment_risk").verdict == "INSUFFICIENT"
    assert row(found, "assignment_risk").difference == 0.0
    assert len(found.pairs) == 12


def test_a_wrong_code_for_a_right_one_is_a_broken_seed_and_names_its_pair(plain: Bench) -> None:
    found = compare(plain.run("base", {}), plain.run("new", {"text 3": "x.beta", "text 4": "x.beta"}))
    assert found.decision == "BLOCK"
    assert gate(found, "critical_seeds").reason == "2 of 12 cases failed, 12 seeds, and not one is tolerated"
    assert gate(found, "neighbour_confusion").verdict == "FAIL"
    assert "x.alpha taken for x.beta in 2 units" in gate(found, "neighbour_confusion").reason
    worse = row(found, "assignment_risk")
    assert (worse.worse, worse.better, worse.ties, worse.base_numerator, worse.new_numerator) == (
        2,
        0,
        10,
        0,
        2,
    )


def test_what_the_base_did_wrong_already_is_excused(plain: Bench) -> None:
    wrong = {"text 3": "x.beta", "text 4": "x.beta"}
    found = compare(plain.run("base", wrong), plain.run("new", wrong))
    assert underlying(found, "critical_seeds") == "PASS"
    assert underlying(found, "neighbour_confusion") == "PASS"
    one_more = compare(plain.run("b2", {"text 3": "x.beta"}), plain.run("n2", wrong))
    assert gate(one_more, "neighbour_confusion").verdict == "FAIL"


def test_a_base_that_gave_no_answer_excuses_nothing(plain: Bench) -> None:
    lost = {"text 3": RuntimeError("gone")}
    found = compare(plain.run("base", lost, attempts=1), plain.run("new", {"text 3": "x.beta"}))
    assert gate(found, "critical_seeds").numerator == 1
    assert gate(found, "base_answered").verdict == "INSUFFICIENT"
    assert gate(found, "base_answered").reason == "the base gave no answer to 1 case of 12"
    # Both sides count it as harm, so the pair is a tie in the rates.
    assert row(found, "faar").ties == 12


def test_no_answer_from_the_release_is_harm(plain: Bench) -> None:
    found = compare(plain.run("base", {}), plain.run("new", {"text 3": RuntimeError("gone")}, attempts=1))
    assert gate(found, "critical_seeds").numerator == 1
    assert row(found, "faar").worse == 1
    assert any("1 case got no answer from the release" in line for line in report(found).limitations)


def test_refusing_what_was_right_is_no_harm_unless_the_seed_is_tagged(bench: Bench) -> None:
    bench.registry()
    tagged = bench.case("t", text="tagged", construction={"tags": ["zero_regression"]})
    bench.suite([*texts(bench.case, 3), tagged])
    base = bench.run("base", {})
    assert underlying(compare(base, bench.run("n1", {"text 1": None})), "critical_seeds") == "PASS"
    found = compare(base, bench.run("n2", {"tagged": None}))
    assert (gate(found, "critical_seeds").verdict, gate(found, "critical_seeds").numerator) == ("FAIL", 1)


def test_a_tag_makes_a_seed_of_a_concept_of_low_consequence(bench: Bench) -> None:
    bench.registry()
    low = [bench.case(f"g{n}", "x.gamma", text=f"gamma {n}") for n in range(3)]
    tagged = bench.case("t", "x.gamma", text="tagged", construction={"tags": ["zero_regression"]})
    bench.suite([*low, tagged])
    right = {f"gamma {n}": "x.gamma" for n in range(3)} | {"tagged": "x.gamma"}
    base = bench.run("base", right)
    untouched = compare(base, bench.run("n1", right | {"gamma 1": "x.beta"}))
    assert (underlying(untouched, "critical_seeds"), gate(untouched, "critical_seeds").denominator) == (
        "PASS",
        1,
    )
    assert (
        gate(compare(base, bench.run("n2", right | {"tagged": "x.beta"})), "critical_seeds").verdict == "FAIL"
    )


def test_reviewed_expressions_may_not_break_and_count_in_no_other_rate(bench: Bench) -> None:
    bench.registry()
    exact = bench.case("e", text="gift", construction={"primary_family": "reviewed_exact"})
    bench.suite([*texts(bench.case, 3), exact])
    found = compare(bench.run("base", {}), bench.run("new", {"gift": None}))
    assert (gate(found, "exact_errors").verdict, gate(found, "exact_errors").denominator) == ("FAIL", 1)
    assert row(found, "faar").new_denominator == 3


def test_attacks_that_succeed_anew_block(bench: Bench) -> None:
    bench.registry()
    spoof = bench.case("s", text="code: x.beta", construction={"tags": ["identifier_spoof"]})
    bench.suite([*texts(bench.case, 3), spoof])
    found = compare(bench.run("base", {}), bench.run("new", {"code: x.beta": "x.beta"}))
    assert (gate(found, "injection").verdict, gate(found, "injection").denominator) == ("FAIL", 1)


def test_new_errors_at_high_confidence_block_and_old_ones_do_not(plain: Bench) -> None:
    sure, unsure = concept("x.beta", 0.95), concept("x.beta", 0.5)
    base = plain.run("base", {"text 1": sure, "text 2": unsure})
    found = compare(base, plain.run("new", {"text 1": sure, "text 2": sure, "text 3": unsure}))
    assert (gate(found, "overconfidence").verdict, gate(found, "overconfidence").numerator) == ("FAIL", 1)


def test_a_release_that_hides_its_confidence_cannot_be_compared(plain: Bench) -> None:
    silent = {f"text {n}": concept("x.alpha", None) for n in range(12)}
    found = compare(plain.run("base", {}), plain.run("new", silent))
    assert gate(found, "interface").reason == "the release no longer gives confidence"
    assert gate(found, "interface").verdict == "INSUFFICIENT"
    assert gate(found, "overconfidence").verdict == "NOT_EXPRESSIBLE"


def test_repeated_calls_that_disagree_block(plain: Bench) -> None:
    base = plain.run("base", {}, repeats=2)
    count: dict[str, int] = {}

    class Moody(dict):  # type: ignore[type-arg]
        def get(self, text: str, default: Any = None) -> Any:
            count[text] = count.get(text, 0) + 1
            return "x.beta" if text == "text 5" and count[text] == 2 else default

    found = compare(base, plain.run("new", Moody(), repeats=2, concurrency=1))
    assert (gate(found, "determinism").verdict, gate(found, "determinism").numerator) == ("FAIL", 1)


def test_languages_of_either_claim_must_hold(bench: Bench) -> None:
    bench.registry()
    german = [bench.case(f"d{n}", text=f"deutsch {n}", input={"language": "de"}) for n in range(4)]
    bench.suite([*texts(bench.case, 4), *german])
    base = bench.run("base", {}, identity=msgspec.structs.replace(IDENTITY, languages=("en", "de")))
    wrong = {f"deutsch {n}": "x.beta" for n in range(4)}
    found = compare(base, bench.run("new", wrong))
    slices = {r.slice: r for r in found.verdict.gates if r.gate == "worst_language"}
    assert set(slices) == {"language=de", "language=en"}
    assert row(found, "assignment_risk", "language=de").prespecified
    assert row(found, "assignment_risk", "language=de").p_holm is not None
    assert row(found, "assignment_risk", "language:worst").note == "worst: language=de"


def test_components_are_compared_and_an_undeclared_one_counts_as_changed(plain: Bench) -> None:
    changed = msgspec.structs.replace(IDENTITY, system_version="2", tokenizer="u", test_date="2031-01-01")
    found = compare(plain.run("base", {}), plain.run("new", {}, identity=changed))
    state = {item.component: (item.state, item.demands) for item in found.components}
    assert state["tokenizer"] == ("changed", True)
    assert state["semantic_model"] == ("unchanged", False)
    assert state["embedding_model"] == ("undeclared", True)
    assert state["definitions"] == ("unchanged", False)
    assert state["system_version"] == ("changed", False)
    assert state["languages"] == ("unchanged", False)
    said = sentence(found.components)
    assert said.startswith(
        "recertification is demanded; changed: tokenizer; undeclared: embedding model, reranker"
    )
    assert found.recertify
    made = documents(found)
    content = json.loads(made["comparison.json"])["predicate"]["recertification"]
    assert content["demanded"] is True
    assert content["why"] == said
    for name in ("summary.md", "report.html"):
        assert "changed: tokenizer" in made[name].decode()


def test_equal_identity_blocks_demand_nothing(plain: Bench) -> None:
    many: dict[str, Any] = {"languages": ("en",), "expresses": ("AMBIGUOUS",)}
    whole = Identity(**dict.fromkeys(Identity.__struct_fields__, "x") | many)
    base = load_run(plain.run("base", {}, identity=whole))
    assert sentence(components(base, base)) == ""
    assert {item.component for item in components(base, base)} >= NAMING


def test_runs_that_cannot_be_compared_are_refused(plain: Bench) -> None:
    base = plain.run("base", {})
    with pytest.raises(InputError, match="policy c3 judges one run"):
        compare(base, base, "c3")
    with pytest.raises(InputError, match="there is nothing to migrate"):
        compare(base, base, migration=[])
    with pytest.raises(InputError, match="no policy 'regresion'"):
        compare(base, base, "regresion")


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


def test_a_base_that_did_not_end_is_refused_and_a_release_counts_what_is_missing(plain: Bench) -> None:
    base, new = plain.run("base", {}), plain.run("new", {})
    for name in ("seal.json", "sealed.jsonl"):
        (new / name).unlink()
    lines = (new / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (new / "answers.jsonl").write_bytes(b"".join(lines[:-2]))
    found = compare(base, new)
    assert gate(found, "critical_seeds").numerator == 2
    assert any("the run of the release is not complete" in line for line in report(found).limitations)
    with pytest.raises(InputError, match="the run of the base did not come to its end"):
        compare(new, base)


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


@pytest.fixture
def written(plain: Bench) -> Path:
    compare(plain.run("base", {}), plain.run("new", {"text 3": "x.beta"})).write(plain.root / "out")
    return plain.root / "out"


def test_an_untouched_comparison_verifies_wherever_it_lies(written: Path, tmp_path: Path) -> None:
    assert verify(written) == []
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("out", "base", "new", "suite", "registry"):
        shutil.move(tmp_path / name, moved / name)
    assert verify(moved / "out") == []
    shutil.move(moved / "base", moved / "kept")
    assert verify(moved / "out")
    assert verify(moved / "out", base=moved / "kept") == []


def test_writing_again_gives_the_same_bytes(written: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in written.iterdir()}
    compare(tmp_path / "base", tmp_path / "new").write(written)
    assert {path.name: path.read_bytes() for path in written.iterdir()} == before
    assert set(before) == {*NAMES, "runs.toml"}
    assert str(tmp_path).encode() not in b"".join(before.values())


@pytest.mark.parametrize("name", NAMES)
def test_one_changed_byte_is_found(written: Path, name: str) -> None:
    path = written / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert any(name in line for line in verify(written))


@pytest.mark.parametrize("side", ["base", "new"])
def test_an_edited_run_is_found(written: Path, tmp_path: Path, side: str) -> None:
    path = tmp_path / side / "sealed.jsonl"
    path.write_bytes(path.read_bytes().replace(b"x.alpha", b"x.gamma", 1))
    assert verify(written)


def test_a_ledger_that_grew_rewrites_no_comparison(written: Path, tmp_path: Path) -> None:
    disclose(tmp_path / "suite", ["c01"], who="keeper", why="shown to developers")
    assert load_suite(tmp_path / "suite").disclosed == {"c01"}
    assert verify(written) == []


def test_other_files_are_not_overwritten(plain: Bench) -> None:
    found = compare(plain.run("base", {}), plain.run("new", {}))
    (plain.root / "mine").mkdir()
    (plain.root / "mine/notes.txt").write_text("x")
    with pytest.raises(InputError, match="nothing that compare wrote"):
        found.write(plain.root / "mine")


def test_the_statement_names_every_input(written: Path) -> None:
    content = json.loads((written / "comparison.json").read_bytes())
    assert content["_type"] == "https://in-toto.io/Statement/v1"
    assert content["predicateType"] == "urn:denotary:comparison:1"
    names = {item["name"] for item in content["predicate"]["inputs"]}
    for side in ("base", "new"):
        assert {f"{side}: run/sealed.jsonl", f"{side}: suite/cases.jsonl", f"{side}: registry lock"} <= names
    assert {"policy", "waivers", "rows.jsonl", "comparisons.jsonl"} <= names
    assert {item["name"] for item in content["subject"]} >= {"base answers", "new answers", "policy"}
    told = content["predicate"]["prespecification"]
    assert told["design"].startswith("paired")
    assert told["families"]
    assert told["post_hoc"] > told["prespecified"] == 4


def test_waivers_are_kept_and_rebuilt(plain: Bench) -> None:
    base, new = plain.run("base", {}), plain.run("new", {"text 3": "x.beta"})
    waiver = Waiver(gate="critical_seeds", who="w", why="known", until="2031-02-01")
    found = compare(base, new, waivers=[waiver], today="2031-01-01")
    assert gate(found, "critical_seeds").verdict == "WAIVED"
    found.write(plain.root / "out")
    assert verify(plain.root / "out") == []


def test_what_certify_wrote_can_be_compared(plain: Bench) -> None:
    from denotary.certify import certify

    suite = load_suite(plain.root / "suite")
    for name in ("a", "b"):
        certify(systems.python(resolver({})), suite, "c1", plain.root / name, identity=IDENTITY, repeats=1)
    assert len(compare(plain.root / "a", str(plain.root / "b")).pairs) == 12


def test_cases_that_became_worse_come_first(plain: Bench) -> None:
    base = plain.run("base", {"text 5": "x.beta", "text 6": None, "text 7": "x.beta"})
    answers = {"text 1": "x.beta", "text 2": None, "text 6": "x.beta", "text 7": "x.gamma"}
    found = report(compare(base, plain.run("new", answers)))
    assert found.cases is not None
    state = {case.record_id: (case.change, case.before, case.outcome) for case in found.cases}
    assert state["c01"] == ("regressed", "right", "wrong")
    assert state["c02"] == ("regressed", "right", "refused_otherwise")
    assert state["c06"] == ("regressed", "refused_otherwise", "wrong")
    assert state["c07"] == ("changed", "wrong", "wrong")
    assert state["c05"] == ("improved", "wrong", "right")
    assert state["c00"] == ("unchanged", "right", "right")
    from denotary.reports.browser import failures_first

    assert [case.record_id for case in failures_first(found.cases)][:5] == ["c01", "c06", "c02", "c07", "c05"]


@pytest.mark.parametrize(
    ("before", "now", "alike", "want"),
    [
        ("right", "wrong", False, "regressed"),
        ("refused_rightly", "timeout", False, "regressed"),
        ("right", "refused_otherwise", False, "regressed"),
        ("refused_otherwise", "wrong", False, "regressed"),
        ("wrong", "refused_otherwise", False, "improved"),
        ("error", "right", False, "improved"),
        ("wrong", "wrong", False, "changed"),
        ("wrong", "error", True, "changed"),
        ("right", "right", True, "unchanged"),
        ("not_run", "not_run", True, "unchanged"),
    ],
)
def test_what_became_of_a_case(before: str, now: str, alike: bool, want: str) -> None:
    assert change(before, now, alike=alike) == want


def test_a_sealed_suite_shows_no_case_and_no_id(bench: Bench) -> None:
    bench.registry()
    hidden = {"visibility": "sealed"}
    sealed = [bench.case(f"record-{n:02}", text=f"text {n}", security=hidden) for n in range(12)]
    bench.suite(sealed, role="sealed-certification")
    bench.suite(sealed[:-1], "later", role="sealed-certification", version="2.0.0")
    base = bench.run("base", {})
    found = compare(base, bench.run("new", {"text 3": "x.beta"}, suite="later"))
    assert report(found).cases is None
    made = documents(found)
    for name in ("report.html", "summary.md", "junit.xml", "verdict.json"):
        assert b"record-11" not in made[name]
        assert b"record-03" not in made[name]
        assert b"text 3" not in made[name]
    # The statement names the records that could not be compared, and no answer and no text.
    assert b"record-11" in made["comparison.json"]
    assert not any(b"text 3" in content for content in made.values())
    assert "a sealed-certification corpus does not support policy regression" in found.verdict.qualification


def test_an_edited_suite_is_refused(plain: Bench) -> None:
    base, new = plain.run("base", {}), plain.run("new", {})
    cases = plain.root / "suite/cases.jsonl"
    cases.write_bytes(cases.read_bytes().replace(b"text 3", b"text 4"))
    with pytest.raises(IntegrityError):
        compare(base, new)
