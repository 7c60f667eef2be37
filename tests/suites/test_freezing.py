"""Freezing, pinning and disclosures, on real folders."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.canonical import digest, sha256
from denotary.errors import InputError, IntegrityError
from denotary.registry import load_registry
from denotary.suites import disclose, freeze, load_suite, pin
from denotary.suites.ledger import read_ledger

Make = Callable[..., Path]
Case = Callable[..., Any]


@pytest.fixture
def frozen(make_suite: Make, case: Case) -> Path:
    folder = make_suite([case("c1"), case("c2", "x.beta"), case("c3", semantic_seed_id="seed-c1")])
    freeze(folder)
    return folder


def set_version(folder: Path, version: str) -> None:
    path = folder / "suite.toml"
    text = path.read_text()
    assert text.count('version = "') == 2
    path.write_text(text.replace('version = "', f'version = "{version}" # ', 1))


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_lock_names_every_file_record_and_unit(frozen: Path) -> None:
    suite = load_suite(frozen)
    assert suite.lock is not None
    assert suite.lock.files == {
        name: sha256((frozen / name).read_bytes())
        for name in ("suite.toml", "cases.jsonl", "registry.lock", "records.sha256")
    }
    assert (suite.lock.cases, suite.lock.units) == (3, 2)
    assert suite.lock.registry_hash == suite.registry.hash
    assert suite.identifier == f"small-suite 1.0.0 sha256:{suite.hash}"
    expected = [f"{digest(item)}  {item.record_id}" for item in suite.cases]
    assert (frozen / "records.sha256").read_text().splitlines() == expected
    body = msgspec.to_builtins(suite.lock)
    assert digest({key: value for key, value in body.items() if key != "hash"}) == suite.hash


def test_the_hash_does_not_depend_on_when_or_where(tmp_path: Path, frozen: Path, case: Case) -> None:
    import shutil

    copy = tmp_path / "elsewhere" / "suite"
    shutil.copytree(frozen, copy)
    shutil.copytree(tmp_path / "registry", tmp_path / "elsewhere" / "registry")
    assert load_suite(copy).hash == load_suite(frozen).hash


def test_record_digests_do_not_depend_on_the_spelling_of_the_json(
    make_suite: Make, case: Case, tmp_path: Path
) -> None:
    folder = make_suite([case("c1", text="naïve")])
    record = json.loads((folder / "cases.jsonl").read_text())
    spelled = json.dumps(
        dict(reversed(record.items())), indent=None, separators=(" , ", " : "), ensure_ascii=True
    )
    first = digest(load_suite(folder).cases[0])
    (folder / "cases.jsonl").write_text(spelled)
    assert digest(load_suite(folder).cases[0]) == first


def test_freezing_twice_changes_no_byte(frozen: Path) -> None:
    before = content(frozen)
    lock = freeze(frozen)
    assert content(frozen) == before
    assert lock == load_suite(frozen).lock


@pytest.mark.parametrize("name", ["suite.toml", "cases.jsonl", "registry.lock", "records.sha256"])
def test_an_edited_file_is_refused_and_named(frozen: Path, name: str) -> None:
    with (frozen / name).open("ab") as handle:
        handle.write(b"\n")
    with pytest.raises(IntegrityError) as caught:
        load_suite(frozen)
    assert str(frozen / name) in str(caught.value)


@pytest.mark.parametrize("name", ["registry.lock", "records.sha256"])
def test_a_removed_file_is_refused_and_named(frozen: Path, name: str) -> None:
    (frozen / name).unlink()
    with pytest.raises(IntegrityError, match=name):
        load_suite(frozen)


def test_an_edited_lock_is_refused(frozen: Path) -> None:
    path = frozen / "suite.lock"
    path.write_text(path.read_text().replace('"cases":3', '"cases":4'))
    with pytest.raises(IntegrityError, match="the lock was edited"):
        load_suite(frozen)
    path.write_text("{")
    with pytest.raises(IntegrityError, match="not a valid SuiteLock"):
        load_suite(frozen)


def test_errors_are_not_frozen(make_suite: Make, case: Case) -> None:
    folder = make_suite([case("c1", "x.nothing")])
    with pytest.raises(InputError, match=r"cannot be frozen; errors found: 1; the first: .*unknown_code"):
        freeze(folder)
    assert not (folder / "suite.lock").exists()


def test_a_draft_registry_is_not_frozen_against(tmp_path: Path, make_suite: Make, case: Case) -> None:
    folder = make_suite([case("c1")])
    (tmp_path / "registry" / "registry.lock").unlink()
    with pytest.raises(InputError, match="draft"):
        freeze(folder)


def test_a_suite_that_names_another_registry_is_not_frozen(make_suite: Make, case: Case) -> None:
    folder = make_suite([case("c1")])
    path = folder / "suite.toml"
    head, table, rest = path.read_text().partition("[registry]")
    path.write_text(head + table + rest.replace("1.0.0", "9.0.0"))
    with pytest.raises(IntegrityError, match=r"made for registry small 9\.0\.0, but small 1\.0\.0 was given"):
        freeze(folder)
    assert not (folder / "suite.lock").exists()


def test_other_content_needs_a_later_version(frozen: Path, case: Case) -> None:
    with (frozen / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(case("c4")) + "\n")
    with pytest.raises(IntegrityError, match=r"version 1\.0\.0 was frozen with other content"):
        freeze(frozen)
    set_version(frozen, "0.9.0")
    with pytest.raises((IntegrityError, InputError)):
        freeze(frozen)


def test_removing_the_lock_does_not_help(frozen: Path, case: Case) -> None:
    (frozen / "suite.lock").unlink()
    with (frozen / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(case("c4")) + "\n")
    with pytest.raises(IntegrityError, match=r"version 1\.0\.0 was frozen with other content"):
        freeze(frozen)


def test_added_cases_are_frozen_under_the_next_version(frozen: Path, case: Case) -> None:
    first = load_suite(frozen).hash
    with (frozen / "cases.jsonl").open("a") as handle:
        handle.write(json.dumps(case("c4")) + "\n")
    set_version(frozen, "1.1.0")
    second = freeze(frozen, who="role-1", why="more cases")
    ledger = load_suite(frozen).ledger
    assert [entry.kind for entry in ledger] == ["freeze", "freeze", "freeze"]
    task = digest(["identity", "public-diagnostic", 1, None])
    common = {"registry": second.registry_hash, "task": task}
    assert [entry.new for entry in ledger[1:]] == [
        {"version": "1.0.0", "hash": first, **common},
        {"version": "1.1.0", "hash": second.hash, **common},
    ]


def test_a_disclosure_is_recorded_once_and_keeps_the_suite_frozen(frozen: Path) -> None:
    before = load_suite(frozen).hash
    disclose(frozen, ["c2", "c1", "c2"], who="evaluator", why="shown for debugging")
    disclose(frozen, ["c2"], who="evaluator", why="again")
    suite = load_suite(frozen)
    assert suite.disclosed == {"c1", "c2"}
    assert suite.hash == before
    assert [entry.record for entry in suite.ledger if entry.kind == "disclosure"] == ["c1", "c2"]
    with pytest.raises(InputError, match="no such record"):
        disclose(frozen, ["c3", "c9"], who="evaluator", why="none")
    assert load_suite(frozen).disclosed == {"c1", "c2"}


def test_a_disclosed_case_is_no_fresh_evidence(make_suite: Make, case: Case) -> None:
    from denotary.instruments.identity.facts import _leakage_audit
    from denotary.suites import check

    sealed = {"visibility": "sealed"}
    folder = make_suite(
        [case("c1", security=sealed), case("c2", security=sealed)], role="sealed-certification"
    )
    freeze(folder)
    assert _leakage_audit(load_suite(folder)).holds is None
    disclose(folder, ["c2"], who="evaluator", why="shown for debugging")
    suite = load_suite(folder)
    assert _leakage_audit(suite).holds is False
    assert [(item.code, item.record) for item in check(suite) if item.severity == "error"] == [
        ("disclosed", "c2")
    ]


def test_a_sibling_of_a_disclosed_case_is_none_and_what_left_does_not_count(
    make_suite: Make, case: Case, decided: Case
) -> None:
    """The suite is whole again when every case of the disclosed unit went, whatever keeps its smallest seed."""
    from denotary.instruments.identity.facts import _leakage_audit
    from denotary.suites import check, withdraw

    cases = [case(f"c{n}", security={"visibility": "sealed"}, semantic_seed_id=f"seed-{n}") for n in range(4)]
    for n in (0, 1):
        cases[n]["construction"]["translation_family"] = "t"
    folder = make_suite(cases, role="sealed-certification")
    freeze(folder)
    disclose(folder, ["c0"], who="evaluator", why="shown")
    assert load_suite(folder).spent == {"c0", "c1"}
    withdraw(folder, ["c0"], decided(cause="disclosed"))
    suite = load_suite(folder)
    assert suite.disclosed == {"c0"}
    assert suite.spent == {"c1"}
    assert _leakage_audit(suite).holds is False
    assert [item.record for item in check(suite) if item.code == "disclosed"] == ["c1"]
    withdraw(folder, ["c1"], decided(cause="disclosed"))
    suite = load_suite(folder)
    assert suite.disclosed == {"c0"}
    assert suite.spent == frozenset()
    assert _leakage_audit(suite).holds is None


def test_pinning_says_that_cases_came_after_the_snapshot(make_suite: Make, case: Case) -> None:
    folder = make_suite([case("c1")])
    pin(folder)
    once = content(folder)
    pin(folder)
    assert content(folder) == once
    registry = load_suite(folder).registry
    assert (folder / "registry.lock").read_bytes() == (registry.root / "registry.lock").read_bytes()
    assert read_ledger(folder)[0].new == registry.hash
    freeze(folder)
    assert [entry.what for entry in read_ledger(folder)] == ["registry snapshot", "suite"]


def test_a_pinned_suite_is_not_bound_to_another_snapshot(
    tmp_path: Path, make_suite: Make, make_registry: Make, case: Case
) -> None:
    from denotary.registry import freeze as freeze_registry

    folder = make_suite([case("c1")])
    pin(folder)
    other = make_registry(tmp_path / "other", ambiguities=[])
    freeze_registry(other)
    with pytest.raises(IntegrityError, match="bound to registry"):
        pin(folder, registry=load_registry(other))
