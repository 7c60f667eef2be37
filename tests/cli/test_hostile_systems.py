"""Systems that hang, crash and answer nonsense: each planned case ends in its outcome class, and no text is shown."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
CERTIFY = ("certify", "--suite", "suite", "--out", "out", "--repeats", "1", "--policy", "c3")


@pytest.fixture
def outcome(workspace: Path, cli: Cli, canary: str) -> Callable[..., dict[str, str]]:
    """Certify a system: status and problem of each case. That it blocks, verifies and shows no text is checked."""

    def certified(system: str, *options: str) -> dict[str, str]:
        done = cli(*CERTIFY, "--system", system, *options)
        assert done.code == 1
        assert done.out.startswith("BLOCK")
        assert canary not in done.out + done.err
        assert "Traceback" not in done.err
        lines = (workspace / "out/run/sealed.jsonl").read_text().splitlines()
        answers = [json.loads(line) for line in lines]
        return {answer["case_id"]: f"{answer['status']}:{answer.get('problem')}" for answer in answers}

    return certified


def test_a_callable(outcome: Callable[..., dict[str, str]], cli: Cli) -> None:
    assert outcome("python:hostile:medley") == {
        "c00": "answered:None",  # an invented code is a wrong assignment
        "c01": "answered:None",
        "c02": "invalid_output:html",
        "c03": "invalid_output:truncated",
        "c04": "invalid_output:not_json",
        "c05": "invalid_output:not_an_object",
        "c06": "invalid_output:not_an_object",
        "c07": "invalid_output:wrong_id",
        "c08": "invalid_output:confidence_not_finite",
        "c09": "invalid_output:confidence_out_of_range",
        "c10": "invalid_output:bad_type",
        "c11": "invalid_output:several_codes",
        "c12": "invalid_output:too_large",
        "c13": "invalid_output:not_json",
        "c14": "error:raised_ValueError",
        "c15": "error:raised_SystemExit",
        "c16": "error:raised_KeyboardInterrupt",
        "c17": "invalid_output:not_json",
        "e-de": "answered:None",
        "e-en": "answered:None",
    }
    outcomes = json.loads(cli("measure", "out/run", "--json").out)["outcomes"]
    assert outcomes == {
        "right": 0, "wrong": 2, "refused_rightly": 0, "refused_otherwise": 2,
        "invalid_output": 13, "error": 3, "timeout": 0, "not_run": 0,
    }  # fmt: skip
    verified = cli("verify", "out")
    assert (verified.code, verified.err) == (0, "")


def test_a_callable_that_hangs(outcome: Callable[..., dict[str, str]]) -> None:
    found = outcome("python:hostile:hangs", "--timeout", "0.1", "--concurrency", "20")
    assert Counter(found.values()) == {"timeout:timeout": 20}


def test_a_program_that_hangs(outcome: Callable[..., dict[str, str]]) -> None:
    found = outcome("command:sleep 600", "--timeout", "0.3", "--concurrency", "20", "--attempts", "1")
    assert Counter(found.values()) == {"timeout:timeout": 20}


def test_a_program_that_echoes(outcome: Callable[..., dict[str, str]]) -> None:
    assert Counter(outcome("command:cat").values()) == {"invalid_output:no_decision": 20}


def test_answers_from_a_file(workspace: Path, outcome: Callable[..., dict[str, str]]) -> None:
    abstain = b'{"record_id":"%s","decision":{"type":"abstain"}}\n'
    lines = [abstain % json.loads(line)["record_id"].encode() for line in cases(workspace)]
    lines[0] = (
        b'{"record_id":"c00","decision":{"type":"concept","concept_code":"x.alpha","confidence":NaN}}\n'
    )
    lines[1] = b""
    lines[2] *= 2
    lines[3] = abstain % b"c3"
    Path("answers.jsonl").write_bytes(b"".join(lines))
    found = outcome("replay:answers.jsonl")
    assert {name: status for name, status in found.items() if status != "answered:None"} == {
        "c00": "invalid_output:confidence_not_finite",
        "c01": "error:no_line",
        "c02": "invalid_output:duplicate_id",
        "c03": "error:no_line",
    }


def cases(root: Path) -> list[str]:
    return (root / "suite/cases.jsonl").read_text().splitlines()


def test_a_file_of_answers_that_ends_early_names_the_line(workspace: Path, cli: Cli) -> None:
    del workspace
    Path("answers.jsonl").write_bytes(
        b'{"record_id":"c00","decision":{"type":"abstain"}}\n{"record_id":"c01","dec'
    )
    done = cli(*CERTIFY, "--system", "replay:answers.jsonl")
    assert (done.code, done.out) == (64, "")
    assert "error: answers.jsonl:2: expected a JSON object with a record_id" in done.err


@pytest.fixture
def serve(loopback: Any) -> Iterator[Callable[..., str]]:
    """Serve a handler on the loopback interface and return its address."""
    servers: list[Any] = []

    def start(handler: Any) -> str:
        servers.append(loopback.Loopback(handler))
        url: str = servers[-1].url
        return url

    yield start
    for server in servers:
        server.stop()


def test_a_server(serve: Any, outcome: Callable[..., dict[str, str]], loopback: Any) -> None:
    reply = loopback.reply
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n"
    behaviours: tuple[Callable[[Any], Any], ...] = (
        lambda request: reply(f"<html>{request['text']}</html>".encode()),
        lambda request: reply(request, status=500),
        lambda request: reply(request, status=404),
        lambda _: [head, b'{"decision": {"type": "abst', None],
        lambda _: [600.0],
        lambda request: [request["text"].encode() + b"\r\n\r\n", None],
        lambda _: reply({"record_id": "another", "decision": {"type": "abstain"}}),
        lambda request: reply(request, status=302, Location=f"/{request['record_id']}"),
        lambda request: reply(b"x" * 1_000_001 + request["text"].encode()),
    )

    def handler(request: Any) -> Any:
        number = re.search(r"number([a-r]):", request["text"])
        if number is not None and ord(number[1]) - ord("a") < len(behaviours):
            return behaviours[ord(number[1]) - ord("a")](request)
        return reply({"record_id": request["record_id"], "decision": {"type": "abstain"}})

    found = outcome(serve(handler), "--attempts", "1", "--timeout", "5")
    assert {name: status for name, status in found.items() if status != "answered:None"} == {
        "c00": "invalid_output:html",
        "c01": "error:http_500",
        "c02": "error:http_404",
        "c03": "invalid_output:truncated",
        "c04": "timeout:timeout",
        "c05": "error:connection_lost",
        "c06": "invalid_output:wrong_id",
        "c07": "error:redirect_refused",
        "c08": "invalid_output:too_large",
    }
