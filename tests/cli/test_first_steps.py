"""What somebody meets who does it for the first time: each mistake is answered with what to do next."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.runs.folder import SEAL

Cli = Callable[..., Any]

CERTIFY = ("certify", "--suite", "suite", "--system", "exact", "--out", "out")


@pytest.mark.parametrize("command", ["measure", "judge"])
def test_the_folder_that_certify_wrote_is_taken_for_its_run(command: str, folder: Path, cli: Cli) -> None:
    del folder
    done = cli(command, "promoted")
    assert (done.code, done.out) == (64, "")
    assert done.err == "error: promoted: this folder holds a run and is not one\n  hint: give promoted/run\n"


def test_a_run_that_was_stopped_is_judged_and_called_unfinished(folder: Path, cli: Cli) -> None:
    run = folder / "promoted/run"
    assert "unfinished" not in cli("judge", "promoted/run").err
    planned = len((folder / "conformance/cases.jsonl").read_text().splitlines())
    (run / SEAL).unlink()
    for name in ("answers.jsonl", "calls.jsonl"):
        lines = (run / name).read_bytes().splitlines(keepends=True)
        (run / name).write_bytes(b"".join(lines[:5]))
    for command in (("measure",), ("judge",), ("report", "--out", "page.html")):
        done = cli(command[0], "promoted/run", *command[1:])
        assert f"unfinished: {planned - 5} of {planned} cases were not asked" in done.err
        assert cli(command[0], "promoted/run", *command[1:], "--quiet").err == ""


def test_a_missing_language_is_named_once_and_no_number_is_made_of_it(workspace: Path, cli: Cli) -> None:
    said = cli(*CERTIFY).err
    assert said.count("no language is advertised") == 1
    assert " 0 units of 2,995" not in said.partition("Assignment risk:")[2].partition("\n")[0]
    assert "in each advertised language" not in said
    (workspace / "identity.toml").write_text('languages = ["en"]\n')
    said = cli(*CERTIFY[:-1], "other", "--identity", "identity.toml").err
    assert "no language is advertised" not in said
    assert "in each advertised language" in said


def test_an_unknown_field_is_answered_with_the_known_ones(workspace: Path, cli: Cli) -> None:
    (workspace / "identity.toml").write_text('sytem = "mistyped"\n')
    done = cli(*CERTIFY, "--identity", "identity.toml")
    assert done.code == 64
    assert "unknown field `sytem`\n  hint: known: system, system_version, " in done.err


def test_a_claim_out_of_reach_is_told_one_reason_a_line(workspace: Path, cli: Cli) -> None:
    del workspace
    done = cli(*CERTIFY, "--require-feasible")
    assert done.code == 2
    assert "asking goes on" not in done.err
    assert max(map(len, done.err.splitlines())) < 200


@pytest.mark.parametrize(
    ("order", "meant"),
    [(("certifi",), "certify"), (("nonsense",), "known: ")],
)
def test_a_mistyped_command_is_answered_with_what_there_is(
    order: tuple[str, ...], meant: str, cli: Cli
) -> None:
    done = cli(*order)
    assert done.code == 64
    assert meant in done.err


def test_why_calls_have_no_answer_is_said_where_they_are_counted(workspace: Path, cli: Cli) -> None:
    (workspace / "raising.py").write_text("def resolve(request):\n    raise KeyError(request['text'])\n")
    said = cli("ask", "--suite", "suite", "--system", "python:raising:resolve", "--out", "raised").err
    told = [line for line in said.splitlines() if line.startswith("no answer: ")]
    assert len(told) == 1
    assert re.fullmatch(r"no answer: raised_KeyError [\d,]+; calls.jsonl of the run has each call", told[0])


def test_what_a_system_prints_does_not_get_among_the_results(workspace: Path, cli: Cli) -> None:
    lines = ("print('loading')", "def resolve(request):", "    print('asked')", "    return {}")
    (workspace / "talking.py").write_text("\n".join(lines))
    done = cli("ask", "--suite", "suite", "--system", "python:talking:resolve", "--out", "talked", "--json")
    assert json.loads(done.out)["complete"]
    assert "loading" in done.err
    assert "asked" in done.err


def test_a_value_that_is_not_allowed_is_answered_with_those_that_are(workspace: Path, cli: Cli) -> None:
    (workspace / "draft").mkdir()
    (workspace / "draft/registry.toml").write_text(
        'schema = "denotary.registry/1"\nname = "draft"\nversion = "1.0.0"\nlanguages = ["en"]\nreview = "reviewed"\n'
    )
    concept = {
        "code": "a.b",
        "definitions": {"en": "b"},
        "semantic_type": "request",
        "consequence_tier": "C1",
        "owner": "o",
        "neighbours": [{"code": "a.c", "type": "opposite", "reason": "r"}],
    }
    (workspace / "draft/concepts.jsonl").write_text(json.dumps(concept) + "\n")
    (workspace / "draft/expressions.jsonl").touch()
    said = cli("registry", "lint", "draft").err
    assert "concepts.jsonl:1: not a valid Concept: not one of the allowed values" in said
    assert "hint: allowed: " in said
    assert "negation_or_antonym" in said
    assert "opposite" not in said
