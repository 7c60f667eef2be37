"""What an interrupted run left behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from denotary.errors import InputError, IntegrityError
from denotary.files import open_to_read, read_jsonl
from denotary.runs.folder import ANSWERS, CALLS
from denotary.runs.log import raw_bytes, whole_lines
from denotary.runs.records import Answer, RawCall
from denotary.runs.replies import FAILED, NOT_RUN, Arrival

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from denotary.runs.records import Call


@dataclass(frozen=True, slots=True)
class Recovered:
    """The state of a run's log.

    Attributes:
        answers: what is decoded already, by call id.
        arrivals: replies that are logged and not decoded yet.
        in_flight: calls that were sent and whose reply is not logged: they will be asked again.
        notes: what had to be set aside.
    """

    answers: dict[str, Answer]
    arrivals: tuple[Arrival, ...]
    in_flight: frozenset[str]
    notes: tuple[str, ...]


def recover(root: Path, calls: Mapping[str, Call]) -> Recovered:
    """Read a run's log, cutting off a line that was torn by a kill or a full disk.

    Args:
        root: the folder of the run, locked by the caller.
        calls: the planned calls by id.

    Raises:
        IntegrityError: the log names calls that are not planned, or one twice.
        InputError: a line in the middle of the log is damaged.
    """
    notes = tuple(
        f"{name}: a torn last line of {torn} bytes was set aside"
        for name in (CALLS, ANSWERS)
        if (torn := whole_lines(root / name))
    )
    answers = read_answers(root / ANSWERS, calls)
    arrivals: dict[str, Arrival] = {}
    asked: set[str] = set()
    for record in logged_calls(root / CALLS):
        if record.event == "asked":
            asked.update(record.call_ids)
            continue
        for arrival in arrivals_of(record):
            asked.discard(arrival.call_id)
            if arrival.call_id in calls and arrival.call_id not in answers:
                arrivals.setdefault(arrival.call_id, arrival)
    return Recovered(answers, tuple(arrivals.values()), frozenset(asked - answers.keys()), notes)


def read_answers(path: Path, calls: Mapping[str, Call]) -> dict[str, Answer]:
    """Return the answers of ``answers.jsonl`` or ``sealed.jsonl`` by call id.

    Raises:
        IntegrityError: an answer belongs to no planned call, or a call has two.
    """
    answers: dict[str, Answer] = {}
    for line, answer in read_jsonl(path, Answer):
        if answer.call_id not in calls or answer.call_id in answers:
            what = "a second answer to this call" if answer.call_id in answers else "no such call is planned"
            raise IntegrityError(what, path=path, line=line, record=answer.case_id)
        answers[answer.call_id] = answer
    return answers


def logged_calls(path: Path) -> Iterator[RawCall]:
    """Yield the records of ``calls.jsonl``; see :func:`logged_lines`."""
    return (record for _, record in logged_lines(path))


def logged_lines(path: Path) -> Iterator[tuple[bytes, RawCall]]:
    """Yield each line of ``calls.jsonl`` with its record, one in memory at a time; a torn last line is passed over.

    Raises:
        InputError: a line is damaged, or the file cannot be read.
    """
    decoder = msgspec.json.Decoder(RawCall)
    with open_to_read(path) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                record = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise InputError("not a logged call", path=path, line=number) from error
            if record.event != "asked" and not _is_whole(record):
                raise InputError("a logged call whose parts do not fit together", path=path, line=number)
            yield line, record


def _is_whole(record: RawCall) -> bool:
    """Return whether there is a reply that can be read, or a failure, for each call and never both."""
    problems = record.problems or (None,) * len(record.call_ids)
    if not len(record.raw) == len(problems) == len(record.call_ids):
        return False
    statuses = {problem.partition(":")[0] for problem in problems if problem is not None}
    try:
        missing = [raw is None for raw in raw_bytes(record)]
    except ValueError:
        return False
    known = FAILED if record.event == "answered" else NOT_RUN
    return statuses <= set(known) and missing == [problem is not None for problem in problems]


def arrivals_of(record: RawCall) -> Iterator[Arrival]:
    """Yield what a logged transmission brought, one arrival a call."""
    problems = record.problems or (None,) * len(record.call_ids)
    for call_id, raw, failure in zip(record.call_ids, raw_bytes(record), problems, strict=True):
        status, _, problem = (failure or "").partition(":")
        yield Arrival(call_id, raw, (FAILED | NOT_RUN).get(status, "answered"), problem or None)
