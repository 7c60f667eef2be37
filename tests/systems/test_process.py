import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.base import CallFailure, ConnectFailure, TransientFailure

LOOP = "import json, os, sys, time\nfor line in sys.stdin:\n    r = json.loads(line); i = r['record_id']\n"
AMPLE = 120.0
"""Seconds that nothing here takes."""
OK = "print(json.dumps({'record_id': i}), flush=True)"


@pytest.fixture
def program(tmp_path: Any) -> Any:
    """Write a program whose loop body is given, one request ``r`` with id ``i`` a turn."""

    def write(body: Any, *, head: Any = "", **options: Any) -> Any:
        path = tmp_path / "program.py"
        path.write_text(head + LOOP + "".join(f"    {line}\n" for line in body.splitlines()))
        return systems.command([sys.executable, "-u", str(path)], **options)

    return write


def ids(results: Any) -> Any:
    return [json.loads(result.raw)["record_id"] for result in results]


def test_one_line_in_one_line_out(program: Any, ask: Any, request_for: Any) -> None:
    results = ask(program(OK), [request_for("a", text="नाम\n")], [request_for("b")])
    assert [ids(result) for result in results] == [["a"], ["b"]]


def test_a_program_is_kept_from_call_to_call(program: Any, ask: Any, request_for: Any) -> None:
    system = program("print(json.dumps({'record_id': i, 'pid': os.getpid()}), flush=True)")
    results = ask(system, [request_for("a")], [request_for("b")])
    assert len({json.loads(r[0].raw)["pid"] for r in results}) == 1


def test_a_batch_may_be_answered_out_of_order(program: Any, ask: Any, request_for: Any) -> None:
    body = (
        "batch = [i, *(json.loads(sys.stdin.readline())['record_id'] for _ in range(2))]\nfor i in reversed(batch): "
        + OK
    )
    assert ids(ask(program(body, batch_size=3), [request_for(name) for name in "abc"])) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("body", "raw"),
    [
        ("print('garbage', flush=True)", b"garbage"),
        ("print('<html>', flush=True)", b"<html>"),
        ("print(flush=True)", b""),
    ],
)
def test_garbage_is_the_reply_and_the_next_call_is_not_harmed(
    program: Any, ask: Any, shown: Any, request_for: Any, body: Any, raw: Any
) -> None:
    system = program(f"if i == 'bad': {body}\nelse: {OK}")
    bad, good = ask(system, [request_for("bad")], [request_for("good")])
    assert shown(bad) == [raw]
    assert ids(good) == ["good"]


@pytest.mark.parametrize("reply", ["{}", "{'record_id': 'x'}", "{'record_id': 5}"])
def test_a_reply_must_carry_its_record_id(
    program: Any, ask: Any, shown: Any, request_for: Any, reply: Any
) -> None:
    (result,) = shown(ask(program(f"print(json.dumps({reply}), flush=True)"), [request_for("a")]))
    assert result in [("invalid_output", "wrong_id"), b'{"record_id": "x"}']


def test_a_second_reply_is_not_taken_for_the_next_one(program: Any, ask: Any, request_for: Any) -> None:
    results = ask(program(f"{OK}\n{OK}"), *([request_for(name)] for name in "abcd"))
    assert [ids(result) for result in results] == [["a"], ["b"], ["c"], ["d"]]


def test_a_batch_with_a_wrong_line_keeps_the_other_outcomes(
    program: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    body = f"if i == 'b': print('garbage', flush=True)\nelif i == 'c': i = 'a'; {OK}\nelse: {OK}"
    results = shown(ask(program(body, batch_size=4), [request_for(name) for name in "abcd"]))
    assert results[:3] == [
        ("invalid_output", "duplicate_id"),
        ("invalid_output", "wrong_id"),
        ("invalid_output", "wrong_id"),
    ]
    assert json.loads(results[3])["record_id"] == "d"


def test_a_program_that_exits_is_started_again(program: Any, ask: Any, request_for: Any) -> None:
    system = program(f"if i == 'die': sys.exit(3)\n{OK}")
    first, second, third = ask(system, [request_for("a")], [request_for("die")], [request_for("b")])
    assert ids(first) == ["a"]
    assert type(second) is TransientFailure
    assert second.problem == "process_exited"
    assert ids(third) == ["b"]


def test_a_program_that_never_says_anything_was_never_reached(
    program: Any, ask: Any, request_for: Any
) -> None:
    failure = ask(program("pass", head="raise SystemExit(1)\n"), [request_for("a")])
    assert isinstance(failure, ConnectFailure)


def test_half_a_line_before_the_end_is_invalid_output(
    program: Any, ask: Any, shown: Any, request_for: Any
) -> None:
    body = "sys.stdout.write('{\"record_id\"'); sys.stdout.flush(); sys.exit()"
    assert shown(ask(program(body), [request_for("a")])) == ("invalid_output", "truncated")


def test_a_huge_line_is_cut_off(program: Any, ask: Any, shown: Any, request_for: Any) -> None:
    body = f"if i == 'big': sys.stdout.write('x' * 3_000_000 + chr(10)); sys.stdout.flush()\nelse: {OK}"
    big, good = ask(program(body), [request_for("big")], [request_for("good")])
    assert shown(big) == ("invalid_output", "too_large")
    assert ids(good) == ["good"]


def test_a_line_of_just_the_limit_passes(program: Any, ask: Any, shown: Any, request_for: Any) -> None:
    body = "print(json.dumps({'record_id': i}).ljust(r['n']), flush=True)"
    fits, over = ask(
        program(body, limit=100_000), [request_for("a", n=100_000)], [request_for("b", n=100_001)]
    )
    assert len(shown(fits)[0]) == 100_000
    assert shown(over) in [("invalid_output", "too_large"), [("invalid_output", "too_large")]]


def test_one_that_hangs_is_killed_with_what_it_started(program: Any, request_for: Any, tmp_path: Any) -> None:
    pids = tmp_path / "pids"
    body = (
        f"import subprocess\nif i == 'hang':\n    child = subprocess.Popen(['sleep', '600'])\n"
        f"    print(os.getpid(), child.pid, file=open({str(pids)!r}, 'w'), flush=True)\n    time.sleep(600)\n{OK}"
    )

    async def talk(system: Any) -> Any:
        await system.open()
        hanging = asyncio.create_task(system.ask([request_for("hang")]))
        await asyncio.to_thread(wait_for_line, pids)
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        assert hanging.cancelled()
        second = await system.ask([request_for("b")])
        await system.close()
        return second

    assert ids(asyncio.run(talk(program(body)))) == ["b"]
    for pid in map(int, pids.read_text().split()):
        until = time.monotonic() + AMPLE
        while is_running(pid):
            assert time.monotonic() < until
            time.sleep(0.02)


def wait_for_line(path: Path) -> None:
    until = time.monotonic() + AMPLE
    while not (path.exists() and path.read_text().endswith("\n")):
        assert time.monotonic() < until
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Return whether there is such a process and it is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_one_that_ignores_the_end_of_its_input_is_killed_at_the_end(
    tmp_path: Any, ask: Any, request_for: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("denotary.systems.process.PATIENCE", 0.1)
    path = tmp_path / "stays.py"
    path.write_text(LOOP + f"    {OK}\ntime.sleep(600)\n")
    started = time.monotonic()
    assert ids(ask(systems.command([sys.executable, "-u", str(path)]), [request_for("a")])) == ["a"]
    assert time.monotonic() - started < AMPLE


def test_one_that_closes_its_input_has_exited(ask: Any, request_for: Any) -> None:
    system = systems.command(
        [sys.executable, "-c", "import os, time; os.close(0); os.close(1); time.sleep(5)"]
    )
    failure = ask(system, [request_for("a", text="x" * 1_000_000)])
    assert isinstance(failure, TransientFailure)
    assert failure.problem == "process_exited"


def test_a_program_that_went_away_before_the_start_was_never_reached(
    tmp_path: Any, ask: Any, request_for: Any
) -> None:
    path = tmp_path / "gone"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    system = systems.command([str(path)])
    path.unlink()
    with pytest.raises(ConnectFailure, match="not_started"):
        ask(system, [request_for("a")])


def test_two_calls_at_once_use_two_programs(program: Any, request_for: Any) -> None:
    system = program("time.sleep(0.2)\nprint(json.dumps({'record_id': i, 'pid': os.getpid()}), flush=True)")

    async def talk() -> Any:
        await system.open()
        results = await asyncio.gather(system.ask([request_for("a")]), system.ask([request_for("b")]))
        await system.close()
        return results

    results = asyncio.run(talk())
    assert len({json.loads(r[0].raw)["pid"] for r in results}) == 2


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ("", "no such program"),
        ([], "no such program"),
        ("no-such-program-x", "no such program"),
        ("a 'b", "split"),
    ],
)
def test_what_is_no_program_is_refused(argv: Any, said: Any) -> None:
    with pytest.raises(InputError, match=said):
        systems.command(argv)


def test_a_batch_holds_at_least_one_line() -> None:
    with pytest.raises(InputError, match="batch size"):
        systems.command("true", batch_size=0)


def test_the_descriptor_quotes_as_a_shell_does() -> None:
    assert systems.command(["echo", "a b", "$HOME"]).descriptor.spec == "command:echo 'a b' '$HOME'"


def test_failures_carry_no_text() -> None:
    assert str(CallFailure("process_exited")) == "process_exited"
