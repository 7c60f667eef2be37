"""What a caller may not exceed."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from denotary.errors import InputError
from denotary.registry import load_registry
from denotary.resolver import ExactLane
from denotary.resolver.web import Limits, Served
from denotary.resolver.web.guard import MOST_CALLERS, Bucket, Guard

Serving = Callable[..., TestClient]


def test_a_body_that_is_too_long_is_refused_declared_or_not(serving: Serving) -> None:
    client = serving(body=100)

    def parts() -> Iterator[bytes]:
        yield b'{"text": "'
        yield b"a" * 200

    assert client.post("/v1/resolve", content=b" " * 101).status_code == 413
    assert client.post("/v1/resolve", content=parts()).status_code == 413
    assert client.post("/v1/resolve", json={"text": "a"}).status_code == 200


def test_a_body_that_never_ends_gets_408_and_its_connection_is_closed() -> None:
    registered = load_registry("bundled:bootstrap")
    sent: list[Message] = []
    parts: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}]

    async def receive() -> Message:
        return parts.pop() if parts else await asyncio.Event().wait()  # type: ignore[return-value]

    async def send(message: Message) -> None:
        sent.append(message)

    async def never(*_: Any) -> None:
        raise AssertionError("the application was called without a body")

    with ExactLane(registered) as lane:
        guard = Guard(never, Served(lane, registered, {}, Limits(read=0.001)))
        scope = {"type": "http", "method": "POST", "path": "/v1/resolve", "headers": []}
        asyncio.run(guard(scope, receive, send))
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert b"did not come in time" in sent[1]["body"]


def test_a_batch_that_is_too_long_is_refused(serving: Serving) -> None:
    client = serving(batch=2)
    assert client.post("/v1/resolve-batch", json={"items": [{"text": "a"}] * 2}).status_code == 200
    assert client.post("/v1/resolve-batch", json={"items": [{"text": "a"}] * 3}).status_code == 413
    assert client.post("/reconcile/1/match", json={"queries": [{}] * 3}).status_code == 413


def test_a_caller_that_is_too_fast_waits_and_health_never_does(serving: Serving) -> None:
    client = serving(rate=0.001)
    assert client.get("/v1/manifest").status_code == 200
    refused = client.get("/v1/manifest")
    assert (refused.status_code, int(refused.headers["retry-after"]) > 1) == (429, True)
    assert client.get("/healthz").status_code == 200


def test_what_was_refused_is_counted(serving: Serving) -> None:
    client = serving(body=100)
    client.post("/v1/resolve", content=b" " * 101)
    client.post("/v1/resolve", content=b"{")
    client.post("/v1/resolve", json={"text": "a"})
    counts = client.get("/metrics").text
    assert 'denotary_responses_total{route="none",status="413"} 1' in counts
    assert 'denotary_responses_total{route="Native.resolve",status="400"} 1' in counts
    assert 'denotary_responses_total{route="Native.resolve",status="200"} 1' in counts


def test_a_bucket_refills_at_its_rate() -> None:
    now = [0.0]
    bucket = Bucket(2.0, clock=lambda: now[0])
    assert [bucket.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert bucket.take("b") == 0
    now[0] = 0.5
    assert [bucket.take("a"), bucket.take("a")] == [0, 0.5]


def test_a_bucket_remembers_no_more_callers_than_it_may() -> None:
    now = [0.0]
    bucket = Bucket(1.0, clock=lambda: now[0])
    for number in range(MOST_CALLERS + 5):
        bucket.take(str(number))
    assert len(bucket._left) <= MOST_CALLERS
    now[0] = 10.0
    bucket.take("new")
    assert bucket.take("new") == 0


@pytest.mark.parametrize(
    "wrong", [{"body": 0}, {"batch": 0}, {"connections": 0}, {"rate": -1}, {"grace": float("nan")}]
)
def test_limits_that_limit_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Limits(**wrong)  # type: ignore[arg-type]
