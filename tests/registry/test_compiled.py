"""The compiled form: the same bytes for the same registry, the same records as in memory, and damage
named."""

import os
import random
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from denotary.errors import InputError, IntegrityError, StorageError
from denotary.registry import (
    MemoryIndex,
    Registry,
    compile_registry,
    freeze,
    load_registry,
    open_compiled,
)
from denotary.registry.locks import LOCK, RECORDS
from denotary.text import coarse


@pytest.fixture
def registry(build: Any, make: Any) -> Registry:
    folder = build(
        make.expression("x1", "planet Mercury", "planet"),
        make.expression("x2", "quicksilver", "element", derived_by="ccf/1"),
        make.expression("x3", "gift", "planet"),
        make.expression("x4", "gift", "element", language="de"),
        make.expression("x5", "Ethole\u0301n", "planet", language="sv"),
        make.expression("x6", "\u0444\u0443\u043d\u0442", "element", language="ru", script="Cyrl"),
        make.expression("x7", "secret", review={"by": "a", "on": "2026-01-31", "status": "rejected"}),
        ambiguities=[
            make.ambiguity("a1", "Mercury", "closed", "planet", "element"),
            make.ambiguity("a2", "XY", "open"),
        ],
    )
    freeze(folder)
    return load_registry(folder)


@pytest.fixture
def compiled(registry: Registry, tmp_path: Path) -> Path:
    path = tmp_path / "out" / "registry.sqlite"
    compile_registry(registry, path)
    return path


def test_the_same_registry_gives_the_same_bytes(registry: Registry, compiled: Path, tmp_path: Path) -> None:
    compile_registry(load_registry(registry.root), tmp_path / "again.sqlite")
    assert (tmp_path / "again.sqlite").read_bytes() == compiled.read_bytes()
    assert sorted(path.name for path in compiled.parent.iterdir()) == ["registry.sqlite"]


def test_the_order_of_lines_changes_nothing_but_the_snapshot(registry: Registry, tmp_path: Path) -> None:
    for name in (LOCK, RECORDS):
        (registry.root / name).unlink()
    path = registry.root / "expressions.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    path.write_text("".join(lines))
    freeze(registry.root)
    tables = []
    for number, source in enumerate((registry, load_registry(registry.root))):
        file = tmp_path / f"{number}.sqlite"
        compile_registry(source, file)
        with closing(sqlite3.connect(file)) as connection:
            tables.append(
                [list(connection.execute(f"SELECT * FROM {table}")) for table in ("entry", "fold", "concept")]
            )
    assert tables[0] == tables[1]


def test_nothing_of_machine_or_time_is_in_it(compiled: Path, tmp_path: Path) -> None:
    content = compiled.read_bytes()
    assert str(tmp_path).encode() not in content
    assert content[96:100] == bytes(4)


def test_sqlite_itself_finds_it_sound(compiled: Path) -> None:
    with closing(sqlite3.connect(compiled)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_it_answers_as_the_index_in_memory(registry: Registry, compiled: Path) -> None:
    memory = MemoryIndex(registry)
    with closing(open_compiled(compiled)) as index:
        assert index.snapshot == memory.snapshot
        texts = [
            "planet Mercury",
            "quicksilver",
            "gift",
            "Ethol\u00e9n",
            "\u0444\u0443\u043d\u0442",
            "Mercury",
            "XY",
        ]
        for text in [*texts, "secret", "nothing", "GIFT", "", "gift' OR '1'='1"]:
            found = memory.find(text)
            assert [(type(item), item.id, item.language, item.codes) for item in index.find(text)] == [
                (type(item), item.id, item.language, item.codes) for item in found
            ]
            assert bool(found) == (text in texts)
            assert index.lookalikes(coarse(text), 9) == memory.lookalikes(coarse(text), 9)
            assert index.is_code(text) == memory.is_code(text)
        assert [item.id for item in index.find("gift")] == ["x4", "x3"]
        assert index.find("quicksilver") == memory.find("quicksilver")
        assert index.lookalikes("etholen", 9) == ("Ethol\u00e9n",)
        assert index.is_code("planet")


def test_lookalikes_are_sorted_and_cut_alike(build: Any, make: Any, tmp_path: Path) -> None:
    texts = ["Gap", "GAP", "gap", "g.a.p", "gaP", "G-A-P"]
    folder = build(*(make.expression(f"x{n}", text) for n, text in enumerate(texts)))
    freeze(folder)
    registry = load_registry(folder)
    compile_registry(registry, tmp_path / "c.sqlite")
    with closing(open_compiled(tmp_path / "c.sqlite")) as index:
        for limit in range(1, 8):
            cut = MemoryIndex(registry).lookalikes("gap", limit)
            assert cut == tuple(sorted(texts)[:limit])
            assert index.lookalikes("gap", limit) == cut


def test_many_threads_read_at_once(compiled: Path) -> None:
    with closing(open_compiled(compiled)) as index:
        seen: list[Any] = []

        def read() -> None:
            seen.append([index.find(text) for text in ("gift", "Mercury", "nothing") * 50])

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 8
        assert all(answers == seen[0] for answers in seen)


def test_a_closed_index_opens_again_when_asked(compiled: Path) -> None:
    index = open_compiled(compiled)
    index.close()
    assert index.find("gift")
    index.close()


def test_it_never_writes(compiled: Path) -> None:
    before = compiled.read_bytes()
    with closing(open_compiled(compiled)) as index, pytest.raises(sqlite3.OperationalError, match="readonly"):
        index._connection().execute("DELETE FROM entry")
    assert compiled.read_bytes() == before


def test_only_a_frozen_registry_is_compiled(build: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="draft"):
        compile_registry(load_registry(build()), tmp_path / "c.sqlite")
    assert not (tmp_path / "c.sqlite").exists()


def test_a_folder_that_cannot_hold_it_is_a_named_error(registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        compile_registry(registry, tmp_path / "file" / "c.sqlite")


def test_names_with_odd_characters_open(registry: Registry, tmp_path: Path) -> None:
    path = tmp_path / "a ?#%20\u00e9.sqlite"
    compile_registry(registry, path)
    with closing(open_compiled(path)) as index:
        assert index.find("gift")


def test_what_is_no_compiled_registry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_compiled(tmp_path / "nowhere.sqlite")
    (tmp_path / "text").write_text("hello")
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE meta (key, value)")
        connection.commit()
    for path in (tmp_path / "text", other):
        with pytest.raises(InputError, match="no compiled registry"):
            open_compiled(path)


def test_a_file_that_is_cut_off_is_refused(compiled: Path) -> None:
    size = compiled.stat().st_size
    os.truncate(compiled, size - 4096)
    with pytest.raises(IntegrityError, match=f"{size - 4096} bytes instead of {size}"):
        open_compiled(compiled)


def test_damage_inside_is_a_named_error(compiled: Path) -> None:
    content = bytearray(compiled.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    compiled.write_bytes(content)
    with pytest.raises((IntegrityError, InputError), match=r"damaged|no compiled registry"):
        open_compiled(compiled).find("gift")


@pytest.mark.parametrize("name", ["profile", "unicode", "vectors"])
def test_another_profile_is_refused(compiled: Path, name: str) -> None:
    with closing(sqlite3.connect(compiled)) as connection:
        connection.execute("UPDATE meta SET value = 'other' WHERE key = ?", (name,))
        connection.commit()
    with pytest.raises(IntegrityError, match=f"compiled with {name} other"):
        open_compiled(compiled)
