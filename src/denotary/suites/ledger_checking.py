"""Whether a ledger is whole, as far as it and what was published of it can tell."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, read_bytes
from denotary.suites.ledger import LEDGER, START, last_freeze, read_ledger
from denotary.suites.loading import folder_of, read_lock

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from denotary.suites.records import LedgerEntry

NAMED = f"suite/{LEDGER}"
"""Name under which a certificate lists the digest of the ledger."""
CERTIFICATE = "certificate.json"


def verify_ledger(
    path: Path | str, *, heads: Iterable[str] = (), certificates: Iterable[Path] = ()
) -> tuple[LedgerEntry, ...]:
    """Return the entries of a suite's ledger, or refuse it.

    Args:
        path: folder of the suite.
        heads: digests of last entries that were published; each must be in the chain.
        certificates: certificates made on the suite, or the folders that hold them; the ledger that each
            names must be the beginning of this one.

    Raises:
        InputError: a certificate cannot be read.
        IntegrityError: an entry was edited, moved or removed.
    """
    root = folder_of(path)
    entries = read_ledger(root)
    _verify_freeze(root, entries)
    known = {START, *map(digest, entries)}
    for head in heads:
        if head.removeprefix("sha256:") not in known:
            raise _cut(root, f"the head {head!r:.80} is not in it")
    for certificate in certificates:
        if beginning(entries, certified_ledger(certificate)) is None:
            raise _cut(root, f"it does not begin with the ledger that {certificate.name} names")
    return entries


def beginning(entries: Sequence[LedgerEntry], wanted: str) -> tuple[LedgerEntry, ...] | None:
    """Return the first entries whose file has this SHA-256, or None if there are none such."""
    state = hashlib.sha256()
    for count in range(len(entries) + 1):
        if state.hexdigest() == wanted:
            return tuple(entries[:count])
        state.update(encode_jsonl(entries[count : count + 1]))
    return None


def certified_ledger(path: Path) -> str:
    """Return the SHA-256 of the ledger that a certificate names.

    Raises:
        InputError: it is no certificate.
    """
    file = path / CERTIFICATE if path.is_dir() else path
    try:
        content: Any = msgspec.json.decode(read_bytes(file))
        inputs = {item["name"]: item["sha256"] for item in content["predicate"]["inputs"]}
        return str(inputs[NAMED])
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise InputError("not a certificate", path=file) from error


def _verify_freeze(root: Path, entries: Sequence[LedgerEntry]) -> None:
    """A frozen suite's own freeze is the last one of its ledger."""
    lock = read_lock(root)
    if lock is None:
        return
    last = last_freeze(entries)
    if last is None or last.new["hash"] != lock.hash:
        raise _cut(root, f"the freeze of version {lock.version} is not the last one in it")


def _cut(root: Path, why: str) -> IntegrityError:
    return IntegrityError(
        f"the ledger is not whole: {why}",
        path=root / LEDGER,
        hint="restore it from the last copy that was not cut off",
    )
