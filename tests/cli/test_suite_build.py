"""``suite build``, ``candidates``, ``accept`` and ``reject``: what they print, and what they refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
BY = ("--who", "reviewer-1", "--why", "read it")
RECIPE = """schema = "denotary.recipe/1"
name = "autumn"
author = "author-1"

[[perturb]]
operators = ["format.bold", "spelling.deleted", "unicode.nukta_removed"]
select = { ids = ["c00", "c01"] }

[nominate]
"""


@pytest.fixture
def draft(workspace: Path) -> Path:
    """The current folder: its suite is a draft, and beside it stands a recipe."""
    (workspace / "suite/suite.lock").unlink()
    (workspace / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return workspace


def ids(cli: Cli) -> dict[bool, list[str]]:
    rows = json.loads(cli("suite", "candidates", "suite", "--json").out)
    return {
        needs: [row["candidate"] for row in rows if bool(row["needs"]) == needs] for needs in (False, True)
    }


def test_build_says_what_was_made_and_what_was_not(draft: Path, cli: Cli, canary: str) -> None:
    done = cli("suite", "build", "recipe.toml", "suite")
    assert (done.code, done.err) == (0, "")
    assert "2 of 4 need something that only a person can give" in done.out
    assert "the text holds no letter with a nukta      2" in done.out
    again = cli("suite", "build", "recipe.toml", "suite", "--json")
    value = json.loads(again.out)
    assert len(value["candidates"]) == 4
    assert {item["operator"] for item in value["skipped"]} == {"unicode.nukta_removed"}
    listed = cli("suite", "candidates", "suite", "--status", "candidate")
    assert listed.out.count("autumn-perturb-") == 4
    assert not cli("suite", "candidates", "suite", "--status", "accepted").out.count("autumn")
    assert canary not in done.out + again.out + listed.out
    assert (draft / "suite/nominations.jsonl").exists()


def test_accepted_and_rejected(draft: Path, cli: Cli) -> None:
    del draft
    cli("suite", "build", "recipe.toml", "suite", "--quiet")
    found = ids(cli)
    plain, needing = found[False], found[True]
    assert cli("suite", "accept", "suite", *plain, *BY).out == f"accepted: {', '.join(plain)}\n"
    done = cli("suite", "accept", "suite", needing[0], *BY)
    assert (done.code, done.out) == (64, "")
    assert "needs gold" in done.err
    gold = 'gold={"disposition": "SINGLE", "acceptable_concept_codes": ["x.alpha"]}'
    wrong = cli(
        "suite", "accept", "suite", needing[0], *BY, "--set", 'gold={"disposition": "UNKNOWN_REGISTRY"}'
    )
    assert wrong.code == 64
    assert "spelling_noise allows AMBIGUOUS or SINGLE here" in wrong.err
    assert json.loads(cli("suite", "accept", "suite", needing[0], *BY, "--set", gold, "--json").out) == {
        "accepted": [needing[0]]
    }
    assert json.loads(cli("suite", "reject", "suite", needing[1], *BY, "--json").out) == {
        "rejected": [needing[1]]
    }
    assert len((Path("suite/cases.jsonl")).read_text(encoding="utf-8").splitlines()) == 23


def test_a_frozen_suite_takes_none(workspace: Path, cli: Cli) -> None:
    (workspace / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    assert cli("suite", "build", "recipe.toml", "suite", "--quiet") == (0, "", "")
    done = cli("suite", "accept", "suite", ids(cli)[False][0], *BY)
    assert done.code == 64
    assert "no candidate enters a frozen suite" in done.err
    assert cli("suite", "check", "suite").code == 0


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ("nonsense", "recipe.toml: not valid TOML"),
        (RECIPE.replace("format.bold", "format.gold"), "did you mean format.bold"),
        (RECIPE.replace("c01", "c99"), "'c99', which is no seed"),
        (RECIPE + 'encoder = "no_such_module:f"\n', "no_such_module cannot be imported"),
        (RECIPE + 'runs = ["nowhere"]\n', "no such file"),
    ],
)
def test_a_wrong_recipe_is_told(recipe: str, message: str, draft: Path, cli: Cli) -> None:
    (draft / "recipe.toml").write_text(recipe, encoding="utf-8")
    done = cli("suite", "build", "recipe.toml", "suite")
    assert (done.code, done.out) == (64, "")
    assert message in done.err
    assert not (draft / "suite/candidates.jsonl").exists()
