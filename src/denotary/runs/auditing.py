"""Whether a log could have been written by a run at all, for verification.

That every reply decodes to the answer recorded is not enough: lines could have been moved, repeated, marked anew
or written by another hand. What stands here holds of every log that a run wrote, however often it was interrupted.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from denotary.runs.folder import CALLS
from denotary.runs.loading import read_plan
from denotary.runs.log import answered_line, asked_line
from denotary.runs.resuming import arrivals_of, logged_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.runs.records import Call, RawCall
    from denotary.runs.run import Run


class LogAudit:
    """Reads ``calls.jsonl`` of a complete run from its first line to its last.

    Args:
        run: the run.

    Attributes:
        arrived: ids of the calls in the order of their replies, once the log was read.
    """

    def __init__(self, run: Run) -> None:
        self.arrived: dict[str, None] = {}
        self._asked: set[str] = set()
        self._path = run.root / CALLS
        self._calls: Mapping[str, Call] = read_plan(run.root)
        self._attempts = run.header.attempts

    def read(self, most: int) -> list[str]:
        """Read the log and return what no run would have logged.

        Args:
            most: problems returned; further ones would mostly repeat the first.

        Raises:
            InputError: a line is damaged, or the log cannot be read.
        """
        problems = self._problems()
        first = list(islice(problems, most))
        for _ in problems:
            # Read on: what arrived is wanted whole.
            pass
        return first

    def _problems(self) -> Iterator[str]:
        whole = 0
        for number, (line, record) in enumerate(logged_lines(self._path), start=1):
            whole += len(line)
            if line != _written(record):
                yield f"line {number}: is not what denotary writes for its content"
            yield from (f"line {number}: {problem}" for problem in self._line(record))
        if whole != self._path.stat().st_size:
            yield "ends within a line"
        for name in self._calls:
            if name not in self.arrived:
                yield f"{name} was never answered"

    def _line(self, record: RawCall) -> Iterator[str]:
        names = record.call_ids
        unknown = next((name for name in names if name not in self._calls), None)
        if unknown is not None or not names or len(set(names)) < len(names):
            yield "names a call that is not planned, one twice, or none"
        elif record.event == "asked":
            yield from self._announcement(record)
        else:
            yield from self._replies(record)

    def _announcement(self, record: RawCall) -> Iterator[str]:
        for name in record.call_ids:
            if name in self.arrived:
                yield f"{name} is asked after it was answered"
            elif (name in self._asked) != record.reasked:
                yield f"{name} is {'marked' if record.reasked else 'not marked'} as asked again"
        self._asked.update(record.call_ids)

    def _replies(self, record: RawCall) -> Iterator[str]:
        if not 1 <= record.attempts <= self._attempts:
            yield f"tells of {record.attempts} attempts, the run allows {self._attempts}"
        for name in record.call_ids:
            if name not in self._asked:
                yield f"{name} is answered before it was asked"
            if name in self.arrived:
                yield f"{name} is answered a second time"
            self.arrived[name] = None


def _written(record: RawCall) -> bytes | None:
    """Return the line that a run writes for what a line says; None if it would write none."""
    if record.event == "asked":
        return asked_line(record.call_ids, reasked=record.reasked)
    if record.seconds is None or not record.seconds >= 0:
        return None
    return answered_line(list(arrivals_of(record)), seconds=record.seconds, attempts=record.attempts)
