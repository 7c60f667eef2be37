"""Calls that need the answers of calls before them, against a plain recursion over the graph of turns."""

import hashlib
import json
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from dialogue_bench import (
    BRANCHES,
    CHAIN,
    LANES,
    Needs,
    call,
    dialogues,
    expected,
    system_of,
    text_number,
    told,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary import runs, systems
from denotary.runs.auditing import LogAudit
from denotary.runs.planning import opaque_id

SHARED = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
"""The fixtures of a property hold nothing from one example to the next but what it clears."""


@settings(max_examples=50, suppress_health_check=SHARED)
@given(dialogues(), st.sampled_from(LANES), st.integers(1, 5), st.randoms(use_true_random=False))
def test_a_turn_is_asked_after_those_before_it_are_on_the_disk(
    suite_of: Any, truth: Any, acknowledged: set[str], made: Any, lane: str, concurrency: int, dice: Any
) -> None:
    size, needs, bad = made
    acknowledged.clear()
    early: list[tuple[int, int]] = []
    asked: Counter[int] = Counter()
    waits = [dice.choice((0.0, 0.0, 0.002)) for _ in range(size)]
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "run"

        def resolve(payload: dict[str, Any]) -> Any:
            i = text_number(payload)
            asked[i] += 1
            written = (root / "answers.jsonl").read_bytes()
            early.extend(
                (i, j)
                for j in needs.get(i, ())
                if call(j) not in acknowledged or b'"%s"' % call(j).encode() not in written
            )
            wanted = told(bytes.fromhex((root / "salt").read_text()), needs, i)
            assert payload.get("history", []) == wanted
            assert ("history" in payload) == (i in needs)
            time.sleep(waits[i])
            if i in bad:
                return {"decision": 1 // (bad[i] != "error")}
            return truth(payload)

        run = runs.ask(
            system_of(resolve, lane),
            suite_of(Path(name) / "suite", size, needs=needs),
            root,
            concurrency=concurrency,
            attempts=1,
        )
        assert early == []
        outcomes = expected(needs, size, bad)
        assert [(answer.status, answer.problem) for answer in run.answers] == outcomes
        assert asked == {i: 1 for i in range(size) if outcomes[i][0] != "not_run"}
        assert runs.rebuild(run) == run.answers
        audit = LogAudit(run)
        assert audit.read(5) == []
        assert len(audit.arrived) == size


@pytest.mark.parametrize("lane", LANES)
def test_the_result_has_the_same_bytes_in_every_order(
    suite: Any, truth: Any, tmp_path: Path, acknowledged: set[str], lane: str
) -> None:
    made = []
    for concurrency in (1, 7):

        def resolve(payload: dict[str, Any]) -> Any:
            i = text_number(payload)
            # Two calls fail before the same third, the later one first.
            time.sleep(0.03 if i == 0 else 0.0)
            return {} if i < 2 else truth(payload)

        root = tmp_path / f"run-{concurrency}"
        cases = suite(6, needs={2: (0, 1), 3: (1, 0), 4: (2,), 5: ()})
        run = runs.ask(system_of(resolve, lane), cases, root, concurrency=concurrency)
        made.append([(root / name).read_bytes() for name in ("sealed.jsonl", "plan.jsonl", "run.toml")])
        assert [answer.problem for answer in run.answers[2:5]] == [
            f"no_answer_before:{call(j)}" for j in (0, 1, 2)
        ]
    assert made[0] == made[1]


def test_a_time_out_leaves_the_turns_after_it_unasked(suite: Any, truth: Any, tmp_path: Path) -> None:
    never = threading.Event()

    def resolve(payload: dict[str, Any]) -> Any:
        if text_number(payload) == 1:
            never.wait(60)
        return truth(payload)

    run = runs.ask(systems.python(resolve), suite(5, needs=CHAIN), tmp_path / "run", timeout=0.2)
    never.set()
    assert [answer.status for answer in run.answers] == [
        "answered", "timeout", "not_run", "not_run", "answered",
    ]  # fmt: skip
    assert run.complete
    assert LogAudit(run).read(5) == []


def test_without_a_thread_left_every_turn_has_an_outcome(
    suite: Any, truth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("denotary.runs.threads.LEFT_BEHIND", 1)
    never = threading.Event()

    def resolve(payload: dict[str, Any]) -> Any:
        if text_number(payload) == 0:
            never.wait(60)
        return truth(payload)

    run = runs.ask(
        systems.python(resolve), suite(6, needs=BRANCHES), tmp_path / "run", timeout=0.1, concurrency=1
    )
    never.set()
    got = [(answer.status, answer.problem) for answer in run.answers]
    assert got[0] == ("timeout", "timeout")
    assert got[3] == ("not_run", f"no_answer_before:{call(2)}")
    assert got[4:] == [("error", "no_thread_left"), ("not_run", f"no_answer_before:{call(4)}")]


def test_a_hostile_system_changes_no_history(suite: Any, truth: Any, tmp_path: Path) -> None:
    seen: dict[int, Any] = {}

    def resolve(payload: dict[str, Any]) -> Any:
        i = text_number(payload)
        seen[i] = json.loads(json.dumps(payload.get("history", [])))
        for turn in payload.get("history", []):
            turn["answer"]["code"] = "code.forged"
            turn["request"].clear()
        payload.setdefault("history", []).append({"request": {}, "answer": {"code": "code.forged"}})
        return {**truth(payload), "history": [{"answer": "forged"}], "depends_on": [], "\x00": "</script>"}

    run = runs.ask(systems.python(resolve), suite(4, needs=CHAIN), tmp_path / "run")
    salt = bytes.fromhex((tmp_path / "run/salt").read_text())
    assert seen == {i: told(salt, CHAIN, i) for i in range(4)}
    assert {answer.status for answer in run.answers} == {"answered"}
    assert b"forged" not in (tmp_path / "run/sealed.jsonl").read_bytes()


@pytest.mark.usefixtures("quick_retry")
def test_a_hostile_server_leaves_one_outcome_a_turn(
    outcomes: Any, suite: Any, truth: Any, serve: Any, reply: Any, tmp_path: Path
) -> None:
    misdeeds = [b"", b"[" * 100_000, b"<html>", b'{"decision": {"concept_code": "x", "confidence": NaN}}']
    needs = {i: (i - 1,) for i in range(1, 12) if i % 2}

    def handler(request: Any) -> Any:
        i = text_number(request)
        if i < 8 and i % 2 == 0:
            return reply(misdeeds[i // 2])
        return [None] if i == 8 else reply(truth(request))

    cases = suite(12, needs=needs)
    run = runs.ask(systems.http(serve(handler).url), cases, tmp_path / "run", timeout=60)
    firsts, seconds = run.answers[0::2], run.answers[1::2]
    assert [answer.status for answer in firsts] == [*["invalid_output"] * 4, "error", "answered"]
    assert [answer.status for answer in seconds] == [*["not_run"] * 5, "answered"]
    assert [answer.problem for answer in seconds[:5]] == [
        f"no_answer_before:{first.call_id}" for first in firsts[:5]
    ]
    assert LogAudit(run).read(5) == []


def test_a_long_dialogue_goes_on_beside_many_single_calls(suite: Any, truth: Any, tmp_path: Path) -> None:
    order: list[int] = []

    def resolve(payload: dict[str, Any]) -> Any:
        order.append(text_number(payload))
        time.sleep(0.002)
        return truth(payload)

    needs: Needs = {400: (0,), 401: (400,)}
    runs.ask(systems.python(resolve), suite(402, needs=needs), tmp_path / "run", concurrency=2)
    assert order.index(401) < 400, "the dialogue was left for the end"


def test_what_is_sent_is_logged_by_its_digest_where_it_is_not_in_the_plan(
    suite: Any, truth: Any, tmp_path: Path
) -> None:
    sent: dict[int, str] = {}

    def resolve(payload: dict[str, Any]) -> Any:
        # Canonical JSON, written by another library.
        text = json.dumps(payload, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        sent[text_number(payload)] = hashlib.sha256(text.encode()).hexdigest()
        return truth(payload)

    runs.ask(systems.python(resolve), suite(6, needs=BRANCHES), tmp_path / "run")
    records = [json.loads(line) for line in (tmp_path / "run/calls.jsonl").read_text().splitlines()]
    logged = {record["call_ids"][0]: record.get("sent") for record in records if record["event"] == "asked"}
    assert logged == {call(i): [sent[i]] if i in BRANCHES else None for i in range(6)}


def test_a_repeat_of_a_dialogue_is_one_of_all_its_turns(suite: Any, truth: Any, tmp_path: Path) -> None:
    seen = {}

    def resolve(payload: dict[str, Any]) -> Any:
        seen[payload["record_id"]] = payload.get("history", [])
        return truth(payload)

    cases = suite(6, needs=BRANCHES)
    run = runs.ask(systems.python(resolve), cases, tmp_path / "run", repeats=2)
    salt = bytes.fromhex((tmp_path / "run/salt").read_text())
    assert len(run.answers) == 12
    for repeat in (0, 1):
        for i in range(6):
            assert seen[opaque_id(salt, call(i, repeat))] == told(salt, BRANCHES, i, repeat)


def test_progress_tells_of_turns_that_were_not_asked(suite: Any, tmp_path: Path, memory: Any) -> None:
    run = runs.ask(systems.python(lambda _: {}), suite(5, needs=CHAIN), tmp_path / "run", progress=memory)
    last = memory.seen[-1]
    assert (last.done, last.total, last.counts) == (5, 5, {"invalid_output": 2, "not_run": 3})
    loaded = runs.load_run(run.root, suite=run.suite)
    assert loaded.answers == run.answers
