"""The answers of a complete run, held as the bytes of their file and decoded when they are read.

A million answers are 450 MB of JSON and 2.5 GB of objects, and what measures them reads them once, in order.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, overload

import msgspec

from denotary.files import decode_jsonl, read_bytes
from denotary.runs.folder import PLAN, SEALED
from denotary.runs.records import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOGETHER = 1 << 12
"""Answers decoded at a time."""


class _Named(msgspec.Struct):
    """As much of a line as says which call it is about."""

    call_id: str


class SealedAnswers(Sequence[Answer]):
    """The answers of ``sealed.jsonl``, in the order of the plan; equal to any sequence of the same answers.

    Args:
        path: the file, whose digest was compared before.
        data: its bytes.
    """

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._data = data
        self._starts = array("q", [0])
        """Where each line begins, and the end of the last one."""
        at = data.find(b"\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = data.find(b"\n", at + 1)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Answer: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Answer, ...]: ...

    def __getitem__(self, index: int | slice) -> Answer | tuple[Answer, ...]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return tuple(self._decoded(place, place + 1)[0] for place in places)
        return self._decoded(places, places + 1)[0]

    def __iter__(self) -> Iterator[Answer]:
        for start in range(0, len(self), TOGETHER):
            yield from self._decoded(start, min(start + TOGETHER, len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    # Equal to tuples and lists, which do not share a hash.
    __hash__ = None  # type: ignore[assignment]

    def call_ids(self) -> Iterator[str]:
        """Yield the call that each line is about, without reading the rest of it."""
        return _call_ids(self._data)

    def _decoded(self, first: int, last: int) -> list[Answer]:
        """Return the answers of some lines.

        Raises:
            InputError: a line is no answer; the message names it.
        """
        try:
            return _ANSWERS.decode_lines(self._data[self._starts[first] : self._starts[last]])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return [answer for _, answer in decode_jsonl(self._data, Answer, self._path)][first:last]


_ANSWERS = msgspec.json.Decoder(Answer)
_NAMES = msgspec.json.Decoder(_Named)


def sealed_answers(root: Path) -> SealedAnswers | None:
    """Return the answers of a sealed run, or None if its files do not hold one line a planned call, in order."""
    found = SealedAnswers(root / SEALED, read_bytes(root / SEALED))
    planned, lines = _call_ids(read_bytes(root / PLAN)), 0
    try:
        for mine, theirs in zip_longest(planned, found.call_ids()):
            if mine != theirs:
                return None
            lines += 1
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    # An empty line, or a last one that does not end, is no answer.
    return found if lines == len(found) else None


def _call_ids(data: bytes) -> Iterator[str]:
    """Yield the call of each line, without the rest of it."""
    start = 0
    while start < len(data):
        # Up to the end of a line, some way on.
        end = data.find(b"\n", min(start + (1 << 20), len(data) - 1)) + 1 or len(data)
        yield from (line.call_id for line in _NAMES.decode_lines(data[start:end]))
        start = end
