"""Lines on stderr while a command works: tenths of a known number, steps of an unknown one, nothing if quiet."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.cli.counting import EACH, counting, told

Cli = Callable[..., Any]


def test_a_known_number_is_told_in_tenths(capsys: pytest.CaptureFixture[str]) -> None:
    with counting(40, "encoding", "texts", hidden=False) as update:
        for _ in range(20):
            update(2)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert [line.split()[0] for line in lines] == ["2", *(str(done) for done in range(4, 41, 4))]
    assert lines[-1] == "40 of 40 texts, encoding"


def test_an_unknown_number_is_told_every_so_many(capsys: pytest.CaptureFixture[str]) -> None:
    update = told("files read", hidden=False)
    for done in range(2 * EACH + 1):
        update(done)
        update(done)
    assert capsys.readouterr().err.splitlines() == [f"{EACH} files read", f"{2 * EACH} files read"]


def test_what_is_hidden_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    with counting(1, "encoding", "texts", hidden=True) as update:
        update(1)
    told("files read", hidden=True)(EACH)
    assert capsys.readouterr() == ("", "")


def test_scan_tells_how_many_files_it_read(cli: Cli, tmp_path: Path) -> None:
    for number in range(EACH):
        (tmp_path / f"m{number}.py").write_text("x = 1\n")
    done = cli("similarity", "scan", str(tmp_path), "--json")
    assert (json.loads(done.out)["files"], done.err) == (EACH, f"{EACH} files read\n")
    assert cli("similarity", "scan", str(tmp_path), "--json", "--quiet").err == ""
