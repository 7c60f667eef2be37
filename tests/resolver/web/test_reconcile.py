"""The Reconciliation API: messages of the published shapes, and no match without authority."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7
from starlette.testclient import TestClient

from denotary.resolver import ExactLane
from denotary.resolver.web import Served, application

KNOWN = "machine-readable representation"
CODE = "representation.machine_readable"


def schemas(version: str) -> Callable[[str, Any], None]:
    """Return a check of a message against a published schema; skips where the schemas are not at hand."""
    folder = Path(os.environ.get("DENOTARY_DATA", "")) / "reconciliation_api" / version / "schemas"
    if not folder.is_dir():
        pytest.skip("needs the schemas of the Reconciliation API: set DENOTARY_DATA")

    def known(uri: str) -> Resource[Any]:
        name = uri.rsplit("/", 1)[-1]
        # The one reference that leaves the schemas is to the description of authentication, which nothing here has.
        content = json.loads((folder / name).read_text()) if (folder / name).is_file() else {}
        return Resource.from_contents(content, DRAFT7)

    def check(name: str, message: Any) -> None:
        schema = json.loads((folder / f"{name}.json").read_text())
        found: Registry[Any] = Registry(retrieve=known)  # type: ignore[call-arg]
        jsonschema.Draft7Validator(schema, registry=found).validate(message)

    return check


def ask_v02(client: TestClient, **query: Any) -> dict[str, Any]:
    found = client.post("/reconcile", data={"queries": json.dumps({"q0": query})})
    assert found.status_code == 200, found.text
    result: dict[str, Any] = found.json()["q0"]
    return result


def ask_v1(client: TestClient, *conditions: dict[str, Any], **query: Any) -> dict[str, Any]:
    found = client.post("/reconcile/1/match", json={"queries": [query | {"conditions": list(conditions)}]})
    assert found.status_code == 200, found.text
    result: dict[str, Any] = found.json()["results"][0]
    return result


def named(text: str, **more: Any) -> dict[str, Any]:
    return {"matchType": "name", "propertyValue": text} | more


@pytest.fixture
def several(frozen_registry: Path) -> TestClient:
    """A service over a registry in which ``bank`` has two senses."""
    return TestClient(application(Served(ExactLane(frozen_registry))))


def test_messages_have_the_published_shapes_v02(client: TestClient) -> None:
    check = schemas("0.2")
    check("manifest", client.get("/reconcile").json())
    queries = {
        "q0": {"query": KNOWN},
        "q1": {"query": "unknown", "limit": 3, "type": "x", "type_strict": "any"},
    }
    check("reconciliation-query-batch", queries)
    found = client.post("/reconcile", data={"queries": json.dumps(queries)})
    check("reconciliation-result-batch", found.json())
    assert found.json() == client.get("/reconcile", params={"queries": json.dumps(queries)}).json()
    check(
        "suggest-entities-response", client.get("/reconcile/suggest/entity", params={"prefix": "mach"}).json()
    )


def test_messages_have_the_published_shapes_v1(client: TestClient) -> None:
    check = schemas("1.0-draft")
    check("manifest", client.get("/reconcile/1").json())
    queries = {"queries": [{"conditions": [named(KNOWN)], "lang": "en"}, {"conditions": [named("unknown")]}]}
    check("reconciliation-query-batch", queries)
    found = client.post("/reconcile/1/match", json=queries).json()
    check("reconciliation-result-batch", found)
    assert [len(item["candidates"]) for item in found["results"]] == [1, 0]
    check("suggest-entities-response", client.get("/reconcile/1/suggest/entity?prefix=mach").json())


def test_a_registered_text_is_one_match(client: TestClient) -> None:
    for result in (
        ask_v02(client, query=KNOWN)["result"],
        ask_v1(client, named(KNOWN), lang="en")["candidates"],
    ):
        assert [(item["id"], item["match"]) for item in result] == [(CODE, True)]


def test_senses_are_shown_with_one_score_and_none_matches(several: TestClient) -> None:
    for result in (
        ask_v02(several, query="bank")["result"],
        ask_v1(several, named("bank"))["candidates"],
    ):
        assert [(item["id"], item["match"], item["score"]) for item in result] == [
            ("x.alpha", False, 100),
            ("x.beta", False, 100),
        ]
        assert all(item["features"][0]["value"] is True for item in result)


def test_what_the_lane_cannot_check_makes_no_match(client: TestClient) -> None:
    assert ask_v02(client, query=KNOWN, properties=[{"pid": "P1", "v": "x"}])["result"][0]["match"] is False
    other = {"matchType": "property", "propertyId": "P1", "propertyValue": "x"}
    assert ask_v1(client, named(KNOWN), other)["candidates"][0]["match"] is False
    assert ask_v1(client, named(KNOWN, matchQualifier="PrefixMatch"))["candidates"] == []
    assert ask_v1(client, named(KNOWN, matchQualifier="ExactMatch"))["candidates"][0]["match"] is True
    assert ask_v1(client, other)["candidates"] == []


def test_a_type_takes_candidates_away_and_language_is_kept_to(client: TestClient) -> None:
    kind = ask_v02(client, query=KNOWN)["result"][0]["type"][0]["id"]
    assert len(ask_v02(client, query=KNOWN, type=kind)["result"]) == 1
    assert ask_v02(client, query=KNOWN, type="other")["result"] == []
    assert len(ask_v02(client, query=KNOWN, type="other", type_strict="should")["result"]) == 1
    assert ask_v1(client, named(KNOWN), lang="de") == {"candidates": [], "disposition": "ABSTAIN"}


def test_a_code_is_a_concept_only_where_it_is_asked_for_as_one(client: TestClient) -> None:
    asked = {"matchType": "id", "propertyValue": CODE}
    assert ask_v1(client, asked)["candidates"][0]["match"] is True
    assert ask_v1(client, {"matchType": "id", "propertyValue": "none"})["candidates"] == []
    assert ask_v1(client, named(CODE))["candidates"] == []
    assert ask_v02(client, query=CODE)["result"] == []


@pytest.mark.parametrize("limit", [1, 1.0, 0, -3, "many", True, 1e300])
def test_a_limit_that_is_none_is_passed_over(several: TestClient, limit: Any) -> None:
    most = 1 if limit == 1 and limit is not True else 2
    assert len(ask_v02(several, query="bank", limit=limit)["result"]) == most


@pytest.mark.parametrize(
    "queries",
    ["{", "[]", '{"q0": 7}', '{"q0": {}}', '{"q0": {"query": 7}}', '{"q0": {"query": "a", "extra": 1}}'],
)
def test_malformed_queries_get_a_problem(client: TestClient, queries: str) -> None:
    found = client.post("/reconcile", data={"queries": queries})
    assert (found.status_code, found.headers["content-type"]) == (400, "application/problem+json")


def test_malformed_queries_of_version_1_get_a_problem(client: TestClient) -> None:
    bad: list[Any] = [{}, {"queries": 7}, {"queries": [7]}, {"queries": [{"conditions": []}]}]
    bad.append({"queries": [{"conditions": [{"matchType": "x", "propertyValue": 1}]}]})
    for content in bad:
        assert client.post("/reconcile/1/match", json=content).status_code == 400


def test_pages_of_other_origins_may_read(client: TestClient) -> None:
    assert (
        client.get("/reconcile", headers={"origin": "https://a.example"}).headers[
            "access-control-allow-origin"
        ]
        == "*"
    )


def test_suggestions_begin_as_asked(client: TestClient) -> None:
    found = client.get("/reconcile/suggest/entity", params={"prefix": "MACHINE-READ", "limit": "2"}).json()[
        "result"
    ]
    assert CODE in [item["id"] for item in found]
    assert client.get("/reconcile/suggest/entity").json() == {"result": []}
