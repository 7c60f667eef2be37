"""A pipe, a device or a socket in the place of a file: refused at once by every reader, and never waited for."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

Cli = Callable[..., Any]
READ = {
    "promoted": ("verify", "promoted"),
    "promoted/run": ("measure", "promoted/run"),
    "suite": ("suite", "check", "suite"),
    "registry": ("registry", "lint", "registry"),
}
REFUSED = ("no regular file", "is missing", "there is no certificate.json")
NEVER_READ = {"summary.md", ".lock"}
"""No evidence: summary is for people, and the lock holds nothing."""


@pytest.fixture(autouse=True)
def waiting_fails() -> Iterator[None]:
    """Let a test fail, not the whole run hang, where a reader waits for a writer that never comes."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"waited for a pipe (signal {number}, {frame})")

    former = signal.signal(signal.SIGALRM, stop)
    signal.alarm(100)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)


@pytest.mark.parametrize("holder", READ)
def test_every_file_of_a_folder_is_refused_as_a_pipe(cli: Cli, folder: Path, holder: str) -> None:
    names = sorted(path.name for path in (folder / holder).iterdir() if path.is_file())
    assert len(names) >= 2
    for name in names:
        if name in NEVER_READ:
            continue
        path = folder / holder / name
        kept = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        done = cli(*READ[holder])
        assert done.code in (1, 64), name
        assert any(why in done.out + done.err for why in REFUSED), name
        path.unlink()
        path.write_bytes(kept)


def run(*arguments: str, cwd: Path, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "denotary", *arguments]
    return subprocess.run(command, cwd=cwd, input=given, capture_output=True, timeout=90, check=False)


def test_a_program_is_not_stopped_by_a_pipe_in_a_run(folder: Path) -> None:
    sealed = folder / "promoted/run/sealed.jsonl"
    sealed.unlink()
    os.mkfifo(sealed)
    done = run("verify", "promoted", cwd=folder)
    assert done.returncode == 1
    assert b"sealed.jsonl: cannot be read: it is no regular file" in done.stdout
    assert done.stdout.endswith(b"NOT VERIFIED\n")


def test_a_device_is_no_file_of_a_suite(cli: Cli, folder: Path) -> None:
    (folder / "suite/cases.jsonl").unlink()
    (folder / "suite/cases.jsonl").symlink_to("/dev/zero")
    done = cli("suite", "check", "suite")
    assert done.code == 64
    assert "cases.jsonl: cannot be read: it is no regular file" in done.err


def test_a_compiled_registry_that_is_a_pipe_is_refused(cli: Cli, folder: Path) -> None:
    os.mkfifo(folder / "compiled.sqlite")
    (folder / "one.jsonl").write_text('{"text": "gift"}\n')
    done = cli("resolver", "resolve", "one.jsonl", "--registry", "compiled.sqlite")
    assert done.code == 64
    assert "no regular file" in done.err


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_what_the_user_pipes_in_is_read(folder: Path, name: str) -> None:
    done = run(
        "registry", "import", "csv", name, "two", cwd=folder, given=(folder / "table.csv").read_bytes()
    )
    assert done.returncode == 0, done.stderr
