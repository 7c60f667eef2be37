import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from denotary import runs, systems
from denotary.canonical import canonical_json
from denotary.errors import InputError, IntegrityError, StorageError
from denotary.runs.records import Identity


def lines(path: Any) -> Any:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_case_is_asked_logged_and_sealed_in_the_plans_order(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    run = runs.ask(systems.python(truth), suite(30), tmp_path / "run", repeats=2, repeat_core=5)
    assert run.complete
    assert [answer.call_id for answer in run.answers[:2]] == ["case-00000#0", "case-00001#0"]
    assert {answer.status for answer in run.answers} == {"answered"}
    assert run.answers[7].body == {"code": "code.7", "confidence": 0.5}
    assert [(a.repeat, a.body) for a in run.answers[30:]] == [
        (1, run.answers[int(a.case_id[5:])].body) for a in run.answers[30:]
    ]
    root = tmp_path / "run"
    assert {path.name for path in root.iterdir()} == {
        "run.toml", "plan.jsonl", "answers.jsonl", "calls.jsonl", "salt", "sealed.jsonl", "seal.json", ".lock"
    }  # fmt: skip
    sealed = (root / "sealed.jsonl").read_bytes()
    assert sealed == b"".join(canonical_json(answer) + b"\n" for answer in run.answers)
    assert sorted(sealed.splitlines()) == sorted((root / "answers.jsonl").read_bytes().splitlines())
    asked = [record for record in lines(root / "calls.jsonl") if record["event"] == "asked"]
    assert sorted(name for record in asked for name in record["call_ids"]) == sorted(
        a.call_id for a in run.answers
    )
    assert not any(record.get("reasked") for record in asked)


def test_each_call_is_announced_before_it_is_answered(suite: Any, truth: Any, tmp_path: Any) -> None:
    runs.ask(systems.python(truth), suite(50), tmp_path / "run")
    seen = set()
    for record in lines(tmp_path / "run" / "calls.jsonl"):
        if record["event"] == "asked":
            seen.update(record["call_ids"])
        else:
            assert set(record["call_ids"]) <= seen


def test_the_system_sees_the_payload_and_an_opaque_id(suite: Any, truth: Any, tmp_path: Any) -> None:
    got = []

    def system(payload: Any) -> Any:
        got.append(dict(payload))
        return truth(payload)

    runs.ask(systems.python(system), suite(5), tmp_path / "a", repeats=2)
    assert [set(payload) for payload in got] == [{"record_id", "text", "language", "registry_version"}] * 10
    assert len({payload["record_id"] for payload in got}) == 10
    assert not any("case" in payload["record_id"] for payload in got)
    first = {payload["record_id"] for payload in got}
    got.clear()
    runs.ask(systems.python(system), suite(5), tmp_path / "b")
    assert not first & {payload["record_id"] for payload in got}


def test_two_runs_of_a_deterministic_system_seal_the_same_bytes(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    for name in "ab":
        runs.ask(systems.python(truth), suite(40), tmp_path / name, concurrency=1 if name == "a" else 8)
    for file in ("sealed.jsonl", "plan.jsonl", "run.toml"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_complete_run_is_returned_and_nothing_is_asked(suite: Any, truth: Any, tmp_path: Any) -> None:
    first = runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}

    def other(payload: Any) -> None:
        raise AssertionError

    other.__qualname__, other.__module__ = truth.__qualname__, truth.__module__
    again = runs.ask(systems.python(other), suite(5), tmp_path / "run")
    assert again.answers == first.answers
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}


@pytest.fixture
def interrupted(suite: Any, truth: Any, tmp_path: Any) -> Any:
    """Ask 20 cases and take back what came after the first eight answers, as a kill would have left it."""

    def make(kept: Any = 8, answers: Any = None) -> Any:
        runs.ask(systems.python(truth), suite(20), tmp_path / "run", concurrency=1)
        root = tmp_path / "run"
        whole = (root / "sealed.jsonl").read_bytes()
        for name in ("sealed.jsonl", "seal.json"):
            (root / name).unlink()
        logged = (root / "calls.jsonl").read_bytes().splitlines(keepends=True)
        answered = [i for i, line in enumerate(logged) if b'"answered"' in line]
        (root / "calls.jsonl").write_bytes(b"".join(logged[: answered[kept - 1] + 1]))
        made = (root / "answers.jsonl").read_bytes().splitlines(keepends=True)
        (root / "answers.jsonl").write_bytes(b"".join(made[: kept if answers is None else answers]))
        return root, whole

    return make


@pytest.fixture
def counted(truth: Any) -> Any:
    """The fake truth that remembers for which texts it was asked."""
    asked = []

    def system(payload: Any) -> Any:
        asked.append(payload["text"])
        return truth(payload)

    system.__qualname__, system.__module__ = truth.__qualname__, truth.__module__
    return systems.python(system), asked


@pytest.mark.parametrize("answers", [8, 5, 0])
def test_a_run_goes_on_where_it_stopped(suite: Any, interrupted: Any, counted: Any, answers: Any) -> None:
    root, whole = interrupted(answers=answers)
    system, asked = counted
    run = runs.ask(system, suite(20), root)
    assert asked == [f"text of {i}" for i in range(8, 20)]
    assert (root / "sealed.jsonl").read_bytes() == whole
    assert run.complete
    assert len((root / "answers.jsonl").read_bytes().splitlines()) == 20


def test_calls_in_flight_are_asked_again_and_marked(suite: Any, interrupted: Any, counted: Any) -> None:
    root, whole = interrupted()
    with (root / "calls.jsonl").open("ab") as log:
        log.write(
            b'{"event":"asked","call_ids":["case-00008#0"]}\n{"event":"asked","call_ids":["case-00009#0"]}\n'
        )
    before = len(lines(root / "calls.jsonl"))
    system, asked = counted
    runs.ask(system, suite(20), root)
    assert len(asked) == 12
    marked = [
        name
        for record in lines(root / "calls.jsonl")[before:]
        if record["event"] == "asked" and record.get("reasked")
        for name in record["call_ids"]
    ]
    assert marked == ["case-00008#0", "case-00009#0"]
    assert (root / "sealed.jsonl").read_bytes() == whole


@pytest.mark.parametrize("file", ["calls.jsonl", "answers.jsonl"])
def test_a_torn_last_line_is_set_aside_and_told(
    suite: Any, interrupted: Any, counted: Any, memory: Any, file: Any
) -> None:
    root, whole = interrupted()
    with (root / file).open("ab") as log:
        log.write(b'{"torn": "li')
    run = runs.ask(counted[0], suite(20), root, progress=memory)
    assert run.notes == (f"{file}: a torn last line of 12 bytes was set aside",)
    assert memory.notes == list(run.notes)
    assert (root / "sealed.jsonl").read_bytes() == whole


def test_a_torn_reply_is_asked_again(suite: Any, interrupted: Any, counted: Any) -> None:
    root, whole = interrupted(answers=7)
    log = (root / "calls.jsonl").read_bytes()
    (root / "calls.jsonl").write_bytes(log[:-30])
    runs.ask(counted[0], suite(20), root)
    assert counted[1] == [f"text of {i}" for i in range(7, 20)]
    assert (root / "sealed.jsonl").read_bytes() == whole


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        (
            "answers.jsonl",
            b'{"call_id":"case-00000#0","case_id":"case-00000","repeat":0,"status":"answered"}\n',
            "a second answer",
        ),
        (
            "answers.jsonl",
            b'{"call_id":"x#0","case_id":"x","repeat":0,"status":"answered"}\n',
            "no such call",
        ),
        ("answers.jsonl", b"garbage\n", "not valid JSON"),
        ("calls.jsonl", b"garbage\n", "not a logged call"),
        (
            "calls.jsonl",
            b'{"event":"answered","call_ids":["case-00009#0"],"raw":[]}\n',
            "do not fit together",
        ),
        (
            "calls.jsonl",
            b'{"event":"answered","call_ids":["a#0"],"raw":[null],"problems":["odd:x"]}\n',
            "do not fit together",
        ),
    ],
)
def test_an_edited_log_is_refused_with_its_place(
    suite: Any, interrupted: Any, counted: Any, file: Any, line: Any, said: Any
) -> None:
    root, _ = interrupted()
    with (root / file).open("ab") as log:
        log.write(line)
    number = len((root / file).read_bytes().splitlines())
    with pytest.raises(InputError, match=f"{file}:{number}.*{said}"):
        runs.ask(counted[0], suite(20), root)
    assert not counted[1]


def test_a_run_killed_between_sealing_and_the_seal_is_sealed_again(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    sealed, seal = (tmp_path / "run" / name for name in ("sealed.jsonl", "seal.json"))
    before = sealed.read_bytes(), seal.read_bytes()
    seal.unlink()
    (tmp_path / "run" / ".seal.json.abc123").write_text("half")
    assert runs.ask(systems.python(truth), suite(5), tmp_path / "run").complete
    assert (sealed.read_bytes(), seal.read_bytes()) == before
    assert not (tmp_path / "run" / ".seal.json.abc123").exists()


def test_another_run_in_the_folder_is_refused_with_what_differs(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    identity = Identity(system="resolver", semantic_model="one")
    runs.ask(systems.python(truth), suite(5), tmp_path / "run", identity=identity)

    def refused(system: Any, cases: Any, **options: Any) -> Any:
        with pytest.raises(IntegrityError, match="holds another run") as caught:
            runs.ask(system, cases, tmp_path / "run", **{"identity": identity} | options)
        return caught.value.message

    mine = systems.python(truth)
    assert "system.spec was" in refused(systems.python(print), suite(5))
    assert "identity.semantic_model was 'one' and is 'two'" in refused(
        mine, suite(5), identity=Identity(system="resolver", semantic_model="two")
    )
    assert "identity.semantic_model was 'one' and is not given" in refused(
        mine, suite(5), identity=Identity(system="resolver")
    )
    assert "suite.hash was" in refused(mine, suite(5, hash="6" * 64))
    assert "plan was" in refused(mine, suite(6))
    assert "attempts was 3 and is 2" in refused(mine, suite(5), attempts=2)
    assert "timeout was 30.0 and is 5.0" in refused(mine, suite(5), timeout=5)
    assert "repeats was" in refused(mine, suite(5), repeats=2)


def test_a_folder_moved_together_with_its_suite_is_the_same_run(
    suite: Any, truth: Any, tmp_path: Any
) -> None:
    runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    moved = suite(5)
    moved.root = tmp_path / "elsewhere"
    assert runs.ask(systems.python(truth), moved, tmp_path / "run").complete


@pytest.mark.parametrize(
    "options",
    [
        {"concurrency": 0},
        {"attempts": 0},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"repeats": 0},
    ],
)
def test_arguments_out_of_range_are_refused(suite: Any, truth: Any, tmp_path: Any, options: Any) -> None:
    with pytest.raises(InputError):
        runs.ask(systems.python(truth), suite(5), tmp_path / "run", **options)
    assert not (tmp_path / "run").exists()


def test_a_folder_of_something_else_is_left_alone(suite: Any, truth: Any, tmp_path: Any) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match="1 other files"):
        runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    assert not (tmp_path / "run" / "run.toml").exists()


def test_an_edited_plan_is_refused(suite: Any, interrupted: Any, counted: Any) -> None:
    root, _ = interrupted()
    with (root / "plan.jsonl").open("ab") as plan:
        plan.write(b"\n")
    with pytest.raises(IntegrityError, match=r"plan\.jsonl: the plan was edited"):
        runs.ask(counted[0], suite(20), root)


def test_an_edited_salt_is_refused(suite: Any, interrupted: Any, counted: Any) -> None:
    root, _ = interrupted()
    (root / "salt").write_text("short")
    with pytest.raises(IntegrityError, match="32 hexadecimal digits"):
        runs.ask(counted[0], suite(20), root)


def test_an_edited_complete_run_is_refused(suite: Any, truth: Any, tmp_path: Any) -> None:
    runs.ask(systems.python(truth), suite(5), tmp_path / "run")
    path = tmp_path / "run" / "sealed.jsonl"
    path.write_bytes(path.read_bytes().replace(b"code.1", b"code.2"))
    with pytest.raises(IntegrityError, match=r"edited after the run was sealed: sealed\.jsonl"):
        runs.ask(systems.python(truth), suite(5), tmp_path / "run")


def test_a_second_writer_is_refused(suite: Any, truth: Any, tmp_path: Any) -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(payload: Any) -> Any:
        entered.set()
        leave.wait(60)
        return truth(payload)

    first = threading.Thread(target=runs.ask, args=(systems.python(slow), suite(1), tmp_path / "run"))
    first.start()
    try:
        assert entered.wait(60)
        with pytest.raises(StorageError, match="another run is writing"):
            runs.ask(systems.python(slow), suite(1), tmp_path / "run")
    finally:
        leave.set()
        first.join()
    assert runs.load_run(tmp_path / "run", suite=suite(1)).complete


def test_a_folder_that_cannot_be_made_is_named(suite: Any, truth: Any, tmp_path: Any) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot be written"):
        runs.ask(systems.python(truth), suite(1), tmp_path / "file" / "run")


@pytest.mark.parametrize(
    ("code", "said"),
    [(errno.EROFS, "read-only"), (errno.EACCES, "may not be written to"), (errno.ENOSPC, "disk is full")],
)
def test_a_read_only_folder_is_named(
    suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any, code: Any, said: Any
) -> None:
    real = os.open

    def refuse(path: Any, flags: Any, *rest: Any, **named: Any) -> Any:
        if flags & os.O_CREAT:
            raise OSError(code, os.strerror(code))
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError, match=said):
        runs.ask(systems.python(truth), suite(1), tmp_path / "run")


@pytest.mark.parametrize("lane", ["threads", "tasks"])
def test_a_disk_that_fills_up_stops_the_run_which_goes_on_later(
    suite: Any, truth: Any, tmp_path: Any, monkeypatch: Any, lane: Any
) -> None:
    async def later(payload: Any) -> Any:
        return truth(payload)

    system = truth if lane == "threads" else later
    whole = tmp_path / "whole"
    runs.ask(systems.python(system), suite(40), whole)
    real, written = os.write, []

    def fill(descriptor: Any, data: Any) -> Any:
        written.append(len(data))
        if sum(written) > 4000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fill)
        with pytest.raises(StorageError, match="disk is full"):
            runs.ask(systems.python(system), suite(40), tmp_path / "run")
    part = runs.load_run(tmp_path / "run", suite=suite(40))
    assert not part.complete
    assert {answer.status for answer in part.answers} <= {"answered", "not_run"}
    runs.ask(systems.python(system), suite(40), tmp_path / "run")
    assert (tmp_path / "run" / "sealed.jsonl").read_bytes() == (whole / "sealed.jsonl").read_bytes()


def test_progress_counts_only_what_is_on_the_disk(
    suite: Any, truth: Any, tmp_path: Any, memory: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("denotary.runs.asking.BEAT", 0.01)
    on_disk = []

    def update(progress: Any) -> None:
        on_disk.append((progress.done, len((tmp_path / "run" / "answers.jsonl").read_bytes().splitlines())))
        memory.seen.append(progress)

    def slow(payload: Any) -> Any:
        while len(on_disk) < int(payload["text"].split()[-1]) // 20:
            time.sleep(0.001)
        return truth(payload) if not payload["text"].endswith("3") else None

    memory.update = update
    runs.ask(systems.python(slow), suite(60), tmp_path / "run", progress=memory)
    assert len(on_disk) > 2
    assert all(done <= lines for done, lines in on_disk)
    last = memory.seen[-1]
    assert (last.done, last.total, last.counts) == (60, 60, {"answered": 54, "invalid_output": 6})
    assert last.failed == 6
    assert last.rate > 0


def test_a_run_inside_a_running_event_loop(suite: Any, truth: Any, tmp_path: Any) -> None:
    async def notebook() -> Any:
        return runs.ask(systems.python(truth), suite(5), tmp_path / "run")

    assert asyncio.run(notebook()).complete


INTERRUPTED = textwrap.dedent(
    """
    import sys, time, pathlib
    sys.path.insert(0, {folder!r})
    import fakes
    from denotary import runs, systems
    root = pathlib.Path({root!r})
    def plain(payload):
        number = int(payload["text"].split()[-1])
        if number == 40: print("ready", flush=True)
        time.sleep(0.01 if number < 40 else 0.2)
        return fakes.answer_to(payload)
    async def later(payload):
        return plain(payload)
    def go():
        runs.ask(systems.python({system}), fakes.fake_suite(root / "suite", 2000), root / "run", concurrency=2)
    async def notebook():
        go()
    try:
        {start}
    except runs.RunInterrupted as stop:
        print(stop, flush=True)
        sys.exit(130)
    """
)


@pytest.mark.parametrize(
    ("system", "start"),
    [
        ("plain", "go()"),
        ("later", "go()"),
        ("plain", "import asyncio; asyncio.new_event_loop().run_until_complete(notebook())"),
    ],
)
def test_interrupting_flushes_and_says_how_to_go_on(
    suite: Any, truth: Any, tmp_path: Any, system: Any, start: Any
) -> None:
    code = INTERRUPTED.format(
        folder=str(Path(__file__).parent), root=str(tmp_path), system=system, start=start
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=300)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    assert "of 2,000 calls are answered and on the disk; run the same command again to go on" in out
    said = int(out.split()[1].replace(",", ""))
    part = runs.load_run(tmp_path / "run", suite=suite(2000))
    assert 30 < said < 2000
    assert sum(answer.status == "answered" for answer in part.answers) == said
    logged = sum(record["event"] == "answered" for record in lines(tmp_path / "run" / "calls.jsonl"))
    assert logged == said
