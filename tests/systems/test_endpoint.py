import gzip
import json
import math
import socket
from typing import Any

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.base import CallFailure, ConnectFailure, TransientFailure


def test_a_single_request_is_posted_as_its_payload(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    server = serve(lambda request: reply({"record_id": request["record_id"]}))
    system = systems.http(server.url, headers={"Authorization": "Bearer secret"})
    results = ask(system, [request_for("a", text="नाम")], [request_for("b")])
    assert [json.loads(shown(r)[0]) for r in results] == [{"record_id": "a"}, {"record_id": "b"}]
    assert server.requests[0] == {"record_id": "a", "text": "नाम"}
    head = server.headers[0].lower()
    assert head.startswith("post /resolve")
    assert "authorization: bearer secret" in head
    assert "content-type: application/json" in head


def test_a_batch_is_posted_as_items_and_matched_by_id(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    server = serve(lambda request: reply({"items": list(reversed(request["items"]))}))
    results = shown(ask(systems.http(server.url, batch_size=10), [request_for(name) for name in "abc"]))
    assert [json.loads(raw)["record_id"] for raw in results] == ["a", "b", "c"]
    assert server.requests == [{"items": [{"record_id": name} for name in "abc"]}]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_may_pass_is_transient(serve: Any, reply: Any, ask: Any, request_for: Any, status: Any) -> None:
    failure = ask(systems.http(serve(lambda _: reply(b"", status, Retry_After="7")).url), [request_for("a")])
    assert type(failure) is TransientFailure
    assert (failure.outcome, failure.problem, failure.retry_after) == ("error", f"http_{status}", 7.0)


@pytest.mark.parametrize(
    ("status", "problem"),
    [(400, "http_400"), (401, "http_401"), (404, "http_404"), (501, "http_501"), (302, "redirect_refused")],
)
def test_other_statuses_are_final(
    serve: Any, reply: Any, ask: Any, request_for: Any, status: Any, problem: Any
) -> None:
    server = serve(lambda _: reply(b"", status, Location="http://127.0.0.1:1/"))
    failure = ask(systems.http(server.url), [request_for("a")])
    assert type(failure) is CallFailure
    assert (failure.outcome, failure.problem) == ("error", problem)


@pytest.mark.parametrize(
    "content", [b"<html>no</html>", b"", b"\x00\x01\x7f", b'{"a": "\x01"}', b'{"c": NaN}']
)
def test_a_body_passes_as_it_is_whatever_it_holds(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any, content: Any
) -> None:
    assert shown(ask(systems.http(serve(lambda _: reply(content)).url), [request_for("a")])) == [content]


def test_half_a_body_is_invalid_output(serve: Any, ask: Any, shown: Any, request_for: Any) -> None:
    half = b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"decision": '
    assert shown(ask(systems.http(serve(lambda _: [half, None]).url), [request_for("a")])) == (
        "invalid_output",
        "truncated",
    )


@pytest.mark.parametrize(
    "steps", [[None], [b"garbage that is no http\r\n\r\n", None], [b"HTTP/1.1 200", None]]
)
def test_a_connection_that_ends_without_a_reply_is_transient(
    serve: Any, ask: Any, request_for: Any, steps: Any
) -> None:
    failure = ask(systems.http(serve(lambda _: steps).url), [request_for("a")])
    assert type(failure) is TransientFailure
    assert failure.problem == "connection_lost"


def test_a_huge_body_is_cut_off_early(serve: Any, ask: Any, shown: Any, request_for: Any) -> None:
    endless = [b"HTTP/1.1 200 OK\r\n\r\n", *[b"x" * 100_000] * 200]
    server = serve(lambda _: endless)
    assert shown(ask(systems.http(server.url), [request_for("a")])) == ("invalid_output", "too_large")


def test_the_limit_of_a_batch_is_that_of_its_items_together(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    def handler(request: Any) -> Any:
        return reply(
            {
                "items": [
                    {**item, "pad": "x" * (100 if item["record_id"] == "a" else 0)}
                    for item in request["items"]
                ]
            }
        )

    system = systems.http(serve(handler).url, batch_size=3, limit=100)
    results = shown(ask(system, [request_for(name) for name in "abc"]))
    assert results[0] == ("invalid_output", "too_large")
    assert [json.loads(raw)["record_id"] for raw in results[1:]] == ["b", "c"]


def test_a_compressed_body_is_not_unpacked(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    packed = gzip.compress(b" " * 10_000_000)
    server = serve(lambda _: reply(packed, Content_Encoding="gzip"))
    assert shown(ask(systems.http(server.url), [request_for("a")])) == [packed]
    assert "accept-encoding: identity" in server.headers[0].lower()


def test_a_slow_drip_is_bounded_by_the_caller(serve: Any, ask: Any, shown: Any, request_for: Any) -> None:
    drip = [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", *[b"x", 1.0] * 9]
    system = systems.http(
        serve(lambda request: drip if request["record_id"] == "a" else [drip[0], b"y" * 9]).url
    )
    first, second = ask(system, [request_for("a")], [request_for("b")], first=0.8)
    assert isinstance(first, TimeoutError)
    assert shown(second) == [b"y" * 9]


def test_nan_in_one_item_leaves_the_others_alone(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    def handler(request: Any) -> Any:
        return reply(
            {
                "items": [
                    {**item, "c": math.nan if item["record_id"] == "a" else 0.5} for item in request["items"]
                ]
            }
        )

    results = [
        json.loads(raw)
        for raw in shown(
            ask(systems.http(serve(handler).url, batch_size=2), [request_for("a"), request_for("b")])
        )
    ]
    assert math.isnan(results[0]["c"])
    assert results[1] == {"record_id": "b", "c": 0.5}


def test_nobody_there_is_a_failure_to_connect(ask: Any, request_for: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        failure = ask(systems.http(f"http://127.0.0.1:{free.getsockname()[1]}/"), [request_for("a")])
    assert isinstance(failure, ConnectFailure)
    assert failure.problem == "connection_refused"


def test_somebody_who_does_not_accept_is_a_failure_to_connect(ask: Any, request_for: Any) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        name = busy.getsockname()
        with socket.socket() as first, socket.socket() as second:
            for filler in (first, second):
                filler.setblocking(False)  # noqa: FBT003 - the socket's own signature
                filler.connect_ex(name)
            failure = ask(
                systems.http(f"http://127.0.0.1:{name[1]}/", connect_timeout=0.8), [request_for("a")]
            )
    assert isinstance(failure, ConnectFailure)
    assert failure.problem == "connect_timeout"


def test_settings_of_the_environment_do_not_decide_what_is_asked(
    serve: Any, reply: Any, ask: Any, shown: Any, request_for: Any, monkeypatch: Any
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1/")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert shown(ask(systems.http(serve(lambda _: reply(b"{}")).url), [request_for("a")])) == [b"{}"]


def test_the_descriptor_holds_no_secret() -> None:
    system = systems.http(
        "https://user:password@api.example:8443/v1/resolve?key=secret#part", headers={"X-Key": "secret"}
    )
    assert system.descriptor.spec == "https://api.example:8443/v1/resolve"
    assert systems.http("http://[::1]:80/x").descriptor.spec == "http://[::1]:80/x"


@pytest.mark.parametrize(
    "url", ["", "ftp://a/", "127.0.0.1:80", "http://", "/resolve", "http://a:99999/", "http://[::1/"]
)
def test_what_is_no_url_is_refused(url: Any) -> None:
    with pytest.raises(InputError):
        systems.http(url)


def test_a_batch_holds_at_least_one() -> None:
    with pytest.raises(InputError, match="batch size"):
        systems.http("http://127.0.0.1/", batch_size=0)
