"""Asking a system that is a plain function, from worker threads.

Threads take call after call by themselves, so that a call costs no hop between threads. A call that outlasts
its time is given up: its thread is left behind (Python cannot end it) and another one takes its place.
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

from denotary.runs.replies import FAILED, Arrival
from denotary.systems.base import CallFailure, raised

if TYPE_CHECKING:
    from denotary.runs.desk import Desk, Terms
    from denotary.runs.records import Call
    from denotary.systems.base import BlockingSystem

WATCH = 0.02
"""Seconds between two looks at the running calls."""
QUICK = 200e-6
"""Seconds a call under which one thread is enough: more would only take turns at the interpreter's lock."""
SURE = 3
"""Looks in a row that must find calls slow, so that a pause of the whole machine does not count."""
LEFT_BEHIND = 256
"""Threads that may hang at once; when there are more, the calls that are left become errors."""


class ThreadLane:
    """Sends the calls of a desk to a blocking system.

    Args:
        system: called from one thread while its calls are quick, else from ``terms.concurrency`` threads.
        desk: the calls, and where replies go.
        terms: how it is asked.
    """

    def __init__(self, system: BlockingSystem, desk: Desk, terms: Terms) -> None:
        self.system = system
        self.desk = desk
        self.mutex = threading.Lock()
        self.idle = threading.Lock()
        """Held by the thread that waits for calls to be released, so that the others need not look too."""
        self.stopped = False
        self.failure: BaseException | None = None
        self._terms = terms
        self._slow_looks = 0
        self._working: set[_Worker] = set()
        self._hanging: list[_Worker] = []

    async def run(self) -> None:
        """Return when every call has an outcome.

        Raises:
            StorageError: the log could not be written.
        """
        self._start()
        try:
            while self._working:
                await asyncio.sleep(WATCH)
                self._spread()
                self._look()
                if self.failure is not None:
                    raise self.failure
        finally:
            self._stop()
        await self._give_up()

    def _start(self) -> None:
        worker = _Worker(self)
        self._working.add(worker)
        worker.start()

    def _stop(self) -> None:
        """Let no thread begin another call, and none that is in one write about it."""
        self.stopped = True
        with self.mutex:
            for worker in self._working:
                worker.abandoned = True

    def _spread(self) -> None:
        """Start the other threads once calls are found to be slow."""
        if self._slow_looks < SURE:
            self._slow_looks = self._slow_looks + 1 if self._is_slow() else 0
            if self._slow_looks == SURE:
                for _ in range(self._terms.concurrency - len(self._working)):
                    self._start()

    def _is_slow(self) -> bool:
        """Return whether calls took long since the last look, the running one included."""
        now = time.perf_counter()
        calls, spent = 0, 0.0
        for worker in self._working:
            running = 0.0 if worker.call is None else now - worker.started
            calls += worker.calls + (running > 0)
            spent += worker.spent + running
            worker.calls, worker.spent = 0, 0.0
        return spent > QUICK * calls

    def _look(self) -> None:
        """Give up the calls that outlasted their time, and forget the workers that are done."""
        now = time.perf_counter()
        for worker in tuple(self._working):
            if not worker.is_alive():
                self._working.discard(worker)
            elif worker.call is not None and now - worker.started > self._terms.timeout:
                self._abandon(worker)

    def _abandon(self, worker: _Worker) -> None:
        with self.mutex:
            call = worker.call
            if call is None or time.perf_counter() - worker.started <= self._terms.timeout:
                # It came back after all, and may be asking the next call already.
                return
            worker.abandoned = True
            arrival = Arrival(call.call_id, None, "timeout", "timeout")
            # Under the lock, as every other: answers are passed on in the order in which the log has them.
            self.desk.settle([arrival], seconds=self._terms.timeout, attempts=1)
        self._working.discard(worker)
        self._hanging = [other for other in (*self._hanging, worker) if other.is_alive()]
        if len(self._hanging) < LEFT_BEHIND:
            self._start()

    async def _give_up(self) -> None:
        """Record the calls for which no thread is left, those too that wait for others."""
        more = True
        while more:
            more = self.desk.has_waiting
            while (call := self.desk.next_call()) is not None:
                self.desk.log(self.desk.asked([call]))
                arrival = Arrival(call.call_id, None, "error", "no_thread_left")
                self.desk.settle([arrival], seconds=0.0, attempts=1)
            if more:
                await asyncio.sleep(WATCH)


class _Worker(threading.Thread):
    """One thread that asks until nothing is left, it is abandoned, or the lane stops."""

    def __init__(self, lane: ThreadLane) -> None:
        super().__init__(name="asking", daemon=True)
        self.call: Call | None = None
        self.started = 0.0
        self.calls = 0
        self.spent = 0.0
        """Calls since the last look, and the seconds in them."""
        self.abandoned = False
        self._lane = lane

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for this one
            self._lane.failure = error

    def _work(self) -> None:
        desk, mutex = self._lane.desk, self._lane.mutex
        call = self._next()
        while call is not None and self._has_room():
            self.started = time.perf_counter()
            self.call = call
            arrival = self._ask(call)
            seconds = time.perf_counter() - self.started
            # Logged under the lock, so that nothing is on its way into the log once the lane has stopped.
            with mutex:
                self.call = None
                if self.abandoned:
                    return
                call = None if self._lane.stopped else desk.next_call()
                # The reply and the notice of the next call go into the log in one write.
                then = b"" if call is None else desk.asked([call])
                desk.settle([arrival], seconds=seconds, attempts=1, then=then)
            self.calls += 1
            self.spent += seconds
            call = call or self._next()

    def _next(self) -> Call | None:
        """Return the next call, once there is one and the log has it; None if nothing more is to come."""
        desk = self._lane.desk
        with self._lane.idle:
            while True:
                with self._lane.mutex:
                    more = desk.has_waiting
                    call = None if self._lane.stopped else desk.next_call()
                    if call is not None:
                        desk.log(desk.asked([call]))
                    if call is not None or not more or self._lane.stopped:
                        return call
                time.sleep(WATCH / 4)

    def _has_room(self) -> bool:
        """Wait until another reply may come; False if the lane stopped instead."""
        while self._lane.desk.is_full and not self._lane.stopped:
            time.sleep(WATCH / 4)
        return not self._lane.stopped

    def _ask(self, call: Call) -> Arrival:
        request = self._lane.desk.wire.request(call)
        try:
            return Arrival(call.call_id, self._lane.system.call(request).raw)
        except CallFailure as failure:
            return arrival_of(call, failure)
        except BaseException as error:  # noqa: BLE001 - whatever a black box raises is an outcome of its case
            return arrival_of(call, raised(error))


def arrival_of(call: Call, failure: CallFailure) -> Arrival:
    """Return what a failed call left."""
    return Arrival(call.call_id, None, FAILED.get(failure.outcome, "error"), failure.problem or "not_named")
