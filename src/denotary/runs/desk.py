"""What the senders of a run share: the calls still to be sent, and where replies go."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.runs.log import answered_line, asked_line, not_asked_line
from denotary.runs.replies import Arrival
from denotary.runs.turns import Waiting, failed_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denotary.runs.log import AppendFile
    from denotary.runs.planning import Wire
    from denotary.runs.recorder import Recorder
    from denotary.runs.records import Call


@dataclass(frozen=True, slots=True)
class Terms:
    """How a system is asked.

    Attributes:
        concurrency: calls (batches, for a system that takes them) in flight at once.
        timeout: seconds that one attempt may take.
        attempts: how often a call is sent at most, where its failure may pass; a blocking system is called once.
    """

    concurrency: int = 8
    timeout: float = 30.0
    attempts: int = 3

    def __post_init__(self) -> None:
        for name in ("concurrency", "attempts"):
            if getattr(self, name) < 1:
                raise InputError(f"expected {name} of at least 1, found {getattr(self, name)}")
        if not 0 < self.timeout < float("inf"):
            raise InputError(f"expected a timeout above 0 seconds, found {self.timeout}")


class Desk:
    """Hands out calls and takes in what came back; safe to use from several threads.

    Calls that were in flight go first, so that a run that is interrupted again and again never has more of them than it
    has at once. A call that needs others waits until :meth:`release` says that these have answers on the disk. It then
    goes before all that was never asked, so that a dialogue is not left for the end; without an answer before it, it is
    recorded as not asked.

    Args:
        calls: still to be sent, in order.
        in_flight: ids of those that were sent before the run was interrupted.
        wire: makes requests of calls.
        log: ``calls.jsonl``.
        recorder: makes answers of what came back.
    """

    def __init__(
        self,
        calls: Iterable[Call],
        in_flight: frozenset[str],
        wire: Wire,
        log: AppendFile,
        recorder: Recorder,
    ) -> None:
        self.wire = wire
        self._again: deque[Call] = deque()
        self._calls: deque[Call] = deque()
        waiting: list[Call] = []
        for call in calls:
            if call.depends_on:
                waiting.append(call)
            else:
                (self._again if call.call_id in in_flight else self._calls).append(call)
        self._waiting = Waiting(waiting, recorder.answers)
        self._has_turns = bool(waiting)
        self._mutex = threading.Lock()
        self._in_flight = in_flight
        self._log = log
        self._recorder = recorder
        self.release(())

    @property
    def is_full(self) -> bool:
        """Whether replies wait to be decoded, so that nothing more should be sent."""
        return self._recorder.is_full

    @property
    def has_waiting(self) -> bool:
        """Whether calls wait for others. What is released stands in the queue before this turns false.

        So whoever looks here first and finds the queue empty afterwards knows that there is nothing more to come.
        """
        return bool(self._waiting)

    @property
    def is_starved(self) -> bool:
        """Whether there is nothing to send until a waiting call is released."""
        return self.has_waiting and not self._again and not self._calls

    def release(self, settled: Iterable[str]) -> None:
        """Let go the calls that waited for these, whose answers were acknowledged by the recorder.

        Raises:
            StorageError: the log could not be written.
        """
        if not self._waiting:
            return
        with self._mutex:
            free, refused = self._waiting.after(settled)
            for call in reversed(free):
                (self._again if call.call_id in self._in_flight else self._calls).appendleft(call)
            if refused:
                never = [
                    Arrival(call.call_id, None, "not_run", failed_before(name)) for call, name in refused
                ]
                self._log.write(not_asked_line(never))
                self._recorder.take(never)
            self._waiting.forget([*free, *(call for call, _ in refused)])

    def next_call(self) -> Call | None:
        """Return the next call, or None when all are handed out."""
        while queue := self._again or self._calls:
            try:
                return queue.popleft()
            except IndexError:
                # Another thread took the last one; there may be more in the other queue.
                continue
        return None

    def next_batch(self, size: int) -> list[Call]:
        """Return the next calls, at most so many; calls that are asked again are not mixed with others."""
        # Filled from another thread, which only adds.
        queue = self._again or self._calls
        return [queue.popleft() for _ in range(min(size, len(queue)))]

    def asked(self, calls: Sequence[Call]) -> bytes:
        """Return the line to be logged before calls are sent."""
        names = tuple([call.call_id for call in calls])
        sent = tuple(map(self.wire.sent, calls)) if self._has_turns else ()
        return asked_line(
            names, reasked=not self._in_flight.isdisjoint(names), sent=sent if any(sent) else ()
        )

    def log(self, lines: bytes) -> None:
        """Write lines to the log.

        Raises:
            StorageError: they could not be written.
        """
        self._log.write(lines)

    def settle(self, arrivals: list[Arrival], *, seconds: float, attempts: int, then: bytes = b"") -> None:
        """Log what came back for the calls of one transmission and pass it on.

        Args:
            arrivals: one a call.
            seconds: that the last attempt took.
            attempts: how often it was sent.
            then: further lines for the same write.

        Raises:
            StorageError: the log could not be written.
        """
        self._log.write(answered_line(arrivals, seconds=seconds, attempts=attempts) + then)
        self._recorder.take(arrivals)
