"""Asking probes one by one, batches as batches; whatever comes back is a status, and nothing stops the rest."""

from __future__ import annotations

import asyncio
import threading
from itertools import groupby
from typing import TYPE_CHECKING, Any

from denotary.canonical import sha256
from denotary.errors import UnreachableError
from denotary.instruments.identity.answers import decode
from denotary.instruments.identity.probing.records import Shown
from denotary.runs.replies import parse
from denotary.suites.instrument import AnswerError
from denotary.systems.base import BlockingSystem, CallFailure, ConnectFailure, Reply, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.identity.probing.records import Probe
    from denotary.systems.base import System

    Outcome = Reply | CallFailure

NOT_SENT = "not_expressible"
"""Status of a probe that the system has no way to be asked."""


def run(
    system: System | BlockingSystem,
    probes: Sequence[Probe],
    *,
    timeout: float = 30.0,
) -> tuple[Shown, ...]:
    """Return what each probe came to, in their order.

    Args:
        system: the black box; opened and closed here.
        probes: what is asked.
        timeout: seconds that one call may take.

    Raises:
        UnreachableError: nothing answered the first probe at all.
    """
    if isinstance(system, BlockingSystem):
        outcomes = [_called(system, probe, timeout) for probe in probes]
    else:
        outcomes = asyncio.run(_talk(system, probes, timeout))
    return tuple(map(_shown, probes, outcomes))


def _request(probe: Probe) -> Request:
    # An id of its own for each probe: a system may answer by the id, and a repeat must not hide that.
    return Request(f"{probe.id}#0", {"record_id": sha256(probe.id.encode())[:16], **probe.payload})


def _called(system: BlockingSystem, probe: Probe, timeout: float) -> Outcome:
    if not probe.alone:
        return CallFailure(NOT_SENT)
    held: list[Outcome] = [CallFailure("timeout", outcome="timeout")]

    def work() -> None:
        try:
            found: Outcome = system.call(_request(probe))
        except CallFailure as failure:
            found = failure
        held.append(found)

    # A function that hangs is left behind, as a run leaves it.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout)
    return held[-1]


async def _talk(system: System, probes: Sequence[Probe], seconds: float) -> list[Outcome]:
    outcomes: list[Outcome] = []
    await system.open()
    try:
        for _, group in groupby(probes, key=lambda p: p.id if p.alone else (p.family, p.operator)):
            batch = list(group)
            outcomes += await _asked(system, batch, seconds)
            if len(outcomes) == len(batch) and isinstance(outcomes[0], ConnectFailure):
                raise UnreachableError(f"the system cannot be reached: {outcomes[0].problem}")
    finally:
        await system.close()
    return outcomes


async def _asked(system: System, batch: Sequence[Probe], seconds: float) -> list[Outcome]:
    if not batch[0].alone and system.batch_size == 1:
        return [CallFailure(NOT_SENT)] * len(batch)
    outcomes: list[Outcome] = []
    size = system.batch_size
    for start in range(0, len(batch), size):
        part = [_request(probe) for probe in batch[start : start + size]]
        try:
            async with asyncio.timeout(seconds):
                outcomes += await system.ask(part)
        except CallFailure as failure:
            outcomes += [failure] * len(part)
        except TimeoutError:
            outcomes += [CallFailure("timeout", outcome="timeout")] * len(part)
        except UnicodeEncodeError:
            # JSON in UTF-8 cannot carry half of a surrogate pair.
            outcomes += [CallFailure(NOT_SENT)] * len(part)
    return outcomes


def _shown(probe: Probe, outcome: Outcome) -> Shown:
    known: dict[str, Any] = {
        "id": probe.id,
        "family": probe.family,
        "operator": probe.operator,
        "base": probe.base,
        "expression": probe.expression,
    }
    if isinstance(outcome, CallFailure):
        return Shown(**known, status=outcome.problem)
    try:
        body = decode(parse(outcome.raw))
    except AnswerError as error:
        return Shown(**known, status=error.problem)
    fields = ("type", "code", "reason", "confidence", "registry_version")
    return Shown(**known, status="answered", **{name: body[name] for name in fields})
