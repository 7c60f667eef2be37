"""The two append-only files of a run: what was sent and came back, and what was made of it.

``calls.jsonl`` is the log that counts: a reply that stands in it whole is never asked for again.
``answers.jsonl`` follows from it by decoding, so that a kill between the two loses nothing.
"""

from __future__ import annotations

import base64
import contextlib
import os
import threading
from typing import TYPE_CHECKING

import msgspec

from denotary.errors import StorageError
from denotary.files import storage_error
from denotary.runs.records import RawCall

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from denotary.runs.replies import Arrival

BASE64 = "base64:"


class AppendFile:
    """A file that only grows, by whole lines; safe to write to from several threads.

    Args:
        path: the file; created if absent.

    Raises:
        StorageError: it cannot be opened for writing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mutex = threading.Lock()
        self._failure: StorageError | None = None
        """Why nothing more is written: a failed write, or the end of the run."""
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            self._size = os.fstat(self._descriptor).st_size
        except OSError as error:
            raise storage_error(path, error) from error

    def write(self, lines: bytes) -> None:
        """Hand lines to the operating system: from here on they survive the end of this process.

        Raises:
            StorageError: they could not be written whole; nothing of them is left in the file.
        """
        with self._mutex:
            if self._failure is not None:
                raise self._failure
            try:
                rest = memoryview(lines)
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
                self._size += len(lines)
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
                self._failure = storage_error(self._path, error)
                raise self._failure from error

    def sync(self) -> None:
        """Wait until everything written is on the disk.

        Raises:
            StorageError: the disk did not take it.
        """
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise storage_error(self._path, error) from error

    def close(self) -> None:
        """Close the file; a thread that was left behind can no longer write to it."""
        with self._mutex:
            self._failure = StorageError("the run has ended", path=self._path)
            os.close(self._descriptor)


def whole_lines(path: Path) -> int:
    """Cut a torn last line off an append-only file and return how many bytes that were.

    Raises:
        StorageError: the file cannot be cut.
    """
    try:
        with path.open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            keep = size
            while keep > 0:
                start = max(0, keep - (1 << 16))
                file.seek(start)
                found = file.read(keep - start).rfind(b"\n")
                if found >= 0:
                    keep = start + found + 1
                    break
                keep = start
            if keep < size:
                file.truncate(keep)
                os.fsync(file.fileno())
            return size - keep
    except OSError as error:
        raise storage_error(path, error) from error


def asked_line(call_ids: tuple[str, ...], *, reasked: bool, sent: tuple[str | None, ...] = ()) -> bytes:
    """Return the line that says that calls are about to be sent.

    Args:
        call_ids: the calls of one transmission.
        reasked: whether they were sent before the run was interrupted.
        sent: digest of each payload that does not stand whole in the plan; empty if all do.
    """
    return _line(RawCall(event="asked", call_ids=call_ids, reasked=reasked, sent=sent))


def not_asked_line(arrivals: Sequence[Arrival]) -> bytes:
    """Return the line that says that calls will not be sent, and why."""
    return _line(
        RawCall(
            event="not_asked",
            call_ids=tuple([arrival.call_id for arrival in arrivals]),
            raw=(None,) * len(arrivals),
            problems=tuple([f"{arrival.status}:{arrival.problem}" for arrival in arrivals]),
        )
    )


def answered_line(arrivals: Sequence[Arrival], *, seconds: float, attempts: int) -> bytes:
    """Return the line that says what came back for the calls of one transmission.

    Args:
        arrivals: one per call.
        seconds: from sending to the last byte, of the last attempt.
        attempts: how often it was sent.
    """
    problems = [
        f"{arrival.status}:{arrival.problem}" if arrival.raw is None else None for arrival in arrivals
    ]
    return _line(
        RawCall(
            event="answered",
            call_ids=tuple([arrival.call_id for arrival in arrivals]),
            raw=tuple([None if arrival.raw is None else _text(arrival.raw) for arrival in arrivals]),
            seconds=round(seconds, 6),
            attempts=attempts,
            problems=tuple(problems) if any(problems) else (),
        )
    )


def _line(record: RawCall) -> bytes:
    return msgspec.json.encode(record) + b"\n"


def raw_bytes(record: RawCall) -> Iterator[bytes | None]:
    """Yield the reply bytes of a logged transmission, in the order of its calls.

    Raises:
        ValueError: what should be base64 is not.
    """
    for text in record.raw:
        if text is None:
            yield None
        elif text.startswith(BASE64):
            yield base64.b64decode(text.removeprefix(BASE64), validate=True)
        else:
            yield text.encode()


def _text(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = BASE64
    return BASE64 + base64.b64encode(raw).decode() if text.startswith(BASE64) else text
