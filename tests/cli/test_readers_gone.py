"""Whoever reads the output may go away (``head``, a pager that is left): every command then ends quietly with 141."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

Program = tuple[list[str], dict[str, str]]
COMMANDS = (
    (),
    ("--help",),
    ("--version",),
    ("certify", "--help"),
    ("completion", "bash"),
    ("registry", "show", "registry"),
    ("registry", "lint", "registry", "--json"),
    ("suite", "check", "suite"),
    ("plan", "--policy", "c5"),
    ("plan", "--policy", "c5", "--json"),
    ("verify", "promoted"),
    ("resolver", "resolve", "one.jsonl", "--registry", "bundled:bootstrap"),
    ("certify", "--suite", "conformance", "--system", "exact", "--policy", "registry-exact", "--out", "o"),
    ("ask", "--suite", "suite", "--system", "exact", "--out", "run", "--json"),
)


def unread() -> int:
    """Return the end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.fixture
def place(folder: Path) -> Path:
    (folder / "one.jsonl").write_text('{"text": "gift"}\n')
    return folder


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_output_that_nobody_reads_ends_a_command_without_a_word(
    place: Path, program: Program, command: tuple[str, ...]
) -> None:
    start, environment = program
    gone = unread()
    done = subprocess.run(
        [*start, *command], cwd=place, env=environment, stdout=gone, stderr=subprocess.PIPE, check=False
    )
    os.close(gone)
    assert done.returncode == 141
    assert b"rror" not in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command", [("frobnicate",), ("verify", "nowhere"), ("suite", "check", "registry")], ids=" ".join
)
def test_an_error_that_nobody_reads_is_no_verdict(
    place: Path, program: Program, command: tuple[str, ...]
) -> None:
    start, environment = program
    gone = unread()
    done = subprocess.run(
        [*start, *command], cwd=place, env=environment, stdout=gone, stderr=gone, check=False
    )
    os.close(gone)
    assert done.returncode == 141


def test_the_bar_on_a_terminal_does_not_keep_a_command_from_ending(place: Path, program: Program) -> None:
    start, environment = program
    command = (
        "certify",
        "--suite",
        "conformance",
        "--system",
        "exact",
        "--policy",
        "registry-exact",
        "--out",
        "o",
    )
    gone, (screen, terminal) = unread(), pty.openpty()
    with subprocess.Popen(
        [*start, *command], cwd=place, env=environment, stdout=gone, stderr=terminal
    ) as running:
        os.close(terminal)
        shown = b""
        try:
            while part := os.read(screen, 4096):
                shown += part
        except OSError:
            # So Linux says that the other end of a terminal was closed.
            pass
    os.close(screen)
    os.close(gone)
    assert running.returncode == 141
    assert b"180/180" in shown
    assert b"rror" not in shown
