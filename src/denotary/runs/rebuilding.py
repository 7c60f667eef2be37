"""Making the answers of a run again from its raw log, for verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.runs.folder import CALLS, read_salt
from denotary.runs.loading import read_plan
from denotary.runs.planning import Wire
from denotary.runs.replies import Reader, not_run
from denotary.runs.resuming import arrivals_of, logged_calls

if TYPE_CHECKING:
    from denotary.runs.records import Answer
    from denotary.runs.run import Run

REPLAY = "replay"


def rebuild(run: Run) -> tuple[Answer, ...]:
    """Return what the answers of a run must be, in the order of its plan, decoded anew from ``calls.jsonl``.

    Raises:
        InputError: the log is damaged.
        IntegrityError: the salt is missing.
    """
    calls = read_plan(run.root)
    wire = Wire(read_salt(run.root), true_ids=run.header.system["kind"] == REPLAY)
    reader = Reader(run.suite.instrument, wire)
    answers: dict[str, Answer] = {}
    for record in logged_calls(run.root / CALLS):
        if record.event != "asked":
            for arrival in arrivals_of(record):
                if arrival.call_id in calls:
                    answer, _ = reader.answer(calls[arrival.call_id], arrival)
                    answers.setdefault(arrival.call_id, answer)
    return tuple(answers.get(name) or not_run(call) for name, call in calls.items())
