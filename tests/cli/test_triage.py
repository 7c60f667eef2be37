"""``denotary triage``: list, narrow down, set, supersede; what leaves the rates is said."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


@pytest.fixture
def run(workspace: Path, cli: Cli) -> str:
    done = cli(
        "ask",
        "--suite",
        "suite",
        "--out",
        "run",
        "-q",
        "--repeats",
        "1",
        "--system",
        "python:hostile:by_text",
    )
    assert done.code == 0, done
    return "run"


def listed(cli: Cli, *arguments: str) -> Any:
    done = cli("triage", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def test_a_run_is_listed_with_and_without_the_word(run: str, cli: Cli) -> None:
    short, long = cli("triage", run), cli("triage", "list", run)
    assert short == long
    assert short.code == 0
    content = listed(cli, run)
    assert content["failed"] == content["set"] + content["proposed"] + len(content["untriaged"]) > 0
    assert f"{content['failed']} failed: 0 set by a person" in short.out
    for case in content["cases"]:
        assert case["case"] in short.out
    assert cli("triage", "--json", run).out == cli("triage", run, "--json").out


def test_refusals_are_listed_on_request(run: str, cli: Cli) -> None:
    few, all_ = listed(cli, run), listed(cli, run, "--refusals")
    assert len(all_["cases"]) == len(few["cases"]) + few["refusals"]
    assert {case["kind"] for case in all_["cases"]} - {case["kind"] for case in few["cases"]} == {"refusal"}


def test_a_cause_is_set_superseded_and_listed(run: str, cli: Cli, workspace: Path) -> None:
    case = listed(cli, run)["cases"][0]["case"]
    done = cli("triage", "set", run, case, "E05", "--who", "reviewer-1", "--why", "it is negated")
    assert done.code == 0
    assert done.out.startswith(f"{case}: E05 negation collapse (proposed: ")
    again = cli("triage", "set", run, case, "E29", "--who", "board", "--why", "the gold is wrong")
    first, note = again.out.splitlines()
    assert "supersedes judgement 0" in first
    assert "only by an entry in the suite's correction ledger" in note
    assert len((workspace / "run/triage.jsonl").read_text().splitlines()) == 2
    content = listed(cli, run, "--cause", "E29", "--out", "list.json")
    (only,) = content["cases"]
    assert (only["by"], only["judgement"]["supersedes"]) == ("set", 0)
    assert json.loads((workspace / "list.json").read_text()) == content
    table = cli("triage", run).out
    assert "board: the gold is wrong" in table
    assert "correction ledger" in table
    assert cli("report", run, "--out", "page.html").code == 0
    assert "the cause of 1 was set by a person" in (workspace / "page.html").read_text()


def test_json_of_a_judgement_is_the_line_that_was_appended(run: str, cli: Cli, workspace: Path) -> None:
    case = listed(cli, run)["cases"][0]["case"]
    done = cli("triage", "set", run, case, "E05", "--who", "a", "--why", "b", "--json")
    assert done.out == (workspace / "run/triage.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("set", "run", "c00", "E32", "--who", "a", "--why", "b"), "no root-cause code 'E32'"),
        (("set", "run", "no-such-case", "E05", "--who", "a", "--why", "b"), "did not go wrong"),
        (("set", "run", "c00", "E05", "--who", "a"), "Missing option '--why'"),
        (("run", "--cause", "E99"), "no root-cause code 'E99'"),
        (("nowhere",), "does not exist"),
        ((), "Commands"),
    ],
)
def test_a_mistake_is_explained(run: str, cli: Cli, arguments: tuple[str, ...], words: str) -> None:
    del run
    done = cli("triage", *arguments)
    assert done.code == 64
    assert words in done.err + done.out


def test_a_torn_line_is_reported(run: str, cli: Cli, workspace: Path) -> None:
    (workspace / "run/triage.jsonl").write_text('{"case": "c0')
    done = cli("triage", run)
    assert done.code == 0
    assert "a torn last line of 12 bytes was passed over" in done.err


def test_a_folder_that_holds_a_run_is_told_where_it_is(folder: Path, cli: Cli) -> None:
    del folder
    done = cli("triage", "promoted")
    assert done.code == 64
    assert "promoted/run" in done.err
