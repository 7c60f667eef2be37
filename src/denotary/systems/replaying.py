"""A file of answers as the system under test: one JSON line an answer, found by the case's own record id."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.canonical import sha256
from denotary.errors import InputError
from denotary.files import read_bytes
from denotary.systems.base import MAX_REPLY, CallFailure, Reply, SystemDescriptor
from denotary.systems.batches import record_id_of

if TYPE_CHECKING:
    from denotary.systems.base import Request

FIRST = "#0"
_REPEAT = re.compile(r"#[0-9]+\Z")


def replay(path: Path | str, *, limit: int = MAX_REPLY) -> ReplaySystem:
    """Return a JSON Lines file of answers as a system.

    ``record_id`` of a line is the id of the case, or ``ID#1``, ``ID#2`` … for the answers to its repeats. A case
    whose own id ends in ``#`` and a number is named with its repeat, ``ID#0``, since ``a#1`` is the first repeat of
    ``a``. A case without a line is an error of that case (``no_line``); one with several is invalid output
    (``duplicate_id``).

    Args:
        path: the file.
        limit: longest line in bytes.

    Raises:
        InputError: the file cannot be read, or a line holds no record id.
    """
    path = Path(path)
    data = read_bytes(path)
    lines: dict[str, bytes | None] = {}
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if not raw.strip():
            continue
        name = record_id_of(raw)
        if name is None:
            raise InputError(
                "expected a JSON object with a record_id",
                path=path,
                line=number,
                hint="one answer a line, each with the record_id of its case",
            )
        lines[name] = None if name in lines else raw
    return ReplaySystem(
        lines, SystemDescriptor(kind="replay", spec=f"replay:{path.name} sha256:{sha256(data)}"), limit
    )


class ReplaySystem:
    """Answers that exist already; built by :func:`replay`."""

    def __init__(self, lines: dict[str, bytes | None], descriptor: SystemDescriptor, limit: int) -> None:
        self.descriptor = descriptor
        self._lines = lines
        self._limit = limit

    def call(self, request: Request) -> Reply:
        """Return the line of the request's case and repeat.

        Raises:
            CallFailure: there is no line, or more than one, or it is too large.
        """
        names = {request.call_id}
        case = request.call_id.removesuffix(FIRST)
        if _REPEAT.search(case) is None:
            names.add(case)
        found = [self._lines[name] for name in names if name in self._lines]
        if not found:
            raise CallFailure("no_line")
        raw = found[0]
        if raw is None or len(found) > 1:
            raise CallFailure("duplicate_id", outcome="invalid_output")
        if len(raw) > self._limit:
            raise CallFailure("too_large", outcome="invalid_output")
        return Reply(raw)
