"""Ask, log and score: a system that does nothing, so that only the harness costs; as a callable and over loopback HTTP.

Ours is the whole way: plan, request with an opaque id, durable log of what was sent and came back, decoding, sealing,
and every measure of the identity instrument in every slice with its exact bound. The peers score one accuracy. What
resampling adds is timed where scoring is.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
import threading
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import _identity
import httpx
import msgspec
from _harness import Peer, compare, limited, main

import denotary as dn
from denotary import systems
from denotary.instruments.identity.cases import Gold
from denotary.suites.records import SuiteLock

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from denotary.runs import Run
    from denotary.suites.suite import Suite
    from denotary.systems.base import BlockingSystem, System

CASES = 10_000
SLICE = 500
SINGLES = 1_000
BATCH = 100
CONCURRENCY = 8
TURNS = 5
RIGHT, WRONG = _identity.CONCEPTS[:2]
ANSWER = {"decision": {"type": "concept", "concept_code": RIGHT, "confidence": 0.9}, "system_version": "1"}
LIMIT_CALLABLE = 1.0
LIMIT_BATCHES = 3.0


def suite(size: int = CASES) -> Suite:
    """Return a frozen suite in which the system is right in three cases of four."""
    made = _identity.suite(size // _identity.SIZE)
    cases = tuple(
        msgspec.structs.replace(
            case, gold=Gold(disposition="SINGLE", acceptable_concept_codes=(_gold(index),))
        )
        for index, case in enumerate(made.cases)
    )
    lock = SuiteLock(
        schema="denotary.suite-lock/1",
        name="synthetic",
        version="1.0.0",
        instrument="identity",
        registry_hash=made.registry.hash,
        files={},
        cases=len(cases),
        units=len(set(made.units)),
        records_hash="0" * 64,
        hash="2" * 64,
    )
    return replace(made, cases=cases, lock=lock)


def _gold(index: int) -> str:
    return WRONG if index % 4 == 3 else RIGHT  # noqa: PLR2004 - one in four


def asked(system: System | BlockingSystem, cases: Suite, use: Callable[[Run], Any]) -> Any:
    """Ask in a folder of its own and return what is made of the run."""
    with tempfile.TemporaryDirectory() as folder:
        return use(dn.ask(system, cases, Path(folder) / "run", concurrency=CONCURRENCY))


def share_right(run: Run) -> float:
    """Return the share of right answers, out of a measurement without resampling, which no peer does."""
    outcomes = dn.measure(run, resamples=0).outcomes
    return outcomes["right"] / sum(outcomes.values())


def with_inspect() -> Callable[[], float]:
    """Score a slice with inspect_ai: a solver that sets the output, a scorer that compares it."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer
    from inspect_ai.solver import solver

    @solver  # type: ignore[untyped-decorator]
    def nothing() -> Any:
        async def solve(state: Any, _: Any) -> Any:
            state.output = ModelOutput.from_content("none", RIGHT)
            state.completed = True
            return state

        return solve

    @scorer(metrics=[accuracy()])  # type: ignore[untyped-decorator]
    def same() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return Score(value=CORRECT if state.output.completion == target.text else INCORRECT)

        return score

    data = MemoryDataset([Sample(input=f"text {i}", target=_gold(i), id=str(i)) for i in range(SLICE)])

    def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            task = Task(dataset=data, solver=nothing(), scorer=same())
            (log,) = evaluate(task, model=None, log_dir=folder, display="none", max_samples=CONCURRENCY)
        return float(log.results.scores[0].metrics["accuracy"].value)

    return run


def with_pydantic() -> Callable[[], float]:
    """Score every case with pydantic-evals."""
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import EqualsExpected

    cases = [Case(name=str(i), inputs=f"text {i}", expected_output=_gold(i)) for i in range(CASES)]
    data = Dataset(name="nothing", cases=cases, evaluators=[EqualsExpected()])

    def run() -> float:
        report = data.evaluate_sync(lambda _: RIGHT, progress=False, max_concurrency=CONCURRENCY)
        return float(report.averages().assertions)

    return run


def callable_system() -> dict[str, Any]:
    cases = suite()
    peers = []
    for module, build, scale, goal in (
        ("inspect_ai", with_inspect, CASES / SLICE, 100.0),
        ("pydantic_evals", with_pydantic, 1.0, 2.5),
    ):
        if find_spec(module) is None:
            print(f"absent: {module}")
        else:
            peers.append(Peer(module, build(), scale=scale, goal=goal, note="scores one accuracy"))

    def check(answer: float, name: str, other: float) -> None:
        assert answer == other, name

    system = systems.python(lambda _: ANSWER)
    record = compare(
        f"ask + log + score, {CASES:,} no-op cases", lambda: asked(system, cases, share_right), peers, check
    )
    return limited(record, LIMIT_CALLABLE)


def in_dialogues() -> dict[str, Any]:
    """Compare dialogues with the same cases each by itself: what waiting and histories cost."""
    single = suite()
    cases = tuple(
        msgspec.structs.replace(
            case,
            turn=index % TURNS,
            depends_on=(single.cases[index - 1].record_id,) if index % TURNS else (),
        )
        for index, case in enumerate(single.cases)
    )
    dialogues, system = replace(single, cases=cases), systems.python(lambda _: ANSWER)

    def check(answer: float, name: str, other: float) -> None:
        assert answer == other, name

    peer = Peer(
        "denotary, each case by itself",
        lambda: asked(system, single, share_right),
        note="sends no history and waits for nothing",
    )
    record = compare(
        f"ask + log + score, {CASES:,} no-op cases in dialogues of {TURNS} turns",
        lambda: asked(system, dialogues, share_right),
        [peer],
        check,
    )
    return limited(record, LIMIT_CALLABLE)


class Echo(asyncio.Protocol):
    """The cheapest server there is: finds the body by its length and answers each record id in it."""

    def connection_made(self, transport: Any) -> None:
        """Begin with nothing received."""
        self._transport = transport
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        """Answer once the body is whole."""
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(body) < length:
            return
        self._buffer = body[length:]
        request = msgspec.json.decode(body[:length])
        if "items" in request:
            content: dict[str, Any] = {
                "items": [{"record_id": item["record_id"], **ANSWER} for item in request["items"]]
            }
        else:
            content = {"record_id": request["record_id"], **ANSWER}
        reply = msgspec.json.encode(content)
        self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(reply) + reply)


def serve() -> str:
    """Start the server in a thread of this process, so that its time counts too; return its address."""
    started: list[int] = []

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0)
        started.append(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    threading.Thread(target=lambda: asyncio.run(run()), daemon=True).start()
    while not started:
        time.sleep(0.001)
    return f"http://127.0.0.1:{started[0]}/resolve"


async def bare(url: str, bodies: list[bytes]) -> int:
    """Post every body with the bare client, as many at once as we do, and count the items that come back."""
    left = iter(bodies)
    found = 0

    async def send(client: httpx.AsyncClient) -> None:
        nonlocal found
        for body in left:
            response = await client.post(url, content=body, headers={"Content-Type": "application/json"})
            reply = msgspec.json.decode(response.content)
            found += len(reply.get("items", [reply]))

    async with httpx.AsyncClient(trust_env=False) as client:
        senders: list[Coroutine[Any, Any, None]] = [send(client) for _ in range(CONCURRENCY)]
        await asyncio.gather(*senders)
    return found


def payloads(cases: Suite) -> list[dict[str, Any]]:
    """Return what we send for each case."""
    return [{"record_id": case.record_id, **cases.instrument.encode(case, cases)} for case in cases.cases]


def over_http(size: int, batch: int, goal: float | None) -> dict[str, Any]:
    """Compare with the bare client against the same server: what durable asking costs on top of HTTP."""
    cases, url = suite(size), serve()
    sent = payloads(cases)
    parts = [sent[i : i + batch] for i in range(0, size, batch)]
    bodies = [msgspec.json.encode({"items": part} if batch > 1 else part[0]) for part in parts]

    def ours() -> int:
        system = systems.http(url, batch_size=batch)
        return int(
            asked(system, cases, lambda run: sum(answer.status == "answered" for answer in run.answers))
        )

    def check(answer: int, name: str, other: int) -> None:
        assert answer == other == size, name

    form = f"in batches of {batch}" if batch > 1 else "one by one"
    peers = [
        Peer(
            "httpx, bare client",
            lambda: asyncio.run(bare(url, bodies)),
            goal=goal,
            note="neither logs nor decodes answers" if goal is None else "1.2 x its time is a ratio of 0.83",
        )
    ]
    return compare(
        f"ask + log over loopback HTTP, {size:,} cases {form}, server included", ours, peers, check
    )


def build() -> list[dict[str, Any]]:
    logging.disable(logging.INFO)
    return [
        callable_system(),
        in_dialogues(),
        limited(over_http(CASES, BATCH, None), LIMIT_BATCHES),
        over_http(SINGLES, 1, 1 / 1.2),
    ]


if __name__ == "__main__":
    main(build)
