"""What ``--help`` says, and that saying it costs nothing."""

import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest

from denotary.cli.root import root
from denotary.errors import ExitCode

Cli = Callable[..., Any]
Program = tuple[list[str], dict[str, str]]

HEAVY = {"numpy", "scipy", "duckdb", "httpx", "rich", "jinja2", "asyncio", "unicodedata2"}


def tree(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from tree(found, (*path, name))


COMMANDS = list(tree(root))
LEAVES = [(path, command) for path, command in COMMANDS if not isinstance(command, click.Group)]
every_command = pytest.mark.parametrize(
    ("path", "command"), COMMANDS, ids=[" ".join(path) or "denotary" for path, _ in COMMANDS]
)


def is_sentence(text: str) -> bool:
    """Begins with a capital, or with the value it is about; ends with a full stop; no stray white space."""
    return bool(re.fullmatch(r"[A-Zcpr].*[.]", text, re.DOTALL)) and "  " not in text and text == text.strip()


def test_the_commands_are_those_that_the_design_names() -> None:
    assert {" ".join(path) for path, _ in LEAVES} == {
        "demo", "certify", "plan",
        "probe", "policy check", "ask", "resolver serve",
        "resolver resolve", "resolver fit", "resolver calibrate", "resolver explain",
        "measure", "judge", "compare", "report", "verify", "completion", "encoders",
        "registry lint", "registry freeze", "registry show", "registry compile",
        "registry diff", "registry migrate", "registry new",
        "registry import csv", "registry import jsonl", "registry import skos", "registry import obo",
        "registry import sssom", "registry export skos", "registry export sssom",
        "triage list", "triage set", "conformance list", "conformance run",
        "suite check", "suite freeze", "suite show", "suite quota", "suite conformance",
        "suite diff", "suite correct", "suite withdraw", "suite ledger show", "suite ledger verify",
        "suite split check", "suite split make",
        "text perturb", "suite build", "suite candidates", "suite accept", "suite reject",
        "suite disclose", "suite canary", "suite export",
            "similarity audit", "similarity check", "similarity scan", "similarity projection-check",
        "similarity polarity-pack", "similarity propose", "similarity shipped", "similarity suite",
        "similarity repair fit", "similarity repair digests", "similarity repair register",
        "similarity repair judge", "similarity repair check",
    }  # fmt: skip


@every_command
def test_help_is_whole_sentences(path: tuple[str, ...], command: click.Command, cli: Cli) -> None:
    done = cli(*path, "--help")
    assert (done.code, done.err) == (0, "")
    assert command.help is not None
    for paragraph in command.help.strip().split("\n\n"):
        assert is_sentence(" ".join(paragraph.split())), paragraph
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{' '.join(path)} {parameter.opts[0]} has no help"
            assert is_sentence(parameter.help), parameter.help
        else:
            assert str(parameter.human_readable_name).upper() in command.help.upper()


@every_command
def test_a_list_of_commands_cuts_no_sentence_off(
    path: tuple[str, ...], command: click.Command, cli: Cli
) -> None:
    if isinstance(command, click.Group):
        listed = cli(*path, "--help").out.split("Commands:")[1]
        assert "..." not in listed
        for name in command.list_commands(click.Context(command)):
            assert re.search(rf"^  {name} +[A-Z].*", listed, re.MULTILINE), name


@pytest.mark.parametrize(("path", "command"), LEAVES, ids=[" ".join(path) for path, _ in LEAVES])
def test_every_command_can_print_json_and_every_one_that_does_something_can_be_quiet(
    path: tuple[str, ...], command: click.Command
) -> None:
    names = {name for parameter in command.params for name in parameter.opts}
    if path not in {("completion",), ("resolver", "serve")}:
        assert "--json" in names
    if path[-1] not in {"show", "completion", "encoders"}:
        assert {"--quiet", "-q"} <= names


def test_the_exit_codes_are_told(cli: Cli) -> None:
    told = " ".join(cli("--help").out.split())
    assert (
        "Exit codes: 0 promote, 1 block, 2 insufficient evidence, 64 usage, 69 system unreachable, 70 internal."
        in told
    )
    assert [int(code) for code in ExitCode] == [0, 1, 2, 64, 69, 70]


def test_help_of_every_command_loads_nothing_heavy(program: Program) -> None:
    arguments, environment = program
    code = (
        "import sys; from denotary.cli.root import run\n"
        f"for path in {[path for path, _ in COMMANDS]!r}:\n"
        "    assert run([*path, '--help']) == 0\n"
        "print('MODULES', *sys.modules)"
    )
    done = subprocess.run(
        [*arguments[:-2], "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split("MODULES")[1].split()}
    assert "denotary" in loaded
    assert not loaded & HEAVY
