"""Every exit code, from every command that can give it; in this process, and once each from a real one."""

import json
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.cli.root import READER_GONE
from denotary.errors import ExitCode

Cli = Callable[..., Any]
Program = tuple[list[str], dict[str, str]]
CERTIFY = ("certify", "--suite", "suite", "--out", "out", "--quiet")


@pytest.fixture
def closed_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--version",), 0),
        (("completion", "bash"), 0),
        (("registry", "lint", "registry"), 0),
        (("registry", "freeze", "registry"), 0),
        (("registry", "show", "bundled:bootstrap"), 0),
        (("registry", "compile", "registry", "compiled.sqlite"), 0),
        (("suite", "check", "suite"), 0),
        (("suite", "freeze", "suite"), 0),
        (("suite", "show", "bundled:starter"), 0),
        (("suite", "quota", "suite"), 0),
        (("suite", "conformance", "registry", "--out", "other"), 0),
        (("plan", "--policy", "c1"), 0),
        (("plan", "--policy", "c3", "--suite", "suite"), 0),
        (("plan", "--policy", "c3", "--suite", "suite", "--require-feasible"), 2),
        (("plan", "--policy", "registry-exact", "--suite", "conformance", "--require-feasible"), 0),
        (("ask", "--suite", "suite", "--system", "exact", "--out", "run"), 0),
        (("ask", "--suite", "suite", "--system", "python:hostile:raises", "--out", "run"), 69),
        (("certify", "--suite", "conformance", "--system", "exact", "--policy", "registry-exact", "--out", "o"), 0),
        ((*CERTIFY, "--system", "python:hostile:invents"), 1),
        ((*CERTIFY, "--system", "python:hostile:raises"), 1),
        ((*CERTIFY, "--system", "exact"), 2),
        ((*CERTIFY, "--system", "exact", "--require-feasible"), 2),
        (("measure", "promoted/run"), 0),
        (("judge", "promoted/run", "--policy", "registry-exact"), 0),
        (("judge", "promoted/run", "--policy", "c3"), 2),
        (("report", "promoted/run", "--policy", "c3", "--out", "page.html"), 0),
        (("verify", "promoted"), 0),
        ((), 64),
        (("registry",), 64),
        (("frobnicate",), 64),
        (("certify",), 64),
        (("certify", "--no-such-option"), 64),
        (("suite", "show", "nowhere"), 64),
        (("verify", "suite"), 64),
    ],
    ids=lambda value: " ".join(value) or "nothing" if isinstance(value, tuple) else str(value),
)  # fmt: skip
def test_exit_codes(arguments: tuple[str, ...], code: int, folder: Path, cli: Cli) -> None:
    done = cli(*arguments)
    assert done.code == code, done
    assert "Traceback" not in done.err
    assert "internal error" not in done.err


def test_checks_that_find_an_error_return_one(folder: Path, cli: Cli, suite_files: Any, case: Any) -> None:
    suite_files(folder / "draft", [case("c1", "x.omega")])
    assert cli("suite", "check", "draft").code == ExitCode.BLOCK
    suite_files(folder / "short", [case("c1")], quotas={"family:compositional": 2})
    assert cli("suite", "quota", "short").code == ExitCode.BLOCK
    path = folder / "promoted/verdict.json"
    path.write_bytes(path.read_bytes().replace(b'"PROMOTE"', b'"BLOCK"'))
    assert cli("verify", "promoted").code == ExitCode.BLOCK


def test_lint_that_finds_an_error_returns_one(workspace: Path, cli: Cli, make_registry: Any) -> None:
    review = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}
    expression = {
        "id": "e1",
        "text": "a name",
        "language": "en",
        "script": "Latn",
        "codes": [],
        "review": review,
    }
    make_registry(workspace / "draft", expressions=[expression], ambiguities=[])
    done = cli("registry", "lint", "draft")
    assert done.code == ExitCode.BLOCK
    assert "expressions.jsonl:1: e1: error" in done.out


def test_a_system_on_which_nothing_listens_is_unreachable(
    workspace: Path, closed_port: int, cli: Cli
) -> None:
    for command in ("ask", "certify"):
        url = f"http://127.0.0.1:{closed_port}/resolve"
        done = cli(command, "--suite", "suite", "--system", url, "--out", command, "--attempts", "1", "-q")
        assert (done.code, done.out) == (ExitCode.UNREACHABLE, "")
        assert f"error: {url}: no call was answered (connection_refused)" in done.err
        assert "start the system" in done.err
    assert {path.name for path in (workspace / "certify").iterdir()} == {"run"}


def test_a_program_that_never_speaks_is_unreachable(workspace: Path, cli: Cli) -> None:
    done = cli(*CERTIFY, "--system", "command:false", "--attempts", "1")
    assert done.code == ExitCode.UNREACHABLE
    assert "command:false: no call was answered (process_exited)" in done.err


def test_a_system_that_fails_every_call_is_told_of_after_the_counts(workspace: Path, cli: Cli) -> None:
    order = ("ask", "--suite", "suite", "--system", "python:hostile:raises", "--out", "run")
    done = cli(*order, "--json")
    assert done.code == ExitCode.UNREACHABLE
    counts = json.loads(done.out)
    assert counts["complete"]
    assert set(counts["status"]) <= {"error", "not_run"}
    failed = counts["status"]["error"]
    assert (
        f"error: python:hostile:raises: no case was answered (raised_ValueError: {failed:,} calls)"
        in done.err
    )
    assert cli(*order, "--quiet").code == ExitCode.UNREACHABLE


def test_a_fault_of_denotary_is_internal_and_shows_no_message(
    workspace: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, canary: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"the text was {canary}")

    monkeypatch.setattr("denotary.suites.loading.read_suite", broken)
    done = cli("suite", "show", "suite")
    assert done == (
        ExitCode.INTERNAL, "", "internal error: RuntimeError; set DENOTARY_DEBUG=1 to see where\n"
    )  # fmt: skip
    monkeypatch.setenv("DENOTARY_DEBUG", "1")
    with pytest.raises(RuntimeError, match=canary):
        cli("suite", "show", "suite")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("judge", "promoted/run", "--policy", "registry-exact"), 0),
        ((*CERTIFY, "--system", "python:hostile:invents"), 1),
        (("judge", "promoted/run"), 2),
        (("certify", "--suite"), 64),
        ((*CERTIFY, "--system", "command:false", "--attempts", "1"), 69),
        (("registry", "compile", "registry", "suite/suite.toml/below"), 70),
    ],
)
def test_exit_codes_of_a_real_process(
    arguments: tuple[str, ...], code: int, folder: Path, program: Program
) -> None:
    start, environment = program
    done = subprocess.run(
        [*start, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_verdict(folder: Path, program: Program) -> None:
    start, environment = program
    running = subprocess.Popen(
        [*start, "measure", "promoted/run", "--slice", "*"],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    assert running.wait(300) == READER_GONE
    assert running.stderr.read() == b""
    running.stderr.close()
