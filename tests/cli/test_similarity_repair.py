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


def planned(cli: Cli, workspace: Path, pairs: str, *, at_least: float) -> str:
    """Fit a repair, write its plan, and return the name of the repair."""
    fitted = cli("similarity", "repair", "fit", "polarity", "--encoder", "hash-words", "--corpus", pairs, "--half", "A",
                 "--out", "gate.json", "--json")  # fmt: skip
    assert fitted.code == 0
    made = json.loads(fitted.out)
    assert set(made["fitted_on"]) == {"corpus", "corpus_sha256", "halves", "pairs", "anchors"}
    assert made["fitted_on"]["pairs"] == 24
    other = cli("similarity", "repair", "fit", "encoder", "--encoder", "hash-words", "--corpus", pairs, "--half", "A",
                "--out", "plain.json", "--json")  # fmt: skip
    plain = json.loads(other.out)
    corpora = "".join(
        f'[[corpora]]\nname = "{half}"\nsource = "pairs.jsonl"\nhalf = "{half}"\nrole = "{role}"\n'
        for half, role in (("A", "in-sample"), ("B", "held-out half"))
    )
    bar = f'[[bars]]\nrepair = "{made["name"]}"\ncorpus = "B"\nmeasure = "auroc"\nat_least = {at_least}\n'
    (workspace / "plan.toml").write_text(
        'schema = "denotary.repair-plan/2"\nname = "p"\n'
        f'comparisons = [["{made["name"]}", "{plain["name"]}"]]\n'
        f'[repairs]\n"{made["name"]}" = "{made["digest"]}"\n"{plain["name"]}" = "{plain["digest"]}"\n{corpora}{bar}'
    )
    return str(made["name"])


RUN = ("similarity", "repair", "judge", "plan.toml", "--repair", "gate.json", "--repair", "plain.json", "--out",
       "report.json")  # fmt: skip


def test_from_fit_to_report(cli: Cli, workspace: Path, pairs: str) -> None:
    planned(cli, workspace, pairs, at_least=0.5)
    plan = workspace / "plan.toml"
    early = cli(*RUN)
    assert early.code != 0
    assert "not registered" in early.err
    assert cli("similarity", "repair", "register", "plan.toml").code == 0
    done = cli(*RUN)
    assert done.code == 0, done.err
    assert json.loads((workspace / "report.json").read_text())["plan_sha256"] in done.out
    assert "One repair less another on the same pairs" in done.out
    assert "Bars, written before the run, held against the lower end of the interval" in done.out
    assert cli("similarity", "repair", "check", "report.json", "plan.toml").code == 0
    plan.write_text(plan.read_text().replace("0.5", "0.4"))
    changed = cli("similarity", "repair", "check", "report.json", "plan.toml")
    assert changed.code != 0
    assert "changed" in changed.err


def test_a_bar_that_the_value_reaches_and_its_lower_end_does_not_fails(
    cli: Cli, workspace: Path, pairs: str
) -> None:
    name = planned(cli, workspace, pairs, at_least=0.9)
    assert cli("similarity", "repair", "register", "plan.toml").code == 0
    done = cli(*RUN)
    assert done.code == 1
    lines = done.out[done.out.index("Bars, written") :].splitlines()
    assert lines[3].split() == [*name.split(), "B", "auroc", "0.9", "1", "0.541", "FAILED"]


def test_bars_that_are_reached_and_predictions_that_are_right_are_told(
    cli: Cli, workspace: Path, pairs: str
) -> None:
    name = planned(cli, workspace, pairs, at_least=0.5)
    plan = workspace / "plan.toml"
    expected = f'repair = "{name}"\ncorpus = "B"\nmeasure = "auroc"'
    spans = ((0.9, 1.0), (0.1, 0.2))
    plan.write_text(
        plan.read_text()
        + "".join(f"[[predictions]]\n{expected}\nlow = {low}\nhigh = {high}\n" for low, high in spans)
    )
    assert cli("similarity", "repair", "register", "plan.toml").code == 0
    done = cli(*RUN)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    bars, predictions = (
        next(at for at, line in enumerate(lines) if line.startswith(head))
        for head in ("Bars, written", "Predictions, written")
    )
    assert lines[bars + 3].split()[-1] == "reached"
    assert [line.split()[-1] for line in lines[predictions + 3 : predictions + 5]] == ["right", "WRONG"]
    assert lines[-1] == "written: report.json"
    assert "written:" not in cli(*RUN, "--json").out
    assert cli(*RUN, "--quiet").out == ""


def test_digests_pin_a_plan(cli: Cli, workspace: Path, pairs: str) -> None:
    planned(cli, workspace, pairs, at_least=0.5)
    plan = workspace / "plan.toml"
    printed = cli("similarity", "repair", "digests", "plan.toml")
    found = json.loads(cli("similarity", "repair", "digests", "plan.toml", "--json").out)
    assert [(row["name"], row["pairs"]) for row in found] == [("A", 24), ("B", 24)]
    assert found[0]["sha256"] == found[1]["sha256"]
    assert found[0]["pairs_sha256"] != found[1]["pairs_sha256"]
    assert all(row[key] in printed.out for row in found for key in ("sha256", "pairs_sha256"))
    text = plan.read_text()
    for row in found:
        pins = "".join(f'{key} = "{row[key]}"\n' for key in ("sha256", "pairs_sha256"))
        text = text.replace(f'half = "{row["name"]}"\n', f'half = "{row["name"]}"\n{pins}')
    loose = cli("similarity", "repair", "register", "plan.toml")
    assert "not pinned by pairs_sha256, so that they may change before the run: A, B" in loose.out
    (workspace / "plan.lock.toml").unlink()
    plan.write_text(text)
    assert "not pinned" not in cli("similarity", "repair", "register", "plan.toml").out
    assert cli(*RUN).code == 0
    (workspace / "pairs.jsonl").write_text((workspace / "pairs.jsonl").read_text().replace("heavy", "light"))
    assert "is not the one that was planned" in cli(*RUN).err


def test_a_judge_that_prints_and_ends_the_program_ends_no_command(
    cli: Cli, workspace: Path, pairs: str
) -> None:
    (workspace / "loud_judge.py").write_text(
        "import sys\nprint('hello')\n\n"
        "def ask(first, second):\n"
        "    print('asked')\n"
        "    if 'B' in first:\n        sys.exit(0)\n"
        "    return 'no' if 'may' in second else 'yes'\n"
    )
    (workspace / "judge.toml").write_text(
        'schema = "denotary.similarity-judge/1"\nkind = "python"\ntarget = "loud_judge:ask"\n'
        'same = ["yes"]\nopposite = ["no"]\n'
    )
    fitted = cli("similarity", "repair", "fit", "judge", "--judge", "judge.toml", "--corpus", pairs, "--half", "A",
                 "--out", "gate.json", "--json")  # fmt: skip
    made = json.loads(fitted.out)
    corpora = "".join(
        f'[[corpora]]\nname = "{half}"\nsource = "pairs.jsonl"\nhalf = "{half}"\nrole = "{role}"\n'
        for half, role in (("A", "in-sample"), ("B", "held-out half"))
    )
    bar = (
        f'[[bars]]\nrepair = "{made["name"]}"\ncorpus = "B"\nmeasure = "balanced_accuracy"\nat_least = 0.5\n'
    )
    (workspace / "plan.toml").write_text(
        'schema = "denotary.repair-plan/2"\nname = "p"\n'
        f'[repairs]\n"{made["name"]}" = "{made["digest"]}"\n{corpora}{bar}'
    )
    assert cli("similarity", "repair", "register", "plan.toml").code == 0
    done = cli("similarity", "repair", "judge", "plan.toml", "--repair", "gate.json", "--judge", "judge.toml", "--out",
               "report.json", "--json")  # fmt: skip
    rows = {(row["corpus"], row.get("pole", "")): row for row in json.loads(done.out)["judged"]}
    assert rows["B", ""]["failed"] == 24
    assert rows["B", ""]["balanced_accuracy"] == 0.0
    assert done.code == 1
    assert "asked" in done.err
