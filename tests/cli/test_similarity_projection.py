"""``denotary similarity projection-check``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import ExitCode


def test_the_projection_and_an_own_distance_are_tried(cli: Callable[..., Any], workspace: Path) -> None:
    (workspace / "own_distance.py").write_text("def block(u, v):\n    return abs(u - v).sum(axis=1)\n")
    arguments = ("--poincare", "1", "--distance", "own_distance:block", "--dimension", "8", "--vectors", "30")
    done = cli("similarity", "projection-check", *arguments)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("poincare c=1: falls wherever cosine rises")
    assert lines[1].startswith("own_distance:block: is no falling function")
    found = json.loads(cli("similarity", "projection-check", *arguments, "--json").out)
    assert [item["finding"] for item in found] == ["ranks as cosine", "ranks otherwise"]


def test_the_dimension_may_be_that_of_an_encoder(cli: Callable[..., Any]) -> None:
    done = cli("similarity", "projection-check", "--poincare", "1", "--encoder", "hash-words", "--json")
    assert json.loads(done.out)[0]["dimension"] > 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a distance"),
        (("--poincare", "1", "--encoder", "minilm", "--dimension", "8"), "not both"),
        (("--poincare", "-1"), "expected a number above 0"),
        (("--distance", "nothing:here"), "cannot be imported"),
    ],
)
def test_what_cannot_be_tried_is_said(
    cli: Callable[..., Any], arguments: tuple[str, ...], message: str
) -> None:
    done = cli("similarity", "projection-check", *arguments)
    assert done.code == ExitCode.USAGE
    assert message in done.err


def test_what_own_code_prints_stays_out_of_the_results(cli: Callable[..., Any], workspace: Path) -> None:
    (workspace / "printing_distance.py").write_text(
        "print('loaded')\n\n\ndef block(u, v):\n    print('asked')\n    return abs(u - v).sum(axis=1)\n"
    )
    arguments = ("--distance", "printing_distance:block", "--dimension", "4", "--vectors", "9", "--json")
    done = cli("similarity", "projection-check", *arguments)
    assert json.loads(done.out)[0]["finding"] == "ranks otherwise"
    assert done.err.split() == ["loaded", "asked"]
