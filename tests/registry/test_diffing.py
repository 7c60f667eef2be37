"""Two snapshots of a registry: which records differ, and what lies beside a concept that changed."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.registry import Registry, diff, load_registry, migration_map
from denotary.registry.neighbourhoods import adjacent, shift
from denotary.registry.records import Concept, Migration, Neighbour, RegistryHeader

Build = Callable[..., Path]


@pytest.fixture
def two(tmp_path: Path, build: Build, make: Any) -> Callable[..., tuple[Registry, Registry]]:
    """A registry of two concepts and an expression, and a later one that differs in what a test gives."""

    def two_(header: dict[str, Any] | None = None, **lists: Any) -> tuple[Registry, Registry]:
        same = {"expressions": [make.expression("e1", "mercury")]}
        shutil.move(build(**same), tmp_path / "old")
        new = build(header={"version": "2.0.0", **(header or {})}, **{**same, **lists})
        return load_registry(tmp_path / "old"), load_registry(new)

    return two_


def test_records_are_named_by_file_id_and_digest(two: Any, make: Any) -> None:
    old, new = two(
        concepts=[make.concept("planet", owner="owner-2"), make.concept("element")],
        expressions=[make.expression("e2", "quicksilver", "element")],
        header={"title": "a title"},
    )
    found = diff(old, new)
    assert [(item.file, item.record, item.change, item.parts) for item in found.records] == [
        ("concepts.jsonl", "planet", "changed", ("owner",)),
        ("expressions.jsonl", "e1", "removed", ()),
        ("expressions.jsonl", "e2", "added", ()),
    ]
    assert found.header == ("version", "title")
    assert found.problems == ()
    assert "mercury" not in str(found)
    removed = found.records[1]
    assert (removed.new, len(removed.old or "")) == (None, 64)


def test_the_map_of_the_later_snapshot_is_checked(two: Any, make: Any) -> None:
    old, new = two(concepts=[make.concept("planet")])
    assert [(item.code, item.record) for item in diff(old, new).problems] == [
        ("migration_missing", "element")
    ]
    step = Migration(
        from_version="1.0.0", from_code="element", to_codes=(), change="retired", reason="unused"
    )
    assert diff(old, new, [step]).problems == ()


def concept(code: str, *neighbours: str, meaning: str = "", parents: tuple[str, ...] = ()) -> Concept:
    return Concept(
        code=code,
        definitions={"en": meaning or code},
        semantic_type="thing",
        consequence_tier="C1",
        owner="owner-1",
        parents=parents,
        neighbours=tuple(Neighbour(code=other, type="sibling", reason="another") for other in neighbours),
    )


def registry(version: str, *concepts: Concept, steps: tuple[Migration, ...] = ()) -> Registry:
    header = RegistryHeader(schema="denotary.registry/1", name="small", version=version)
    return Registry(header, {item.code: item for item in concepts}, (), (), steps, None, Path())


def step(change: Any, code: str, *to: str) -> Migration:
    return Migration(from_version="1", from_code=code, to_codes=to, change=change, reason="so decided")


def test_a_split_moves_its_neighbours_and_makes_their_pairs_stale() -> None:
    old = registry("1", concept("a", "b"), concept("b"), concept("c"), concept("d", parents=("a",)))
    new = registry(
        "2",
        concept("a1", "b"),
        concept("a2"),
        concept("b", "c"),
        concept("c"),
        concept("d", parents=("a1",)),
        steps=(step("split", "a", "a1", "a2"), step("boundary_changed", "d", "d")),
    )
    found = shift(old, new, migration_map(old, new))
    assert found.affected == {"a": ("a", "d"), "b": ("a", "a1"), "d": ("a", "a1", "d")}
    assert found.stale == (("a1", "b"),)
    assert ("a1", "a2") in found.nominated
    assert ("b", "a2") in found.nominated
    assert ("a1", "b") not in found.nominated
    assert not any("c" in pair for pair in found.nominated)


def test_an_added_concept_moves_what_it_is_declared_beside() -> None:
    old = registry("1", concept("a"), concept("b"))
    new = registry("2", concept("a", "n"), concept("b"), concept("n"))
    found = shift(old, new, migration_map(old, new))
    assert found.affected == {"a": ("n",)}
    assert found.stale == (("a", "n"),)


def test_a_renamed_concept_moves_nothing() -> None:
    old = registry("1", concept("a", "b"), concept("b"))
    new = registry("2", concept("z", "b", meaning="a"), concept("b"), steps=(step("renamed", "a", "z"),))
    found = shift(old, new, migration_map(old, new))
    assert (found.affected, found.stale, found.nominated) == ({}, (), ())


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), max_size=6))
def test_to_lie_beside_is_symmetric_and_never_of_itself(edges: list[tuple[str, str]]) -> None:
    named = {code: [other for one, other in edges if one == code and other != code] for code in "abcd"}
    made = registry("1", *(concept(code, *dict.fromkeys(others)) for code, others in named.items()))
    expected = {code: {o for e in edges if code in e for o in e} - {code} for code in "abcd"}
    assert adjacent(made) == expected
