"""What a later version of a suite must show before it is frozen: a version that is late enough, and the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.canonical import digest
from denotary.errors import IntegrityError
from denotary.files import read_bytes
from denotary.suites.changes import FOLLOWS, METADATA
from denotary.suites.diffing import diff, since_freeze
from denotary.suites.ledger import LEDGER, SUITE_FROZEN, WITHDRAWN, recorded
from denotary.suites.loading import CASES, MANIFEST, safe_name
from denotary.suites.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from denotary.suites.changes import RecordChange, SuiteDiff
    from denotary.suites.records import Case, LedgerEntry
    from denotary.suites.suite import Suite

RECORDS = "records.sha256"


def encode_records(cases: Iterable[Case]) -> bytes:
    """Return one line ``digest  record id`` a case, sorted by record id."""
    lines = sorted((case.record_id, digest(case)) for case in cases)
    return "".join(f"{value}  {name}\n" for name, value in lines).encode()


def read_records(root: Path) -> dict[str, str]:
    """Return the digest of each record of the last freeze by its id."""
    lines = read_bytes(root / RECORDS).decode(errors="replace").splitlines()
    return {line[66:]: line[:64] for line in lines}


def refuse_taken(suite: Suite) -> None:
    """Refuse a version that the ledger has frozen already, with whatever content.

    Raises:
        IntegrityError: it has.
    """
    for entry in suite.ledger:
        if entry.kind == "freeze" and entry.what == SUITE_FROZEN and entry.new["version"] == suite.version:
            raise IntegrityError(
                f"version {suite.version} was frozen with other content",
                path=suite.root / MANIFEST,
                hint="restore the files, or set a later version",
            )


def verify_next(suite: Suite, last: LedgerEntry) -> None:
    """Hold a suite that changed in its folder against its last freeze.

    Raises:
        IntegrityError: the version is too early, a record changed otherwise than the ledger says, or the
            last freeze recorded too little to tell.
    """
    root, frozen = suite.root, last.new
    before, now = version_key(frozen["version"]), version_key(suite.version)
    if before is None or now is None or now <= before:
        raise IntegrityError(
            f"version {frozen['version']} was frozen with other content",
            path=root / MANIFEST,
            hint=f"restore the files, or set a version after {frozen['version']}",
        )
    if not {"registry", "task"} <= frozen.keys():
        raise IntegrityError(
            f"version {frozen['version']} was frozen without a record of its task",
            path=root / LEDGER,
            hint="give the folder of that version: denotary suite freeze FOLDER --on PREDECESSOR",
        )
    records, entries = read_records(root), suite.ledger[last.sequence + 1 :]
    now_digests = {case.record_id: digest(case) for case in suite.cases}
    corrections = _corrections(entries)
    for name in sorted(records):
        if now_digests.get(name) != records[name] or name in corrections:
            _verify_chain(root, name, records[name], now_digests.get(name), corrections.get(name, ()))
    _verify_version(suite, since_freeze(suite, frozen, records, entries))


def verify_successor(suite: Suite, old: Suite) -> None:
    """Hold a suite against its frozen predecessor in another folder.

    Raises:
        IntegrityError: the predecessor is a draft, its ledger is not the beginning of this one, the version is
            too early, or what a record asks, or what is right, changed without an entry in the ledger.
    """
    if old.lock is None:
        raise IntegrityError("the predecessor is not frozen", path=old.root)
    if suite.ledger[: len(old.ledger)] != old.ledger:
        raise IntegrityError(
            f"does not begin with the ledger of version {old.version}",
            path=suite.root / LEDGER,
            hint="copy ledger.jsonl of the predecessor, then record the corrections after it",
        )
    found = diff(old, suite)
    corrections = _corrections(suite.ledger[len(old.ledger) :])
    for item in found.records:
        if not _is_recorded(item, suite, corrections.get(item.record, ())):
            raise _unrecorded(suite.root, item.record, old.version)
    _verify_version(suite, found)


def _corrections(entries: Iterable[LedgerEntry]) -> dict[str, list[LedgerEntry]]:
    found: dict[str, list[LedgerEntry]] = {}
    for entry in entries:
        if entry.kind == "correction" and entry.record:
            found.setdefault(entry.record, []).append(entry)
    return found


def _is_recorded(item: RecordChange, suite: Suite, entries: Sequence[LedgerEntry]) -> bool:
    """Whether the ledger holds what a record asks now, or that it was withdrawn."""
    if item.change == "added":
        return True
    if item.change == "removed":
        return any(entry.what == WITHDRAWN for entry in entries)
    case = suite.by_id[item.record]
    values: dict[str, Any] = {}
    for entry in entries:
        if isinstance(entry.new, dict):
            values |= entry.new
    return all(
        part in METADATA or part in FOLLOWS or any(_holds(case, name, values) for name in _names(part))
        for part in item.parts
    )


def _names(part: str) -> tuple[str, ...]:
    """Return the names under which a correction may have changed a part: its own, or the whole that it is of."""
    return tuple(dict.fromkeys((part, part.partition(".")[0])))


def _holds(case: Case, name: str, values: Mapping[str, Any]) -> bool:
    return name in values and values[name] == recorded(case, name)


def _verify_chain(
    root: Path, name: str, before: str, now: str | None, entries: Sequence[LedgerEntry]
) -> None:
    """The corrections of a record must lead from what was frozen to what stands there now."""
    states: list[str | None] = [before, *(entry.new_digest for entry in entries)]
    if states[-1] != now or [entry.old_digest for entry in entries] != states[:-1]:
        raise _unrecorded(root, name, None)


def _unrecorded(root: Path, name: str, version: str | None) -> IntegrityError:
    since = f"version {version}" if version else "the last freeze"
    return IntegrityError(
        f"was changed since {since} without an entry in the ledger",
        path=root / CASES,
        record=safe_name(name),
        hint="restore the record, then change it: denotary suite correct, denotary suite withdraw",
    )


def _verify_version(suite: Suite, found: SuiteDiff) -> None:
    if found.is_enough:
        return
    why = f" for a {found.demanded} change ({found.reasons[0][1]})" if found.reasons else ""
    raise IntegrityError(
        f"version {suite.version} is too early after {found.old_version}{why}",
        path=suite.root / MANIFEST,
        hint=f"set version {found.least} or later; see all: denotary suite diff OLD NEW",
    )
