"""Judgements of root causes: append-only beside the sealed files, chained, superseded and never altered."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from denotary import runs, systems
from denotary.errors import InputError, IntegrityError
from denotary.runs.triage import TRIAGE, Failure, Proposal, read_judgements, set_cause, standing, torn

NAMES = [f"case-{index:05d}" for index in range(4)]
FAILURES = [
    Failure(name, name, "wrong_code", "a", "b", "en", "f", (Proposal("E04", "related", "why"),))
    for name in NAMES
]


@pytest.fixture
def run(suite: Callable[..., Any], truth: Any, tmp_path: Path) -> Path:
    runs.ask(systems.python(truth), suite(4), tmp_path / "run")
    return tmp_path / "run"


def set_(root: Path, case: str = NAMES[0], code: str = "E05", **more: str) -> Any:
    return set_cause(root, FAILURES, case, code, **{"who": "reviewer-1", "why": "it is negated"} | more)


def test_a_judgement_names_what_was_proposed_and_the_answers(run: Path) -> None:
    assert read_judgements(run) == ()
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    first = set_(run)
    assert (first.sequence, first.code, first.proposed, first.supersedes) == (0, "E05", "E04", None)
    assert first.previous == sha256((run / "sealed.jsonl").read_bytes()).hexdigest()
    assert read_judgements(run) == (first,)
    # Not one byte of the run is touched.
    assert {name: (run / name).read_bytes() for name in before} == before
    assert {path.name for path in run.iterdir()} == {*before, TRIAGE}
    assert runs.seal_differences(run) == []


def test_a_later_judgement_supersedes_and_keeps_the_former(run: Path) -> None:
    set_(run)
    set_(run, NAMES[1], "E11")
    line = (run / TRIAGE).read_bytes()
    again = set_(run, code="E07", why="the roles are swapped")
    assert (run / TRIAGE).read_bytes().startswith(line)
    assert (again.sequence, again.supersedes) == (2, 0)
    assert set_(run, code="E06").supersedes == 2
    entries = read_judgements(run)
    assert [entry.code for entry in entries] == ["E05", "E11", "E07", "E06"]
    assert {case: entry.code for case, entry in standing(entries).items()} == {
        NAMES[0]: "E06",
        NAMES[1]: "E11",
    }
    # Each line names the digest of the one before it, as it stands in the file.
    lines = (run / TRIAGE).read_bytes().splitlines()
    for line, following in pairwise(lines):
        assert json.loads(following)["previous"] == sha256(line).hexdigest()


@pytest.mark.parametrize("edit", ["drop", "swap", "change", "another_run", "sequence"])
def test_a_file_that_was_edited_is_refused(run: Path, edit: str) -> None:
    set_(run)
    set_(run, NAMES[1])
    set_(run, NAMES[2])
    path = run / TRIAGE
    lines = path.read_bytes().splitlines(keepends=True)
    edited = {
        "drop": lines[1:],
        "swap": [lines[0], lines[2], lines[1]],
        "change": [lines[0].replace(b"negated", b"doubtful"), *lines[1:]],
        "another_run": [lines[0].replace(json.loads(lines[0])["previous"].encode(), b"0" * 64)],
        "sequence": [lines[0].replace(b'"sequence":0', b'"sequence":1')],
    }[edit]
    path.write_bytes(b"".join(edited))
    with pytest.raises(IntegrityError, match="chain is broken"):
        read_judgements(run)
    with pytest.raises(IntegrityError, match="chain is broken"):
        set_(run)
    assert path.read_bytes() == b"".join(edited)


def test_a_torn_last_line_is_passed_over_and_replaced(run: Path) -> None:
    assert torn(run) == 0
    first = set_(run)
    whole = (run / TRIAGE).read_bytes()
    set_(run, NAMES[1])
    cut = (run / TRIAGE).read_bytes()[:-9]
    (run / TRIAGE).write_bytes(cut)
    assert read_judgements(run) == (first,)
    assert torn(run) == len(cut) - len(whole)
    again = set_(run, NAMES[2])
    assert read_judgements(run) == (first, again)
    assert torn(run) == 0


def test_judgements_set_at_once_are_all_kept(run: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda index: set_(run, NAMES[index % 4], f"E{index + 1:02d}"), range(24)))
    entries = read_judgements(run)
    assert sorted(entry.code for entry in entries) == [f"E{index + 1:02d}" for index in range(24)]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"case": "case-99999"}, "did not go wrong"),
        ({"who": " "}, "by somebody for a reason"),
        ({"why": ""}, "by somebody for a reason"),
    ],
)
def test_what_cannot_be_set_writes_nothing(run: Path, more: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        set_(run, **more)
    assert not (run / TRIAGE).exists()


def test_a_run_that_is_not_complete_takes_no_judgement(run: Path) -> None:
    (run / "seal.json").unlink()
    with pytest.raises(InputError, match="not complete"):
        set_(run)
