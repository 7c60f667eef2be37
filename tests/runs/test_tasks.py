"""A hostile server, program or coroutine: whatever it does, every case keeps its outcome class and the run goes on."""

import asyncio
import json
import socket
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from denotary import runs, systems
from denotary.errors import UnreachableError
from denotary.runs.waits import Gate
from denotary.systems.base import Reply, TransientFailure

pytestmark = pytest.mark.usefixtures("quick_retry")

NAN = b'{"decision": {"concept_code": "x", "confidence": NaN}}'
BAD = ("invalid_output", "confidence_not_finite")
LATE = [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", *[b"x", 9.0] * 50]
NEVER = 600.0
"""Seconds that no test waits for."""
PATIENCE = 5.0
"""Seconds after which a call of a test that is about time-outs is given up; the other calls take milliseconds."""
AMPLE = 120.0
HALF = [b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"decision"', None]


def number(request: Any) -> Any:
    return int(request["text"].split()[-1])


@pytest.mark.parametrize(
    ("misdeed", "status", "problem"),
    [
        (lambda r, ok, reply: reply(b"", 500), "error", "http_500"),
        (lambda r, ok, reply: reply(b"", 503), "error", "http_503"),
        (lambda r, ok, reply: reply(b"", 429, Retry_After="0"), "error", "http_429"),
        (lambda r, ok, reply: reply(b"", 404), "error", "http_404"),
        (lambda r, ok, reply: reply(b"", 301, Location="/"), "error", "redirect_refused"),
        (lambda r, ok, reply: [None], "error", "connection_lost"),
        (lambda r, ok, reply: [b"no http\r\n\r\n", None], "error", "connection_lost"),
        (lambda r, ok, reply: HALF, "invalid_output", "truncated"),
        (lambda r, ok, reply: LATE, "timeout", "timeout"),
        (lambda r, ok, reply: [NEVER], "timeout", "timeout"),
        (lambda r, ok, reply: reply(json.dumps(ok).encode()[:-1]), "invalid_output", "truncated"),
        (lambda r, ok, reply: reply(b" " * 3_000_000), "invalid_output", "too_large"),
        (lambda r, ok, reply: reply(b"<html>" + b"\x00\x1b" * 9), "invalid_output", "html"),
        (lambda r, ok, reply: reply(ok | {"record_id": "x"}), "invalid_output", "wrong_id"),
        (lambda r, ok, reply: reply(NAN), *BAD),
        (lambda r, ok, reply: reply({"decision": {"concept_code": "\x00\x7f\u202e<script>"}}), "answered", None),
        (lambda r, ok, reply: reply(b""), "invalid_output", "not_json"),
        (lambda r, ok, reply: reply(b"[" * 500_000), "invalid_output", "not_json"),
    ],
)  # fmt: skip
def test_one_misdeed_of_a_server_is_one_outcome(
    outcomes: Any, truth: Any, serve: Any, reply: Any, misdeed: Any, status: Any, problem: Any
) -> None:
    def handler(request: Any) -> Any:
        ok = truth(request)
        return misdeed(request, ok, reply) if number(request) == 1 else reply(ok)

    got = outcomes(systems.http(serve(handler).url), timeout=PATIENCE if status == "timeout" else AMPLE)
    assert got == [("answered", None), (status, problem), ("answered", None), ("answered", None)]


@pytest.mark.parametrize(
    ("misdeed", "status", "problem"),
    [
        (lambda p, t: 1 / 0, "error", "raised_ZeroDivisionError"),
        (lambda p, t: object(), "invalid_output", "not_json"),
    ],
)
def test_one_misdeed_of_a_coroutine_is_one_outcome(
    outcomes: Any, truth: Any, misdeed: Any, status: Any, problem: Any
) -> None:
    async def system(payload: Any) -> Any:
        await asyncio.sleep(0)
        return misdeed(payload, truth) if number(payload) == 1 else truth(payload)

    got = outcomes(system, timeout=AMPLE, concurrency=1)
    assert got == [("answered", None), (status, problem), ("answered", None), ("answered", None)]


def test_a_coroutine_that_blocks_is_one_timeout(outcomes: Any, truth: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("denotary.systems.coroutines.PATIENCE", 0.1)

    over = threading.Event()

    async def system(payload: Any) -> Any:
        if number(payload) == 1:
            over.wait(NEVER)
        return truth(payload)

    got = outcomes(system, timeout=PATIENCE, concurrency=1)
    over.set()
    assert got == [("answered", None), ("timeout", "timeout"), ("answered", None), ("answered", None)]


PROGRAM = """
import json, sys, time
for line in sys.stdin:
    r = json.loads(line)
    n = int(r["text"].split()[-1])
    ok = json.dumps({"record_id": r["record_id"], "decision": {"concept_code": "code.%d" % n}})
    if n == 1:
        MISDEED
    print(ok, flush=True)
"""


@pytest.mark.parametrize(
    ("misdeed", "status", "problem"),
    [
        ("sys.exit(1)", "error", "process_exited"),
        ("time.sleep(600)", "timeout", "timeout"),
        ("ok = 'garbage'", "invalid_output", "not_json"),
        ("ok = ok[:-4]", "invalid_output", "truncated"),
        ("ok = ok.replace('record_id', 'id')", "invalid_output", "wrong_id"),
        ("ok = ok.replace(r['record_id'], 'x')", "invalid_output", "wrong_id"),
        ("ok = ok + chr(10) + ok", "answered", None),
        ("ok = 'x' * 3_000_000", "invalid_output", "too_large"),
    ],
)
def test_one_misdeed_of_a_program_is_one_outcome(
    outcomes: Any, tmp_path: Any, misdeed: Any, status: Any, problem: Any
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("MISDEED", misdeed))
    system = systems.command([sys.executable, "-S", "-u", str(tmp_path / "program.py")])
    got = outcomes(system, timeout=PATIENCE if status == "timeout" else AMPLE, concurrency=2)
    assert got == [("answered", None), (status, problem), ("answered", None), ("answered", None)]


def test_a_batch_keeps_each_outcome(outcomes: Any, truth: Any, serve: Any, reply: Any) -> None:
    def handler(request: Any) -> Any:
        items = [truth(item) for item in request["items"]]
        items[1]["decision"]["confidence"] = float("nan")
        items[2]["record_id"] = items[3]["record_id"]
        items[4] = None
        items[5]["decision"]["concept_code"] = "x" * 2_000_000
        return reply({"items": items[::-1]})

    got = outcomes(systems.http(serve(handler).url, batch_size=8), size=8)
    assert got == [
        ("answered", None),
        ("invalid_output", "confidence_not_finite"),
        ("invalid_output", "wrong_id"),
        ("invalid_output", "duplicate_id"),
        ("invalid_output", "wrong_id"),
        ("invalid_output", "too_large"),
        ("answered", None),
        ("answered", None),
    ]


def test_a_batch_that_fails_as_a_whole_fails_each_of_its_calls(
    outcomes: Any, truth: Any, serve: Any, reply: Any
) -> None:
    def handler(request: Any) -> Any:
        if any(number(item) == 5 for item in request["items"]):
            return reply(b"", 400)
        return reply({"items": [truth(item) for item in request["items"]]})

    got = outcomes(systems.http(serve(handler).url, batch_size=4), size=12)
    assert got == [("answered", None)] * 4 + [("error", "http_400")] * 4 + [("answered", None)] * 4


def test_what_passes_is_tried_again_and_counted(
    outcomes: Any, truth: Any, serve: Any, reply: Any, tmp_path: Any
) -> None:
    seen: dict[str, int] = {}

    def handler(request: Any) -> Any:
        seen[request["record_id"]] = seen.get(request["record_id"], 0) + 1
        steps = [reply(b"", 503), [None], reply(truth(request))]
        return steps[seen[request["record_id"]] - 1]

    assert outcomes(systems.http(serve(handler).url), size=6) == [("answered", None)] * 6
    records = [json.loads(line) for line in (tmp_path / "run" / "calls.jsonl").read_text().splitlines()]
    assert [record["attempts"] for record in records if record["event"] == "answered"] == [3] * 6
    assert sum(record["event"] == "asked" for record in records) == 6


def test_attempts_are_bounded(outcomes: Any, serve: Any, reply: Any) -> None:
    server = serve(lambda _: reply(b"", 500))
    assert outcomes(systems.http(server.url), size=3, attempts=2) == [("error", "http_500")] * 3
    assert len(server.requests) == 6
    assert outcomes(systems.http(server.url), size=3, attempts=1, out="once") == [("error", "http_500")] * 3
    assert len(server.requests) == 9


@pytest.mark.parametrize("form", ["seconds", "date"])
@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_for_a_pause_gets_it_from_every_sender(
    outcomes: Any, truth: Any, serve: Any, reply: Any, monkeypatch: Any, form: Any, status: Any
) -> None:
    pause, times = 0.5, []
    told: list[tuple[float, float]] = []
    real = Gate.close_for

    def close_for(gate: Any, seconds: float) -> None:
        told.append((seconds, time.perf_counter()))
        real(gate, pause)

    monkeypatch.setattr(Gate, "close_for", close_for)

    def handler(request: Any) -> Any:
        times.append(time.perf_counter())
        if len(times) == 1:
            until = format_datetime(datetime.now(UTC) + timedelta(seconds=900), usegmt=True)
            return reply(b"", status, Retry_After="900" if form == "seconds" else until)
        return reply(truth(request))

    assert outcomes(systems.http(serve(handler).url), size=40, concurrency=2) == [("answered", None)] * 40
    ((seconds, closed),) = told
    assert seconds == 900 if form == "seconds" else 800 < seconds <= 900
    # What the other sender had under way when the gate was closed may still arrive, and nothing else.
    assert sum(closed < arrived < closed + pause for arrived in times) <= 1
    assert times[-1] >= closed + pause


def test_a_redirect_is_never_followed(outcomes: Any, truth: Any, serve: Any, reply: Any) -> None:
    elsewhere = serve(lambda request: reply(truth(request)))
    server = serve(lambda _: reply(b"", 307, Location=elsewhere.url))
    assert outcomes(systems.http(server.url), size=2) == [("error", "redirect_refused")] * 2
    assert not elsewhere.requests


@pytest.fixture
def nobody() -> Any:
    """An address that stays taken and refuses every connection."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{free.getsockname()[1]}/"


def test_a_system_that_was_never_reached_ends_the_run_and_leaves_nothing_behind(
    suite: Any, tmp_path: Any, nobody: Any, truth: Any, serve: Any, reply: Any
) -> None:
    with pytest.raises(UnreachableError, match="connection_refused") as caught:
        runs.ask(systems.http(nobody), suite(50), tmp_path / "run")
    assert int(caught.value.exit_code) == 69
    part = runs.load_run(tmp_path / "run", suite=suite(50))
    assert {answer.status for answer in part.answers} == {"not_run"}


def test_a_system_that_went_away_is_an_error_of_the_calls_that_are_left(
    outcomes: Any, truth: Any, serve: Any, reply: Any
) -> None:
    servers: list[Any] = []

    def handler(request: Any) -> Any:
        if len(servers[0].requests) == 5:
            servers[0].refuse()
        return reply(truth(request))

    servers.append(serve(handler))
    got = outcomes(systems.http(servers[0].url), size=9, concurrency=1)
    assert got == [("answered", None)] * 5 + [("error", "connection_refused")] * 4


def test_a_system_that_is_away_when_a_run_goes_on_costs_no_case_its_outcome(
    suite: Any, truth: Any, tmp_path: Any, serve: Any, reply: Any, nobody: Any
) -> None:
    server = serve(lambda request: reply(truth(request)))
    system = systems.http(server.url)
    run = runs.ask(system, suite(6), tmp_path / "run", concurrency=1)
    for name in ("sealed.jsonl", "seal.json"):
        (run.root / name).unlink()
    for name, kept in (("answers.jsonl", 3), ("calls.jsonl", 6)):
        lines = (run.root / name).read_bytes().splitlines(keepends=True)
        (run.root / name).write_bytes(b"".join(lines[:kept]))
    server.refuse()
    with pytest.raises(UnreachableError):
        runs.ask(systems.http(server.url), suite(6), tmp_path / "run")
    statuses = [answer.status for answer in runs.load_run(run.root, suite=suite(6)).answers]
    assert statuses == ["answered"] * 3 + ["not_run"] * 3


def test_a_program_that_cannot_be_started_is_never_reached(suite: Any, tmp_path: Any) -> None:
    path = tmp_path / "gone"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    system = systems.command([str(path)])
    path.unlink()
    with pytest.raises(UnreachableError, match="not_started"):
        runs.ask(system, suite(3), tmp_path / "run")


class Careless:
    """A system from elsewhere that breaks its own contract."""

    batch_size = 2
    descriptor = systems.http("http://host/").descriptor

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ask(self, requests: Any) -> Any:
        if number(requests[0].payload) == 0:
            return []
        raise RuntimeError("secret text")


def test_a_system_from_elsewhere_cannot_end_the_run(outcomes: Any, tmp_path: Any) -> None:
    got = outcomes(Careless(), size=4)
    assert got == [("invalid_output", "missing_item")] * 2 + [("error", "raised_RuntimeError")] * 2
    assert b"secret" not in (tmp_path / "run" / "calls.jsonl").read_bytes()


def test_no_more_is_in_flight_than_asked_for(outcomes: Any, truth: Any) -> None:
    running, most, all_five = set(), [], asyncio.Event()

    async def system(payload: Any) -> Any:
        running.add(payload["record_id"])
        most.append(len(running))
        if len(running) == 5:
            all_five.set()
        await all_five.wait()
        await asyncio.sleep(0.005)
        running.discard(payload["record_id"])
        return truth(payload)

    assert outcomes(system, size=60, concurrency=5) == [("answered", None)] * 60
    assert max(most) == 5


def test_senders_wait_while_replies_wait_to_be_decoded(
    outcomes: Any, truth: Any, serve: Any, reply: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("denotary.runs.recorder.ROOM", 4)
    server = serve(lambda request: reply({"items": [truth(item) for item in request["items"]]}))
    assert (
        outcomes(systems.http(server.url, batch_size=3), size=40, concurrency=2) == [("answered", None)] * 40
    )


def test_calls_that_are_asked_again_share_no_batch_with_others(
    suite: Any, truth: Any, tmp_path: Any, serve: Any, reply: Any
) -> None:
    server = serve(lambda request: reply({"items": [truth(item) for item in request["items"]]}))
    system = systems.http(server.url, batch_size=10)
    run = runs.ask(system, suite(10), tmp_path / "run")
    for name in ("sealed.jsonl", "seal.json"):
        (run.root / name).unlink()
    (run.root / "answers.jsonl").write_bytes(b"")
    (run.root / "calls.jsonl").write_bytes(b'{"event":"asked","call_ids":["case-00000#0","case-00001#0"]}\n')
    runs.ask(systems.http(server.url, batch_size=10), suite(10), tmp_path / "run")
    asked = [json.loads(line) for line in (run.root / "calls.jsonl").read_text().splitlines()][1:]
    again = [
        (len(record["call_ids"]), record.get("reasked", False))
        for record in asked
        if record["event"] == "asked"
    ]
    assert sorted(again) == [(2, True), (8, False)]


class Flaky(Careless):
    """A system from elsewhere whose batches fail in part."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    async def ask(self, requests: Any) -> Any:
        numbers = [number(request.payload) for request in requests]
        self.batches.append(numbers)
        again = (
            TransientFailure("busy")
            if len(self.batches) < 3
            else Reply(b'{"decision": {"concept_code": "x"}}')
        )
        return [again if n % 2 else Reply(b'{"decision": {"concept_code": "x"}}') for n in numbers]


def test_only_the_calls_of_a_batch_that_failed_are_sent_again(outcomes: Any) -> None:
    system = Flaky()
    assert outcomes(system, size=2, concurrency=1) == [("answered", None)] * 2
    assert system.batches == [[0, 1], [1], [1]]
