"""A hostile callable: whatever it does, every case keeps its outcome class and the run goes on."""

import asyncio
import json
import math
import threading
import time
from typing import Any, cast

import pytest

from denotary import runs, systems
from denotary.runs import threads
from denotary.runs.desk import Desk, Terms
from denotary.runs.log import AppendFile
from denotary.runs.planning import Wire, plan
from denotary.runs.recorder import Recorder
from denotary.runs.threads import ThreadLane

BAD = ("invalid_output", "confidence_not_finite")


def number(payload: Any) -> Any:
    return int(payload["text"].split()[-1])


@pytest.mark.parametrize(
    ("misdeed", "status", "problem"),
    [
        (lambda p, t: 1 / 0, "error", "raised_ZeroDivisionError"),
        (lambda p, t: (_ for _ in ()).throw(SystemExit(3)), "error", "raised_SystemExit"),
        (lambda p, t: (_ for _ in ()).throw(KeyboardInterrupt), "error", "raised_KeyboardInterrupt"),
        (lambda p, t: None, "invalid_output", "not_an_object"),
        (lambda p, t: 7, "invalid_output", "not_an_object"),
        (lambda p, t: [t(p)], "invalid_output", "not_an_object"),
        (lambda p, t: object(), "invalid_output", "not_json"),
        (lambda p, t: "<!doctype html><p>500", "invalid_output", "html"),
        (lambda p, t: json.dumps(t(p))[:-5], "invalid_output", "truncated"),
        (lambda p, t: b"\xff\xfe\x00", "invalid_output", "not_json"),
        (lambda p, t: t(p) | {"pad": "x" * 2_000_000}, "invalid_output", "too_large"),
        (lambda p, t: t(p) | {"record_id": "somebody-else"}, "invalid_output", "wrong_id"),
        (lambda p, t: {"decision": {"concept_code": "x", "confidence": math.nan}}, *BAD),
        (lambda p, t: '{"decision": {"concept_code": "x", "confidence": NaN}}', *BAD),
        (lambda p, t: {"decision": {"concept_code": "\ud800"}}, "invalid_output", "not_json"),
        (lambda p, t: {"decision": {"concept_code": "a\x00\x1b[2J\u202e"}}, "answered", None),
        (lambda p, t: {"decision": {"concept_code": "never.registered"}}, "answered", None),
        (lambda p, t: p.clear(), "invalid_output", "not_an_object"),
    ],
)  # fmt: skip
def test_one_misdeed_is_one_outcome(
    outcomes: Any, truth: Any, misdeed: Any, status: Any, problem: Any
) -> None:
    got = outcomes(lambda payload: misdeed(payload, truth) if number(payload) == 1 else truth(payload))
    assert got == [("answered", None), (status, problem), ("answered", None), ("answered", None)]


def test_the_reply_that_was_too_large_is_not_kept(outcomes: Any, tmp_path: Any) -> None:
    outcomes(lambda _: "x" * 2_000_000, size=3)
    assert (tmp_path / "run" / "calls.jsonl").stat().st_size < 10_000


@pytest.fixture
def patient() -> Any:
    """Block until the test is over, then leave."""
    over = threading.Event()
    yield lambda: over.wait(30)
    over.set()


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_call_that_hangs_is_given_up_and_the_others_are_not(
    outcomes: Any, truth: Any, patient: Any, concurrency: Any
) -> None:
    def hangs(payload: Any) -> Any:
        if number(payload) in (0, 3):
            patient()
        return truth(payload)

    started = time.perf_counter()
    got = outcomes(hangs, size=12, timeout=0.5, concurrency=concurrency)
    assert [i for i, outcome in enumerate(got) if outcome == ("timeout", "timeout")] == [0, 3]
    assert sum(outcome == ("answered", None) for outcome in got) == 10
    assert time.perf_counter() - started < 15


def test_every_call_may_hang(outcomes: Any, patient: Any) -> None:
    assert set(outcomes(lambda _: patient(), size=10, timeout=0.05, concurrency=5)) == {
        ("timeout", "timeout")
    }


def test_a_reply_that_comes_too_late_changes_nothing(suite: Any, truth: Any, tmp_path: Any) -> None:
    def late(payload: Any) -> Any:
        if number(payload) == 0:
            time.sleep(1.0)
        time.sleep(0.02)
        return truth(payload)

    run = runs.ask(systems.python(late), suite(30), tmp_path / "run", timeout=0.5, concurrency=1)
    assert [answer.status for answer in run.answers] == ["timeout"] + ["answered"] * 29
    answered = [
        name
        for line in (tmp_path / "run" / "calls.jsonl").read_text().splitlines()
        if (record := json.loads(line))["event"] == "answered"
        for name in record["call_ids"]
    ]
    assert sorted(answered) == [f"case-{i:05d}#0" for i in range(30)]
    assert runs.rebuild(run) == run.answers


def test_when_no_thread_is_left_the_rest_are_errors(
    outcomes: Any, truth: Any, patient: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(threads, "LEFT_BEHIND", 3)
    got = outcomes(
        lambda payload: patient() if number(payload) < 6 else truth(payload),
        size=10,
        timeout=0.05,
        concurrency=2,
    )
    assert set(got) <= {("timeout", "timeout"), ("error", "no_thread_left"), ("answered", None)}
    assert got[0] == ("timeout", "timeout")
    assert got[-1] == ("error", "no_thread_left")


def test_slow_calls_are_made_side_by_side_and_no_more_than_asked_for(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    running, most, lock = set(), [], threading.Lock()

    def slow(payload: Any) -> Any:
        with lock:
            running.add(payload["record_id"])
            most.append(len(running))
        time.sleep(0.02)
        with lock:
            running.discard(payload["record_id"])
        return truth(payload)

    runs.ask(systems.python(slow), suite(120), tmp_path / "run", concurrency=6)
    assert max(most) == 6


def test_quick_calls_stay_in_one_thread(suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(threads, "QUICK", 1.0)
    names = set()

    def quick(payload: Any) -> Any:
        names.add(threading.get_ident())
        return truth(payload)

    runs.ask(systems.python(quick), suite(300), tmp_path / "run", concurrency=8)
    assert len(names) == 1


def test_senders_wait_while_replies_wait_to_be_decoded(
    suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("denotary.runs.recorder.ROOM", 8)
    monkeypatch.setattr("denotary.runs.asking.BEAT", 0.05)
    asked: list[str] = []
    flushed: list[int] = []
    real = Recorder.flush

    def flush(recorder: Any) -> None:
        flushed.append(len(asked))
        real(recorder)

    monkeypatch.setattr(Recorder, "flush", flush)

    def system(payload: Any) -> Any:
        asked.append(payload["text"])
        return truth(payload)

    run = runs.ask(systems.python(system), suite(100), tmp_path / "run", concurrency=2)
    assert run.complete
    between = [after - before for before, after in zip([0, *flushed], flushed, strict=False)]
    assert max(between) <= 8 + 2 * 2


class Careless:
    """A system from elsewhere that breaks its own contract."""

    descriptor = systems.python(print).descriptor

    def call(self, request: Any) -> Any:
        raise RuntimeError("secret text")


def test_a_system_from_elsewhere_cannot_end_the_run(outcomes: Any, tmp_path: Any) -> None:
    assert outcomes(Careless(), size=3) == [("error", "raised_RuntimeError")] * 3
    assert b"secret" not in (tmp_path / "run" / "calls.jsonl").read_bytes()


class Sink:
    """Takes every reply and keeps none."""

    is_full = False

    def take(self, arrivals: Any) -> None:
        """Forget them."""


def test_nothing_is_on_its_way_into_the_log_once_the_run_was_stopped(
    suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any
) -> None:
    """A reply is counted or not logged: a slow disk must not put one into the log behind the last count."""
    real = AppendFile.write
    log = tmp_path / "run" / "calls.jsonl"
    stopping = threading.Event()

    def slow_write(file: Any, lines: bytes) -> None:
        if b'"answered"' in lines:
            stopping.set()
            time.sleep(0.05)
        real(file, lines)

    async def stop() -> list[int]:
        log.parent.mkdir()
        desk = Desk(plan(suite(50)), frozenset(), Wire(b"salt"), AppendFile(log), cast("Any", Sink()))
        asking = asyncio.create_task(ThreadLane(cast("Any", systems.python(truth)), desk, Terms()).run())
        await asyncio.to_thread(stopping.wait, 10)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        sizes = [log.stat().st_size]
        await asyncio.sleep(0.2)
        return [*sizes, log.stat().st_size]

    monkeypatch.setattr(AppendFile, "write", slow_write)
    before, after = asyncio.run(stop())
    assert 0 < before == after
