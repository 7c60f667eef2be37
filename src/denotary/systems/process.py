"""A program as the system under test: JSON lines on its standard input, JSON lines on its standard output.

One line in, one line out, and each reply carries the ``record_id`` of its request. A program answers one
request (or one batch) at a time; the run starts as many programs as its concurrency, so that one that hangs
or dies costs the others nothing. Standard output is for replies alone; standard error is discarded, because
it may quote cases.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
from typing import TYPE_CHECKING

import msgspec

from denotary.errors import InputError
from denotary.systems.base import (
    MAX_REPLY,
    CallFailure,
    ConnectFailure,
    Reply,
    SystemDescriptor,
    TransientFailure,
)
from denotary.systems.batches import matched, record_id_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.systems.base import Request

CHUNK = 1 << 16
PATIENCE = 2.0
"""Seconds that a program gets to leave once its input is closed."""


def command(argv: str | Sequence[str], *, batch_size: int = 1, limit: int = MAX_REPLY) -> CommandSystem:
    """Return a program as a system.

    Args:
        argv: the program and its arguments, as a list or as one string in shell quoting; no shell is
            involved.
        batch_size: lines written at once; the replies to them may come in any order.
        limit: longest reply line in bytes.

    Raises:
        InputError: no program is given or found, or the batch size is below 1.
    """
    try:
        words = shlex.split(argv) if isinstance(argv, str) else list(argv)
    except ValueError as error:
        raise InputError(f"the command cannot be split into words: {error}") from error
    if not words or shutil.which(words[0]) is None:
        raise InputError(f"no such program: {words[0] if words else '(nothing given)'}")
    if batch_size < 1:
        raise InputError(f"expected a batch size of at least 1, found {batch_size}")
    return CommandSystem(
        words, SystemDescriptor(kind="command", spec=f"command:{shlex.join(words)}"), batch_size, limit
    )


class CommandSystem:
    """A pool of running programs; built by :func:`command`."""

    def __init__(
        self, argv: Sequence[str], descriptor: SystemDescriptor, batch_size: int, limit: int
    ) -> None:
        self.descriptor = descriptor
        self.batch_size = batch_size
        self._argv = argv
        self._limit = limit
        self._idle: list[_Program] = []
        self._killed: list[_Program] = []
        self._heard = False

    async def open(self) -> None:
        """Start the first program."""
        self._idle.append(await _Program.start(self._argv))

    async def ask(self, requests: Sequence[Request]) -> Sequence[Reply | CallFailure]:
        """Return one reply or failure per request.

        Raises:
            CallFailure: the program left, or its output cannot be told apart.
        """
        program = self._idle.pop() if self._idle else await _Program.start(self._argv)
        clean = False
        try:
            replies = await program.exchange(requests, self._limit)
            clean = all(isinstance(reply, Reply) for reply in replies)
            self._heard = True
        except TransientFailure as failure:
            # A program that never said anything was never reached.
            raise failure if self._heard else ConnectFailure(failure.problem) from None
        finally:
            # Output that was not asked for would be taken for the reply to the next request.
            if clean and program.in_step:
                self._idle.append(program)
            else:
                program.kill()
                self._killed = [other for other in (*self._killed, program) if other.is_running]
        return replies

    async def close(self) -> None:
        """Let the programs leave; kill those that stay."""
        await asyncio.gather(*(program.leave() for program in (*self._idle, *self._killed)))
        self._idle.clear()
        self._killed.clear()


class _Program:
    """One running program and what it has printed so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._buffer = bytearray()
        self._before: frozenset[str] = frozenset()
        self.in_step = True

    @classmethod
    async def start(cls, argv: Sequence[str]) -> _Program:
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            raise ConnectFailure("not_started") from None
        return cls(process)

    async def exchange(self, requests: Sequence[Request], limit: int) -> Sequence[Reply | CallFailure]:
        """Write the requests and read as many lines; a second reply to the requests before is passed over."""
        wanted = [str(request.payload["record_id"]) for request in requests]
        await self._write(b"".join(msgspec.json.encode(request.payload) + b"\n" for request in requests))
        lines: list[bytes] = []
        while len(lines) < len(wanted):
            line = await self._line(limit)
            if record_id_of(line) not in self._before:
                lines.append(line)
        self._before = frozenset(wanted)
        self.in_step = {record_id_of(line) for line in lines} == self._before
        if len(wanted) == 1 and not self.in_step:
            return [_stray(lines[0])]
        return matched(lines, wanted, limit)

    async def _write(self, data: bytes) -> None:
        if self._process.stdin is None:
            raise CallFailure("not_open")
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise TransientFailure("process_exited") from None

    async def _line(self, limit: int) -> bytes:
        if self._process.stdout is None:
            raise CallFailure("not_open")
        start = 0
        while (end := self._buffer.find(b"\n", start)) < 0:
            if len(self._buffer) > limit:
                raise CallFailure("too_large", outcome="invalid_output")
            start = len(self._buffer)
            part = await self._process.stdout.read(CHUNK)
            if not part:
                if self._buffer:
                    raise CallFailure("truncated", outcome="invalid_output")
                raise TransientFailure("process_exited")
            self._buffer += part
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    @property
    def is_running(self) -> bool:
        """Whether the program's end was not noticed yet."""
        return self._process.returncode is None

    def kill(self) -> None:
        """Kill the program and whatever it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def leave(self) -> None:
        """Close the program's input and wait until it is gone."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), PATIENCE)
        except TimeoutError:
            self.kill()
            await self._process.wait()


def _stray(line: bytes) -> Reply | CallFailure:
    """Return the only line there is: what it says of itself decides what kind of no answer it is."""
    if record_id_of(line) is None and line.lstrip()[:1] == b"{" and line.rstrip()[-1:] == b"}":
        return CallFailure("wrong_id", outcome="invalid_output")
    return Reply(line)
