"""The migration map: what each step claims, held against both snapshots."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.errors import InputError
from denotary.registry import Registry
from denotary.registry.migration import check_migration, load_migrations, migration_map
from denotary.registry.records import Concept, Migration, RegistryHeader

CODES = ("a", "b", "c", "d")


def concept(code: str, meaning: str | None = None, **parts: Any) -> Concept:
    known: dict[str, Any] = {
        "definitions": {"en": meaning or f"what {code} means"},
        "semantic_type": "thing",
        "consequence_tier": "C1",
        "owner": "owner-1",
    }
    return Concept(code=code, **known | parts)


def registry(version: str, *concepts: Concept, migrations: tuple[Migration, ...] = ()) -> Registry:
    return Registry(
        header=RegistryHeader(schema="denotary.registry/1", name="small", version=version),
        concepts={item.code: item for item in concepts},
        expressions=(),
        ambiguities=(),
        migrations=migrations,
        lock=None,
        root=Path("new"),
    )


def step(change: Any, code: str, *to: str, reason: str = "") -> Migration:
    return Migration(from_version="1.0.0", from_code=code, to_codes=to, change=change, reason=reason)


OLD = registry("1.0.0", *map(concept, CODES))


def found(new: list[Concept], *steps: Migration) -> list[tuple[str, str | None]]:
    later = registry("2.0.0", *new, migrations=steps)
    return [(item.code, item.record) for item in check_migration(OLD, later) if item.severity == "error"]


def test_without_a_record_every_concept_must_be_as_it_was() -> None:
    later = registry("2.0.0", *map(concept, CODES), concept("e"))
    made = migration_map(OLD, later)
    assert [made.successor(code) for code in CODES] == [*CODES]
    assert made.added == ("e",)
    assert made.changed == frozenset()
    assert made.changed_later == {"e"}
    assert not made.is_identity
    assert migration_map(OLD, registry("2.0.0", *map(concept, CODES))).is_identity


@pytest.mark.parametrize(
    "changed",
    [
        concept("a", "something else"),
        concept("a", semantic_type="event"),
        concept("a", parents=("b",)),
        concept("a", status="retired"),
    ],
)
def test_a_changed_meaning_needs_a_record(changed: Concept) -> None:
    assert found([changed, *map(concept, "bcd")]) == [("migration_missing", "a")]


@pytest.mark.parametrize("change", ["owner", "consequence_tier", "neighbours"])
def test_what_is_no_meaning_needs_none(change: str) -> None:
    value = {"owner": "owner-2", "consequence_tier": "C5", "neighbours": ()}[change]
    assert found([concept("a", None, **{change: value}), *map(concept, "bcd")]) == []


def test_a_definition_in_a_further_language_is_no_change_and_one_less_is() -> None:
    both = concept("a", definitions={"en": "what a means", "de": "was a bedeutet"})
    assert found([both, *map(concept, "bcd")]) == []
    later = registry("2.0.0", *map(concept, CODES))
    before = registry("1.0.0", both, *map(concept, "bcd"))
    assert [item.code for item in check_migration(before, later)] == ["migration_missing"]


def test_a_renamed_parent_is_no_change_of_the_child() -> None:
    before = registry("1.0.0", concept("a"), concept("b", parents=("a",)))
    later = registry(
        "2.0.0",
        concept("z", "what a means"),
        concept("b", parents=("z",)),
        migrations=(step("renamed", "a", "z"),),
    )
    assert migration_map(before, later).successor("a") == "z"


@pytest.mark.parametrize(
    ("new", "steps"),
    [
        ([concept("z", "what a means"), *map(concept, "bcd")], [step("renamed", "a", "z")]),
        ([concept("y"), concept("z"), *map(concept, "bcd")], [step("split", "a", "y", "z")]),
        ([concept("a", "a, but less"), concept("z"), *map(concept, "bcd")], [step("split", "a", "a", "z")]),
        ([concept("z"), *map(concept, "cd")], [step("merged", "a", "z"), step("merged", "b", "z")]),
        (
            [concept("b", "a or b"), *map(concept, "cd")],
            [step("merged", "a", "b"), step("boundary_changed", "b", "b", reason="takes in a")],
        ),
        ([concept("a", status="retired"), *map(concept, "bcd")], [step("retired", "a", reason="unused")]),
        ([*map(concept, "bcd")], [step("retired", "a", reason="unused")]),
        (
            [concept("a", "wider"), *map(concept, "bcd")],
            [step("boundary_changed", "a", "a", reason="now wider")],
        ),
        (
            [concept("a", "what a means, without the error of spelling"), *map(concept, "bcd")],
            [step("unchanged", "a", "a", reason="spelling")],
        ),
    ],
)
def test_each_kind_of_step_holds_where_both_snapshots_say_so(
    new: list[Concept], steps: list[Migration]
) -> None:
    assert found(new, *steps) == []
    assert found(new) != []


@pytest.mark.parametrize(
    ("steps", "rules"),
    [
        ([step("unchanged", "a", "b")], ["migration_shape"]),
        ([step("unchanged", "a", "nowhere")], ["migration_target", "migration_shape"]),
        ([step("renamed", "a", "a")], ["migration_shape"]),
        ([step("renamed", "a", "b")], ["migration_reused", "migration_edited", "migration_shape"]),
        ([step("split", "a", "b")], ["migration_shape", "migration_reused"]),
        ([step("split", "a", "a", "a")], ["migration_shape", "migration_target"]),
        ([step("merged", "a", "a")], ["migration_shape"]),
        ([step("merged", "a")], ["migration_shape", "migration_reused"]),
        ([step("retired", "a")], ["migration_reason", "migration_reused"]),
        ([step("retired", "a", "a", reason="unused")], ["migration_shape"]),
        ([step("boundary_changed", "a", "a")], ["migration_reason"]),
        ([step("boundary_changed", "a", "b", reason="wider")], ["migration_shape"]),
        ([step("unchanged", "x", "a")], ["migration_source"]),
        ([step("unchanged", "a", "a"), step("unchanged", "a", "a")], ["migration_twice"]),
    ],
)
def test_a_step_that_the_snapshots_deny_is_named(steps: list[Migration], rules: list[str]) -> None:
    rows = found([*map(concept, CODES)], *steps)
    mine = {rule for rule, code in rows if code == steps[0].from_code}
    assert mine == set(rules)


def test_a_code_is_never_given_to_another_meaning() -> None:
    new = [concept("a", "something else"), concept("z", "what a means"), *map(concept, "bcd")]
    assert ("migration_reused", "a") in found(new, step("renamed", "a", "z"))


def test_a_concept_that_takes_in_another_is_changed_too() -> None:
    new = [*map(concept, "bcd")]
    assert ("migration_missing", "b") in found(new, step("merged", "a", "b"))


def test_an_edit_with_a_reason_is_a_warning() -> None:
    later = registry("2.0.0", concept("a", "edited"), *map(concept, "bcd"))
    rows = check_migration(OLD, later, [step("unchanged", "a", "a", reason="spelling")])
    assert [(row.severity, row.code) for row in rows] == [("warning", "migration_edited")]


def test_a_map_leads_within_one_registry_from_version_to_version() -> None:
    other = msgspec.structs.replace(OLD.header, name="large", version="2.0.0")
    later = Registry(other, OLD.concepts, (), (), (), None, Path("new"))
    assert [row.code for row in check_migration(OLD, later)] == ["migration_name"]
    same = registry("1.0.0", concept("a", "x"))
    assert "migration_version" in {row.code for row in check_migration(OLD, same)}


def test_records_of_other_versions_are_passed_over() -> None:
    other = Migration(from_version="0.9.0", from_code="q", to_codes=("a",), change="renamed")
    assert found([*map(concept, CODES)], other) == []


def test_a_map_that_does_not_hold_is_refused_with_its_first_error() -> None:
    with pytest.raises(
        InputError, match=r"errors found: 1; the first: migrations.jsonl: a: error migration_missing"
    ):
        migration_map(OLD, registry("2.0.0", *map(concept, "bcd")))


def test_a_map_in_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "map.jsonl"
    path.write_bytes(msgspec.json.encode(step("retired", "a", reason="unused")) + b"\n")
    later = registry("2.0.0", *map(concept, "bcd"))
    made = migration_map(OLD, later, load_migrations(path))
    assert made.changed == {"a"}
    assert made.digest != migration_map(OLD, registry("2.0.0", *map(concept, CODES))).digest


FATES = st.lists(
    st.sampled_from(["keep", "rename", "split", "retire", "redraw", "merge"]), min_size=4, max_size=4
)


@given(FATES, st.integers(0, 2))
def test_a_map_written_while_the_registry_was_changed_holds_and_translates(
    fates: list[str], added: int
) -> None:
    new: list[Concept] = [concept(f"new-{n}") for n in range(added)]
    steps, wanted = [], dict.fromkeys(CODES)
    merging = [code for code, fate in zip(CODES, fates, strict=True) if fate == "merge"]
    if len(merging) > 1:
        new.append(concept("m", "all of them"))
    for code, fate in zip(CODES, fates, strict=True):
        match fate:
            case "rename":
                new.append(concept(f"{code}-r", f"what {code} means"))
                steps.append(step("renamed", code, f"{code}-r"))
                wanted[code] = f"{code}-r"
            case "split":
                new += [concept(f"{code}-1"), concept(f"{code}-2")]
                steps.append(step("split", code, f"{code}-1", f"{code}-2"))
            case "retire":
                steps.append(step("retired", code, reason="unused"))
            case "redraw":
                new.append(concept(code, "other"))
                steps.append(step("boundary_changed", code, code, reason="other"))
            case "merge" if len(merging) > 1:
                steps.append(step("merged", code, "m"))
            case _:
                new.append(concept(code))
                wanted[code] = code
    made = migration_map(OLD, registry("2.0.0", *new, migrations=tuple(steps)))
    assert {code: made.successor(code) for code in CODES} == wanted
    assert made.changed == {code for code, to in wanted.items() if to is None}
    assert made.added == tuple(sorted(f"new-{n}" for n in range(added)))
    carried = {to for to in wanted.values() if to}
    assert made.changed_later == {item.code for item in new} - carried
    for missing in steps:
        rest = [item for item in steps if item is not missing]
        assert check_migration(OLD, registry("2.0.0", *new), rest)
