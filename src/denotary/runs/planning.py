"""What will be asked, fixed before anything is asked."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.canonical import canonical_json
from denotary.canonical import sha256 as digest_of
from denotary.errors import InputError
from denotary.runs.records import Call
from denotary.runs.turns import HISTORY, history, refuse_bad_turns
from denotary.suites.loading import CASES
from denotary.suites.turns import turns_before
from denotary.systems.base import Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.runs.records import Answer
    from denotary.suites.records import Case
    from denotary.suites.suite import Suite

OPAQUE_DIGITS = 24


def plan(
    suite: Suite, *, repeats: int = 1, repeat_core: int | Literal["all"] = "all", seed: int = 0
) -> tuple[Call, ...]:
    """Return the calls of a run in their order: each case once in the suite's order, then the repeats.

    A repeat is a call of its own, made a whole pass after the one before, so that neither a cache of the last
    reply nor a short-lived state of the system makes repeats agree. A later turn of a dialogue needs the earlier
    ones of its own repeat, so that a dialogue is repeated from its beginning.

    Args:
        suite: the cases.
        repeats: how often a case of the core is asked, at least 1.
        repeat_core: how many cases are asked ``repeats`` times, or ``all``. They are the first in the order
            of SHA-256 over seed and record id, which is the order of every further pass too; a later turn goes
            in with the turns before it, where there is room for all of them.
        seed: changes which cases these are.

    Raises:
        InputError: a number is out of range, or a turn of a dialogue depends on one that is not before it.
    """
    core = core_size(len(suite.cases), repeats, repeat_core)
    encode = suite.instrument.encode
    first = [_call(case, encode(case, suite)) for case in suite.cases]
    if any(call.depends_on or call.turn for call in first):
        lines = suite.lines
        places = {call.call_id: line for call, line in zip(first, lines, strict=True)}
        refuse_bad_turns(
            {call.call_id: call for call in first}, lambda name: (suite.root / CASES, places[name])
        )
    if not core:
        return tuple(first)
    chosen = _core(sorted(first, key=lambda call: _rank(seed, call.case_id)), core)
    return (*first, *(_again(call, repeat) for repeat in range(1, repeats) for call in chosen))


def _call(case: Case, payload: dict[str, Any]) -> Call:
    needs = tuple([call_id(name, 0) for name in case.depends_on]) if case.depends_on else ()
    return Call(
        call_id=call_id(case.record_id, 0),
        case_id=case.record_id,
        repeat=0,
        payload=payload,
        turn=case.turn,
        depends_on=needs,
    )


def _again(call: Call, repeat: int) -> Call:
    return msgspec.structs.replace(
        call,
        call_id=call_id(call.case_id, repeat),
        repeat=repeat,
        depends_on=tuple([call_id(name.rpartition("#")[0], repeat) for name in call.depends_on]),
    )


def _core(ranked: Sequence[Call], size: int) -> list[Call]:
    """Return so many calls in their rank, the first ones, each with every turn that it needs."""
    if not any(call.depends_on for call in ranked[:size]):
        return list(ranked[:size])
    calls = {call.call_id: call for call in ranked}
    taken: set[str] = set()
    while len(taken) < size:
        # Each pass takes something: of what is left, the first turns need nothing more than themselves.
        for name, call in calls.items():
            together = {name, *turns_before(call, calls)} - taken
            if len(taken) + len(together) <= size:
                taken |= together
    return [call for call in ranked if call.call_id in taken]


def core_size(cases: int, repeats: int, repeat_core: int | Literal["all"]) -> int:
    """Return how many cases are asked more than once.

    Raises:
        InputError: a number is out of range.
    """
    if repeats < 1:
        raise InputError(f"expected at least 1 repeat, found {repeats}")
    if repeat_core != "all" and not 0 <= repeat_core <= cases:
        raise InputError(f"expected a repeat core of 0 to {cases} cases or all, found {repeat_core}")
    if repeats == 1:
        return 0
    return cases if repeat_core == "all" else repeat_core


def call_id(case_id: str, repeat: int) -> str:
    """Return the evaluator's id of a call."""
    return f"{case_id}#{repeat}"


def _rank(seed: int, case_id: str) -> bytes:
    return sha256(f"{seed}:{case_id}".encode()).digest()


def opaque_id(salt: bytes, call: str) -> str:
    """Return the id that the system sees: the first 24 hexadecimal digits of HMAC-SHA256(salt, call id).

    It tells the system neither the case nor whether it was asked the same before.
    """
    return hmac.digest(salt, call.encode(), "sha256").hex()[:OPAQUE_DIGITS]


class Wire:
    """Turns planned calls into requests.

    Args:
        salt: the run's secret.
        true_ids: whether the payload carries the case's own id, for answers that exist already.
        calls: the planned calls by id; none are needed where no call depends on another.
        answers: acknowledged answers by call id; they may grow.
    """

    def __init__(
        self,
        salt: bytes,
        *,
        true_ids: bool = False,
        calls: Mapping[str, Call] | None = None,
        answers: Mapping[str, Answer] | None = None,
    ) -> None:
        self._salt = salt
        self._true_ids = true_ids
        self._calls = calls or {}
        self._answers = {} if answers is None else answers

    def request(self, call: Call) -> Request:
        """Return the request for a call; its payload is a copy, so that a system cannot change the plan.

        That of a later turn holds what was asked and answered before, so it exists once this is acknowledged.
        """
        payload = self._planned(call)
        if call.depends_on:
            # The answers are copied too, which a system in this process could change.
            payload[HISTORY] = _copy(history(call, self._calls, self._answers, self._planned))
        return Request(call.call_id, payload)

    def sent(self, call: Call) -> str | None:
        """Return the SHA-256 of a payload that does not stand whole in the plan, else None."""
        return digest_of(canonical_json(self.request(call).payload)) if call.depends_on else None

    def _planned(self, call: Call) -> dict[str, Any]:
        return {"record_id": self.record_id(call), **_copy(call.payload)}

    def requests(self, calls: Sequence[Call]) -> list[Request]:
        """Return the requests for a batch."""
        return [self.request(call) for call in calls]

    def record_id(self, call: Call) -> str:
        """Return the id that the system sees."""
        return call.case_id if self._true_ids else opaque_id(self._salt, call.call_id)

    def accepts(self, call: Call, name: object) -> bool:
        """Return whether a reply that carries this record id answers the call."""
        # A replayed line was found by its id already, and may carry the repeat in it.
        return self._true_ids or name == self.record_id(call)


def _copy(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
