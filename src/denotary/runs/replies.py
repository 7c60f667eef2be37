"""From what came back to an answer: parse, compare the record id, decode by the instrument."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from denotary.canonical import canonical_json, lenient_json
from denotary.errors import InputError
from denotary.runs.records import Answer
from denotary.suites.instrument import AnswerError

if TYPE_CHECKING:
    from denotary.runs.planning import Wire
    from denotary.runs.records import Call, Status
    from denotary.suites.instrument import Instrument

FAILED: dict[str, Status] = {"error": "error", "timeout": "timeout", "invalid_output": "invalid_output"}
"""Statuses that a call that was asked and has no reply may have in the log."""
NOT_RUN: dict[str, Status] = {"not_run": "not_run"}
"""The same of a call that is never asked."""


class Arrival(NamedTuple):
    """What came back for one call: the bytes of a reply, or the status and problem of a failure."""

    call_id: str
    raw: bytes | None
    status: Status = "answered"
    problem: str | None = None


class Reader:
    """Turns arrivals into answers.

    Args:
        instrument: decodes the reply.
        wire: knows which record id a reply must carry.
    """

    def __init__(self, instrument: Instrument, wire: Wire) -> None:
        self._decode = instrument.decode
        self._wire = wire

    def answer(self, call: Call, arrival: Arrival) -> tuple[Answer, bytes]:
        """Return the answer to a call and its line; whatever came, there is one."""
        status, problem, body = arrival.status, arrival.problem, None
        if arrival.raw is not None:
            try:
                body = self._body(call, arrival.raw)
            except AnswerError as error:
                status, problem = "invalid_output", error.problem
        answer = _answer(call, status, problem, body)
        try:
            return answer, canonical_json(answer) + b"\n"
        except InputError:
            # A lone surrogate or a number without a value came through: nothing that can be written down.
            answer = _answer(call, "invalid_output", "not_json", None)
            return answer, canonical_json(answer) + b"\n"

    def _body(self, call: Call, raw: bytes) -> dict[str, Any]:
        reply = parse(raw)
        if not isinstance(reply, dict):
            # A string of JSON within JSON too: it would pass by the comparison of record ids.
            raise AnswerError("not_an_object")
        name = reply.get("record_id")
        if name is not None and not self._wire.accepts(call, name):
            raise AnswerError("wrong_id")
        try:
            return self._decode(reply)
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            # A reply so odd that the instrument's own code trips over it is no answer, and must not end the
            # run.
            raise AnswerError("undecodable") from None


def _answer(call: Call, status: Status, problem: str | None, body: dict[str, Any] | None) -> Answer:
    return Answer(
        call_id=call.call_id,
        case_id=call.case_id,
        repeat=call.repeat,
        status=status,
        problem=problem,
        body=body,
    )


def not_run(call: Call) -> Answer:
    """Return the answer of a call that was never asked, or whose reply never came before the run was left."""
    return _answer(call, "not_run", "not_run", None)


def parse(raw: bytes) -> Any:
    """Return a reply's JSON.

    NaN and infinity, which JSON does not have and many libraries write, are let through for the instrument to
    name.

    Raises:
        AnswerError: ``html``, ``truncated`` or ``not_json``.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        cut = "truncated" in str(error)
    try:
        return lenient_json(raw)
    except (ValueError, RecursionError):
        pass
    start = raw.lstrip()[:1]
    raise AnswerError("html" if start == b"<" else "truncated" if cut and start else "not_json")
