"""Dialogues for the tests of runs: which turn needs which, systems that answer them, and what must come of it."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from denotary import systems
from denotary.runs.planning import opaque_id
from denotary.systems.base import CallFailure, Reply, SystemDescriptor

Needs = dict[int, tuple[int, ...]]
CHAIN: Needs = {1: (0,), 2: (1,), 3: (2,)}
BRANCHES: Needs = {1: (0,), 2: (0,), 3: (2, 1), 5: (4,)}
LANES = ("threads", "tasks", "batches")


def number(name: str) -> int:
    return int(name.partition("#")[0].removeprefix("case-"))


def call(i: int, repeat: int = 0) -> str:
    return f"case-{i:05d}#{repeat}"


def text_number(payload: dict[str, Any]) -> int:
    return int(payload["text"].split()[-1])


class Batches:
    """An asynchronous system that takes several requests at once."""

    batch_size = 3
    descriptor = SystemDescriptor(kind="python", spec="batches")

    def __init__(self, function: Callable[[dict[str, Any]], Any]) -> None:
        self._function = function

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ask(self, requests: Any) -> list[Any]:
        await asyncio.sleep(0)
        return [self._one(request.payload) for request in requests]

    def _one(self, payload: dict[str, Any]) -> Any:
        try:
            return Reply(json.dumps(self._function(payload)).encode())
        except ZeroDivisionError:
            return CallFailure("raised_ZeroDivisionError")


def system_of(function: Callable[[dict[str, Any]], Any], lane: str) -> Any:
    async def later(payload: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return function(payload)

    if lane == "batches":
        return Batches(function)
    return systems.python(function if lane == "threads" else later)


def expected(needs: Needs, size: int, bad: dict[int, str]) -> list[tuple[str, str | None]]:
    """Return status and problem of each case by the definition: nothing is asked after what has no answer."""
    problems = {"error": "raised_ZeroDivisionError", "invalid_output": "no_decision"}
    found: list[tuple[str, str | None]] = []
    for i in range(size):
        failed = [j for j in needs.get(i, ()) if found[j][0] != "answered"]
        if failed:
            found.append(("not_run", f"no_answer_before:{call(failed[0])}"))
        else:
            found.append((bad[i], problems[bad[i]]) if i in bad else ("answered", None))
    return found


def before(needs: Needs, i: int) -> list[int]:
    """Return the turns before a turn, nearest to the beginning first."""

    def depth(j: int) -> int:
        return 1 + max((depth(k) for k in needs.get(j, ())), default=-1)

    found: set[int] = set()
    for j in needs.get(i, ()):
        found |= {j, *before(needs, j)}
    return sorted(found, key=lambda j: (depth(j), j))


def told(salt: bytes, needs: Needs, i: int, repeat: int = 0) -> list[dict[str, Any]]:
    """Return the history that a turn must be sent."""
    return [
        {
            "request": {
                "record_id": opaque_id(salt, call(j, repeat)),
                "text": f"text of {j}",
                "language": "en",
                "registry_version": "1.0.0",
            },
            "answer": {"code": f"code.{j}", "confidence": 0.5},
        }
        for j in before(needs, i)
    ]


@st.composite
def dialogues(draw: st.DrawFn) -> tuple[int, Needs, dict[int, str]]:
    size = draw(st.integers(1, 12))
    needs = {}
    for i in range(1, size):
        some = draw(st.lists(st.integers(0, i - 1), max_size=3, unique=True))
        if some:
            needs[i] = tuple(some)
    bad = draw(
        st.dictionaries(st.integers(0, size - 1), st.sampled_from(["error", "invalid_output"]), max_size=3)
    )
    return size, needs, bad
