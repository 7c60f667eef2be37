"""What the tests of systems share: requests, a way to ask, and a server that misbehaves on command."""

import asyncio
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from denotary.systems.base import BlockingSystem, CallFailure, Reply, Request

AMPLE = 120.0
"""Seconds that a batch may take; each takes milliseconds."""
SPEC = importlib.util.spec_from_file_location("loopback", Path(__file__).parents[1] / "loopback.py")
assert SPEC is not None
assert SPEC.loader is not None
LOOPBACK = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(LOOPBACK)


@pytest.fixture
def request_for() -> Callable[..., Request]:
    """Make a request whose record id is ``name``."""
    return lambda name, **payload: Request(f"{name}#0", {"record_id": name, **payload})


@pytest.fixture
def ask() -> Callable[..., Sequence[Any]]:
    """Open a system, send batches, close it; a failure of a whole batch is returned in place of its replies.

    ``first`` is the time in seconds that the first batch may take, for tests in which it would take for ever.
    """

    def call(system: Any, *batches: Sequence[Request], first: float = AMPLE) -> Any:
        async def talk() -> list[Any]:
            await system.open()
            results: list[Any] = []
            try:
                for number, batch in enumerate(batches):
                    try:
                        async with asyncio.timeout(AMPLE if number else first):
                            results.append(await system.ask(batch))
                    except (CallFailure, TimeoutError) as failure:
                        results.append(failure)
            finally:
                await system.close()
            return results

        results = asyncio.run(talk())
        return results[0] if len(batches) == 1 else results

    return call


@pytest.fixture
def call() -> Callable[..., bytes | tuple[str, str]]:
    """Call a blocking system: the reply's bytes, or outcome and problem of the failure."""

    def run(system: BlockingSystem, request: Request) -> bytes | tuple[str, str]:
        assert isinstance(system, BlockingSystem)
        try:
            return system.call(request).raw
        except CallFailure as failure:
            return failure.outcome, failure.problem

    return run


@pytest.fixture
def shown() -> Callable[..., Any]:
    """Turn replies and failures into plain values."""

    def plain(results: Any) -> Any:
        if isinstance(results, CallFailure):
            return results.outcome, results.problem
        if isinstance(results, Reply):
            return results.raw
        return [plain(result) for result in results]

    return plain


@pytest.fixture
def serve() -> Iterator[Callable[..., Any]]:
    """Start a loopback server with a handler; it stops with the test."""
    servers: list[Any] = []

    def start(handler: Any) -> Any:
        servers.append(LOOPBACK.Loopback(handler))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def reply() -> Any:
    """See ``loopback.reply``."""
    return LOOPBACK.reply
