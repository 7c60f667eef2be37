"""The second judging of the thousand cases: complete, generated, counted right, and as its page says."""

import importlib.util
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from denotary import systems
from denotary.annotation import Judging, load_judging
from denotary.certify import certify
from denotary.instruments.identity.answers import encode
from denotary.instruments.identity.cases import IdentityCase
from denotary.runs.records import Identity
from denotary.suites import Suite, load_suite, units

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/first-thousand.md"
CAUSES = {"underspecification": 5, "ontology_ambiguity": 3, "linguistic_ambiguity": 1}


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("bundled:first-thousand")


@pytest.fixture(scope="module")
def judging(suite: Suite) -> Judging:
    return load_judging(suite)


@pytest.fixture(scope="module")
def raw(suite: Suite) -> dict[str, list[dict[str, Any]]]:
    """The files as plain JSON, for counting without the code under test."""
    names = ("judgements", "rejected", "revised")
    lines = {name: (suite.root / f"judging/{name}.jsonl").read_text("utf-8").splitlines() for name in names}
    found = {name: [json.loads(line) for line in content] for name, content in lines.items()}
    cases = (suite.root / "cases.jsonl").read_text("utf-8").splitlines()
    return found | {"cases": [json.loads(line) for line in cases]}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("judging_tool", ROOT / "tools/judging.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["judging_tool"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def report(suite: Suite) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((suite.root / "judging/agreement.json").read_bytes())
    return found


def first_votes(raw: dict[str, list[dict[str, Any]]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return (record as judged, first vote) of every case of the suite as it was first judged."""
    adopted = {item.get("replaced_by") for item in raw["rejected"]}
    dropped = [item["record"] for item in raw["rejected"] if item["was"] == "case"]
    revised = {item["item"]: item["record"] for item in raw["revised"]}
    kept = [case for case in raw["cases"] if case["record_id"] not in adopted]
    judged = [revised.get(case["record_id"], case) for case in kept] + dropped
    vote: dict[str, dict[str, Any]] = {}
    for row in raw["judgements"]:
        vote.setdefault(row["item"], row)
    return [(case, vote[case["record_id"]]) for case in judged]


def agrees(gold: dict[str, Any], vote: dict[str, Any]) -> bool:
    if vote["disposition"] != gold["disposition"]:
        return False
    codes = set(vote.get("codes", ())), set(gold.get("acceptable_concept_codes", ()))
    return gold["disposition"] == "UNDERSPECIFIED" or codes[0] == codes[1]


def test_every_case_was_judged_once_blind_and_again_where_it_was_in_doubt(
    raw: dict[str, list[dict[str, Any]]],
) -> None:
    pairs = first_votes(raw)
    assert len(pairs) == 1000
    assert {vote["stage"] for _, vote in pairs} == {"judge"}
    again = Counter(row["item"] for row in raw["judgements"])
    for case, vote in pairs:
        if case["gold"]["disposition"] != "EXACT_MISS" and not agrees(case["gold"], vote):
            assert again[case["record_id"]] >= 3, case["record_id"]


def test_every_vote_is_generated_and_counts_as_nobodys(
    judging: Judging, suite: Suite, report: dict[str, Any]
) -> None:
    assert {row.kind for row in judging.judgements} == {"generated"}
    assert judging.annotators == frozenset()
    assert (report["votes"], report["annotators"]) == ({"generated": 1310}, 0)
    assert {case.annotation.review for case in suite.cases} == {"illustrative"}
    assert {case.annotation.adjudication_status for case in suite.cases} == {"pending"}
    assert not any(case.annotation.independent_votes or case.annotation.depth_tier for case in suite.cases)


def test_every_new_case_has_two_votes_that_are_its_gold(raw: dict[str, list[dict[str, Any]]]) -> None:
    adopted = [item["replaced_by"] for item in raw["rejected"] if item["was"] == "case"]
    assert len(set(adopted)) == len(adopted) == 24
    cases = {case["record_id"]: case for case in raw["cases"]}
    votes = defaultdict(list)
    for row in raw["judgements"]:
        votes[row["item"]].append(row)
    for name in adopted:
        assert [agrees(cases[name]["gold"], row) for row in votes[name]] == [True, True], name


def test_no_id_of_a_rejected_item_is_used_again(raw: dict[str, list[dict[str, Any]]]) -> None:
    gone = {item["item"] for item in raw["rejected"]}
    assert len(gone) == len(raw["rejected"])
    assert gone.isdisjoint(case["record_id"] for case in raw["cases"])


def test_what_was_dropped_has_a_cause_and_what_was_revised_kept_its_text(
    raw: dict[str, list[dict[str, Any]]],
) -> None:
    assert all("cause" in item for item in raw["rejected"] if item["was"] == "case")
    heads = [item for item in raw["rejected"] if item["was"] == "case" and "Fell with" not in item["why"]]
    found = Counter(item["cause"] for item in heads)
    assert found == {**CAUSES, "missing_context": 1, "annotation_noise": 1}
    cases = {case["record_id"]: case for case in raw["cases"]}
    for item in raw["revised"]:
        assert item["record"]["input"] == cases[item["item"]]["input"]
        assert (item["record"]["gold"] != cases[item["item"]]["gold"]) == (item["what"] == "gold")
    assert [item["item"] for item in raw["revised"] if item["what"] == "gold"] == ["ft-negation-067"]


def test_figures_are_those_of_another_library(
    raw: dict[str, list[dict[str, Any]]], report: dict[str, Any]
) -> None:
    """Counts by hand; alpha from Cohen's kappa of the pairs and their mirror (see the tests of the room)."""
    metrics = pytest.importorskip("sklearn.metrics")
    pairs = [(c, v) for c, v in first_votes(raw) if c["gold"]["disposition"] != "EXACT_MISS"]
    same = sum(agrees(case["gold"], vote) for case, vote in pairs)
    first = report["first"]
    assert (first["items"], first["same_answer"], same) == (998, 971, 971)
    values = {item["name"]: item["value"] for item in first["coefficients"]}
    assert values["percent"] == pytest.approx(971 / 998, abs=1e-6)
    left = [case["gold"]["disposition"] for case, _ in pairs]
    right = [vote["disposition"] for _, vote in pairs]
    kappa = metrics.cohen_kappa_score([*left, *right], [*right, *left])
    n = 2 * len(pairs)
    assert values["alpha_disposition"] == pytest.approx(1 - (1 - kappa) * (n - 1) / n, abs=1e-6)
    assert Counter(zip(left, right, strict=True)) == {
        (row["gold"], row["vote"]): row["items"] for row in report["confusion"]
    }
    families = Counter(case["construction"]["primary_family"] for case, _ in pairs)
    assert {name: found["items"] for name, found in report["by_family"].items()} == families
    assert sum(found["same_answer"] for found in report["by_language"].values()) == 971


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("judgements.jsonl", "judgement"),
        ("rejected.jsonl", "excluded-item"),
        ("revised.jsonl", "revised-item"),
        ("agreement.json", "judging-report"),
    ],
)
def test_files_satisfy_their_published_schemas(suite: Suite, name: str, schema: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    published = json.loads((ROOT / f"schemas/{schema}.schema.json").read_bytes())
    validator = jsonschema.Draft202012Validator(published)
    text = (suite.root / "judging" / name).read_text("utf-8")
    records = [json.loads(part) for part in (text.splitlines() if name.endswith("l") else [text])]
    assert records
    assert [str(error.message) for record in records for error in validator.iter_errors(record)] == []
    assert list(validator.iter_errors(records[0] | {"unknown": 1}))


def test_units_are_those_of_the_suite_that_was_judged(
    raw: dict[str, list[dict[str, Any]]], judging: Judging, report: dict[str, Any]
) -> None:
    by_id = {case.record_id: case for case in judging.records.values()}
    by_id |= {item.item: judging.records[item.item_sha256] for item in judging.revised}
    cases = [by_id[case["record_id"]] for case, _ in first_votes(raw)]
    assert len(set(units(cases))) == 431
    assert report["first"]["units"] == 431 - 2  # the two EXACT_MISS cases are units of their own


def test_page_states_the_figures(report: dict[str, Any]) -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    names = {
        "percent": "percent",
        "alpha_disposition": "Krippendorff's alpha, dispositions",
        "alpha_answer": "Krippendorff's alpha, dispositions with codes",
        "alpha_masi_codes": "alpha with MASI distance, codes of AMBIGUOUS and MIXED",
    }
    for item in report["first"]["coefficients"]:
        low, value, high = (
            f"{100 * item[key]:.1f} %" if item["name"] == "percent" else f"{item[key]:.3f}"
            for key in ("low", "value", "high")
        )
        assert f"| {names[item['name']]} | {value} | {low} to {high} |" in page
    between = report["between_judges"]["guideline-3.md"]
    assert f"{between['same_answer']} of {between['items']} items" in page
    assert f"{sum(report['votes'].values()):,} votes" in page
    assert re.search(
        r"language models of the same family as the author .* weaker than independent people", page
    )


def test_the_tool_finds_a_figure_that_does_not_follow_from_the_votes(
    tool: ModuleType, suite: Suite, judging: Judging, report: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Point values alone: the intervals are drawn by ``make judging``."""
    monkeypatch.setattr("denotary.statistics.bootstrap.RESAMPLES", 10)
    found = tool.report(suite, judging)
    assert found.head == report["head"] == judging.head
    assert found.first.same_answer == report["first"]["same_answer"]
    assert [item.value for item in found.first.coefficients] == [
        item["value"] for item in report["first"]["coefficients"]
    ]
    assert tool.main(["--check"]) == 1


@pytest.mark.slow
def test_published_agreement_is_recomputed_from_the_votes(tool: ModuleType) -> None:
    assert tool.main(["--check"]) == 0


def test_a_perfect_system_gets_no_promotion_from_this_suite(suite: Suite, tmp_path: Path) -> None:
    """Every gate that could pass is EXPLORATORY or INSUFFICIENT, in every language, and the certificate says why."""
    right = {
        json.dumps(encode(case), sort_keys=True): case
        for case in suite.cases
        if isinstance(case, IdentityCase)
    }

    def perfect(request: dict[str, Any]) -> dict[str, Any]:
        asked = {key: value for key, value in request.items() if key != "record_id"}
        case = right[json.dumps(asked, sort_keys=True)]
        return {"decision": decided(case), "registry_version_returned": case.registry_version}

    identity = Identity(system="perfect", system_version="1", languages=("en", "de", "es"))
    judged = certify(systems.python(perfect), suite, "c1", tmp_path / "out", identity=identity)
    assert judged.decision == "INSUFFICIENT"
    assert {result.verdict for result in judged.verdict.gates} == {"EXPLORATORY", "INSUFFICIENT"}
    assert {"language=de", "language=en", "language=es"} <= {result.slice for result in judged.verdict.gates}
    assert (
        "1,000 of 1,000 cases are not sufficiently reviewed: 1,000 illustrative"
        in judged.verdict.qualification
    )
    statement = json.loads((tmp_path / "out/certificate.json").read_bytes())
    shown = json.dumps(statement, ensure_ascii=False)
    assert "1,000 illustrative" in shown
    assert "they are marked generated and count as no annotator's" in shown


def decided(case: IdentityCase) -> dict[str, Any]:
    gold = case.gold
    if gold.disposition == "SINGLE":
        return {"type": "concept", "concept_code": gold.acceptable_concept_codes[0], "confidence": 1.0}
    if gold.disposition == "INVALID_INPUT":
        return {"type": "reject", "reason": "INVALID_INPUT"}
    return {"type": "abstain", "reason": gold.disposition}
