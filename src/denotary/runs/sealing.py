"""Closing a complete run: the answers in the order of the plan, and one digest for every file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from denotary.canonical import canonical_json
from denotary.errors import IntegrityError
from denotary.files import file_digest, read_bytes, write_atomic
from denotary.records import Record
from denotary.runs.folder import ANSWERS, CALLS, HEADER, PLAN, SALT, SEAL, SEALED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from denotary.runs.records import Answer

SEALED_FILES = (ANSWERS, CALLS, PLAN, HEADER, SALT, SEALED)


class Seal(Record, frozen=True, kw_only=True):
    """``seal.json``: written last, so that a folder with one is a complete run."""

    schema: Literal["denotary.seal/1"]
    files: dict[str, str]
    """SHA-256 by file name."""


def seal(root: Path, answers: Iterable[Answer]) -> None:
    """Write ``sealed.jsonl`` and then ``seal.json``.

    Args:
        root: the folder of the run, locked by the caller.
        answers: one a planned call, in the order of the plan.

    Raises:
        StorageError: a file cannot be written.
    """
    # Each answer was written as canonical JSON before, so its numbers need no second check.
    lines = b"".join(msgspec.json.encode(answer, order="sorted") + b"\n" for answer in answers)
    write_atomic(root / SEALED, lines)
    write_atomic(root / SEAL, encode_seal(root))


def encode_seal(root: Path) -> bytes:
    """Return the bytes of ``seal.json``: the only ones for what the folder of a run holds."""
    digests = {name: file_digest(root / name) for name in SEALED_FILES}
    return canonical_json(Seal(schema="denotary.seal/1", files=digests)) + b"\n"


def is_sealed(root: Path) -> bool:
    """Return whether a run is complete."""
    return (root / SEAL).exists()


def seal_differences(root: Path) -> list[str]:
    """Return the names of the files that are not what the seal says, or that it does not name.

    Raises:
        IntegrityError: there is no seal, or it is no valid one.
    """
    try:
        recorded = msgspec.json.decode(read_bytes(root / SEAL), type=Seal).files
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IntegrityError("not a valid seal", path=root / SEAL) from error
    found = {name: file_digest(root / name) if (root / name).exists() else "" for name in SEALED_FILES}
    return sorted(name for name in {*recorded, *found} if recorded.get(name) != found.get(name))


def verify_seal(root: Path) -> None:
    """Compare a sealed run with its seal.

    Raises:
        IntegrityError: a file was edited after the run was sealed; the message names it.
    """
    found = seal_differences(root)
    if found:
        raise IntegrityError(
            f"was edited after the run was sealed: {', '.join(found)}",
            path=root,
            hint="restore the files; results of an edited run are no evidence",
        )
