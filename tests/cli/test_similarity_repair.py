"""``denotary similarity repair``: from fit to report, and a plan that changed after its run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def pair(number: int, half: str, second: str, decision: str) -> str:
    first = f"The {half}{number} must ring the heavy bell"
    return json.dumps(
        {"text1": first, "text2": f"The {half}{number} {second} ring the heavy bell", "decision": decision,
         "half": half,
         "anchor": f"{half}{number}", "mutation": "modal_downgrade"}
    )  # fmt: skip


@pytest.fixture
def pairs(workspace: Path) -> str:
    lines = [
        pair(number, half, *what)
        for half in "AB"
        for number in range(12)
        for what in (("has to", "same"), ("may", "opposite"))
    ]
    (workspace / "pairs.jsonl").write_text("\n".join(lines))
    return "pairs.jsonl"


def test_what_is_printed_is_the_half_that_it_was_fitted_on(cli: Cli, pairs: str) -> None:
    fitted = cli("similarity", "repair", "fit", "overlap", "--encoder", "token-jaccard", "--corpus", pairs,
                 "--half", "A", "--out", "gate.json")  # fmt: skip
    assert fitted.code == 0
    assert fitted.out.splitlines()[-1].split() == ["pairs", "24"]


def test_from_fit_to_report(cli: Cli, workspace: Path, pairs: str) -> None:
    fitted = cli("similarity", "repair", "fit", "polarity", "--encoder", "hash-words", "--corpus", pairs, "--half", "A",
                 "--out", "gate.json", "--json")  # fmt: skip
    assert fitted.code == 0
    made = json.loads(fitted.out)
    assert made["fitted_on"]["pairs"] == 24
    corpora = "".join(
        f'[[corpora]]\nname = "{half}"\nsource = "pairs.jsonl"\nhalf = "{half}"\nrole = "{role}"\n'
        for half, role in (("A", "in-sample"), ("B", "held-out half"))
    )
    bar = f'[[bars]]\nrepair = "{made["name"]}"\ncorpus = "B"\nmeasure = "auroc"\nat_least = 0.9\n'
    plan = workspace / "plan.toml"
    plan.write_text(
        'schema = "denotary.repair-plan/1"\nname = "p"\n'
        f'[repairs]\n"{made["name"]}" = "{made["digest"]}"\n{corpora}{bar}'
    )
    run = ("similarity", "repair", "judge", "plan.toml", "--repair", "gate.json", "--out", "report.json")
    early = cli(*run)
    assert early.code != 0
    assert "not registered" in early.err
    assert cli("similarity", "repair", "register", "plan.toml").code == 0
    done = cli(*run)
    assert done.code == 0, done.err
    assert json.loads((workspace / "report.json").read_text())["plan_sha256"] in done.out
    assert cli("similarity", "repair", "check", "report.json", "plan.toml").code == 0
    plan.write_text(plan.read_text().replace("0.9", "0.8"))
    changed = cli("similarity", "repair", "check", "report.json", "plan.toml")
    assert changed.code != 0
    assert "changed" in changed.err
