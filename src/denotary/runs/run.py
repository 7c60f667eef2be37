"""A run that was made, complete or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denotary.runs.folder import CALLS
from denotary.runs.resuming import logged_calls

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.runs.records import Answer, RunHeader
    from denotary.suites.suite import Suite


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """One system asked one suite.

    Attributes:
        header: the content of ``run.toml``.
        suite: the cases.
        answers: one a planned call, in the order of the plan; a call that was not asked has the status
            ``not_run``.
        root: the folder.
        complete: whether every planned call has an answer and the run is sealed.
        notes: what happened to the log, such as a torn line that was set aside.
    """

    header: RunHeader
    suite: Suite
    answers: tuple[Answer, ...]
    root: Path
    complete: bool
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        state = "complete" if self.complete else "incomplete"
        return (
            f"<Run {self.suite.manifest.name} {self.header.system['kind']} {len(self.answers)} calls {state}>"
        )

    def latencies(self) -> dict[str, float]:
        """Return seconds from sending to the last byte by call id, of each call that was answered.

        Calls of one batch share the time of the batch. Times come from the log and are part of no result.
        """
        return {
            call_id: record.seconds
            for record in logged_calls(self.root / CALLS)
            if record.event == "answered" and record.seconds is not None
            for call_id, raw in zip(record.call_ids, record.raw, strict=True)
            if raw is not None
        }
