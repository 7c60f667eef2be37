import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.adapters.rules import DecisionRule

SCHEMAS = Path(os.environ.get("DENOTARY_DATA", "")) / "reconciliation_api"
CITY = {"id": "Q64", "name": "Berlin", "score": 100, "match": True, "type": [{"id": "T", "name": "city"}]}
OTHER = {"id": "Q9", "name": "Berlin", "score": 40.5, "match": False, "type": []}


def old(*results: Any) -> dict[str, Any]:
    return {f"q{n}": {"result": result} for n, result in enumerate(results)}


def new(*results: Any) -> dict[str, Any]:
    return {"results": [{"candidates": result} for result in results]}


def test_the_first_match_is_the_decision_and_all_candidates_are_kept(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (200, old([OTHER, CITY]))
    (given,) = answers(systems.openrefine(fake.url, prefix="wd:", scale=100.0, pinned="1.0.0"), "Berlin & co")
    assert given == {
        "record_id": "r0",
        "decision": {"type": "concept", "concept_code": "wd:Q64", "confidence": 1.0},
        "candidates": [
            {"concept_code": "wd:Q9", "score": 40.5},
            {"concept_code": "wd:Q64", "score": 100.0},
        ],
        "registry_version_returned": "1.0.0",
    }
    method, path, body = fake.asked[0]
    assert (method, path) == ("POST", "/")
    assert json.loads(parse_qs(body.decode())["queries"][0]) == {"q0": {"query": "Berlin & co", "limit": 10}}


@pytest.mark.parametrize("result", [[], [OTHER]])
def test_without_a_match_it_abstains_and_cannot_say_why(fake: Any, answers: Any, result: Any) -> None:
    fake.reply = lambda *_: (200, old(result))
    (given,) = answers(systems.openrefine(fake.url), "x")
    assert given["decision"] == {"type": "abstain", "reason": "not_expressible"}
    assert "registry_version_returned" not in given


def test_the_draft_asks_match_with_a_language(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (200, new([CITY], []))
    given = answers(
        systems.reconciliation(fake.url + "/", version="1.0-draft", batch_size=2, type_id="T"), "a", "b"
    )
    assert [each["decision"]["type"] for each in given] == ["concept", "abstain"]
    assert fake.asked[0][1] == "/match"
    assert json.loads(fake.asked[0][2])["queries"][0] == {
        "type": "T",
        "limit": 10,
        "lang": "en",
        "conditions": [{"matchType": "name", "propertyValue": "a"}],
    }


def test_one_broken_item_of_a_batch_costs_the_others_nothing(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (200, b'{"q0":{"result":[{"id":"a","score":NaN}]},"q1":{"result":[]},"q2":[]}')
    given = answers(systems.openrefine(fake.url, batch_size=3), "a", "b", "c")
    assert given[0] == ("invalid_output", "score_not_finite")
    assert given[1]["decision"]["type"] == "abstain"
    assert given[2] == ("invalid_output", "missing_item")


def test_bytes_are_never_sent_and_refused_by_the_adapter(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (200, old([CITY]))
    given = answers(systems.openrefine(fake.url, batch_size=3), None, "Berlin", "\ud800")
    assert [each["decision"]["type"] for each in given] == ["reject", "concept", "reject"]
    assert given[0]["decision"]["reason"] == "not_expressible"
    assert [each["record_id"] for each in given] == ["r0", "r1", "r2"]


def test_the_rule_is_declared_and_its_hash_follows_every_option() -> None:
    rules = [systems.openrefine("http://h/x?key=1", **options).descriptor for options in ({}, {"limit": 3})]
    first, second = rules
    assert isinstance(first, DecisionRule)
    assert isinstance(second, DecisionRule)
    assert first.spec == "http://h/x"
    assert "first candidate with match:true" in first.decision_rule
    assert first.rule_hash != second.rule_hash
    assert len(first.rule_hash) == 64


@pytest.mark.parametrize("options", [{"batch_size": 0}, {"limit": 0}, {"scale": 0.0}])
def test_options_that_cannot_be_used(options: Any) -> None:
    with pytest.raises(InputError):
        systems.openrefine("http://h/", **options)


@pytest.mark.parametrize("version", ["0.2", "1.0-draft"])
def test_what_is_sent_and_what_is_read_are_as_the_schemas_say(fake: Any, answers: Any, version: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    folder = SCHEMAS / version / "schemas"
    if not folder.is_dir():
        pytest.skip(
            "needs the schemas of the Reconciliation API: set DENOTARY_DATA to the folder with reconciliation_api/"
        )
    replies = old([CITY, OTHER]) if version == "0.2" else new([CITY, OTHER])
    fake.reply = lambda *_: (200, replies)
    answers(systems.reconciliation(fake.url, version=version, type_id="T"), "a")
    body = fake.asked[0][2].decode()
    sent = json.loads(parse_qs(body)["queries"][0] if version == "0.2" else body)
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT7

    files = [(path, json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))]
    known = Registry().with_resources(
        [
            (name, Resource.from_contents(content, default_specification=DRAFT7))
            for path, content in files
            for name in (path.name, content.get("$id", path.name))
        ]
    )
    for name, content in (("reconciliation-query-batch", sent), ("reconciliation-result-batch", replies)):
        schema = json.loads((folder / f"{name}.json").read_text())
        jsonschema.Draft7Validator(schema, registry=known).validate(content)


def test_a_batch_that_is_refused_as_a_whole_is_asked_apart(fake: Any, answers: Any) -> None:
    def reply(_: str, __: str, body: bytes) -> tuple[int, Any]:
        queries = json.loads(parse_qs(body.decode())["queries"][0])
        refused = any(query["query"] == "" for query in queries.values())
        return (400, {}) if refused else (200, old(*[[CITY]] * len(queries)))

    fake.reply = reply
    given = answers(systems.openrefine(fake.url, batch_size=3), "a", "", "b")
    assert [each if isinstance(each, tuple) else each["decision"]["concept_code"] for each in given] == [
        "Q64",
        ("error", "http_400"),
        "Q64",
    ]
    assert len(fake.asked) == 4


def test_a_busy_service_is_asked_again_as_a_whole(fake: Any, answers: Any) -> None:
    fake.reply = lambda *_: (503, {})
    assert answers(systems.openrefine(fake.url, batch_size=2), "a", "b") == [("error", "http_503")] * 2
    assert len(fake.asked) == 1
