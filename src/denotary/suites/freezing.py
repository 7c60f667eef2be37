"""Binding a suite to a registry snapshot, and freezing it under a version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from denotary.canonical import canonical_json, digest_of_records, sha256
from denotary.errors import InputError, IntegrityError
from denotary.files import locked, read_bytes, write_atomic
from denotary.suites.changes import task_digest
from denotary.suites.checking import check
from denotary.suites.ledger import (
    REGISTRY_FROZEN,
    SUITE_FROZEN,
    append,
    draft,
    last_freeze,
    snapshot_entry,
)
from denotary.suites.loading import (
    CASES,
    MANIFEST,
    REGISTRY_LOCK,
    SUITE_LOCK,
    folder_of,
    load_suite,
    lock_hash,
    pinned_registry,
    read_suite,
    verify_registry,
    write_registry_lock,
)
from denotary.suites.records import SuiteLock
from denotary.suites.succession import RECORDS, encode_records, refuse_taken, verify_next, verify_successor

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.registry import Registry
    from denotary.suites.records import LedgerEntry
    from denotary.suites.suite import Suite

KEEPER = "suite keeper"


def pin(
    path: Path | str,
    *,
    registry: Registry | None = None,
    who: str = KEEPER,
    why: str = "cases are written against it",
) -> None:
    """Bind a draft to a frozen registry before its cases are written: ``registry.lock`` and a ledger entry.

    Cases that carry the snapshot's hash in ``authored_after`` count as written after the freeze from then on.
    Pinning the same snapshot again changes nothing.

    Raises:
        IntegrityError: the registry is not frozen, or the suite is bound to another snapshot.
    """
    root = folder_of(path)
    with locked(root):
        _pin(read_suite(root, registry=registry), who, why)


def _pin(suite: Suite, who: str, why: str) -> None:
    root, pinned, lock = suite.root, pinned_registry(suite.root), suite.registry.lock
    new = suite.registry.hash
    if pinned is not None and pinned.hash != new:
        raise IntegrityError(
            f"the suite is bound to registry sha256:{pinned.hash}, not to sha256:{new}",
            path=root / REGISTRY_LOCK,
            hint="remove registry.lock to bind the suite anew, then judge its cases again",
        )
    if pinned is None and lock is not None:
        write_registry_lock(root, lock)
    if snapshot_entry(suite.ledger, new) is None:
        append(root, draft(kind="freeze", what=REGISTRY_FROZEN, who=who, why=why, new=new))


def freeze(
    path: Path | str,
    *,
    registry: Registry | None = None,
    who: str = KEEPER,
    why: str = "release",
    on: Path | str | None = None,
) -> SuiteLock:
    """Freeze a suite under its version and return the lock; from then on an edited file is refused.

    Freezing again what is frozen already changes nothing. Other content needs a version as late as the change
    demands (see :func:`denotary.suites.diff`), and each record that changed or went since the last freeze
    needs an entry in the ledger.

    Args:
        path: folder of the suite.
        registry: the registry, if it is not where ``suite.toml`` says.
        who: role or pseudonym of who freezes.
        why: the reason.
        on: folder of the predecessor, frozen, if this suite is a later version in a folder of its own. Its
            ledger must begin with the predecessor's. What the folder froze after it counts as well.

    Raises:
        InputError: the suite has errors; the message names the first.
        IntegrityError: the content changed without a later version or without an entry in the ledger, or the
            registry is not the one that the suite names.
    """
    root = folder_of(path)
    with locked(root):
        return _freeze(read_suite(root, registry=registry), who, why, on)


def _freeze(suite: Suite, who: str, why: str, on: Path | str | None) -> SuiteLock:
    root = suite.root
    _refuse_errors(suite)
    _pin(suite, who, why)
    verify_registry(suite)
    records = encode_records(suite.cases)
    last = last_freeze(suite.ledger)
    lock = _lock(suite, records)
    if last is not None and last.new["hash"] == lock.hash:
        return _written(root, lock, records)
    _verify_follows(suite, last, None if on is None else load_suite(on))
    # The lock is written last: a freeze that is interrupted leaves a draft, which can be frozen again.
    (root / SUITE_LOCK).unlink(missing_ok=True)
    write_atomic(root / RECORDS, records)
    new = {
        "version": lock.version,
        "hash": lock.hash,
        "registry": lock.registry_hash,
        "task": task_digest(suite.manifest),
    }
    append(root, draft(kind="freeze", what=SUITE_FROZEN, who=who, why=why, new=new))
    return _written(root, lock, records)


def _verify_follows(suite: Suite, last: LedgerEntry | None, predecessor: Suite | None) -> None:
    """Hold the suite against its predecessor, and against what its own folder froze after that."""
    if predecessor is not None:
        verify_successor(suite, predecessor)
    refuse_taken(suite)
    if last is not None and (predecessor is None or last.sequence >= len(predecessor.ledger)):
        verify_next(suite, last)


def _refuse_errors(suite: Suite) -> None:
    errors = [problem for problem in check(suite) if problem.severity == "error"]
    if errors:
        raise InputError(
            f"the suite cannot be frozen; errors found: {len(errors)}; the first: {errors[0]}",
            path=suite.root,
            hint="list them all: denotary suite check FOLDER",
        )


def _written(root: Path, lock: SuiteLock, records: bytes) -> SuiteLock:
    write_atomic(root / RECORDS, records)
    write_atomic(root / SUITE_LOCK, canonical_json(lock) + b"\n")
    return lock


def _lock(suite: Suite, records: bytes) -> SuiteLock:
    contents = {name: read_bytes(suite.root / name) for name in (MANIFEST, CASES, REGISTRY_LOCK)}
    contents[RECORDS] = records
    lock = SuiteLock(
        schema="denotary.suite-lock/1",
        name=suite.name,
        version=suite.version,
        instrument=suite.manifest.instrument,
        registry_hash=suite.registry.hash,
        files={name: sha256(data) for name, data in sorted(contents.items())},
        cases=len(suite.cases),
        units=len(set(suite.units)),
        records_hash=digest_of_records([line[:64] for line in records.decode().splitlines()]),
    )
    return msgspec.structs.replace(lock, hash=lock_hash(lock))
