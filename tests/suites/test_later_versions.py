"""A later version of a frozen suite: what its ledger must say of each change before it is frozen."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import IntegrityError
from denotary.suites import Correction, correct, diff, freeze, load_suite, withdraw

Case = Callable[..., Any]
Make = Callable[..., Path]


def add(folder: Path, record: Any) -> None:
    with (folder / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(record) + "\n")


def test_freezing_holds_the_version_against_the_change(
    frozen: Path, case: Case, gold: Case, decided: Case, set_version: Case
) -> None:
    add(frozen, case("c4"))
    set_version(frozen, "1.0.1")
    with pytest.raises(IntegrityError, match=r"1\.0\.1 is too early after 1\.0\.0 for a minor change"):
        freeze(frozen)
    (frozen / "suite.lock").unlink()
    correct(frozen, [gold("c2", "x.gamma")], decided())
    set_version(frozen, "1.1.0")
    with pytest.raises(IntegrityError, match=r"for a major change \(cases with other gold: 1\)") as caught:
        freeze(frozen)
    assert "set version 2.0.0 or later" in str(caught.value)
    set_version(frozen, "2.0.0")
    freeze(frozen)


def test_metadata_may_be_corrected_in_a_patch(frozen: Path, decided: Case, set_version: Case) -> None:
    change = Correction(record="c1", changes={"annotation.rationale": "in other words"})
    correct(frozen, [change], decided(cause=None, board=()))
    set_version(frozen, "1.0.1")
    freeze(frozen)


@pytest.mark.parametrize("name", ["annotation", "annotation.review"])
def test_a_review_may_be_corrected_in_a_minor_version(
    frozen: Path, decided: Case, set_version: Case, name: str
) -> None:
    value = {"review": "reviewed"} if name == "annotation" else "reviewed"
    correct(frozen, [Correction(record="c1", changes={name: value})], decided())
    set_version(frozen, "1.0.1")
    with pytest.raises(IntegrityError, match="for a minor change"):
        freeze(frozen)
    set_version(frozen, "1.1.0")
    freeze(frozen)


def test_a_withdrawal_and_a_change_of_the_task_demand_a_major_version(
    frozen: Path, decided: Case, set_version: Case
) -> None:
    withdraw(frozen, ["c3"], decided())
    set_version(frozen, "1.5.0")
    with pytest.raises(IntegrityError, match=r"cases removed: 1"):
        freeze(frozen)
    set_version(frozen, "2.0.0")
    freeze(frozen)
    path = frozen / "suite.toml"
    path.write_text(
        path.read_text().replace('role = "public-diagnostic"', 'role = "public-diagnostic"\nlooks = 2')
    )
    set_version(frozen, "2.1.0")
    with pytest.raises(IntegrityError, match=r"suite.toml: instrument or role or looks or unknown_share"):
        freeze(frozen)


def test_a_case_that_changed_behind_its_correction_is_found(
    frozen: Path, decided: Case, set_version: Case
) -> None:
    change = Correction(record="c2", changes={"annotation.rationale": "in other words"})
    correct(frozen, [change], decided(cause=None, board=()))
    path = frozen / "cases.jsonl"
    path.write_text(path.read_text().replace('"x.beta"', '"x.gamma"'))
    set_version(frozen, "3.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed since the last freeze without an entry"):
        freeze(frozen)


def test_a_case_that_changed_between_two_corrections_is_found(
    frozen: Path, decided: Case, set_version: Case
) -> None:
    change = Correction(record="c2", changes={"annotation.rationale": "in other words"})
    correct(frozen, [change], decided(cause=None, board=()))
    path = frozen / "cases.jsonl"
    path.write_text(path.read_text().replace('"x.beta"', '"x.gamma"'))
    correct(frozen, [change], decided(cause=None, board=()))
    set_version(frozen, "3.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed since the last freeze without an entry"):
        freeze(frozen)


def test_an_entry_without_its_change_is_found(
    frozen: Path, gold: Case, decided: Case, set_version: Case
) -> None:
    before = (frozen / "cases.jsonl").read_bytes()
    correct(frozen, [gold("c2", "x.gamma")], decided())
    (frozen / "cases.jsonl").write_bytes(before)
    set_version(frozen, "3.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed"):
        freeze(frozen)


def test_a_changed_or_removed_case_needs_an_entry_in_the_ledger(frozen: Path, set_version: Case) -> None:
    path = frozen / "cases.jsonl"
    before = path.read_text()
    set_version(frozen, "3.0.0")
    path.write_text(before.replace('"x.beta"', '"x.gamma"'))
    with pytest.raises(IntegrityError, match="c2: was changed"):
        freeze(frozen)
    path.write_text("".join(before.splitlines(keepends=True)[:2]))
    with pytest.raises(IntegrityError, match="c3: was changed"):
        freeze(frozen)


@pytest.fixture
def successor(frozen: Path, tmp_path: Path) -> Path:
    """A copy of the frozen suite without its locks, to be a later version."""
    folder = tmp_path / "next"
    shutil.copytree(frozen, folder, ignore=shutil.ignore_patterns("suite.lock", "records.sha256"))
    return folder


def test_a_later_version_in_a_folder_of_its_own(
    frozen: Path, successor: Path, case: Case, gold: Case, decided: Case, set_version: Case
) -> None:
    add(successor, case("c4"))
    set_version(successor, "1.0.1")
    with pytest.raises(IntegrityError, match=r"for a minor change \(cases added: 1\)"):
        freeze(successor, on=frozen)
    correct(successor, [gold("c2", "x.gamma")], decided())
    set_version(successor, "2.0.0")
    freeze(successor, on=frozen)
    assert [item.change for item in diff(load_suite(frozen), load_suite(successor)).records] == [
        "changed",
        "added",
    ]
    # Frozen as it is, freezing again changes nothing, with and without its predecessor.
    assert freeze(successor, on=frozen) == freeze(successor)


def test_metadata_of_a_successor_needs_no_entry_and_gold_does(
    frozen: Path, successor: Path, set_version: Case
) -> None:
    path = successor / "cases.jsonl"
    path.write_text(path.read_text().replace('"human"', '"typed anew"'))
    set_version(successor, "1.0.1")
    freeze(successor, on=frozen)
    (successor / "suite.lock").unlink()
    path.write_text(path.read_text().replace('"x.beta"', '"x.gamma"'))
    set_version(successor, "2.0.0")
    with pytest.raises(IntegrityError, match=r"c2: was changed since version 1\.0\.0 without an entry"):
        freeze(successor, on=frozen)


def test_a_review_of_a_successor_needs_an_entry(
    frozen: Path, successor: Path, decided: Case, set_version: Case
) -> None:
    path = successor / "cases.jsonl"
    before = path.read_text()
    set_version(successor, "1.1.0")
    path.write_text(before.replace('"unreviewed"', '"reviewed"'))
    with pytest.raises(IntegrityError, match=r"c1: was changed since version 1\.0\.0 without an entry"):
        freeze(successor, on=frozen)
    path.write_text(before)
    changes = {"annotation": {"review": "reviewed"}}
    correct(successor, [Correction(record=f"c{n}", changes=changes) for n in (1, 2, 3)], decided())
    freeze(successor, on=frozen)


def test_a_predecessor_does_not_excuse_from_the_last_freeze_of_the_folder(
    frozen: Path, successor: Path, case: Case, decided: Case, set_version: Case
) -> None:
    set_version(successor, "1.1.0")
    add(successor, case("c4"))
    freeze(successor, on=frozen)
    add(successor, case("c5"))
    with pytest.raises(IntegrityError, match=r"version 1\.1\.0 was frozen with other content"):
        freeze(successor, on=frozen)
    # A case that came in after the predecessor and failed cannot vanish after the look.
    path = successor / "cases.jsonl"
    path.write_text(
        "".join(line for line in path.read_text().splitlines(keepends=True) if '"c4"' not in line)
    )
    set_version(successor, "1.2.0")
    with pytest.raises(IntegrityError, match=r"c4: was changed since the last freeze without an entry"):
        freeze(successor, on=frozen)
    assert [entry.new["version"] for entry in load_suite_ledger(successor)] == ["1.0.0", "1.1.0"]


def load_suite_ledger(folder: Path) -> list[Any]:
    from denotary.suites.ledger import read_ledger

    return [entry for entry in read_ledger(folder) if entry.what == "suite"]


def test_gold_of_a_successor_must_be_what_the_ledger_says(
    frozen: Path, successor: Path, gold: Case, decided: Case, set_version: Case
) -> None:
    correct(successor, [gold("c2", "x.gamma")], decided())
    path = successor / "cases.jsonl"
    path.write_text(path.read_text().replace('"x.gamma"', '"x.alpha"'))
    set_version(successor, "2.0.0")
    with pytest.raises(IntegrityError, match="c2: was changed"):
        freeze(successor, on=frozen)


def test_a_case_that_left_a_successor_was_withdrawn(
    frozen: Path, successor: Path, decided: Case, set_version: Case
) -> None:
    set_version(successor, "2.0.0")
    path = successor / "cases.jsonl"
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:2]))
    with pytest.raises(IntegrityError, match="c3: was changed"):
        freeze(successor, on=frozen)
    path.write_text(whole)
    withdraw(successor, ["c3"], decided())
    freeze(successor, on=frozen)


def test_a_successor_keeps_the_ledger_of_a_frozen_predecessor(
    frozen: Path, successor: Path, set_version: Case
) -> None:
    set_version(successor, "1.0.1")
    (successor / "ledger.jsonl").unlink()
    with pytest.raises(IntegrityError, match=r"does not begin with the ledger of version 1\.0\.0"):
        freeze(successor, on=frozen)
    (frozen / "suite.lock").unlink()
    with pytest.raises(IntegrityError, match="the predecessor is not frozen"):
        freeze(successor, on=frozen)


def test_a_freeze_of_an_earlier_format_needs_the_predecessor(
    frozen: Path, tmp_path: Path, case: Case, set_version: Case
) -> None:
    from denotary.files import encode_jsonl
    from denotary.suites.ledger import append, draft, read_ledger

    first, second = read_ledger(frozen)
    (frozen / "ledger.jsonl").write_bytes(encode_jsonl([first]))
    new = {name: second.new[name] for name in ("version", "hash")}
    append(frozen, draft(kind="freeze", what="suite", who="keeper", why="release", new=new))
    shutil.copytree(frozen, tmp_path / "before")
    add(frozen, case("c4"))
    set_version(frozen, "1.1.0")
    with pytest.raises(IntegrityError, match="without a record of its task"):
        freeze(frozen)
    assert freeze(frozen, on=tmp_path / "before").version == "1.1.0"
