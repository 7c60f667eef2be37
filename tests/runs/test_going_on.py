"""A run that stopped is gone on with; what was edited meanwhile is refused."""

import json
from typing import Any

import pytest

from denotary import runs, systems
from denotary.errors import InputError, IntegrityError


def lines(path: Any) -> Any:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


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
