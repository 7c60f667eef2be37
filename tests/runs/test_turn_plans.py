"""Turns in the plan of calls: what is refused where, and which turns are repeated."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from dialogue_bench import (
    Needs,
    call,
    dialogues,
    number,
)
from hypothesis import given
from hypothesis import strategies as st

from denotary import runs, systems
from denotary.errors import InputError
from denotary.runs.loading import read_plan


@given(dialogues(), st.integers(0, 12), st.integers(0, 3))
def test_the_core_holds_every_turn_that_it_needs(suite_of: Any, made: Any, core: int, seed: int) -> None:
    size, needs, _ = made
    core = min(core, size)
    calls = runs.plan(suite_of(Path("nowhere"), size, needs=needs), repeats=3, repeat_core=core, seed=seed)
    planned = {item.call_id for item in calls}
    assert len(planned) == len(calls) == size + 2 * core
    for item in calls:
        assert set(item.depends_on) <= planned
        wanted = tuple(call(j, item.repeat) for j in needs.get(number(item.call_id), ()))
        assert item.depends_on == wanted


BAD: list[tuple[Needs, dict[int, int], int, str]] = [
    ({1: (1,)}, {1: 1}, 2, "depends on itself"),
    ({1: (9,)}, {1: 1}, 2, "depends on case-00009#0, and there is no such id"),
    ({1: (2,), 2: (1,)}, {1: 1, 2: 2}, 2, "depends on case-00002#0, whose own chain of turns leads back"),
    ({0: (2,), 1: (0,), 2: (1,)}, {0: 0, 1: 1, 2: 2}, 1, "whose own chain of turns leads back"),
    ({1: (2,)}, {1: 1, 2: 2}, 2, "depends on case-00002#0 of turn 2; expected a turn before its own, which is 1"),
    ({2: (1,)}, {1: 1, 2: 1}, 3, "expected a turn before its own, which is 1"),
    ({1: (0, 0)}, {1: 1}, 2, "names a turn twice"),
    ({}, {1: -1}, 2, "turn must be at least 0, found -1"),
]  # fmt: skip


@pytest.mark.parametrize(("needs", "turns", "line", "message"), BAD)
def test_turns_without_an_order_are_refused_when_planned_and_when_read(
    suite: Any, tmp_path: Path, needs: Needs, turns: dict[int, int], line: int, message: str
) -> None:
    with pytest.raises(InputError, match=message) as planned:
        runs.plan(suite(3, needs=needs, turns=turns))
    where = (planned.value.line, planned.value.record, Path(str(planned.value.path)).name)
    assert where == (line, call(line - 1), "cases.jsonl")
    for i in range(3):
        turns.setdefault(i, 0)
    lines = [
        {"call_id": call(i), "case_id": f"case-{i:05d}", "repeat": 0, "payload": {}, "turn": turns[i],
         "depends_on": [call(j) for j in needs.get(i, ())]}
        for i in range(3)
    ]  # fmt: skip
    (tmp_path / "plan.jsonl").write_text("".join(json.dumps(item) + "\n" for item in lines))
    with pytest.raises(InputError, match=message) as read:
        read_plan(tmp_path)
    assert (read.value.line, read.value.record) == (line, call(line - 1))
    assert read.value.path == str(tmp_path / "plan.jsonl")


def test_a_long_chain_that_bites_its_tail_is_refused_at_once(suite: Any) -> None:
    needs: Needs = {0: (29_999,), **{i: (i - 1,) for i in range(1, 30_000)}}
    began = time.process_time()
    with pytest.raises(InputError, match="leads back here"):
        runs.plan(suite(30_000, needs=needs, turns=dict.fromkeys(range(30_000), 1)))
    assert time.process_time() - began < 20


def test_an_instrument_cannot_put_its_own_history_into_a_later_turn(
    suite: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = suite(2, needs={1: (0,)})
    monkeypatch.setattr(cases.instrument, "encode", lambda case, _: {"history": [case.text]}, raising=False)
    with pytest.raises(InputError, match="holds history already") as refused:
        runs.plan(cases)
    assert refused.value.record == call(1)
    assert "text of" not in str(refused.value)


def test_single_turns_are_planned_and_logged_as_ever(suite: Any, truth: Any, tmp_path: Path) -> None:
    runs.ask(systems.python(truth), suite(5), tmp_path / "run", repeats=2)
    for name in ("plan.jsonl", "calls.jsonl"):
        text = (tmp_path / "run" / name).read_text()
        assert not any(word in text for word in ("depends_on", "turn", "sent", "history", "not_asked"))
