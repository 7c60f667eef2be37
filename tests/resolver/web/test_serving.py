"""The service as a process: a real socket, a real signal."""

import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

Program = tuple[list[str], dict[str, str]]


Process = tuple[subprocess.Popen[str], str]


@contextmanager
def started(program: Program, *options: str) -> Iterator[Process]:
    """Run the command; give it, and the address that it says it listens on."""
    command, environment = program
    with subprocess.Popen(
        [*command, "resolver", "serve", "bundled:bootstrap", "--port", "0", *options],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        address = next(found[0] for line in running.stderr if (found := re.search(r"http://[\d.:]+", line)))
        yield running, address
        running.kill()


@pytest.fixture
def process(program: Program) -> Iterator[Process]:
    with started(program) as found:
        yield found


def test_it_answers_and_stops_when_told_to(process: tuple[subprocess.Popen[str], str]) -> None:
    running, address = process
    with httpx.Client() as client:
        assert client.get(f"{address}/healthz").json()["status"] == "ok"
        found = client.post(f"{address}/v1/resolve", json={"text": "machine-readable representation"})
        assert found.json()["disposition"] == "SINGLE"
        assert "server" not in found.headers
    running.send_signal(signal.SIGTERM)
    assert running.wait(timeout=30) in {0, -signal.SIGTERM}


def test_a_request_in_work_is_answered_after_the_signal_and_no_new_one_is_taken(
    process: tuple[subprocess.Popen[str], str],
) -> None:
    running, address = process
    host, port = address.removeprefix("http://").split(":")
    place = host, int(port)
    body = b'{"text": "machine-readable representation"}'
    head = (
        f"POST /v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    with socket.create_connection(place, timeout=30) as begun:
        begun.sendall(head.encode())
        # The service says so when it waits for the body: from here on the request is in work.
        assert begun.recv(1024).startswith(b"HTTP/1.1 100")
        running.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 20
        while is_open(place):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert running.poll() is None
        begun.sendall(body)
        answer = b"".join(iter(lambda: begun.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"disposition":"SINGLE"' in answer
    assert running.wait(timeout=30) in {0, -signal.SIGTERM}


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", b""),
        (b"POST /v1/resolve HTT", b""),
        (b"POST /v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{", b"HTTP/1.1 408 "),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /he", b"HTTP/1.1 200 "),
    ],
)
def test_a_request_that_never_ends_loses_its_connection(
    program: Program, sent: bytes, answered: bytes
) -> None:
    with started(program, "--read-timeout", "0.2") as (_, address):
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=30) as held:
            held.sendall(sent)
            # Without a time-out of the service this waits for the one of the test, which is an error.
            answer = b"".join(iter(lambda: held.recv(4096), b""))
    assert answer[: len(answered) or None] == answered


def is_open(place: tuple[str, int]) -> bool:
    try:
        with socket.create_connection(place, timeout=5):
            return True
    except OSError:
        return False


def test_a_port_that_is_taken_is_said(cli: Callable[..., object], program: Program) -> None:
    command, environment = program
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*command, "resolver", "serve", "bundled:bootstrap", "--port", port],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 64
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "Traceback" not in done.stderr
