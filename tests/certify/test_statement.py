"""The certificate: what it says, and that it says it in canonical bytes."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from denotary.canonical import canonical_json, digest, sha256
from denotary.certify import certificate
from denotary.certify.controls import leakage, review
from denotary.certify.limitations import limitations
from denotary.certify.tool import tool_digest
from denotary.files import encode_jsonl, file_digest
from denotary.measures.records import Fact
from denotary.runs.records import Identity
from denotary.suites.keys import KEYS


@pytest.fixture(scope="module")
def statement(promoted: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((promoted.out / "certificate.json").read_bytes())
    return read


@pytest.fixture(scope="module")
def predicate(statement: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = statement["predicate"]
    return found


def test_it_is_an_in_toto_statement_in_canonical_bytes(promoted: Any, statement: dict[str, Any]) -> None:
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "urn:denotary:certificate:1"
    assert set(statement) == {"_type", "predicateType", "subject", "predicate"}
    subjects = {item["name"]: item["digest"]["sha256"] for item in statement["subject"]}
    assert list(subjects) == ["exact lane 1.0.0", "answers", "plan", "suite", "registry", "policy"]
    assert subjects["answers"] == file_digest(promoted.out / "run/sealed.jsonl")
    assert subjects["plan"] == file_digest(promoted.out / "run/plan.jsonl")
    assert subjects["policy"] == file_digest(promoted.out / "policy.toml")
    assert subjects["suite"] == promoted.judged.run.suite.hash
    assert subjects["registry"] == promoted.judged.run.suite.registry.hash
    written = (promoted.out / "certificate.json").read_bytes()
    assert written == canonical_json(statement) + b"\n"
    assert written == canonical_json(certificate(promoted.judged)) + b"\n"


def test_every_component_that_demands_recertification_has_a_field(predicate: dict[str, Any]) -> None:
    identity = predicate["identity"]
    components = {
        "benchmark", "registry", "concept_set", "definitions", "expression_evidence", "ambiguity_declarations",
        "semantic_model", "embedding_model", "reranker", "prompt", "confidence_transformation",
        "acceptance_threshold", "tokenizer", "normalisation", "language_detection", "index",
        "index_parameters", "candidate_generator", "preprocessing", "truncation", "calibration", "languages",
        "test_date",
        "threshold_fixed_on",
    }  # fmt: skip
    assert components <= set(identity)
    assert identity["languages"] == ["en", "de"]
    assert set(predicate["undeclared"]) == {name for name, value in identity.items() if not value}
    assert "reranker" in predicate["undeclared"]
    assert "registry" not in predicate["undeclared"]


def test_every_gate_can_be_recomputed_from_what_stands_there(
    promoted: Any, predicate: dict[str, Any]
) -> None:
    assert [gate["gate"] for gate in predicate["gates"]] == [
        gate.gate for gate in promoted.judged.verdict.gates
    ]
    for gate in predicate["gates"]:
        assert {
            "numerator",
            "denominator",
            "units",
            "bound",
            "bound_method",
            "alpha",
            "limit",
            "verdict",
            "slice",
        } <= set(gate)
    assert (
        predicate["fail"]
        == predicate["insufficient"]
        == predicate["exploratory"]
        == predicate["waived"]
        == []
    )
    assert sum(predicate["outcomes"].values()) == predicate["corpus"]["cases"]


def test_every_input_is_named_by_its_digest(promoted: Any, predicate: dict[str, Any]) -> None:
    found = {item["name"]: item["sha256"] for item in predicate["inputs"]}
    on_disk = {
        "policy": promoted.out / "policy.toml",
        "rows.jsonl": promoted.out / "rows.jsonl",
        "run/plan.jsonl": promoted.out / "run/plan.jsonl",
        "run/sealed.jsonl": promoted.out / "run/sealed.jsonl",
        "suite/cases.jsonl": promoted.root / "suite/cases.jsonl",
        "suite/ledger.jsonl": promoted.root / "suite/ledger.jsonl",
        "suite/suite.toml": promoted.root / "suite/suite.toml",
        "registry/concepts.jsonl": promoted.root / "registry/concepts.jsonl",
        "registry/expressions.jsonl": promoted.root / "registry/expressions.jsonl",
    }
    for name, path in on_disk.items():
        assert found[name] == file_digest(path), name
    assert found["waivers"] == digest([])
    assert not any("calls" in name or "salt" in name for name in found)
    assert list(found) == sorted(found)


def test_the_policy_stands_in_it_whole(promoted: Any, predicate: dict[str, Any]) -> None:
    policy = predicate["policy"]
    assert policy["shipped"] is True
    assert policy["sha256"] == sha256(promoted.judged.policy_source)
    assert msgspec.convert(policy["content"], type(promoted.judged.policy)) == promoted.judged.policy
    assert policy["content"]["looks"] == 1  # a default, spelled out


def test_prespecification_names_bets_looks_and_claimed_slices(predicate: dict[str, Any]) -> None:
    told = predicate["prespecification"]
    assert (told["confidence"], told["looks"], told["alpha_per_gate"]) == (0.95, 1, 0.05)
    assert told["betting"] == {"fractions": [0.0, 0.1, 0.2, 0.4], "weights": [0.8, 0.1, 0.05, 0.05]}
    assert told["advertised"]["language:advertised"] == ["de", "en"]
    assert told["advertised"]["concept:critical"] == ["bread.dough", "bread.loaf", "bread.oven"]


def test_the_run_is_named_without_the_places_where_things_lie(predicate: dict[str, Any]) -> None:
    assert set(predicate["run"]["suite"]) == set(predicate["run"]["registry"]) == {"name", "version", "hash"}


def test_a_system_without_a_name_is_called_what_it_is(promoted: Any) -> None:
    run = promoted.judged.run
    header = msgspec.structs.replace(run.header, identity=Identity())
    changed = replace(promoted.judged, run=replace(run, header=header))
    assert certificate(changed)["subject"][0]["name"] == "python system (not named)"
    before = certificate(promoted.judged)["subject"][0]["digest"]
    assert certificate(changed)["subject"][0]["digest"] != before


def test_leakage_keys_that_separate_nothing_are_named(promoted: Any) -> None:
    found = leakage(promoted.judged.run.suite)
    assert set(found["keys"]) == set(KEYS)

    def case(**construction: str | None) -> Any:
        blank = dict.fromkeys(KEYS)
        return SimpleNamespace(semantic_seed_id="s", construction=SimpleNamespace(**(blank | construction)))

    cases: tuple[Any, ...] = (
        case(author="a", source_document="d"),
        case(author="b", source_document="d"),
        case(author="b"),
    )
    suite: Any = SimpleNamespace(
        cases=cases,
        manifest=SimpleNamespace(controls={"b": "2", "a": "1"}, role="calibration", blank_keys={}),
        disclosed=frozenset("x"),
        lock=None,
    )
    keys = leakage(suite)["keys"]
    assert keys["author"] == {"cases": 3, "values": 2, "state": "controlled"}
    assert keys["source_document"] == {"cases": 2, "values": 1, "state": "recorded in part"}
    assert keys["semantic_seed_id"]["state"] == "not separable"
    assert keys["attack_family"] == {"cases": 0, "values": 0, "state": "not controlled"}
    cases += (case(source_document="e"),)
    suite.cases = cases
    assert leakage(suite)["keys"]["source_document"] == {"cases": 3, "values": 2, "state": "recorded in part"}
    assert leakage(suite)["disclosed"] == 1
    assert list(leakage(suite)["controls"]) == ["a", "b"]


def test_the_tier_of_each_language_is_in_the_certificate_and_in_every_summary(promoted: Any) -> None:
    told = json.loads((promoted.out / "certificate.json").read_bytes())["predicate"]["standings"]
    assert [(item["slice"], item["tier"]) for item in told] == [
        (item.slice, item.tier) for item in promoted.judged.standings
    ]
    tiers = {item["slice"]: (item["tier"], item["evidence"]["expressions"] > 0) for item in told}
    assert tiers["language=en"] == tiers["language=de"] == ("L1", True)
    assert "L1 exact only: de, en" in (promoted.out / "summary.md").read_text()
    assert "exact only" in (promoted.out / "report.html").read_text()


def test_review_is_counted_and_never_assumed(promoted: Any) -> None:
    suite, measured = promoted.judged.run.suite, promoted.judged.measurement
    found = review(suite, measured)
    assert found["sufficient"] is True
    for name in ("by_review", "by_adjudication", "by_depth", "by_reviewers"):
        assert sum(found[name].values()) == len(suite.cases)
    unknown = review(suite, replace(measured, facts=()))
    assert (unknown["sufficient"], unknown["detail"]) == (None, "nothing is known of the review")


def limits_of(promoted: Any, **changes: Any) -> list[str]:
    return list(limitations(replace(promoted.judged, **changes)))


def test_limits_of_a_clean_result_are_still_named(promoted: Any) -> None:
    found = limits_of(promoted)
    assert any("languages claimed: en, de; nothing is claimed for any other" in line for line in found)
    assert any(line.startswith("undeclared components") for line in found)
    assert any("alone, not for another version" in line for line in found)
    assert any(line.startswith("failure mechanism F01") for line in found)
    assert not any(
        "not complete" in line or "got no answer" in line or "tier above" in line for line in found
    )


def test_limits_name_what_the_result_does_not_carry(promoted: Any) -> None:
    judged = promoted.judged
    tiered = msgspec.structs.replace(judged.policy, tier="C1")
    above = limits_of(promoted, policy=tiered)
    assert (
        "3 concepts of a tier above C1 may not be assigned under this policy: bread.loaf, bread.dough, bread.oven"
        not in above
    )
    assert any(
        line.startswith("3 concepts of a tier above C1") and "bread.dough, bread.loaf" in line
        for line in above
    )
    assert not any(
        "tier above" in line
        for line in limits_of(promoted, policy=msgspec.structs.replace(tiered, tier="C3"))
    )
    outcomes = dict(judged.measurement.outcomes) | {"timeout": 2, "right": 0}
    thin = limits_of(promoted, measurement=replace(judged.measurement, outcomes=outcomes))
    assert any("2 cases of" in line and "count as failures" in line for line in thin)
    unfinished = limits_of(promoted, run=replace(judged.run, complete=False))
    assert any("not complete" in line for line in unfinished)
    verdict = msgspec.structs.replace(
        judged.verdict,
        qualification="qualification only: x",
        waivers_ignored=("the waiver of y is ignored",),
        gates=(
            msgspec.structs.replace(
                judged.verdict.gates[0], bound_method="order-free betting, unit-weighted"
            ),
        ),
    )
    told = limits_of(promoted, verdict=verdict, shipped=False)
    assert told[0] == "qualification only: x"
    assert "the waiver of y is ignored" in told
    assert any("not one that denotary ships" in line for line in told)
    assert any("weighs seeds alike" in line for line in told)


def test_the_digest_of_the_tool_names_its_source() -> None:
    assert tool_digest() == tool_digest()
    assert len(tool_digest()) == 64


def test_facts_travel_with_their_sentence(promoted: Any) -> None:
    fact = Fact(name="x", holds=None, detail="nobody knows")
    measured = replace(promoted.judged.measurement, facts=(fact,))
    told = certificate(replace(promoted.judged, measurement=measured))["predicate"]["facts"]
    assert told == [{"name": "x", "holds": None, "detail": "nobody knows", "needed": ""}]


def test_rows_are_named_by_the_digest_of_their_lines(promoted: Any, predicate: dict[str, Any]) -> None:
    found = {item["name"]: item["sha256"] for item in predicate["inputs"]}
    assert found["rows.jsonl"] == sha256(encode_jsonl(promoted.judged.measurement.rows))
    assert Path(promoted.out / "rows.jsonl").read_bytes() == encode_jsonl(promoted.judged.measurement.rows)
