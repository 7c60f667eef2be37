"""``suite disclose``, ``canary`` and ``export`` as a suite's keeper types them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[..., Any]
GUID = "0f3a1c2e-5b77-4c1d-9d2e-6a7b8c9d0e1f"
BY = ("--who", "evaluator", "--why", "shown for debugging")


def test_a_disclosure_is_told_and_recorded(workspace: Path, cli: Cli, canary: str) -> None:
    del workspace
    done = cli("suite", "disclose", "suite", "c01", "c02", *BY)
    assert done == (0, "disclosed: c01, c02\n", "")
    assert cli("suite", "disclose", "suite", "c01", *BY).out == "disclosed: nothing that was not before\n"
    fields = json.loads(cli("suite", "show", "suite", "--json").out)
    assert (fields["disclosed"], fields["siblings_wanted"]) == (2, 2)
    shown = cli("suite", "ledger", "show", "suite").out
    assert shown.count("disclosure") == 2
    assert canary not in shown


def test_siblings_and_the_regression_suite_are_named(
    workspace: Path, cli: Cli, suite_files: Callable[..., Path], case: Callable[..., Any]
) -> None:
    cases = [case(f"s{n}", semantic_seed_id="one", security={"visibility": "sealed"}) for n in range(13)]
    suite_files(workspace / "sealed", cases, name="sealed", role="sealed-certification")
    suite_files(workspace / "regression", [], name="regression", role="regression")
    done = cli("suite", "disclose", "sealed", "s0", "--to", "regression", *BY)
    assert done.code == 0
    assert "added to regression: s0\n" in done.out
    assert "of the same units, still counted as fresh: s1, s10, " in done.out
    assert " and 2 more; --with-siblings discloses them" in done.out
    done = cli("suite", "disclose", "sealed", "s0", "--with-siblings", "--json", *BY)
    assert (len(json.loads(done.out)["disclosed"]), json.loads(done.out)["siblings"]) == (12, [])


def test_an_export_is_told_by_number_and_whole(workspace: Path, cli: Cli) -> None:
    assert (
        "the suite has no canary"
        in cli("suite", "export", "suite", "--visibility", "public", "--out", "out").err
    )
    assert cli("suite", "canary", "suite", "--guid", GUID).out == f"canary: {GUID}\n"
    path = workspace / "suite/suite.toml"
    path.write_text(path.read_text().replace('version = "1.0.0"', 'version = "1.0.1"', 1))
    assert cli("suite", "freeze", "suite").code == 0
    done = cli("suite", "export", "suite", "--visibility", "public", "--out", "out")
    assert done.out.startswith("written: out, 20 of 20 cases of small-suite 1.0.1 sha256:")
    done = cli("suite", "export", "suite", "--visibility", "public", "--out", "other", "--json")
    assert json.loads(done.out)["cases"] == 20
    assert (workspace / "out/cases.jsonl").read_text().count(GUID) == 20
    done = cli("suite", "export", "suite", "--visibility", "sealed", "--out", "none")
    assert (done.code, done.out) == (64, "")
    assert "no case is sealed" in done.err
