"""Asking a system every vector, and comparing what it says with what it must say, at three levels."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from denotary.canonical import digest, lenient_json
from denotary.resolver.conformance.templates import differences, filled, values_of
from denotary.systems.base import BlockingSystem, CallFailure, ConnectFailure, Reply, Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.resolver.conformance.records import Vector
    from denotary.resolver.conformance.vectors import VectorSuite
    from denotary.systems.base import System

Level = Literal["decision", "reason", "full"]
Status = Literal["pass", "fail", "not_expressible"]
LEVELS: Final[tuple[Level, ...]] = ("decision", "reason", "full")
"""``decision``: the right concept, or none. ``reason``: and why none. ``full``: and the evidence beside it."""
_ID_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class VectorResult:
    """What a system did with one vector.

    Attributes:
        id: the vector.
        section: its section.
        levels: status by level. ``not_expressible``: the request cannot be sent to this system, or its answers
            have none of the keys that the level asks for.
        differences: where the answer is not as expected, without its text.
    """

    id: str
    section: str
    levels: Mapping[Level, Status]
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """What a system did with all vectors.

    Attributes:
        suite: name and version of the vectors.
        digest: SHA-256 of the vectors.
        registry: snapshot that the vectors are about.
        system: specification of the system.
        decision_rule: how its decision is read off its reply.
        results: in the order of the vectors.
    """

    suite: str
    digest: str
    registry: str
    system: str
    decision_rule: str
    results: tuple[VectorResult, ...]

    def failed(self, level: Level) -> int:
        """Return how many vectors failed at a level."""
        return sum(result.levels[level] == "fail" for result in self.results)


def run_conformance(
    system: System | BlockingSystem,
    suite: VectorSuite,
    vectors: Sequence[Vector] | None = None,
    *,
    timeout: float = 30.0,
) -> ConformanceReport:
    """Ask a system every vector, one at a time, and compare.

    Args:
        system: what is asked; it must have loaded the suite's registry.
        suite: the vectors and their registry.
        vectors: some of them; all by default.
        timeout: seconds that one call may take; a plain Python callable is never interrupted.

    Raises:
        UnreachableError: nothing answered at the address.
    """
    chosen = suite.vectors if vectors is None else vectors
    values = values_of(suite.registry)
    asked = [[_request(vector, values)] * vector.times for vector in chosen]
    replies = _ask(system, [request for group in asked for request in group], timeout)
    results = []
    for vector, group in zip(chosen, asked, strict=True):
        results.append(_result(vector, [next(replies) for _ in group], values))
    return ConformanceReport(
        suite=f"{suite.manifest.name} {suite.manifest.version}",
        digest=suite.digest,
        registry=suite.registry.snapshot_id,
        system=system.descriptor.spec,
        decision_rule=system.descriptor.decision_rule,
        results=tuple(results),
    )


def _request(vector: Vector, values: Mapping[str, str]) -> Request:
    # The id tells a system nothing of what is expected.
    name = digest(vector.id)[:_ID_DIGITS]
    return Request(call_id=vector.id, payload={"record_id": name, **filled(vector.request, values)})


def _ask(system: System | BlockingSystem, requests: list[Request], timeout: float) -> Any:
    if isinstance(system, BlockingSystem):
        return iter([_called(system, request) for request in requests])
    return iter(asyncio.run(_asked(system, requests, timeout)))


def _called(system: BlockingSystem, request: Request) -> bytes | CallFailure | None:
    try:
        return system.call(request).raw
    except CallFailure as failure:
        return failure


async def _asked(system: System, requests: list[Request], seconds: float) -> list[bytes | CallFailure | None]:
    found: list[bytes | CallFailure | None] = []
    await system.open()
    try:
        for request in requests:
            found.append(await _one(system, request, seconds))
            if len(found) == 1 and isinstance(found[0], ConnectFailure):
                _unreachable(system, found[0])
    finally:
        await system.close()
    return found


def _unreachable(system: System, failure: ConnectFailure) -> None:
    from denotary.errors import UnreachableError

    raise UnreachableError(f"nothing answers at {system.descriptor.spec} ({failure.problem})")


async def _one(system: System, request: Request, seconds: float) -> bytes | CallFailure | None:
    """Return the reply, the failure, or None for a request that JSON cannot carry."""
    try:
        (reply,) = await asyncio.wait_for(system.ask([request]), seconds)
    except CallFailure as failure:
        return failure
    except TimeoutError:
        return CallFailure("timeout", outcome="timeout")
    except UnicodeEncodeError:
        return None
    return reply.raw if isinstance(reply, Reply) else reply


def _result(
    vector: Vector, replies: list[bytes | CallFailure | None], values: Mapping[str, str]
) -> VectorResult:
    first = replies[0]
    if first is None:
        return VectorResult(vector.id, vector.section, dict.fromkeys(LEVELS, "not_expressible"), ())
    if vector.expected == "error" or isinstance(first, CallFailure):
        right = vector.expected == "error" and isinstance(first, CallFailure) and first.outcome == "error"
        why = () if right else (_failure(first),)
        return VectorResult(
            vector.id, vector.section, dict.fromkeys(LEVELS, "pass" if right else "fail"), why
        )
    if any(reply != first for reply in replies):
        why = ("the same request was answered differently",)
        return VectorResult(vector.id, vector.section, dict.fromkeys(LEVELS, "fail"), why)
    answer = _decoded(first)
    if answer is None:
        why = ("the answer is no JSON object with a decision",)
        return VectorResult(vector.id, vector.section, dict.fromkeys(LEVELS, "fail"), why)
    return _compared(vector, vector.expected, answer, values)


def _failure(reply: bytes | CallFailure | None) -> str:
    return (
        f"the call failed: {reply.problem}"
        if isinstance(reply, CallFailure)
        else "answered instead of refused"
    )


def _decoded(raw: bytes) -> dict[str, Any] | None:
    try:
        answer = lenient_json(raw)
    except (ValueError, RecursionError):
        return None
    usable = isinstance(answer, dict) and isinstance(answer.get("decision"), dict)
    return answer if usable else None


def _compared(
    vector: Vector, expected: dict[str, Any], answer: dict[str, Any], values: Mapping[str, str]
) -> VectorResult:
    wanted, given = expected["decision"], answer["decision"]
    code = wanted.get("concept_code")
    asserted = given.get("concept_code") if given.get("type") == "concept" else None
    found = [] if asserted == code else [_wrong(code, asserted)]
    levels: dict[Level, Status] = {"decision": "fail" if found else "pass"}
    reason = list(differences({"decision": wanted}, answer, values))
    levels["reason"] = "fail" if reason else "pass"
    beside = {key: value for key, value in expected.items() if key != "decision"}
    more = list(differences(beside, answer, values))
    if any(key in answer for key in beside):
        levels["full"] = "fail" if reason or more else "pass"
    else:
        levels["full"] = "not_expressible"
        more = []
    return VectorResult(vector.id, vector.section, levels, tuple(dict.fromkeys([*found, *reason, *more])))


def _wrong(code: str | None, asserted: Any) -> str:
    if code is None:
        return "a concept was assigned where none may be"
    return "no concept was assigned" if asserted is None else "another concept was assigned"
