"""The ledger of a suite: append-only, each line bound to the one before by its digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from denotary.canonical import digest
from denotary.errors import IntegrityError
from denotary.files import encode_jsonl, read_jsonl, write_atomic
from denotary.suites.records import LedgerEntry
from denotary.suites.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LEDGER = "ledger.jsonl"
START = "0" * 64
"""What the first line names as the digest of the line before it."""
REGISTRY_FROZEN = "registry snapshot"
"""``what`` of the entry that names the registry snapshot that existed before the cases that follow; new: its
hash."""
SUITE_FROZEN = "suite"
"""``what`` of the entry of a freeze of the suite; new: ``{"version", "hash"}``."""


def read_ledger(root: Path) -> tuple[LedgerEntry, ...]:
    """Return the entries of a suite's ledger, oldest first; none if the suite has no ledger.

    Raises:
        InputError: a line is no ledger entry.
        IntegrityError: an entry does not follow from the one before it.
    """
    path = root / LEDGER
    if not path.exists():
        return ()
    lines = read_jsonl(path, LedgerEntry)
    previous = START
    for sequence, (number, entry) in enumerate(lines):
        if entry.sequence != sequence or entry.previous != previous:
            raise IntegrityError(
                f"the chain is broken: expected entry {sequence} after sha256:{previous}",
                path=path,
                line=number,
                hint="the ledger is append-only; restore it from the last copy that was not edited",
            )
        if entry.what == SUITE_FROZEN and not _names_version(entry.new):
            raise IntegrityError("the entry of a freeze must name version and hash", path=path, line=number)
        previous = digest(entry)
    return tuple(entry for _, entry in lines)


def _names_version(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("hash"), str)
        and isinstance(value.get("version"), str)
        and version_key(value["version"]) is not None
    )


def snapshot_entry(ledger: Sequence[LedgerEntry], registry_hash: str) -> LedgerEntry | None:
    """Return the entry that says that a registry snapshot was frozen before the cases, or None."""
    return next(
        (entry for entry in ledger if entry.what == REGISTRY_FROZEN and entry.new == registry_hash), None
    )


def head(ledger: Sequence[LedgerEntry]) -> str:
    """Return the digest of the last entry, which stands for the whole ledger."""
    return digest(ledger[-1]) if ledger else START


def append(
    root: Path,
    kind: Literal["freeze", "correction", "disclosure"],
    what: str,
    *,
    who: str,
    why: str,
    record: str | None = None,
    old: Any = None,
    new: Any = None,
) -> LedgerEntry:
    """Append one entry to a suite's ledger and return it.

    Args:
        root: folder of the suite.
        kind: what was done.
        what: what it was done to, in a few words.
        who: role or pseudonym of who did it.
        why: the reason, or which results are affected.
        record: id of the case concerned.
        old: value before.
        new: value after.

    Raises:
        IntegrityError: the ledger so far is broken.
        StorageError: it cannot be written.
    """
    ledger = read_ledger(root)
    entry = LedgerEntry(
        sequence=len(ledger),
        kind=kind,
        what=what,
        who=who,
        why=why,
        previous=head(ledger),
        record=record,
        old=old,
        new=new,
    )
    write_atomic(root / LEDGER, encode_jsonl((*ledger, entry)))
    return entry
