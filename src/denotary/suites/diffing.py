"""Comparing two versions of a suite, from two folders or from one and its ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.registry.migration import snapshot_name
from denotary.suites.changes import (
    ANY_TASK,
    RecordChange,
    SuiteDiff,
    changed_parts,
    highest,
    joined_units,
    manifest_changes,
    reasons,
    record_changes,
    task_digest,
)
from denotary.suites.loading import MANIFEST, safe_name
from denotary.suites.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denotary.suites.records import LedgerEntry
    from denotary.suites.suite import Suite


def diff(old: Suite, new: Suite) -> SuiteDiff:
    """Return what differs between two versions of one suite, and which version that demands.

    Raises:
        InputError: they are suites of different names, or a version is no version.
    """
    if old.name != new.name:
        raise InputError(
            f"{safe_name(new.name)} is no later version of {safe_name(old.name)}",
            path=new.root / MANIFEST,
            hint="a version keeps the name of the suite",
        )
    for suite in (old, new):
        if version_key(suite.version) is None:
            raise InputError("version must be MAJOR.MINOR.PATCH, such as 1.0.0", path=suite.root / MANIFEST)
    names = snapshot_name(old.registry), snapshot_name(new.registry)
    return _made(
        new,
        old.version,
        record_changes(old.cases, new.cases),
        manifest_changes(old.manifest, new.manifest),
        registry=None if names[0] == names[1] else names,
        earlier=old.by_id,
    )


def since_freeze(
    suite: Suite, last: Mapping[str, str], before: Mapping[str, str], entries: Iterable[LedgerEntry]
) -> SuiteDiff:
    """Return what differs between a suite and its last freeze, from which only digests are left.

    Args:
        suite: the suite as it stands.
        last: what the entry of the last freeze recorded.
        before: digest by record id at the last freeze.
        entries: the ledger since then, whose corrections say which parts of a record changed.
    """
    corrected = _corrected(entries)
    now = {case.record_id: digest(case) for case in suite.cases}
    records = [RecordChange(name, "added", (), None, now[name]) for name in now if name not in before]
    for name, value in before.items():
        if name not in now:
            records.append(RecordChange(name, "removed", (), value, None))
        elif now[name] != value:
            records.append(RecordChange(name, "changed", corrected.get(name, ()), value, now[name]))
    manifest = [ANY_TASK] if last["task"] != task_digest(suite.manifest) else []
    registry = (last["registry"], suite.registry.hash) if last["registry"] != suite.registry.hash else None
    return _made(suite, last["version"], records, manifest, registry=registry, earlier=before)


def _made(
    new: Suite,
    old_version: str,
    records: Iterable[RecordChange],
    manifest: Iterable[str],
    *,
    registry: tuple[str, str] | None,
    earlier: Iterable[str],
) -> SuiteDiff:
    found = tuple(sorted(records, key=lambda item: item.record))
    fields = tuple(manifest)
    joined = joined_units(earlier, new.cases) if any(item.change == "added" for item in found) else 0
    why = tuple(reasons(found, fields, registry=registry is not None, joined=joined))
    return SuiteDiff(new.name, old_version, new.version, found, fields, registry, joined, highest(why), why)


def _corrected(entries: Iterable[LedgerEntry]) -> dict[str, tuple[str, ...]]:
    """Return which parts of each record the corrections of a stretch of the ledger changed."""
    found: dict[str, set[str]] = {}
    for entry in entries:
        if entry.kind == "correction" and entry.record and isinstance(entry.new, dict):
            old: dict[str, Any] = entry.old if isinstance(entry.old, dict) else {}
            found.setdefault(entry.record, set()).update(changed_parts(old, entry.new))
    return {record: tuple(sorted(parts)) for record, parts in found.items()}
