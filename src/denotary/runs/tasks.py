"""Asking a system that answers asynchronously: bounded in number and time, retried with pauses."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from denotary.errors import UnreachableError
from denotary.runs.replies import Arrival
from denotary.runs.threads import arrival_of
from denotary.runs.waits import Gate, backoff
from denotary.systems.base import CallFailure, ConnectFailure, Reply, TransientFailure, raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.runs.desk import Desk, Terms
    from denotary.runs.records import Call
    from denotary.systems.base import System

WATCH = 0.01
"""Seconds between two looks whether there is room for another reply."""


class TaskLane:
    """Sends the calls of a desk to an asynchronous system.

    Args:
        system: opened and closed here.
        desk: the calls, and where replies go.
        terms: how it is asked.
    """

    def __init__(self, system: System, desk: Desk, terms: Terms) -> None:
        self._system = system
        self._desk = desk
        self._terms = terms
        self._gate = Gate()
        self._reached = False
        self._next = asyncio.Lock()
        """Held by the sender that waits for calls to be released; the others wait for it and cost nothing."""

    async def run(self) -> None:
        """Return when every call has an outcome.

        Raises:
            UnreachableError: nothing answered at all, so that nothing was learnt about the system.
            StorageError: the log could not be written.
        """
        try:
            await self._system.open()
        except CallFailure as failure:
            raise self._unreachable(failure) from None
        senders = [asyncio.create_task(self._send()) for _ in range(self._terms.concurrency)]
        try:
            await asyncio.gather(*senders)
        finally:
            for sender in senders:
                sender.cancel()
            await asyncio.gather(*senders, return_exceptions=True)
            await self._system.close()

    async def _send(self) -> None:
        while batch := await self._batch():
            while self._desk.is_full:  # noqa: ASYNC110 - room is made in another thread
                await asyncio.sleep(WATCH)
            self._desk.log(self._desk.asked(batch))
            await self._transmit(batch)

    async def _batch(self) -> list[Call]:
        """Return what to send next, once there is something; nothing if nothing more is to come."""
        async with self._next:
            while True:
                more = self._desk.has_waiting
                batch = self._desk.next_batch(self._system.batch_size)
                if batch or not more:
                    return batch
                await asyncio.sleep(WATCH)

    async def _transmit(self, batch: Sequence[Call]) -> None:
        """Send calls until each has a reply or a failure that is final, and log what came."""
        results: dict[str, Reply | CallFailure] = {}
        left = list(batch)
        attempt = 0
        began = time.perf_counter()
        while left:
            attempt += 1
            await self._gate.passed()
            began = time.perf_counter()
            results.update(zip((call.call_id for call in left), await self._attempt(left), strict=True))
            left = [call for call in left if isinstance(results[call.call_id], TransientFailure)]
            if attempt == self._terms.attempts:
                break
            await self._pause([results[call.call_id] for call in left], left, attempt)
        seconds = time.perf_counter() - began
        self._refuse_silence(results)
        arrivals = [_arrival(call, results[call.call_id]) for call in batch]
        self._desk.settle(arrivals, seconds=seconds, attempts=attempt)

    async def _attempt(self, calls: Sequence[Call]) -> Sequence[Reply | CallFailure]:
        """Return one result a call; a failure of the whole transmission is each call's failure."""
        try:
            async with asyncio.timeout(self._terms.timeout):
                results = await self._system.ask(self._desk.wire.requests(calls))
        except CallFailure as failure:
            return [failure] * len(calls)
        except TimeoutError:
            return [CallFailure("timeout", outcome="timeout")] * len(calls)
        except Exception as error:  # noqa: BLE001 - whatever a black box raises is an outcome of its case
            return [raised(error)] * len(calls)
        if len(results) != len(calls):
            return [CallFailure("missing_item", outcome="invalid_output")] * len(calls)
        return results

    async def _pause(
        self, failures: Sequence[Reply | CallFailure], left: Sequence[Call], attempt: int
    ) -> None:
        if not left:
            return
        asked = [
            failure.retry_after
            for failure in failures
            if isinstance(failure, TransientFailure) and failure.retry_after is not None
        ]
        if asked:
            self._gate.close_for(max(asked))
        else:
            await asyncio.sleep(backoff(left[0].call_id, attempt))

    def _refuse_silence(self, results: dict[str, Reply | CallFailure]) -> None:
        """Stop the run if nothing ever answered: what would be written down says nothing about the system."""
        silent = [result for result in results.values() if isinstance(result, ConnectFailure)]
        self._reached = self._reached or len(silent) < len(results)
        if not self._reached:
            raise self._unreachable(silent[0])

    def _unreachable(self, failure: CallFailure) -> UnreachableError:
        return UnreachableError(
            f"{self._system.descriptor.spec}: no call was answered ({failure.problem})",
            hint="run the program by itself: what it writes to standard error is not kept"
            if self._system.descriptor.kind == "command"
            else "start the system, check its address, and run the same command again",
        )


def _arrival(call: Call, result: Reply | CallFailure) -> Arrival:
    if isinstance(result, Reply):
        return Arrival(call.call_id, result.raw)
    return arrival_of(call, result)
