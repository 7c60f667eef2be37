"""Completion scripts, and what they complete."""

import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Cli = Callable[..., Any]
Program = tuple[list[str], dict[str, str]]


@pytest.mark.parametrize(
    ("shell", "parts"),
    [
        ("bash", ("_denotary_completion()", "_DENOTARY_COMPLETE=bash_complete", "complete -o nosort")),
        ("zsh", ("#compdef denotary", "_DENOTARY_COMPLETE=zsh_complete")),
        ("fish", ("function _denotary_completion", "_DENOTARY_COMPLETE=fish_complete")),
    ],
)
def test_a_script_for_each_shell(shell: str, parts: tuple[str, ...], cli: Cli) -> None:
    done = cli("completion", shell)
    assert (done.code, done.err) == (0, "")
    for part in parts:
        assert part in done.out
    program = shutil.which(shell)
    if program is not None:
        check = "--no-execute" if shell == "fish" else "-n"
        subprocess.run([program, check], input=done.out, text=True, check=True)


def test_another_shell_is_a_mistake(cli: Cli) -> None:
    done = cli("completion", "tcsh")
    assert (done.code, done.out) == (64, "")
    assert "'tcsh' is not one of" in done.err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("denotary cert", {"certify"}),
        ("denotary suite con", {"conformance"}),
        (
            "denotary registry ",
            {"lint", "freeze", "show", "compile", "diff", "migrate", "new", "import", "export"},
        ),
        ("denotary certify --require", {"--require-feasible"}),
    ],
)
def test_the_program_completes_its_commands_and_options(
    typed: str, offered: set[str], program: Program
) -> None:
    arguments, environment = program
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split(" ")) - 1)}
    done = subprocess.run(
        arguments,
        env={**environment, "_DENOTARY_COMPLETE": "bash_complete", **words},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == offered
    assert done.stderr == ""
