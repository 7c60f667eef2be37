"""What will be asked, fixed before anything is asked."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.errors import InputError
from denotary.runs.records import Call
from denotary.systems.base import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.suites.suite import Suite

OPAQUE_DIGITS = 24


def plan(
    suite: Suite, *, repeats: int = 1, repeat_core: int | Literal["all"] = "all", seed: int = 0
) -> tuple[Call, ...]:
    """Return the calls of a run in their order: each case once in the suite's order, then the repeats.

    A repeat is a call of its own, made a whole pass after the one before, so that neither a cache of the last
    reply nor a short-lived state of the system makes repeats agree.

    Args:
        suite: the cases.
        repeats: how often a case of the core is asked, at least 1.
        repeat_core: how many cases are asked ``repeats`` times, or ``all``. They are the first in the order
            of SHA-256 over seed and record id, which is the order of every further pass too.
        seed: changes which cases these are.

    Raises:
        InputError: a number is out of range.
    """
    core = core_size(len(suite.cases), repeats, repeat_core)
    instrument = suite.instrument
    first = [
        Call(
            call_id=call_id(case.record_id, 0),
            case_id=case.record_id,
            repeat=0,
            payload=instrument.encode(case, suite),
        )
        for case in suite.cases
    ]
    if not core:
        return tuple(first)
    chosen = sorted(first, key=lambda call: _rank(seed, call.case_id))[:core]
    further = [
        msgspec.structs.replace(call, call_id=call_id(call.case_id, repeat), repeat=repeat)
        for repeat in range(1, repeats)
        for call in chosen
    ]
    return (*first, *further)


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
    """

    def __init__(self, salt: bytes, *, true_ids: bool = False) -> None:
        self._salt = salt
        self._true_ids = true_ids

    def request(self, call: Call) -> Request:
        """Return the request for a call; its payload is a copy, so that a system cannot change the plan."""
        payload: dict[str, Any] = {"record_id": self.record_id(call), **_copy(call.payload)}
        return Request(call.call_id, payload)

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


def _copy(payload: dict[str, Any]) -> dict[str, Any]:
    copied: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(payload))
    return copied
