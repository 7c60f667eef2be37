"""The folder of a run: begun once, locked while it is written to, and refused to any other run."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from typing import TYPE_CHECKING, Self

from denotary.canonical import sha256
from denotary.errors import InputError, IntegrityError, StorageError
from denotary.files import file_digest, read_bytes, read_toml, storage_error, write_atomic
from denotary.runs.headers import differences, encode_header
from denotary.runs.records import RunHeader

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "run.toml"
PLAN = "plan.jsonl"
ANSWERS = "answers.jsonl"
CALLS = "calls.jsonl"
SALT = "salt"
SEALED = "sealed.jsonl"
SEAL = "seal.json"
LOCK = ".lock"
FILES = (HEADER, PLAN, ANSWERS, CALLS, SALT, SEALED, SEAL)
LEFTOVER = re.compile(rf"\.({'|'.join(map(re.escape, FILES))})\.\w+")


class RunFolder:
    """A run's folder while this process alone may write to it. Use as a context manager.

    Args:
        root: the folder; created if absent.

    Raises:
        StorageError: it cannot be written to, or another run is writing to it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        try:
            root.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise storage_error(root, error) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise StorageError(
                "another run is writing to this folder",
                path=root,
                hint="wait for it, or choose another folder",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Closing the file gives the lock back, as the end of the process would.
        os.close(self._lock)

    def begin(self, header: RunHeader, plan: bytes) -> RunHeader:
        """Write the run's fixed files, or compare them with what is there; return the header that holds.

        Raises:
            IntegrityError: the folder holds another run, or its plan was edited.
            InputError: the folder holds other files.
        """
        if not (self.root / HEADER).exists():
            self._create(header, plan)
            return header
        old = read_toml(self.root / HEADER, RunHeader)
        found = differences(old, header)
        if found:
            raise IntegrityError(
                f"the folder holds another run: {'; '.join(found)}",
                path=self.root,
                hint="choose another folder, or ask with what this run was begun with",
            )
        if file_digest(self.root / PLAN) != old.plan:
            raise IntegrityError(
                "the plan was edited after the run was begun",
                path=self.root / PLAN,
                hint="begin a new run in another folder",
            )
        for path in self._others():
            if LEFTOVER.fullmatch(path.name):
                path.unlink(missing_ok=True)
        return old

    def _create(self, header: RunHeader, plan: bytes) -> None:
        strangers = [path for path in self._others() if not LEFTOVER.fullmatch(path.name)]
        if strangers:
            raise InputError(
                f"the folder holds {len(strangers)} other files and no run",
                path=self.root,
                hint="choose an empty folder",
            )
        write_atomic(self.root / PLAN, plan)
        write_atomic(self.root / SALT, encode_salt(secrets.token_bytes(16)))
        write_atomic(self.root / CALLS, b"")
        write_atomic(self.root / ANSWERS, b"")
        # The header comes last: a folder with one is a run that can be resumed.
        write_atomic(self.root / HEADER, encode_header(header))

    def _others(self) -> list[Path]:
        return [path for path in self.root.iterdir() if path.name not in {*FILES, LOCK}]


def encode_salt(salt: bytes) -> bytes:
    """Return the bytes of ``salt``: the only ones for this secret."""
    return f"{salt.hex()}\n".encode()


def read_salt(root: Path) -> bytes:
    """Return the run's secret.

    Raises:
        IntegrityError: it is absent or was edited.
    """
    text = read_bytes(root / SALT).strip()
    if re.fullmatch(rb"[0-9a-f]{32}", text) is None:
        raise IntegrityError("expected 32 hexadecimal digits", path=root / SALT)
    return bytes.fromhex(text.decode())


def verify_plan(root: Path, header: RunHeader, plan: bytes) -> None:
    """Compare a plan with the header.

    Raises:
        IntegrityError: it is another one.
    """
    if sha256(plan) != header.plan:
        raise IntegrityError("the plan is not the one that the run was begun with", path=root / PLAN)
