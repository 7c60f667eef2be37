"""``registry diff`` and ``registry migrate`` as a registry's owner types them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
STEP = {
    "from_version": "1.0.0",
    "from_code": "x.beta",
    "to_codes": ["x.beta"],
    "change": "boundary_changed",
    "reason": "takes in more",
}


@pytest.fixture
def later(workspace: Path) -> Path:
    """A draft of the next version of the registry, in which the definition of one concept changed."""
    folder = workspace / "later"
    shutil.copytree(
        workspace / "registry", folder, ignore=shutil.ignore_patterns("registry.lock", "records*")
    )
    for name, old, new in (
        ("registry.toml", '"1.0.0"', '"2.0.0"'),
        ("concepts.jsonl", "the definition of beta", "a wider definition of beta"),
    ):
        path = folder / name
        path.write_text(path.read_text().replace(old, new))
    return folder


def test_a_change_without_a_record_fails_and_with_one_passes(later: Path, cli: Cli) -> None:
    done = cli("registry", "diff", "registry", "later")
    assert done.code == 1
    assert "x.beta: error migration_missing: has other definitions" in done.out
    assert done.out.splitlines()[-1] == "1 records differ; the migration map has 1 errors"
    assert cli("registry", "migrate", "registry", "later").code == 64
    (later.parent / "map.jsonl").write_text(json.dumps(STEP))
    assert cli("registry", "diff", "registry", "later", "--map", "map.jsonl").code == 0
    (later / "migrations.jsonl").write_text(json.dumps(STEP))
    assert cli("registry", "diff", "registry", "later").code == 0
    assert cli("registry", "freeze", "later").code == 0
    found = json.loads(cli("registry", "diff", "registry", "later", "--json").out)
    assert [(item["record"], item["change"]) for item in found["records"]] == [
        ("x.beta", "changed"),
        ("1.0.0:x.beta", "added"),
    ]


def test_the_cases_to_judge_anew_are_listed_by_id(later: Path, cli: Cli, canary: str) -> None:
    (later / "migrations.jsonl").write_text(json.dumps(STEP))
    done = cli("registry", "migrate", "registry", "later", "--suite", "suite")
    assert (done.code, done.err) == (0, "")
    assert "x.beta   boundary_changed  x.beta    takes in more" in done.out
    assert "e-de" in done.out
    # The English text is written like the German one, whose concept changed.
    assert done.out.splitlines()[-1] == "to judge anew 2, only renamed 0, kept 18"
    assert canary not in done.out
    found = json.loads(cli("registry", "migrate", "registry", "later", "--suite", "suite", "--json").out)
    assert [item["record"] for item in found["suite"]["again"]] == ["e-en", "e-de"]
    assert found["map"]["steps"][1]["change"] == "boundary_changed"
