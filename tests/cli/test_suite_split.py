"""``suite split check`` and ``suite split make`` as a suite's keeper types them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.suites.keys import KEYS

Cli = Callable[..., Any]
SHARES = ("--share", "calibration=0.4", "--share", "sealed=0.6")
TEXTS = (
    *("a parcel never came", "who may sign", "the bridge is closed", "seven red apples", "turn it off now"),
    *("rain until friday", "my key broke", "two seats by the aisle", "is that a promise", "no coffee today"),
)


@pytest.fixture
def pool(workspace: Path, suite_files: Callable[..., Path], case: Callable[..., Any], canary: str) -> Path:
    """A suite of ten sealed cases, each a family of its own, with every key recorded."""
    cases = [
        case(
            f"p{n}",
            text=f"{text} {canary if n == 0 else ''}",
            construction={key: f"{key}-{n}" for key in KEYS[1:]},
            security={"visibility": "sealed"},
        )
        for n, text in enumerate(TEXTS)
    ]
    return suite_files(workspace / "pool", cases, name="pool", role="calibration")


def test_a_suite_is_dealt_frozen_checked_and_the_check_recorded(pool: Path, cli: Cli) -> None:
    del pool
    done = cli("suite", "split", "make", "pool", "--out", "parts", *SHARES, "--seed", "1")
    assert (done.code, done.err) == (0, "")
    assert "10 families, the largest with 1 cases" in done.out
    parts = ("parts/calibration", "parts/sealed")
    for part in parts:
        assert cli("suite", "freeze", part).code == 0
    done = cli("suite", "split", "check", *parts, "--record", "--who", "keeper-1")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-2:] == [
        "10 families, 0 of them crossing, with 0 cases",
        "supports: certification",
    ]
    shown = cli("suite", "ledger", "show", "parts/sealed").out.splitlines()[-1].split()
    assert shown[1:3] == ["split_check", "clean"]
    assert cli("suite", "ledger", "verify", "parts/sealed").code == 0


def test_crossings_are_listed_by_id_and_leave_with_one(
    pool: Path, workspace: Path, cli: Cli, canary: str
) -> None:
    del pool
    cli("suite", "split", "make", "pool", "--out", "parts", *SHARES, "--seed", "1")
    path = workspace / "parts/sealed/cases.jsonl"
    lines = (workspace / "parts/calibration/cases.jsonl").read_text().splitlines()
    path.write_text(path.read_text() + lines[0].replace('"record_id":"p', '"record_id":"q') + "\n")
    done = cli("suite", "split", "check", "parts/calibration", "parts/sealed")
    assert done.code == 1
    assert "exact_text" in done.out
    assert done.out.splitlines()[-1] == "supports: nothing; families cross"
    assert canary not in done.out
    found = json.loads(cli("suite", "split", "check", "parts/calibration", "parts/sealed", "--json").out)
    assert {item["by"] for item in found["crossings"]} == {*KEYS, "exact_text"} - {"semantic_seed_id"} | {
        "semantic_seed_id"
    }
    assert found["supports"] == "nothing"


def test_what_is_waived_is_said(pool: Path, workspace: Path, cli: Cli) -> None:
    for n in (0, 9):
        text = pool.joinpath("cases.jsonl").read_text()
        pool.joinpath("cases.jsonl").write_text(text.replace(f'"author-{n}"', '"author-x"'))
    options = ("--out", "parts", *SHARES, "--seed", "2", "--waive", "author")
    assert cli("suite", "split", "make", "pool", *options).code == 0
    done = cli("suite", "split", "check", "parts/calibration", "parts/sealed", "--waive", "author")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "supports: qualification; author waived"
    assert cli("suite", "split", "check", "pool", "parts/sealed", "--waive", "attack_family").code == 64
    del workspace


def test_a_deal_is_told_as_json_or_not_at_all(pool: Path, cli: Cli) -> None:
    del pool
    done = cli("suite", "split", "make", "pool", "--out", "parts", *SHARES, "--seed", "1", "--json")
    assert json.loads(done.out) == {
        "parts": {
            "calibration": {"folder": "parts/calibration", "cases": 4},
            "sealed": {"folder": "parts/sealed", "cases": 6},
        },
        "families": 10,
        "largest_family": 1,
        "not_separable": [],
    }
    assert done.out.count("\n") == 1
    quiet = cli("suite", "split", "make", "pool", "--out", "others", *SHARES, "--seed", "1", "--quiet")
    assert quiet == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--share", "sealed", "--share", "public=1"), "write PART=SHARE"),
        (("--share", "sealed=1", "--share", "sealed=1"), "is given twice"),
        (("--share", "sealed=1"), "two parts or more"),
        (("--share", "sealed=1", "--share", "hidden=1"), "two parts or more"),
    ],
)
def test_shares_that_make_no_sense_are_refused(
    pool: Path, cli: Cli, arguments: tuple[str, ...], told: str
) -> None:
    del pool
    done = cli("suite", "split", "make", "pool", "--out", "parts", *arguments, "--seed", "1")
    assert done.code == 64
    assert told in done.err


def test_suites_of_one_role_and_drafts_are_refused(pool: Path, cli: Cli) -> None:
    del pool
    assert "suites of two roles or more" in cli("suite", "split", "check", "pool", "pool").err
    done = cli("suite", "split", "check", "pool", "suite", "--record")
    assert done.code == 64
    assert "recorded of frozen suites only" in done.err
