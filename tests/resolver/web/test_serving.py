"""The service as a process: a real socket, a real signal."""

import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator

import httpx
import pytest

Program = tuple[list[str], dict[str, str]]


@pytest.fixture
def process(program: Program) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it says it listens on."""
    command, environment = program
    with subprocess.Popen(
        [*command, "resolver", "serve", "bundled:bootstrap", "--port", "0"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        address = next(found[0] for line in running.stderr if (found := re.search(r"http://[\d.:]+", line)))
        yield running, address
        running.kill()


def test_it_answers_and_stops_when_told_to(process: tuple[subprocess.Popen[str], str]) -> None:
    running, address = process
    with httpx.Client() as client:
        assert client.get(f"{address}/healthz").json()["status"] == "ok"
        found = client.post(f"{address}/v1/resolve", json={"text": "machine-readable representation"})
        assert found.json()["disposition"] == "SINGLE"
        assert "server" not in found.headers
    running.send_signal(signal.SIGTERM)
    assert running.wait(timeout=30) in {0, -signal.SIGTERM}


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
