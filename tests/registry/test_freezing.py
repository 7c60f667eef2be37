"""Freezing: one hash for one content, and edits refused by name."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.canonical import canonical_json, sha256
from denotary.errors import InputError, IntegrityError
from denotary.registry import definition_hash, freeze, load_registry, read_lock
from denotary.registry.locks import LOCK, RECORDS

CONTENT = ("concept_set_hash", "definitions_hash", "expressions_hash", "ambiguities_hash")


@pytest.fixture
def folder(build: Any, make: Any) -> Path:
    result: Path = build(
        make.expression("x1", "planet Mercury", "planet"),
        make.expression("x2", "quicksilver", "element"),
        make.expression("x3", "Merkur", "planet", language="de"),
        ambiguities=[
            make.ambiguity("a1", "Mercury", "closed", "planet", "element"),
            make.ambiguity("a2", "Hg", "open", "element"),
        ],
    )
    return result


def change(folder: Path, name: str, edit: Callable[[Any], None], line: int = 0) -> None:
    path = folder / name
    records = [json.loads(item) for item in path.read_text().splitlines()]
    edit(records[line])
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_a_frozen_registry_has_one_name(folder: Path) -> None:
    lock = freeze(folder)
    registry = load_registry(folder)
    assert registry.lock == lock == read_lock(folder / LOCK)
    assert registry.hash == lock.hash
    assert registry.snapshot_id == f"small 1.0.0 sha256:{lock.hash}"


def test_the_hash_is_that_of_the_lock_without_it(folder: Path) -> None:
    freeze(folder)
    content = json.loads((folder / LOCK).read_text())
    stated = content.pop("hash")
    assert sha256(canonical_json(content)) == stated


def test_every_file_and_every_record_is_in_it(folder: Path) -> None:
    lock = freeze(folder)
    names = {path.name for path in folder.iterdir()} - {LOCK}
    assert set(lock.files) == names
    assert all(lock.files[name] == sha256((folder / name).read_bytes()) for name in names)
    lines = (folder / RECORDS).read_text().splitlines()
    assert lines == sorted(lines, key=lambda line: line.split("  ")[1])
    assert [line.split("  ")[1] for line in lines] == [
        "ambiguities.jsonl:a1",
        "ambiguities.jsonl:a2",
        "concepts.jsonl:element",
        "concepts.jsonl:planet",
        "expressions.jsonl:x1",
        "expressions.jsonl:x2",
        "expressions.jsonl:x3",
    ]
    registry = load_registry(folder)
    assert lines[4].split("  ")[0] == sha256(canonical_json(registry.expressions[0]))


def test_a_draft_has_no_hash(folder: Path) -> None:
    registry = load_registry(folder)
    for attribute in ("hash", "snapshot_id"):
        with pytest.raises(InputError, match="registry freeze"):
            getattr(registry, attribute)


def test_freezing_again_changes_nothing(folder: Path) -> None:
    lock = freeze(folder)
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    assert freeze(folder) == lock
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


def test_lint_errors_keep_it_from_being_frozen(build: Any, make: Any) -> None:
    folder = build(make.expression("x1", " Mercury"))
    with pytest.raises(InputError, match=r"errors found: 1(.|\n)*x1: error whitespace"):
        freeze(folder)
    assert not (folder / LOCK).exists()


def test_a_freeze_that_was_interrupted_leaves_a_draft_that_can_be_frozen(folder: Path) -> None:
    (folder / RECORDS).write_text("half a list")
    assert not load_registry(folder).is_frozen
    freeze(folder)
    assert load_registry(folder).is_frozen


@pytest.mark.parametrize(
    ("name", "key", "value", "record"),
    [
        ("concepts.jsonl", "owner", "other", "planet"),
        ("expressions.jsonl", "text", "Mars", "x1"),
        ("ambiguities.jsonl", "kind", "open", "a1"),
    ],
)
def test_an_edit_is_refused_and_the_record_named(
    folder: Path, name: str, key: str, value: str, record: str
) -> None:
    freeze(folder)
    change(folder, name, lambda item: item.update({key: value}))
    for action in (load_registry, freeze):
        with pytest.raises(IntegrityError) as caught:
            action(folder)
        assert f"{name}: {record}: differs from the frozen snapshot small 1.0.0" in str(caught.value)
        assert "set a new version" in str(caught.value)
        assert "Mars" not in str(caught.value)


def test_an_edit_that_breaks_the_file_is_refused_as_an_edit(folder: Path) -> None:
    freeze(folder)
    (folder / "concepts.jsonl").write_text("{")
    with pytest.raises(IntegrityError, match=r"concepts\.jsonl: differs"):
        load_registry(folder)


@pytest.mark.parametrize("name", ["registry.toml", "migrations.jsonl", RECORDS])
def test_any_other_edit_is_refused(folder: Path, name: str) -> None:
    freeze(folder)
    with (folder / name).open("ab") as handle:
        handle.write(b"\n")
    with pytest.raises(IntegrityError, match=name.replace(".", r"\.")):
        load_registry(folder)


def test_a_file_that_is_gone_or_new_is_refused(folder: Path) -> None:
    (folder / "migrations.jsonl").unlink()
    freeze(folder)
    (folder / "migrations.jsonl").write_text("")
    with pytest.raises(IntegrityError, match=r"migrations\.jsonl: differs.*expected no such file"):
        load_registry(folder)
    (folder / "migrations.jsonl").unlink()
    (folder / "ambiguities.jsonl").unlink()
    with pytest.raises(IntegrityError, match=r"ambiguities\.jsonl: a1: differs.*found no such file"):
        load_registry(folder)


def test_an_edited_lock_is_refused(folder: Path) -> None:
    lock = freeze(folder)
    (folder / LOCK).write_bytes(canonical_json(msgspec.structs.replace(lock, version="1.0.1")))
    with pytest.raises(IntegrityError, match="the lock was edited"):
        load_registry(folder)
    (folder / LOCK).write_text("{}")
    with pytest.raises(IntegrityError, match="not a valid RegistryLock"):
        load_registry(folder)


def test_another_unicode_version_is_another_profile(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    freeze(folder)
    monkeypatch.setattr("denotary.registry.locks.UNICODE_VERSION", "19.0.0")
    with pytest.raises(IntegrityError, match=r"frozen under Unicode 18\.0\.0"):
        load_registry(folder)


@given(st.randoms(use_true_random=False))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)
def test_the_order_of_lines_changes_no_content_hash(folder: Path, rng: random.Random) -> None:
    def frozen() -> dict[str, Any]:
        for name in (LOCK, RECORDS):
            (folder / name).unlink(missing_ok=True)
        lock = freeze(folder)
        return {name: getattr(lock, name) for name in CONTENT} | {"records": lock.files[RECORDS]}

    before = frozen()
    for name in ("concepts.jsonl", "expressions.jsonl", "ambiguities.jsonl"):
        lines = (folder / name).read_text().splitlines(keepends=True)
        rng.shuffle(lines)
        (folder / name).write_text("".join(lines))
    assert frozen() == before


@pytest.mark.parametrize(
    ("name", "edit", "changed"),
    [
        ("concepts.jsonl", {"definitions": {"en": "another"}}, {"definitions_hash"}),
        ("concepts.jsonl", {"owner": "owner-2"}, set()),
        ("expressions.jsonl", {"text": "planet Merkur"}, {"expressions_hash"}),
        ("ambiguities.jsonl", {"text": "Merc"}, {"ambiguities_hash"}),
    ],
)
def test_a_content_hash_changes_with_its_content_alone(
    folder: Path, name: str, edit: dict[str, Any], changed: set[str]
) -> None:
    before = freeze(folder)
    for written in (LOCK, RECORDS):
        (folder / written).unlink()
    change(folder, name, lambda item: item.update(edit))
    after = freeze(folder)
    assert after.hash != before.hash
    assert {field for field in CONTENT if getattr(after, field) != getattr(before, field)} == changed


def test_the_concept_set_is_that_of_the_active_concepts(build: Any, make: Any) -> None:
    both = freeze(build())
    for name in (LOCK, RECORDS):
        (build() / name).unlink()
    retired = [make.concept("planet"), make.concept("element"), make.concept("old", status="retired")]
    lock = freeze(build(concepts=retired))
    assert lock.concept_set_hash == both.concept_set_hash == sha256(b'["element","planet"]')
    assert (lock.concepts, both.concepts) == (3, 2)


def test_the_hash_of_a_definition_is_that_of_code_and_definitions(folder: Path) -> None:
    concept = load_registry(folder).concepts["planet"]
    assert definition_hash(concept) == sha256(b'["planet",{"en":"definition of planet"}]')
    assert definition_hash(msgspec.structs.replace(concept, owner="other")) == definition_hash(concept)
