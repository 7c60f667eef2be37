"""The ledger of a suite: append-only, each line bound to the one before by its digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import digest
from denotary.errors import IntegrityError
from denotary.files import encode_jsonl, locked, read_jsonl, write_atomic
from denotary.suites.board import board_problem
from denotary.suites.changes import FOLLOWS, METADATA
from denotary.suites.keys import shown
from denotary.suites.records import Case, LedgerEntry
from denotary.suites.split_records import SplitEvidence
from denotary.suites.split_texts import SIMILARITY
from denotary.suites.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

LEDGER = "ledger.jsonl"
START = "0" * 64
"""What the first line names as the digest of the line before it."""
REGISTRY_FROZEN = "registry snapshot"
"""``what`` of the entry that names the registry snapshot that existed before the cases that follow; new: its
hash."""
SUITE_FROZEN = "suite"
"""``what`` of the entry of a freeze of the suite; new: ``{"version", "hash", "registry", "task"}``."""
WITHDRAWN = "withdrawal"
"""``what`` of a correction that took the case out."""
ENVELOPE = frozenset(Case.__struct_fields__)
"""Parts that every case has. The others are what is asked and what is right."""
_DIGESTED = frozenset({"annotation", "lineage", "neighbours"})
"""Parts of the envelope that hold sentences about the text or the words of a reviewer."""
ROOT_CAUSES = frozenset({"E29", "E30", "E31"})
"""Causes for which more than metadata of a case may change: annotation error, ontology defect, harness error."""


def read_ledger(root: Path) -> tuple[LedgerEntry, ...]:
    """Return the entries of a suite's ledger, oldest first; none if the suite has no ledger.

    Raises:
        InputError: a line is no ledger entry.
        IntegrityError: an entry does not follow from the one before it, or breaks a rule of its kind.
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
        problem = entry_problem(entry)
        if problem:
            raise IntegrityError(problem, path=path, line=number)
        previous = digest(entry)
    return tuple(entry for _, entry in lines)


def entry_problem(entry: LedgerEntry) -> str | None:
    """Return which rule of its kind an entry breaks, or None."""
    if entry.kind == "freeze":
        broken = entry.what == SUITE_FROZEN and not _names_version(entry.new)
        return "the entry of a freeze must name version and hash" if broken else None
    if entry.kind == "split_check":
        return _split_problem(entry.new)
    if entry.kind != "correction":
        return None
    withdrawn = entry.what == WITHDRAWN
    parts = entry.new if isinstance(entry.new, dict) else ()
    if not withdrawn and all(part in METADATA or part in FOLLOWS for part in parts):
        return None
    if entry.cause is None or not (withdrawn or entry.cause in ROOT_CAUSES):
        expected = "" if withdrawn else f", one of {', '.join(sorted(ROOT_CAUSES))}"
        return f"the {entry.what if withdrawn else 'correction of more than metadata'} must name its cause{expected}"
    problem = board_problem(entry.board)
    return None if problem is None else f"the {entry.what if withdrawn else 'correction'} {problem}"


def _split_problem(value: Any) -> str | None:
    try:
        found = msgspec.convert(value, SplitEvidence)
    except msgspec.ValidationError as error:
        return f"the entry of a split check is malformed: {error}"
    if found.similarity > SIMILARITY:
        return f"a split check counts at a similarity of {SIMILARITY:g} or less, found {found.similarity:g}"
    return None


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


def last_freeze(ledger: Sequence[LedgerEntry]) -> LedgerEntry | None:
    """Return the entry of the last freeze of the suite, or None if it was never frozen."""
    found = [entry for entry in ledger if entry.kind == "freeze" and entry.what == SUITE_FROZEN]
    return found[-1] if found else None


def frozen_as(ledger: Sequence[LedgerEntry]) -> tuple[str, ...]:
    """Return the SHA-256 of every content that the suite was frozen with, oldest first."""
    return tuple(
        entry.new["hash"] for entry in ledger if entry.kind == "freeze" and entry.what == SUITE_FROZEN
    )


def head(ledger: Sequence[LedgerEntry]) -> str:
    """Return the digest of the last entry, which stands for the whole ledger."""
    return digest(ledger[-1]) if ledger else START


def recorded(case: Case, name: str) -> Any:
    """Return a part of a case, or one field of it such as ``construction.tags``, as the ledger holds it.

    What is asked, sentences about it and what reviewers wrote are held as SHA-256, so that no ledger shows the text
    of a case. Of the rest, gold stands as it is, and a value that is no plain name as its digest.
    """
    part, _, field = name.partition(".")
    value = msgspec.json.decode(msgspec.json.encode(case)).get(part)
    if field:
        value = value.get(field) if isinstance(value, dict) else None
    if part == "gold":
        return value
    if part not in ENVELOPE or not _DIGESTED.isdisjoint((part, field)):
        return {"sha256": digest(value)}
    return _plain(value)


def _plain(value: Any) -> Any:
    """Return a value without a sentence: digests stand in place of what is no plain name."""
    if isinstance(value, dict):
        return {
            name: {"sha256": digest(item)} if name in _DIGESTED else _plain(item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return shown(value) if isinstance(value, str) else value


def draft(**parts: Any) -> LedgerEntry:
    """Return an entry whose place in the chain is not known yet; :func:`append` gives it one."""
    return LedgerEntry(sequence=0, previous="", **parts)


def refuse_broken(root: Path, drafts: Iterable[LedgerEntry]) -> None:
    """Refuse entries that break a rule of their kind, before anything is written.

    Raises:
        IntegrityError: the first that does.
    """
    for item in drafts:
        problem = entry_problem(item)
        if problem:
            raise IntegrityError(problem, path=root / LEDGER, record=item.record)


def append(root: Path, *drafts: LedgerEntry) -> tuple[LedgerEntry, ...]:
    """Append entries to a suite's ledger and return them in their places; all are written, or none.

    Args:
        root: folder of the suite.
        drafts: entries from :func:`draft`.

    Raises:
        IntegrityError: the ledger so far is broken, or an entry breaks a rule of its kind.
        StorageError: it cannot be written.
    """
    refuse_broken(root, drafts)
    with locked(root):
        ledger = list(read_ledger(root))
        before, previous = len(ledger), head(ledger)
        for item in drafts:
            entry = msgspec.structs.replace(item, sequence=len(ledger), previous=previous)
            previous = digest(entry)
            ledger.append(entry)
        write_atomic(root / LEDGER, encode_jsonl(ledger))
    return tuple(ledger[before:])
