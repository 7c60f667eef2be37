"""The shipped suite, the real instrument and every kind of system, from asking to measuring."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import denotary as dn
from denotary import runs, systems


@pytest.fixture(scope="module")
def starter() -> Any:
    """The shipped suite."""
    return dn.load_suite("bundled:starter")


@pytest.fixture(scope="module")
def lane(starter: Any) -> Any:
    """The exact lane over the suite's registry, as a function."""
    from denotary.resolver import ExactLane

    return ExactLane(starter.registry).resolve


@pytest.fixture(scope="module")
def exact(starter: Any, tmp_path_factory: Any) -> Any:
    """A complete run of the exact lane."""
    system = systems.from_spec("exact", registry=starter.registry)
    return dn.ask(system, starter, tmp_path_factory.mktemp("exact") / "run", repeats=2, repeat_core=25)


def bodies(run: Any) -> Any:
    return [(answer.call_id, answer.status, answer.problem, answer.body) for answer in run.answers]


def test_every_case_of_the_shipped_suite_is_answered_and_measured(exact: Any, starter: Any) -> None:
    assert Counter(answer.status for answer in exact.answers) == {"answered": len(starter.cases) + 25}
    measured = dn.measure(exact)
    assert sum(measured.outcomes.values()) == len(starter.cases)
    assert measured.outcomes["wrong"] == 0


def test_the_run_finds_the_shipped_suite_and_registry_again(exact: Any) -> None:
    again = dn.load_run(exact.root)
    assert again.answers == exact.answers
    assert (again.header.suite.path, again.header.registry.path) == ("bundled:starter", "bundled:bootstrap")
    assert runs.rebuild(again) == exact.answers


def test_no_place_and_no_time_stands_in_what_results_are_made_of(exact: Any) -> None:
    for name in ("run.toml", "plan.jsonl", "sealed.jsonl"):
        data = (exact.root / name).read_text(encoding="utf-8")
        assert str(exact.root.parent) not in data
        assert str(Path(dn.__file__).parent) not in data


def test_a_file_of_answers_gives_the_same_result(exact: Any, starter: Any, tmp_path: Any) -> None:
    path = tmp_path / "answers.jsonl"
    salted = {}
    for line in (exact.root / "calls.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["event"] == "answered":
            salted[record["call_ids"][0]] = json.loads(record["raw"][0])
    path.write_text(
        "".join(json.dumps(reply | {"record_id": name}) + "\n" for name, reply in reversed(salted.items())),
        encoding="utf-8",
    )
    again = dn.ask(systems.replay(path), starter, tmp_path / "run", repeats=2, repeat_core=25)
    assert bodies(again) == bodies(exact)
    assert (again.root / "sealed.jsonl").read_bytes() == (exact.root / "sealed.jsonl").read_bytes()


@pytest.mark.parametrize("batch_size", [1, 100])
def test_the_same_system_behind_http_gives_the_same_result(
    exact: Any, starter: Any, lane: Any, serve: Any, reply: Any, tmp_path: Any, batch_size: Any
) -> None:
    def handler(request: Any) -> Any:
        if batch_size == 1:
            return reply(lane(request) | {"record_id": request["record_id"]})
        return reply({"items": [lane(item) | {"record_id": item["record_id"]} for item in request["items"]]})

    system = systems.http(serve(handler).url, batch_size=batch_size)
    again = dn.ask(system, starter, tmp_path / "run", repeats=2, repeat_core=25)
    assert (again.root / "sealed.jsonl").read_bytes() == (exact.root / "sealed.jsonl").read_bytes()


PROGRAM = """
import json, sys
import denotary as dn
from denotary.resolver import ExactLane
lane = ExactLane(dn.load_registry("bundled:bootstrap"))
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(lane.resolve(request) | {"record_id": request["record_id"]}), flush=True)
"""


def test_the_same_system_as_a_program_gives_the_same_result(exact: Any, starter: Any, tmp_path: Any) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    system = systems.command([sys.executable, "-u", str(tmp_path / "program.py")], batch_size=50)
    again = dn.ask(system, starter, tmp_path / "run", repeats=2, repeat_core=25, concurrency=1)
    assert (again.root / "sealed.jsonl").read_bytes() == (exact.root / "sealed.jsonl").read_bytes()


def test_a_run_that_was_left_is_measured_with_what_was_not_run(
    starter: Any, lane: Any, tmp_path: Any
) -> None:
    run = dn.ask(systems.python(lane), starter, tmp_path / "run")
    for name in ("sealed.jsonl", "seal.json"):
        (run.root / name).unlink()
    lines = (run.root / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (run.root / "answers.jsonl").write_bytes(b"".join(lines[:100]))
    measured = dn.measure(dn.load_run(run.root))
    assert measured.outcomes["not_run"] == len(starter.cases) - 100
    assert sum(measured.outcomes.values()) == len(starter.cases)


def test_no_text_of_a_case_stands_in_what_is_shown(exact: Any, starter: Any) -> None:
    texts = [case.input.text for case in starter.cases if case.input.text and len(case.input.text) > 20]
    shown = repr(exact) + repr(exact.suite) + repr(runs.plan(starter)) + "".join(map(repr, starter.cases))
    assert len(texts) > 100
    assert not any(text in shown for text in texts)
