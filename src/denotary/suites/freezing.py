"""Binding a suite to a registry snapshot, and freezing it under a version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from denotary.canonical import canonical_json, digest, digest_of_records, sha256
from denotary.errors import InputError, IntegrityError
from denotary.files import read_bytes, write_atomic
from denotary.suites.checking import check
from denotary.suites.ledger import REGISTRY_FROZEN, SUITE_FROZEN, append, snapshot_entry
from denotary.suites.loading import (
    CASES,
    MANIFEST,
    REGISTRY_LOCK,
    SUITE_LOCK,
    folder_of,
    lock_hash,
    pinned_registry,
    read_suite,
    safe_name,
)
from denotary.suites.records import SuiteLock
from denotary.suites.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from denotary.registry import Registry
    from denotary.suites.records import Case, LedgerEntry
    from denotary.suites.suite import Suite

RECORDS = "records.sha256"
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
    _pin(read_suite(root, registry=registry), who, why)


def _pin(suite: Suite, who: str, why: str) -> None:
    root, pinned = suite.root, pinned_registry(suite.root)
    if pinned is not None and pinned.hash != suite.registry.hash:
        raise IntegrityError(
            f"the suite is bound to registry sha256:{pinned.hash}, not to sha256:{suite.registry.hash}",
            path=root / REGISTRY_LOCK,
            hint="remove registry.lock to bind the suite anew, then judge its cases again",
        )
    if pinned is None:
        write_atomic(root / REGISTRY_LOCK, canonical_json(suite.registry.lock) + b"\n")
    if snapshot_entry(suite.ledger, suite.registry.hash) is None:
        append(root, "freeze", REGISTRY_FROZEN, who=who, why=why, new=suite.registry.hash)


def freeze(
    path: Path | str, *, registry: Registry | None = None, who: str = KEEPER, why: str = "release"
) -> SuiteLock:
    """Freeze a suite under its version and return the lock; from then on an edited file is refused.

    Freezing again what is frozen already changes nothing. Other content needs a later version, and each
    record that changed or went since the last freeze needs an entry in the ledger.

    Raises:
        InputError: the suite has errors; the message names the first.
        IntegrityError: the content changed without a later version or without an entry in the ledger.
    """
    root = folder_of(path)
    suite = read_suite(root, registry=registry)
    errors = [problem for problem in check(suite) if problem.severity == "error"]
    if errors:
        raise InputError(
            f"the suite cannot be frozen; errors found: {len(errors)}; the first: {errors[0]}",
            path=root,
            hint="list them all: denotary suite check FOLDER",
        )
    _pin(suite, who, why)
    records = _records(suite.cases)
    last = _last_freeze(suite.ledger)
    lock = _lock(suite, records)
    if last is not None:
        if last["hash"] == lock.hash:
            return _written(root, lock, records)
        _verify_next_version(root, suite, last)
    # The lock is written last: a freeze that is interrupted leaves a draft, which can be frozen again.
    (root / SUITE_LOCK).unlink(missing_ok=True)
    write_atomic(root / RECORDS, records)
    new = {"version": lock.version, "hash": lock.hash}
    append(root, "freeze", SUITE_FROZEN, who=who, why=why, new=new)
    return _written(root, lock, records)


def _written(root: Path, lock: SuiteLock, records: bytes) -> SuiteLock:
    write_atomic(root / RECORDS, records)
    write_atomic(root / SUITE_LOCK, canonical_json(lock) + b"\n")
    return lock


def _records(cases: Iterable[Case]) -> bytes:
    """Return one line ``digest  record id`` a case, sorted by record id."""
    lines = sorted((case.record_id, digest(case)) for case in cases)
    return "".join(f"{value}  {name}\n" for name, value in lines).encode()


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


def _last_freeze(ledger: Iterable[LedgerEntry]) -> dict[str, str] | None:
    found = [entry.new for entry in ledger if entry.kind == "freeze" and entry.what == SUITE_FROZEN]
    return found[-1] if found else None


def _verify_next_version(root: Path, suite: Suite, last: dict[str, str]) -> None:
    before, now = version_key(last["version"]), version_key(suite.version)
    if before is None or now is None or now <= before:
        raise IntegrityError(
            f"version {last['version']} was frozen with other content",
            path=root / MANIFEST,
            hint=f"restore the files, or set a version after {last['version']}",
        )
    since = _entries_since_freeze(suite.ledger)
    for name in _changed(root, suite.cases):
        if name not in since:
            raise IntegrityError(
                f"was changed since version {last['version']} without an entry in the ledger",
                path=root / CASES,
                record=safe_name(name),
                hint="restore the record, then change it with suites.correct or suites.withdraw",
            )


def _entries_since_freeze(ledger: Sequence[LedgerEntry]) -> set[str]:
    last = max(entry.sequence for entry in ledger if entry.what == SUITE_FROZEN)
    return {entry.record for entry in ledger[last + 1 :] if entry.record}


def _changed(root: Path, cases: Iterable[Case]) -> list[str]:
    """Return the ids of records that are other or gone since the last freeze; new ones are no change."""
    before = {
        line[66:]: line[:64] for line in read_bytes(root / RECORDS).decode(errors="replace").splitlines()
    }
    now = {case.record_id: digest(case) for case in cases}
    return sorted(name for name, value in before.items() if now.get(name) != value)
