"""``suite diff``, ``correct``, ``withdraw`` and ``ledger`` as a suite's keeper types them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
GOLD = 'gold={"disposition":"SINGLE","acceptable_concept_codes":["x.beta"]}'
BOARD = ("--board", "owner-1:registry-owner", "--board", "reviewer-3:independent")
DECIDED = ("--who", "secretary", "--why", "read again", "--cause", "E29", *BOARD)


def set_version(folder: Path, version: str) -> None:
    path = folder / "suite.toml"
    path.write_text(path.read_text().replace('version = "1.0.0"', f'version = "{version}"', 1))


def test_gold_is_corrected_and_frozen_under_the_version_that_it_demands(
    workspace: Path, cli: Cli, canary: str
) -> None:
    shutil.copytree(workspace / "suite", workspace / "before")
    done = cli("suite", "correct", "suite", "c01", "--set", GOLD, *DECIDED)
    assert done == (0, "corrected: c01; set the next version in suite.toml and freeze it\n", "")
    set_version(workspace / "suite", "1.0.1")
    done = cli("suite", "freeze", "suite")
    assert (done.code, done.out) == (64, "")
    assert "version 1.0.1 is too early after 1.0.0 for a major change (cases with other gold: 1)" in done.err
    assert "set version 2.0.0 or later" in done.err
    done = cli("suite", "diff", "before", "suite")
    assert done.code == 1
    last = "small-suite 1.0.0 -> 1.0.1: a major change, which demands 2.0.0 or later, and 1.0.1 is too early"
    assert done.out.splitlines()[-1] == last
    assert "c01     major  gold" in done.out
    assert canary not in done.out
    path = workspace / "suite/suite.toml"
    path.write_text(path.read_text().replace("1.0.1", "2.0.0"))
    assert cli("suite", "freeze", "suite", "--who", "keeper-1", "--why", "second edition").code == 0
    assert cli("suite", "diff", "before", "suite").code == 0
    shown = cli("suite", "ledger", "show", "suite").out
    assert "owner-1:registry-owner, reviewer-3:independent" in shown
    assert "suite 2.0.0" in shown
    assert canary not in shown


def test_the_json_form_lists_every_record(workspace: Path, cli: Cli) -> None:
    shutil.copytree(workspace / "suite", workspace / "before")
    cli("suite", "withdraw", "suite", "c01", "c02", *DECIDED)
    found = json.loads(cli("suite", "diff", "before", "suite", "--json").out)
    assert (found["demanded"], found["enough"], found["least_version"]) == ("major", False, "2.0.0")
    assert [(item["record"], item["change"]) for item in found["records"]] == [
        ("c01", "removed"),
        ("c02", "removed"),
    ]


def test_a_long_list_is_cut_in_the_text_form(workspace: Path, cli: Cli) -> None:
    shutil.copytree(workspace / "suite", workspace / "long")
    lines = (workspace / "suite/cases.jsonl").read_text().splitlines()
    more = [lines[0].replace('"c00"', f'"d{n:02}"').replace("seed-c00", f"seed-d{n:02}") for n in range(50)]
    (workspace / "long/suite.lock").unlink()
    (workspace / "long/cases.jsonl").write_text("\n".join([*lines, *more]))
    done = cli("suite", "diff", "suite", "long")
    assert "added: 50" in done.out
    assert "… and 10 more; --json lists all" in done.out


def test_nothing_changed(workspace: Path, cli: Cli) -> None:
    del workspace
    assert cli("suite", "diff", "suite", "suite") == (0, "small-suite 1.0.0 -> 1.0.0: nothing changed\n", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("c01", "--set", GOLD, "--who", "a", "--why", "b"), "must name its cause"),
        (
            ("c01", "--set", GOLD, "--who", "a", "--why", "b", "--cause", "E29", *BOARD[:2]),
            "was decided by the owner of the registry alone",
        ),
        (
            ("c01", "--set", GOLD, "--who", "a", "--why", "b", "--board", "king"),
            "names no member of the board",
        ),
        (("c01", "--set", "gold", *DECIDED), "--set 'gold' has no value"),
        (("c01", "--set", "gold={", *DECIDED), "--set 'gold' is not JSON"),
        (("c01", *DECIDED), "give RECORD and what to --set, or --from"),
        (("c01", "--set", GOLD, "--from", "x.jsonl", *DECIDED), "give either --from, or RECORD and --set"),
        (("--from", "x.jsonl", *DECIDED), "x.jsonl: no such file"),
        (("c99", "--set", GOLD, *DECIDED), "c99: no such record"),
    ],
)
def test_a_correction_that_cannot_be_made_says_why(
    workspace: Path, cli: Cli, arguments: tuple[str, ...], told: str, canary: str
) -> None:
    before = {path.name: path.read_bytes() for path in (workspace / "suite").iterdir()}
    done = cli("suite", "correct", "suite", *arguments)
    assert done.code == 64
    assert told in done.err
    assert canary not in done.err
    assert {path.name: path.read_bytes() for path in (workspace / "suite").iterdir()} == before


def test_many_corrections_stand_in_a_file(workspace: Path, cli: Cli) -> None:
    lines = [{"record": name, "changes": {"annotation.rationale": "read again"}} for name in ("c02", "c01")]
    (workspace / "corrections.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = cli(
        *("suite", "correct", "suite", "--from", "corrections.jsonl"),
        *("--who", "secretary", "--why", "reviewed", "--json"),
    )
    assert done == (0, '{"corrected":["c02","c01"]}\n', "")


def test_an_affected_result_is_named_by_its_digest(folder: Path, cli: Cli) -> None:
    from denotary.canonical import sha256

    digest = sha256((folder / "promoted/certificate.json").read_bytes())
    affects = ("--affects", "promoted", "--affects", "policy.toml of release 7")
    assert cli("suite", "correct", "conformance", "c1", "--set", GOLD, *DECIDED, *affects).code == 64
    record = json.loads((folder / "conformance/cases.jsonl").read_text().splitlines()[0])["record_id"]
    assert cli("suite", "withdraw", "conformance", record, *DECIDED, *affects).code == 0
    entry = json.loads(cli("suite", "ledger", "show", "conformance", "--json").out)[-1]
    assert entry["affects"] == [f"certificate.json sha256:{digest}", "policy.toml of release 7"]
    assert (entry["what"], entry["cause"]) == ("withdrawal", "E29")


def test_the_ledger_is_verified_against_what_was_published(folder: Path, cli: Cli) -> None:
    done = cli("suite", "ledger", "verify", "conformance", "--certificate", "promoted", "--json")
    assert done.code == 0
    head = json.loads(done.out)["head"]
    assert cli("suite", "ledger", "verify", "conformance", "--head", head).out.endswith(f"head {head}\n")
    done = cli("suite", "ledger", "verify", "suite", "--head", head)
    assert (done.code, done.out) == (64, "")
    assert f"the head '{head}' is not in it" in done.err
    done = cli("suite", "ledger", "verify", "suite", "--certificate", "promoted")
    assert "it does not begin with the ledger that promoted names" in done.err
    path = folder / "suite/ledger.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(reversed(lines)))
    assert "the chain is broken" in cli("suite", "ledger", "verify", "suite").err
