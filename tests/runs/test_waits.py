import asyncio
from typing import Any

import pytest

from denotary.runs.waits import Gate, backoff


def test_the_wait_doubles_within_its_spread() -> None:
    for attempt in range(1, 6):
        waits = [backoff(f"call-{i}", attempt) for i in range(500)]
        middle = 0.5 * 2 ** (attempt - 1)
        assert 0.5 * middle <= min(waits) < 0.55 * middle
        assert 1.45 * middle < max(waits) < 1.5 * middle
        assert sum(waits) / 500 == pytest.approx(middle, rel=0.1)


def test_the_wait_is_bounded_and_repeatable() -> None:
    assert backoff("a", 60) <= 45
    assert backoff("a", 2) == backoff("a", 2)
    assert backoff("a", 2) != backoff("b", 2)


def test_the_gate_holds_every_sender_until_the_latest_time() -> None:
    async def talk() -> Any:
        gate = Gate()
        clock = asyncio.get_running_loop().time
        await gate.passed()
        gate.close_for(0.1)
        gate.close_for(0.02)
        passing = [asyncio.create_task(gate.passed()) for _ in range(3)]
        await asyncio.sleep(0)  # now they wait
        began = clock()
        gate.close_for(0.15)
        await asyncio.gather(*passing)
        return clock() - began

    assert 0.15 <= asyncio.run(talk()) < 60


def test_a_server_cannot_stop_the_run(monkeypatch: Any) -> None:
    monkeypatch.setattr("denotary.runs.waits.LONGEST_ASKED", 0.05)

    async def talk() -> None:
        gate = Gate()
        gate.close_for(1e9)
        await asyncio.wait_for(gate.passed(), 60)

    asyncio.run(talk())
