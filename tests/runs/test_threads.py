"""A hostile callable: whatever it does, every case keeps its outcome class and the run goes on."""

import asyncio
import json
import math
import threading
import time
from typing import Any, ClassVar, cast

import pytest

from denotary import runs, systems
from denotary.runs import threads
from denotary.runs.auditing import LogAudit
from denotary.runs.desk import Desk, Terms
from denotary.runs.log import AppendFile
from denotary.runs.planning import Wire, plan
from denotary.runs.recorder import Recorder
from denotary.runs.threads import ThreadLane
from denotary.systems.base import CallFailure, TransientFailure

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
    """Block until the test is over as a call that was made an hour ago, whatever else the machine does meanwhile."""
    over = threading.Event()

    def wait() -> None:
        hour_ago()
        over.wait(60)

    yield wait
    over.set()


def hour_ago() -> None:
    """Let the call that this thread makes have begun an hour ago."""
    worker: Any = threading.current_thread()
    worker.started -= 3600


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_call_that_hangs_is_given_up_and_the_others_are_not(
    outcomes: Any, truth: Any, patient: Any, monkeypatch: Any, concurrency: Any
) -> None:
    monkeypatch.setattr(threads, "SURE", 1)

    def hangs(payload: Any) -> Any:
        if number(payload) in (0, 3):
            patient()
        return truth(payload)

    got = outcomes(hangs, size=12, concurrency=concurrency)
    assert [i for i, outcome in enumerate(got) if outcome == ("timeout", "timeout")] == [0, 3]
    assert sum(outcome == ("answered", None) for outcome in got) == 10


def test_every_call_may_hang(outcomes: Any, patient: Any) -> None:
    assert set(outcomes(lambda _: patient(), size=10, concurrency=5)) == {("timeout", "timeout")}


def test_the_time_a_call_may_take_is_that_of_the_run(outcomes: Any) -> None:
    leave = threading.Event()
    got = outcomes(lambda _: leave.wait(60), size=1, timeout=0.05)
    leave.set()
    assert got == [("timeout", "timeout")]


def test_a_reply_that_comes_too_late_changes_nothing(suite: Any, truth: Any, tmp_path: Any) -> None:
    given_up, first = threading.Event(), []

    def late(payload: Any) -> Any:
        if number(payload) == 0:
            first.append(threading.current_thread())
            hour_ago()
            assert given_up.wait(60)
        if number(payload) == 10:
            given_up.set()
        if number(payload) == 20:
            first[0].join(60)
            assert not first[0].is_alive()
        return truth(payload)

    run = runs.ask(systems.python(late), suite(30), tmp_path / "run", concurrency=1)
    assert [answer.status for answer in run.answers] == ["timeout"] + ["answered"] * 29
    answered = [
        name
        for line in (tmp_path / "run" / "calls.jsonl").read_text().splitlines()
        if (record := json.loads(line))["event"] == "answered"
        for name in record["call_ids"]
    ]
    assert sorted(answered) == [f"case-{i:05d}#0" for i in range(30)]
    assert runs.rebuild(run) == run.answers
    audit = LogAudit(run)
    assert audit.read(5) == []
    assert list(audit.arrived) == answered
    logged = (tmp_path / "run" / "answers.jsonl").read_text().splitlines()
    assert [json.loads(line)["call_id"] for line in logged] == answered


def test_when_no_thread_is_left_the_rest_are_errors(
    outcomes: Any, truth: Any, patient: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(threads, "LEFT_BEHIND", 3)
    got = outcomes(
        lambda payload: patient() if number(payload) < 6 else truth(payload),
        size=10,
        concurrency=1,
    )
    assert got == [("timeout", "timeout")] * 3 + [("error", "no_thread_left")] * 7


def test_slow_calls_are_made_side_by_side_and_no_more_than_asked_for(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    running, most, lock, all_six = set(), [], threading.Lock(), threading.Event()

    def slow(payload: Any) -> Any:
        with lock:
            running.add(payload["record_id"])
            most.append(len(running))
            if len(running) == 6:
                all_six.set()
        assert all_six.wait(60)
        time.sleep(0.02)
        with lock:
            running.discard(payload["record_id"])
        return truth(payload)

    run = runs.ask(systems.python(slow), suite(60), tmp_path / "run", timeout=100.0, concurrency=6)
    assert max(most) == 6
    assert {answer.status for answer in run.answers} == {"answered"}


def test_quick_calls_stay_in_one_thread(suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(threads, "QUICK", 60.0)
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
    monkeypatch.setattr(threads, "QUICK", 0.0)
    waiting: list[int] = []
    real = Recorder.take

    def take(recorder: Any, arrivals: Any) -> None:
        real(recorder, arrivals)
        waiting.append(len(recorder._waiting))

    monkeypatch.setattr(Recorder, "take", take)
    run = runs.ask(systems.python(truth), suite(100), tmp_path / "run", concurrency=2)
    assert run.complete
    # A thread that saw room may be in a call while the other one takes the last of it.
    assert max(waiting) <= 8 + 1


class Careless:
    """A system from elsewhere that breaks its own contract."""

    descriptor = systems.python(print).descriptor

    def call(self, request: Any) -> Any:
        raise RuntimeError("secret text")


def test_a_system_from_elsewhere_cannot_end_the_run(outcomes: Any, tmp_path: Any) -> None:
    assert outcomes(Careless(), size=3) == [("error", "raised_RuntimeError")] * 3
    assert b"secret" not in (tmp_path / "run" / "calls.jsonl").read_bytes()


class Nameless(Careless):
    """A system from elsewhere that gives no reason."""

    def call(self, request: Any) -> Any:
        raise CallFailure("", outcome="timeout")


def test_a_failure_without_a_name_gets_one_so_that_the_log_tells_it_from_a_reply(
    suite: Any, tmp_path: Any
) -> None:
    run = runs.ask(Nameless(), suite(2), tmp_path / "run")
    assert [(answer.status, answer.problem) for answer in run.answers] == [("timeout", "not_named")] * 2
    assert runs.rebuild(run) == run.answers


class Busy(Careless):
    """A system from elsewhere that asks to be tried again."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def call(self, request: Any) -> Any:
        self.calls.append(request.call_id)
        raise TransientFailure("busy")


def test_a_callable_is_called_once_whatever_it_raises(suite: Any, tmp_path: Any) -> None:
    system = Busy()
    run = runs.ask(system, suite(3), tmp_path / "run", attempts=3)
    assert [answer.problem for answer in run.answers] == ["busy"] * 3
    assert sorted(system.calls) == sorted(answer.call_id for answer in run.answers)


class Sink:
    """Takes every reply and keeps none."""

    is_full = False
    answers: ClassVar[dict[str, Any]] = {}

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
        await asyncio.to_thread(stopping.wait, 60)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        sizes = [log.stat().st_size]
        await asyncio.sleep(0.2)
        return [*sizes, log.stat().st_size]

    monkeypatch.setattr(AppendFile, "write", slow_write)
    before, after = asyncio.run(stop())
    assert 0 < before == after
