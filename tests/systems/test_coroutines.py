import asyncio
import json
import threading
from typing import Any

import pytest

from denotary import systems
from denotary.systems.base import CallFailure


def test_the_answer_of_a_coroutine_function(ask: Any, shown: Any, request_for: Any) -> None:
    async def later(payload: Any) -> Any:
        await asyncio.sleep(0.001)
        return {"got": payload["record_id"]}

    assert json.loads(shown(ask(systems.python(later), [request_for("r1")]))[0]) == {"got": "r1"}


def test_what_it_raises_is_an_error(ask: Any, shown: Any, request_for: Any) -> None:
    async def fails(payload: Any) -> None:
        raise {"a": ValueError, "b": SystemExit, "c": asyncio.CancelledError}[payload["record_id"]]

    system = systems.python(fails)
    results = ask(system, [request_for("a")], [request_for("b")], [request_for("c")])
    problems = [shown(result) for result in results]
    assert problems == [
        [("error", "raised_ValueError")],
        [("error", "raised_SystemExit")],
        ("error", "raised_CancelledError"),
    ]


def test_what_is_no_json_is_invalid_output(ask: Any, shown: Any, request_for: Any) -> None:
    async def odd(payload: Any) -> Any:
        return object()

    assert shown(ask(systems.python(odd), [request_for("a")])) == [("invalid_output", "not_json")]


def test_one_that_blocks_its_loop_is_left_behind(
    ask: Any, shown: Any, request_for: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("denotary.systems.coroutines.PATIENCE", 0.05)
    over, returned = threading.Event(), []

    async def blocks(payload: Any) -> Any:
        if payload["record_id"] == "hang":
            over.wait(600)
            returned.append("hang")
        return {}

    first, second = ask(systems.python(blocks), [request_for("hang")], [request_for("fine")], first=0.5)
    assert isinstance(first, TimeoutError)
    assert shown(second) == [b"{}"]
    assert not returned
    over.set()


def test_one_that_swallows_its_cancellation_costs_itself_alone(
    ask: Any, shown: Any, request_for: Any
) -> None:
    swallowed: list[BaseException] = []

    async def stubborn(payload: Any) -> Any:
        if payload["record_id"] == "hang":
            while len(swallowed) < 2:
                try:
                    await asyncio.sleep(600)
                except asyncio.CancelledError as error:
                    swallowed.append(error)
        return {}

    first, second = ask(systems.python(stubborn), [request_for("hang")], [request_for("fine")], first=0.5)
    assert isinstance(first, TimeoutError)
    assert shown(second) == [b"{}"]
    assert swallowed


def test_asking_before_opening_fails_with_a_name(request_for: Any) -> None:
    async def later(payload: Any) -> Any:
        return {}

    system: Any = systems.python(later)
    with pytest.raises(CallFailure, match="not_open"):
        asyncio.run(system.ask([request_for("a")]))
    asyncio.run(system.close())
