"""Whether a log could have been written by a run at all, for verification.

That every reply decodes to the answer recorded is not enough: lines could have been moved, repeated, marked anew
or written by another hand. What stands here holds of every log that a run wrote, however often it was interrupted.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from denotary.runs.folder import CALLS, read_salt
from denotary.runs.loading import read_plan
from denotary.runs.log import answered_line, asked_line, not_asked_line
from denotary.runs.planning import Wire
from denotary.runs.rebuilding import REPLAY
from denotary.runs.resuming import arrivals_of, logged_lines
from denotary.runs.turns import failed_before
from denotary.suites.turns import turns_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.runs.records import Answer, Call, RawCall
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
        self._answers: Mapping[str, Answer] = {}
        """What later turns are sent; a plan without any needs none."""
        self._wire: Wire | None = None
        if any(call.depends_on for call in self._calls.values()):
            self._answers = {answer.call_id: answer for answer in run.answers}
            true_ids = run.header.system["kind"] == REPLAY
            self._wire = Wire(
                read_salt(run.root), true_ids=true_ids, calls=self._calls, answers=self._answers
            )

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
        elif record.event == "answered":
            yield from self._replies(record)
        else:
            yield from self._refusals(record)

    def _announcement(self, record: RawCall) -> Iterator[str]:
        for name in record.call_ids:
            if name in self.arrived:
                yield f"{name} is asked after it was answered"
            elif (name in self._asked) != record.reasked:
                yield f"{name} is {'marked' if record.reasked else 'not marked'} as asked again"
            yield from self._too_early(name)
        self._asked.update(record.call_ids)
        if record.sent != self._sent(record):
            yield "names another payload than plan and answers make for these calls"

    def _sent(self, record: RawCall) -> tuple[str | None, ...]:
        """Return the digests that belong into a line; those that stand there where the answers do not suffice."""
        if self._wire is None:
            return ()
        calls = [self._calls[name] for name in record.call_ids]
        needed = (name for call in calls for name in turns_before(call, self._calls))
        if not all(name in self._answers for name in needed):
            return record.sent
        sent = tuple(map(self._wire.sent, calls))
        return sent if any(sent) else ()

    def _too_early(self, name: str) -> Iterator[str]:
        for earlier in self._calls[name].depends_on:
            if earlier not in self.arrived:
                yield f"{name} comes before the outcome of {earlier}, which it depends on"

    def _replies(self, record: RawCall) -> Iterator[str]:
        if not 1 <= record.attempts <= self._attempts:
            yield f"tells of {record.attempts} attempts, the run allows {self._attempts}"
        for name in record.call_ids:
            if name not in self._asked:
                yield f"{name} is answered before it was asked"
            if name in self.arrived:
                yield f"{name} is answered a second time"
            self.arrived[name] = None

    def _refusals(self, record: RawCall) -> Iterator[str]:
        for arrival in arrivals_of(record):
            name = arrival.call_id
            if name in self._asked or name in self.arrived:
                yield f"{name} was asked or answered and is said not to be"
            yield from self._too_early(name)
            failed = (earlier for earlier in self._calls[name].depends_on if not self._has_answer(earlier))
            first = next(failed, None)
            if first is None or arrival.problem != failed_before(first):
                yield f"{name} was not asked for a reason that does not hold"
            self.arrived[name] = None

    def _has_answer(self, name: str) -> bool:
        return name in self._answers and self._answers[name].status == "answered"


def _written(record: RawCall) -> bytes | None:
    """Return the line that a run writes for what a line says; None if it would write none."""
    if record.event == "asked":
        return asked_line(record.call_ids, reasked=record.reasked, sent=record.sent)
    if record.event == "not_asked":
        return not_asked_line(list(arrivals_of(record)))
    if record.seconds is None or not record.seconds >= 0:
        return None
    return answered_line(list(arrivals_of(record)), seconds=record.seconds, attempts=record.attempts)
