"""A run that was made, complete or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
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
    answers: Sequence[Answer]
    root: Path
    complete: bool
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        state = "complete" if self.complete else "incomplete"
        return (
            f"<Run {self.suite.manifest.name} {self.header.system['kind']} {len(self.answers)} calls {state}>"
        )
