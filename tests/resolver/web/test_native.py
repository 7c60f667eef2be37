"""The routes under /v1: the answers of the lane, and a problem for every request that has none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from denotary.registry import compile_registry, load_registry
from denotary.resolver import ExactLane
from denotary.resolver.web import Served, application

KNOWN = {"text": "machine-readable representation", "language": "en", "record_id": "r1"}
REQUESTS: list[dict[str, Any]] = [
    KNOWN,
    {"text": "machine-readable", "language": "en"},
    {"text": "Machine-Readable Representation", "language": "en"},
    {"text": "machine-readable representation", "language": "de"},
    {"text": "", "language": "en"},
    {"text_b64": "/w=="},
    {"text": "x\ud800"},
    {"text": "machine-readable representation", "registry_version": "1.0.0"},
]


def test_an_answer_is_that_of_the_lane(client: TestClient) -> None:
    with ExactLane("bundled:bootstrap") as lane:
        for request in REQUESTS:
            assert client.post("/v1/resolve", content=json.dumps(request)).json() == lane.resolve(request)


def test_a_batch_is_its_items_one_by_one_byte_for_byte(client: TestClient) -> None:
    alone = [client.post("/v1/resolve", content=json.dumps(item)).content for item in REQUESTS]
    for path in ("/v1/resolve-batch", "/v1/resolve"):
        together = client.post(path, content=json.dumps({"items": REQUESTS}))
        assert together.content == b'{"items":[' + b",".join(alone) + b"]}"


def test_one_bad_item_spoils_no_other(client: TestClient) -> None:
    items = [KNOWN, 7, {"record_id": "r2"}, {"text": "a", "record_id": "r3", "registry_version": "9"}]
    found = client.post("/v1/resolve-batch", json={"items": items}).json()["items"]
    assert found[0]["decision"]["concept_code"] == "representation.machine_readable"
    assert [item["problem"]["status"] for item in found[1:]] == [400, 400, 409]
    assert [item.get("record_id") for item in found] == ["r1", None, "r2", "r3"]


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b'{"text": NaN}', 400),
        (b"\xff", 400),
        (b"[" * 100_000, 400),
        (b'{"text": 7}', 400),
        (b'{"text": "a", "language": "not a tag!"}', 400),
        (b'{"text": "a", "record_id": 7}', 400),
        (b'{"text": "a", "record_id": "\\ud800"}', 400),
        (b'{"text": "a", "registry_version": "2.0.0"}', 409),
        (b'{"items": {}}', 400),
    ],
)
def test_a_malformed_request_gets_a_problem(client: TestClient, content: bytes, status: int) -> None:
    found = client.post("/v1/resolve", content=content)
    assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    assert found.json()["status"] == status
    assert found.json()["detail"]


def test_another_version_is_never_put_in_the_place_of_the_one_asked_for(client: TestClient) -> None:
    found = client.post("/v1/resolve", json=KNOWN | {"registry_version": "1.0.1"})
    assert found.status_code == 409
    assert "loaded is bootstrap 1.0.0 sha256:" in found.json()["detail"]


def test_other_media_types_and_methods_are_refused(client: TestClient) -> None:
    assert (
        client.post("/v1/resolve", content=b"a=1", headers={"content-type": "text/plain"}).status_code == 415
    )
    assert client.get("/v1/resolve").status_code == 405
    assert client.get("/v2").json()["title"] == "Not Found"


def test_records_are_looked_up(client: TestClient) -> None:
    code = "representation.machine_readable"
    registry = load_registry("bundled:bootstrap")
    assert client.get(f"/v1/concepts/{code}").json()["definitions"] == registry.concepts[code].definitions
    expression = client.get("/v1/expressions/mr-1").json()
    assert expression["codes"] == [code]
    assert (
        client.get("/v1/concepts/none").status_code == client.get("/v1/expressions/none").status_code == 404
    )


def test_a_compiled_file_answers_and_says_what_it_does_not_hold(tmp_path: Path, client: TestClient) -> None:
    compile_registry(load_registry("bundled:bootstrap"), tmp_path / "r.sqlite")
    with ExactLane(tmp_path / "r.sqlite") as lane:
        other = TestClient(application(Served(lane)))
        for request in REQUESTS:
            body = json.dumps(request)
            assert (
                other.post("/v1/resolve", content=body).content
                == client.post("/v1/resolve", content=body).content
            )
        missing = other.get("/v1/concepts/representation.machine_readable")
        assert (missing.status_code, "serve the registry's folder" in missing.json()["hint"]) == (404, True)


def test_snapshots_are_compared(serving: Callable[..., TestClient]) -> None:
    registry = load_registry("bundled:bootstrap")
    found = serving({"0.9.0": registry}).get("/v1/registry/0.9.0/diff").json()
    assert (found["records"], found["old"]) == ([], registry.snapshot_id)
    assert serving().get("/v1/registry/0.9.0/diff").status_code == 404


def test_counts_hold_no_text(client: TestClient) -> None:
    client.post("/v1/resolve", json=KNOWN)
    client.post("/v1/resolve", json={"text": "SECRET"})
    client.get("/SECRET")
    found = client.get("/metrics").text
    assert 'denotary_answers_total{disposition="SINGLE"} 1' in found
    assert 'denotary_responses_total{route="Native.resolve",status="200"} 2' in found
    assert "SECRET" not in found


def test_answers_have_the_shapes_that_the_description_publishes(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for request in REQUESTS:
        answer = client.post("/v1/resolve", content=json.dumps(request)).json()
        jsonschema.validate(answer, {"$ref": "#/components/schemas/ResolveAnswer", **document})
    batch = client.post("/v1/resolve-batch", json={"items": [KNOWN, 7]}).json()
    jsonschema.validate(batch, {"$ref": "#/components/schemas/BatchAnswer", **document})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"decision": {}}, {"$ref": "#/components/schemas/ResolveAnswer", **document})


def test_any_body_is_an_answer_or_a_problem(client: TestClient) -> None:
    @given(st.binary(max_size=200))
    def check(body: bytes) -> None:
        assert client.post("/v1/resolve", content=body).status_code in {200, 400}

    check()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = ["text", "text_b64", "language", "language_match", "registry_version", "record_id", "items"]


def test_any_object_gets_an_answer_or_a_problem_and_never_a_crash(client: TestClient) -> None:
    @given(st.dictionaries(st.sampled_from(NAMES), JSON))
    def check(content: dict[str, Any]) -> None:
        for path in ("/v1/resolve", "/v1/resolve-batch"):
            assert client.post(path, content=json.dumps(content)).status_code in {200, 400, 409}

    check()
