"""Loading a registry: what comes out, and the place in every error."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.errors import DenotaryError, InputError
from denotary.registry import load_registry


def failure(folder: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        load_registry(folder)
    return str(caught.value)


def spoil(folder: Path, name: str, line: bytes) -> Path:
    """Put a line into a file as its second, after a blank one that does not count as a record."""
    path = folder / name
    first, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(first + b"\n" + line + b"\n" + rest)
    return folder


def test_what_stands_in_the_files_is_what_is_loaded(build: Any, make: Any) -> None:
    folder = build(
        make.expression("x1", "Merkur", "planet", language="de"), make.expression("x2", "quicksilver")
    )
    registry = load_registry(folder)
    assert list(registry.concepts) == ["planet", "element"]
    assert [item.text for item in registry.expressions] == ["Merkur", "quicksilver"]
    assert (registry.name, registry.version, registry.is_frozen) == ("small", "1.0.0", False)


def test_a_rejected_expression_is_kept_and_does_not_resolve(build: Any, make: Any) -> None:
    rejected = {"by": "reviewer-1", "on": "2026-01-31", "status": "rejected"}
    registry = load_registry(build(make.expression("x1", "a"), make.expression("x2", "b", review=rejected)))
    assert len(registry.expressions) == 2
    assert [item.id for item in registry.authorised] == ["x1"]


def test_files_that_may_be_absent(build: Any) -> None:
    folder = build()
    for name in ("ambiguities.jsonl", "migrations.jsonl"):
        (folder / name).unlink()
    assert load_registry(folder).ambiguities == ()


@pytest.mark.parametrize("name", ["registry.toml", "concepts.jsonl", "expressions.jsonl"])
def test_files_that_may_not(build: Any, name: str) -> None:
    folder = build()
    (folder / name).unlink()
    assert name in failure(folder)
    assert "no such file" in failure(folder)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"id": "x9"', "not valid JSON"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"id": "\xff"}', "not UTF-8: byte 0xff at offset 8"),
        (b'{"id": "\\ud800"}', "lone surrogate"),
        (b'{"id": 7}', "not a valid Expression"),
        (b"[]", "not a valid Expression"),
        (b'{"id": "x9", "colour": "red"}', "unknown field"),
        (b'{"id": "x9"}', "missing required field"),
    ],
)
def test_a_wrong_line_is_named(build: Any, make: Any, line: bytes, says: str) -> None:
    message = failure(spoil(build(make.expression("x1", "a")), "expressions.jsonl", line))
    assert "expressions.jsonl:2: " in message
    assert says in message


def test_the_lone_surrogate_and_the_text_are_not_quoted(build: Any, make: Any) -> None:
    line = b'{"id": "x9", "text": "private words \\udfff"}'
    assert "private" not in failure(spoil(build(make.expression("x1", "a")), "expressions.jsonl", line))


def test_wrong_toml_is_named(build: Any) -> None:
    folder = build()
    (folder / "registry.toml").write_bytes(b"name = \xff")
    assert "registry.toml: not UTF-8" in failure(folder)
    (folder / "registry.toml").write_bytes(b"name = ")
    assert "registry.toml: not valid TOML" in failure(folder)
    (folder / "registry.toml").write_bytes(b'name = "x"')
    assert "registry.toml: not a valid RegistryHeader" in failure(folder)


def test_ids_and_codes_stand_once(build: Any, make: Any) -> None:
    twice = build(make.expression("x1", "a"), make.expression("x1", "b"))
    assert "expressions.jsonl:2: x1: this id or code stands already in expressions.jsonl, line 1" in failure(
        twice
    )
    shared = build(make.expression("x1", "a"), ambiguities=[make.ambiguity("x1", "b", "open")])
    assert "ambiguities.jsonl:1: x1: " in failure(shared)
    codes = build(concepts=[make.concept("planet"), make.concept("planet")])
    assert "concepts.jsonl:2: planet: " in failure(codes)


@pytest.mark.parametrize("name", ["", " ", "a\u200bb", "a\nb", "x" * 257])
def test_ids_can_be_printed(build: Any, make: Any, name: str) -> None:
    assert "expressions.jsonl:1: an id or code is blank, not printable" in failure(
        build(make.expression(name, "a"))
    )


def test_unknown_codes_are_named_wherever_they_stand(build: Any, make: Any) -> None:
    neighbour = {"code": "moon", "type": "sibling", "reason": "because"}
    migration = {"from_version": "0", "from_code": "old", "to_codes": ["moon"], "change": "renamed"}
    for file, record, lists in (
        ("expressions.jsonl", "x1", {"expressions": [make.expression("x1", "a", "planet", "moon")]}),
        ("ambiguities.jsonl", "a1", {"ambiguities": [make.ambiguity("a1", "b", "open", "moon")]}),
        ("concepts.jsonl", "planet", {"concepts": [make.concept("planet", parents=["moon"])]}),
        ("concepts.jsonl", "planet", {"concepts": [make.concept("planet", neighbours=[neighbour])]}),
        ("migrations.jsonl", "old", {"migrations": [migration]}),
    ):
        message = failure(build(**lists))
        assert f"{file}:1: {record}: names the code 'moon'" in message


def test_a_code_of_an_earlier_version_need_not_be_known(build: Any) -> None:
    migration = {"from_version": "0", "from_code": "old", "to_codes": ["planet"], "change": "renamed"}
    assert load_registry(build(migrations=[migration])).migrations[0].from_code == "old"


def test_a_folder_that_is_none_is_named_and_the_shipped_ones_are_listed(tmp_path: Path) -> None:
    assert "no such folder" in failure(tmp_path / "nowhere")
    assert "bundled:bootstrap" in failure("bundled:nothing")


def test_nothing_that_is_printed_shows_a_text(build: Any, make: Any) -> None:
    registry = load_registry(build(make.expression("x1", "private words")))
    assert repr(registry) == "<Registry small 1.0.0, draft, 1 expressions>"


@given(st.binary(max_size=200), st.sampled_from(["concepts.jsonl", "expressions.jsonl", "registry.toml"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_give_a_registry_or_a_named_error(build: Any, data: bytes, name: str) -> None:
    folder = build()
    (folder / name).write_bytes(data)
    with suppress(DenotaryError):
        load_registry(folder)
