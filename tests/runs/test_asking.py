import asyncio
import json
import time
from typing import Any

import pytest

from denotary import runs, systems
from denotary.canonical import canonical_json
from denotary.errors import InputError


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
