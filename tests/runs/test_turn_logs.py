"""Turns in the log: what the audit finds, and how an interrupted dialogue goes on."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from dialogue_bench import (
    BRANCHES,
    LANES,
    call,
    number,
    system_of,
    text_number,
)

from denotary import runs, systems
from denotary.runs.auditing import LogAudit
from denotary.runs.desk import Desk
from denotary.runs.log import AppendFile
from denotary.runs.planning import Wire
from denotary.runs.records import Answer


@pytest.fixture
def made(suite: Any, truth: Any, tmp_path: Path) -> Any:
    """A complete run of branches of which one call fails."""

    def resolve(payload: dict[str, Any]) -> Any:
        return {} if text_number(payload) == 4 else truth(payload)

    return runs.ask(systems.python(resolve), suite(6, needs=BRANCHES), tmp_path / "run")


def records_of(run: Any) -> list[Any]:
    return [json.loads(line) for line in (run.root / "calls.jsonl").read_text().splitlines()]


def complaints(run: Any, records: list[Any]) -> list[str]:
    (run.root / "calls.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(records))
    return LogAudit(run).read(20)


def about(records: list[Any], event: str, i: int) -> Any:
    return next(record for record in records if record["event"] == event and call(i) in record["call_ids"])


def test_the_audit_finds_a_turn_that_was_asked_too_early(made: Any) -> None:
    records = records_of(made)
    assert complaints(made, records) == []
    early = about(records, "asked", 1)
    records.remove(early)
    assert any(
        f"{call(1)} comes before the outcome of {call(0)}" in line
        for line in complaints(made, [early, *records])
    )


@pytest.mark.parametrize("change", [lambda sent: ["0" * 64], lambda sent: [None], lambda sent: []])
def test_the_audit_finds_another_payload(made: Any, change: Any) -> None:
    records = records_of(made)
    record = about(records, "asked", 3)
    record["sent"] = change(record["sent"])
    assert any("another payload" in line for line in complaints(made, records))


def test_the_audit_finds_a_digest_where_the_plan_says_all(made: Any) -> None:
    records = records_of(made)
    record = about(records, "asked", 0)
    record["sent"] = ["0" * 64]
    assert any("another payload" in line for line in complaints(made, records))


def test_the_audit_finds_a_refusal_without_its_reason(made: Any) -> None:
    records = records_of(made)
    record = about(records, "not_asked", 5)
    record["problems"] = [f"not_run:no_answer_before:{call(0)}"]
    assert any("for a reason that does not hold" in line for line in complaints(made, records))
    record["problems"] = [f"not_run:no_answer_before:{call(4)}"]
    assert complaints(made, records) == []
    single = {"event": "not_asked", "call_ids": [call(0)], "raw": [None], "problems": ["not_run:x"]}
    left = [item for item in records if call(0) not in item["call_ids"]]
    assert any("for a reason that does not hold" in line for line in complaints(made, [single, *left]))


@pytest.mark.usefixtures("acknowledged")
@pytest.mark.parametrize("lane", LANES)
@pytest.mark.parametrize("answers", ["all", "none", "torn"])
def test_an_interrupted_dialogue_goes_on_where_it_stopped(
    suite: Any, truth: Any, tmp_path: Path, lane: str, answers: str
) -> None:
    asked: Counter[int] = Counter()

    def resolve(payload: dict[str, Any]) -> Any:
        asked[text_number(payload)] += 1
        return {} if text_number(payload) == 4 else truth(payload)

    cases = suite(6, needs=BRANCHES)
    whole = runs.ask(system_of(resolve, lane), cases, tmp_path / "run", concurrency=1)
    sealed = (whole.root / "sealed.jsonl").read_bytes()
    lines = (whole.root / "calls.jsonl").read_bytes().splitlines(keepends=True)
    kept_answers = (whole.root / "answers.jsonl").read_bytes().splitlines(keepends=True)
    for kept in range(len(lines) + 1):
        log = b"".join(lines[:kept])
        known = set(logged(lines[:kept]))
        survived = [line for line in kept_answers if json.loads(line)["call_id"] in known]
        if answers != "all":
            survived = [] if answers == "none" else [*survived[:-1], survived[-1][:-9]] if survived else []
        (whole.root / "calls.jsonl").write_bytes(log)
        (whole.root / "answers.jsonl").write_bytes(b"".join(survived))
        (whole.root / "sealed.jsonl").unlink()
        (whole.root / "seal.json").unlink()
        asked.clear()
        again = runs.ask(system_of(resolve, lane), cases, whole.root, concurrency=2)
        assert (whole.root / "sealed.jsonl").read_bytes() == sealed
        assert not {call(i) for i in asked} & known
        assert all(count == 1 for count in asked.values())
        assert LogAudit(again).read(5) == []
        assert runs.rebuild(again) == again.answers


@pytest.mark.parametrize("size", [1, 3])
def test_what_was_in_flight_goes_first_then_what_was_released(suite: Any, tmp_path: Path, size: int) -> None:
    calls = {item.call_id: item for item in runs.plan(suite(8, needs={2: (0,), 3: (0,), 5: (1,), 6: (3,)}))}
    answers = {
        call(0): Answer(call_id=call(0), case_id="case-00000", repeat=0, status="answered", body={}),
        call(1): Answer(call_id=call(1), case_id="case-00001", repeat=0, status="error", problem="x"),
    }
    taken: list[Any] = []
    recorder: Any = SimpleNamespace(answers=answers, take=taken.extend)
    wire = Wire(b"k" * 16, calls=calls, answers=answers)
    left = [item for item in calls.values() if item.call_id not in answers]
    desk = Desk(left, frozenset({call(3), call(7)}), wire, AppendFile(tmp_path / "calls.jsonl"), recorder)
    batches = iter(lambda: [number(item.call_id) for item in desk.next_batch(size)], [])
    assert list(batches) == ([[3], [7], [2], [4]] if size == 1 else [[3, 7], [2, 4]])
    assert [arrival.call_id for arrival in taken] == [call(5)]
    assert (desk.has_waiting, desk.is_starved) == (True, True)
    answers[call(3)] = msgspec.structs.replace(answers[call(0)], call_id=call(3))
    desk.release([call(3)])
    assert desk.has_waiting is False
    assert desk.next_call() is calls[call(6)]


def logged(lines: list[bytes]) -> Iterator[str]:
    for record in map(json.loads, lines):
        if record["event"] != "asked":
            yield from record["call_ids"]
