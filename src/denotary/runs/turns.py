"""Calls that need the answers of calls before them: what the system is sent of these, and when they may be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.errors import InputError
from denotary.suites.turns import turn_problems, turns_before

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from denotary.runs.records import Answer, Call

HISTORY = "history"
"""Key of a payload under which the system is sent what was asked and answered before."""


def refuse_bad_turns(calls: Mapping[str, Call], place: Callable[[str], tuple[Path, int]]) -> None:
    """Refuse calls that could not be asked in the order of their turns.

    Args:
        calls: by call id.
        place: file and line of a call.

    Raises:
        InputError: a call names itself, a call that is not planned, or one that is no earlier turn, or its own payload
            holds a history.
    """
    found = next(turn_problems(calls), None)
    if found is not None:
        path, line = place(found.name)
        raise InputError(
            found.message,
            path=path,
            line=line,
            record=found.name,
            hint="depends_on names earlier turns of the same dialogue",
        )
    for name, call in calls.items():
        if call.depends_on and HISTORY in call.payload:
            path, line = place(name)
            raise InputError(
                f"the payload of a later turn holds {HISTORY} already, where what came before is put",
                path=path,
                line=line,
                record=name,
            )


class Waiting:
    """The calls that may not be sent yet; not safe to use from several threads.

    Args:
        calls: those still to be sent that need others.
        answers: what is acknowledged so far, by call id; it grows.
    """

    def __init__(self, calls: Iterable[Call], answers: Mapping[str, Answer]) -> None:
        self._answers = answers
        self._open: dict[str, int] = {}
        """Calls by the number of those before them without an outcome."""
        self._followers: dict[str, list[Call]] = {}
        self._due: list[Call] = []
        for call in calls:
            before = [name for name in call.depends_on if name not in answers]
            self._open[call.call_id] = len(before)
            for name in before:
                self._followers.setdefault(name, []).append(call)
            if not before:
                self._due.append(call)

    def __bool__(self) -> bool:
        return bool(self._open)

    def after(self, settled: Iterable[str]) -> tuple[list[Call], list[tuple[Call, str]]]:
        """Return the calls that may be sent now, and those that never will be.

        Calls are waited for until :meth:`forget` is told that they are on their way.

        Args:
            settled: calls whose outcome was acknowledged since.

        Returns:
            The calls all of whose turns before have an answer; and the others whose turns before all have an
            outcome, each with the first that has no answer.
        """
        free: list[Call] = []
        refused: list[tuple[Call, str]] = []
        due, self._due = self._due, []
        for name in settled:
            due += self._settle(name)
        for call in due:
            failed = self._failed(call)
            if failed is None:
                free.append(call)
            else:
                # Its own outcome is acknowledged in turn, and settles what waits for it.
                refused.append((call, failed))
        return free, refused

    def forget(self, calls: Iterable[Call]) -> None:
        """Wait for these calls no longer."""
        for call in calls:
            del self._open[call.call_id]

    def _settle(self, name: str) -> list[Call]:
        found = []
        for call in self._followers.pop(name, ()):
            self._open[call.call_id] -= 1
            if not self._open[call.call_id]:
                found.append(call)
        return found

    def _failed(self, call: Call) -> str | None:
        """Return the first call in the order of ``depends_on`` that has no answer, whichever failed first."""
        return next((name for name in call.depends_on if self._answers[name].status != "answered"), None)


def failed_before(name: str) -> str:
    """Return the problem of a call that was not asked because one before it has no answer."""
    return f"no_answer_before:{name}"


def history(
    call: Call,
    calls: Mapping[str, Call],
    answers: Mapping[str, Answer],
    request: Callable[[Call], dict[str, Any]],
) -> list[dict[str, Any]]:
    """Return what the system is sent of the turns before a call.

    Args:
        call: the call.
        calls: the planned calls by id.
        answers: acknowledged answers by call id, those of every turn before among them.
        request: makes the part of an earlier request that stands in the plan.

    Returns:
        One ``{"request", "answer"}`` a turn in the order of :func:`turns_before`; ``answer`` is the decoded body.
    """
    return [
        {"request": request(calls[name]), "answer": answers[name].body} for name in turns_before(call, calls)
    ]
