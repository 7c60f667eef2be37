"""What differs between two snapshots of a registry: records by id and digest, and what that does to meanings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.registry.locks import record_digests, records_of
from denotary.registry.migration import check_migration, snapshot_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.errors import Problem
    from denotary.registry.model import Registry
    from denotary.registry.records import Migration


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """One record that was added, removed or changed.

    Attributes:
        file: the file that it stands in.
        record: its id or code.
        change: what happened to it.
        parts: fields that differ, of a changed record.
        old: SHA-256 before, None if it was added.
        new: SHA-256 now, None if it was removed.
    """

    file: str
    record: str
    change: Literal["added", "removed", "changed"]
    parts: tuple[str, ...]
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class RegistryDiff:
    """Everything that differs between two snapshots.

    Attributes:
        old: name of the earlier snapshot.
        new: name of the later one.
        records: sorted by file and id.
        header: fields of ``registry.toml`` that differ.
        problems: where the migration map does not account for the difference; see
            :func:`denotary.registry.check_migration`.
    """

    old: str
    new: str
    records: tuple[RecordDifference, ...]
    header: tuple[str, ...]
    problems: tuple[Problem, ...]


def diff(old: Registry, new: Registry, migrations: Sequence[Migration] | None = None) -> RegistryDiff:
    """Return what differs between two snapshots, and where their migration map does not account for it.

    Args:
        old: the earlier snapshot.
        new: the later one.
        migrations: the map, if it does not stand in the later registry.
    """
    before, after = record_digests(old), record_digests(new)
    contents = [dict(records_of(registry)) for registry in (old, new)]
    found = []
    for name in sorted({*before, *after}):
        if before.get(name) == after.get(name):
            continue
        file, _, record = name.partition(":")
        parts = _parts(contents[0][name], contents[1][name]) if name in before and name in after else ()
        change: Literal["added", "removed", "changed"] = (
            "changed" if name in before and name in after else "removed" if name in before else "added"
        )
        found.append(RecordDifference(file, record, change, parts, before.get(name), after.get(name)))
    return RegistryDiff(
        old=snapshot_name(old),
        new=snapshot_name(new),
        records=tuple(found),
        header=_parts(old.header, new.header),
        problems=tuple(check_migration(old, new, migrations)),
    )


def _parts(old: Any, new: Any) -> tuple[str, ...]:
    before, after = msgspec.structs.asdict(old), msgspec.structs.asdict(new)
    return tuple(name for name in before if before[name] != after[name])
