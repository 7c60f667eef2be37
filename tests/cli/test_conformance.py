"""``denotary conformance``: table, exit code, and the registry for another system."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.registry import load_registry

Cli = Callable[..., Any]


def test_the_reference_lane_passes(cli: Cli) -> None:
    done = cli("conformance", "run", "exact")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "resolver 1.0.0 on exact; decision rule denotary-contract/1"
    assert done.out.endswith("0 vectors failed at level full\n")


def test_a_resolver_that_always_answers_is_blocked_and_its_failures_are_named(
    cli: Cli, workspace: Path
) -> None:
    (workspace / "always.py").write_text(
        "def resolve(request):\n    return {'decision': {'type': 'concept', 'concept_code': 'k.planet'}}\n"
    )
    done = cli("conformance", "run", "python:always:resolve", "--level", "decision", "--section", "version")
    assert done.code == 1
    assert "failed: version.other: answered instead of refused" in done.out
    assert done.out.endswith("5 vectors failed at level decision\n")


def test_the_list_gives_each_vector_its_source(cli: Cli, workspace: Path) -> None:
    done = cli("conformance", "list", "--section", "version", "--out", "out")
    assert done.code == 0
    assert done.out.endswith("resolver 1.0.0: 8 vectors\n")
    assert (
        load_registry(workspace / "out" / "registry").snapshot_id
        == load_registry("bundled:conformance").snapshot_id
    )
    everything = json.loads(cli("conformance", "list", "--json").out)
    assert len(everything) >= 200


@pytest.mark.parametrize("command", ["list", "run"])
def test_a_section_that_is_not_there_is_named(command: str, cli: Cli) -> None:
    system = ["exact"] if command == "run" else []
    done = cli("conformance", command, *system, "--section", "cases")
    assert done.code == 64
    assert "no section 'cases'" in done.err
    assert "did you mean case?" in done.err
