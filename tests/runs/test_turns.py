"""Calls that need the answers of calls before them, against a plain recursion over the graph of turns."""

import asyncio
import hashlib
import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary import runs, systems
from denotary.errors import InputError
from denotary.runs.auditing import LogAudit
from denotary.runs.loading import read_plan
from denotary.runs.planning import opaque_id
from denotary.runs.recorder import Recorder
from denotary.systems.base import CallFailure, Reply, SystemDescriptor

Needs = dict[int, tuple[int, ...]]
CHAIN: Needs = {1: (0,), 2: (1,), 3: (2,)}
BRANCHES: Needs = {1: (0,), 2: (0,), 3: (2, 1), 5: (4,)}
SHARED = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
"""The fixtures of a property hold nothing from one example to the next but what it clears."""
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


@pytest.fixture
def acknowledged(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The calls that :meth:`Recorder.flush` said were on the disk; the beat is quick."""
    found: set[str] = set()
    real = Recorder.flush

    def flush(recorder: Recorder) -> list[str]:
        names = real(recorder)
        found.update(names)
        return names

    monkeypatch.setattr(Recorder, "flush", flush)
    monkeypatch.setattr("denotary.runs.asking.BEAT", 0.003)
    monkeypatch.setattr("denotary.runs.asking.NOD", 0.003)
    monkeypatch.setattr("denotary.runs.tasks.WATCH", 0.001)
    monkeypatch.setattr("denotary.runs.threads.WATCH", 0.004)
    return found


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


@pytest.fixture(scope="module")
def suite_of() -> Any:
    """Make a suite in a folder of one's own."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("fakes", Path(__file__).with_name("fakes.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.fake_suite


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


def logged(lines: list[bytes]) -> Iterator[str]:
    for record in map(json.loads, lines):
        if record["event"] != "asked":
            yield from record["call_ids"]


def test_progress_tells_of_turns_that_were_not_asked(suite: Any, tmp_path: Path, memory: Any) -> None:
    run = runs.ask(systems.python(lambda _: {}), suite(5, needs=CHAIN), tmp_path / "run", progress=memory)
    last = memory.seen[-1]
    assert (last.done, last.total, last.counts) == (5, 5, {"invalid_output": 2, "not_run": 3})
    loaded = runs.load_run(run.root, suite=run.suite)
    assert loaded.answers == run.answers
