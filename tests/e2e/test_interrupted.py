"""A real ``denotary certify`` that is stopped half-way: it says how to go on, and going on changes no byte."""

import json
import shlex
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = tuple[list[str], dict[str, str]]
ORDER = shlex.split(
    "certify --suite suite --system python:hostile:by_text --policy c3 --concurrency 1 --repeats 2 --out"
)
CALLS = 40
RESULTS = (
    "certificate.json", "verdict.json", "rows.jsonl", "policy.toml", "summary.md", "junit.xml", "gates.sarif",
    "run/sealed.jsonl", "run/plan.jsonl", "run/run.toml",
)  # fmt: skip
PATIENCE = 300.0


class Started:
    """A command that is running in the workspace."""

    def __init__(self, program: Program, root: Path, *arguments: str, seconds_a_call: float = 0.0) -> None:
        start, environment = program
        self.process = subprocess.Popen(
            [*start, *arguments],
            cwd=root,
            env={**environment, "SECONDS_A_CALL": str(seconds_a_call)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_bytes(self, path: Path, most: float = PATIENCE) -> None:
        """Wait until something stands in a file."""
        deadline = time.monotonic() + most
        while not (path.exists() and path.stat().st_size):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def end(self, how: signal.Signals | None = None) -> tuple[int, str, str]:
        """Send a signal, if one is given, and return exit code, standard output and standard error."""
        if how is not None:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def start(program: Program, workspace: Path) -> Callable[..., Started]:
    return lambda *arguments, **options: Started(program, workspace, *arguments, **options)


def logged(run: Path) -> tuple[Counter[str], int]:
    """Return how often each call was answered in the raw log, and how many were asked again."""
    records = [json.loads(line) for line in (run / "calls.jsonl").read_text().splitlines()]
    answered = Counter(
        name for record in records if record["event"] == "answered" for name in record["call_ids"]
    )
    return answered, sum(record.get("reasked", False) for record in records if record["event"] == "asked")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_a_resumed_run_gives_the_bytes_of_an_undisturbed_one(
    how: signal.Signals, workspace: Path, start: Callable[..., Started], cli: Callable[..., Any]
) -> None:
    assert cli(*ORDER, "undisturbed", "--quiet").code == 1
    interrupted = start(*ORDER, "stopped", seconds_a_call=1.0)
    interrupted.wait_for_bytes(workspace / "stopped/run/answers.jsonl")
    code, out, err = interrupted.end(how)
    assert out == ""
    assert "Traceback" not in err
    if how == signal.SIGINT:
        assert code == 130
        (told,) = [line for line in err.splitlines() if line.startswith("stopped: ")]
        assert told.endswith(
            f"of {CALLS} calls are answered and on the disk; run the same command again to go on"
        )
    else:
        assert code == -how
    assert not (workspace / "stopped/certificate.json").exists()
    before = len((workspace / "stopped/run/answers.jsonl").read_text().splitlines())
    assert 0 < before < CALLS

    assert cli(*ORDER, "stopped", "--quiet").code == 1
    for name in RESULTS:
        assert (workspace / "stopped" / name).read_bytes() == (
            workspace / "undisturbed" / name
        ).read_bytes(), name
    answered, reasked = logged(workspace / "stopped/run")
    assert set(answered.values()) == {1}
    assert len(answered) == CALLS
    assert reasked <= 1
    for folder in ("stopped", "undisturbed"):
        assert cli("verify", folder).code == 0


def test_what_is_told_does_not_depend_on_how_much_is_printed(
    workspace: Path, start: Callable[..., Started]
) -> None:
    """A user who wanted JSON or silence still learns that nothing is lost."""
    running = start(*ORDER, "out", "--json", seconds_a_call=1.0)
    running.wait_for_bytes(workspace / "out/run/answers.jsonl")
    code, out, err = running.end(signal.SIGINT)
    assert (code, out) == (130, "")
    assert err.strip().startswith("stopped: ")
    assert err.strip().endswith("run the same command again to go on")
    assert err.strip().count("\n") == 0


def test_a_system_that_hangs_does_not_hold_the_user(workspace: Path, start: Callable[..., Started]) -> None:
    running = start("ask", "--suite", "suite", "--system", "python:hostile:hangs", "--out", "run", "-q")
    running.wait_for_bytes(workspace / "run/calls.jsonl")
    began = time.monotonic()
    code, _, err = running.end(signal.SIGINT)
    assert code == 130
    assert "stopped: 0 of 40 calls are answered" in err
    assert time.monotonic() - began < 120


def test_one_folder_belongs_to_one_process(
    workspace: Path, start: Callable[..., Started], cli: Callable[..., Any]
) -> None:
    running = start(*ORDER, "out", "--quiet", seconds_a_call=1.0)
    running.wait_for_bytes(workspace / "out/run/answers.jsonl")
    second = cli(*ORDER, "out", "--quiet")
    assert (second.code, second.out) == (70, "")
    assert "out/run: another run is writing to this folder" in second.err
    running.end(signal.SIGKILL)
    assert cli(*ORDER, "out", "--quiet").code == 1
