"""A coroutine function as the system under test, in an event loop and a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from denotary.systems.base import MAX_REPLY, CallFailure, raised
from denotary.systems.callables import reply_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denotary.systems.base import Reply, Request, SystemDescriptor

PATIENCE = 1.0
"""Seconds after which a loop that does not turn is taken for blocked."""


class CoroutineSystem:
    """A coroutine function as a system.

    It runs apart from the run's own event loop: a coroutine that blocks its loop, or that swallows its
    cancellation, costs its own calls their time limit and nothing else. A blocked loop is left behind and
    replaced.

    Args:
        function: gets the payload, returns the answer when awaited.
        descriptor: what the run's identity says of it.
        limit: longest reply in bytes.
    """

    batch_size = 1

    def __init__(
        self,
        function: Callable[[dict[str, Any]], Any],
        descriptor: SystemDescriptor,
        *,
        limit: int = MAX_REPLY,
    ) -> None:
        self.descriptor = descriptor
        self._function = function
        self._limit = limit
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Start the loop."""
        self._loop = _start_loop()

    async def ask(self, requests: Sequence[Request]) -> Sequence[Reply | CallFailure]:
        """Return the reply to the one request."""
        (request,) = requests
        loop = self._loop
        if loop is None:
            raise CallFailure("not_open")
        future = asyncio.run_coroutine_threadsafe(self._call(request), loop)
        try:
            return [await asyncio.wrap_future(future)]
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                raise CallFailure("raised_CancelledError") from None
            if self._loop is loop and not await _turns(loop) and self._loop is loop:
                self._loop = _start_loop()
            raise

    async def close(self) -> None:
        """Stop the loop; one that is blocked is left to its daemon thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None

    async def _call(self, request: Request) -> Reply | CallFailure:
        try:
            result = await self._function(request.payload)
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a black box raises is an outcome of its case
            return raised(error)
        try:
            return reply_of(result, self._limit)
        except CallFailure as failure:
            return failure


def _start_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=_spin, args=(loop,), daemon=True, name="system under test").start()
    return loop


def _spin(loop: asyncio.AbstractEventLoop) -> None:
    """Turn a loop until it is stopped, then cancel what is left in it and close it."""
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=PATIENCE))
    finally:
        loop.close()


async def _turns(loop: asyncio.AbstractEventLoop) -> bool:
    """Return whether a loop in another thread still turns."""
    turned = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop)
    done, _ = await asyncio.wait({asyncio.wrap_future(turned)}, timeout=PATIENCE)
    return bool(done)
