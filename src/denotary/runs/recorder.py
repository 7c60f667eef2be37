"""Between log and answers: replies are decoded in bulk, and acknowledged once they are on the disk."""

from __future__ import annotations

import threading
from collections import Counter, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denotary.runs.log import AppendFile
    from denotary.runs.records import Answer, Call
    from denotary.runs.replies import Arrival, Reader

ROOM = 4096
"""Replies that may wait to be decoded; beyond it no further call is sent."""


class Recorder:
    """Takes what came back and makes durable answers of it; safe to use from several threads.

    Args:
        calls: the planned calls by id.
        answers: those that are durable already, by call id.
        reader: decodes.
        call_log: where the replies were logged.
        answer_log: where the answers go.
    """

    def __init__(
        self,
        calls: Mapping[str, Call],
        answers: dict[str, Answer],
        reader: Reader,
        call_log: AppendFile,
        answer_log: AppendFile,
    ) -> None:
        self.answers = answers
        self.counts: Counter[str] = Counter(answer.status for answer in answers.values())
        self._calls = calls
        self._reader = reader
        self._call_log = call_log
        self._answer_log = answer_log
        self._waiting: deque[Arrival] = deque()
        self._mutex = threading.Lock()

    def take(self, arrivals: Iterable[Arrival]) -> None:
        """Accept replies that stand in the log."""
        self._waiting.extend(arrivals)

    @property
    def is_full(self) -> bool:
        """Whether senders must wait."""
        return len(self._waiting) >= ROOM

    def flush(self) -> list[str]:
        """Decode what waits, write the answers, and acknowledge them when log and answers are on the disk.

        Returns:
            The calls whose answers are acknowledged by this.

        Raises:
            StorageError: the disk did not take them.
        """
        with self._mutex:
            arrivals = [self._waiting.popleft() for _ in range(len(self._waiting))]
            if not arrivals:
                return []
            made = [self._reader.answer(self._calls[arrival.call_id], arrival) for arrival in arrivals]
            self._call_log.sync()
            self._answer_log.write(b"".join(line for _, line in made))
            self._answer_log.sync()
            self.answers.update((answer.call_id, answer) for answer, _ in made)
            self.counts.update(answer.status for answer, _ in made)
            return [arrival.call_id for arrival in arrivals]
