"""kill -9 at random points: nothing logged is lost or asked for again, and the result has the same bytes."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from denotary import runs
from denotary.files import read_records, read_toml
from denotary.runs.auditing import LogAudit
from denotary.runs.planning import opaque_id
from denotary.runs.records import Answer, RunHeader

SCRIPT = Path(__file__).with_name("killed.py")
CASES = 240
CALLS = 300
CONCURRENCY = 4
LINE = 25
"""Bytes of one call in the system's own log."""


def sitting(folder: Any, lane: Any) -> Any:
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), str(CASES), lane],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def whole_records(path: Any) -> Any:
    """Return the records of a log whose line is whole."""
    data = path.read_bytes() if path.exists() else b""
    return [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]


def logged(run: Any) -> Any:
    """Return the calls whose reply is logged, and the records of the log."""
    records = whole_records(run / "calls.jsonl")
    answered = of_event(records, "answered")
    known = answered | of_event(records, "not_asked")
    assert {record["call_id"] for record in whole_records(run / "answers.jsonl")} <= known
    return answered, records


def of_event(records: Any, event: Any) -> Any:
    """Return the calls of the records of a kind."""
    return {name for record in records if record["event"] == event for name in record["call_ids"]}


def verify_turns(run: Any, asked: Any) -> None:
    """Compare what the system was asked with what is on the disk: no turn was asked whose beginning is lost."""
    answers = {record["call_id"]: record["status"] for record in whole_records(run / "answers.jsonl")}
    for record in whole_records(run / "plan.jsonl") if asked else ():
        if record["call_id"] in asked:
            assert all(answers.get(name) == "answered" for name in record.get("depends_on", ()))


def asked_of_system(folder: Any) -> Any:
    """Return how often the system itself says that each call was made."""
    log = folder / "system.log"
    salt = folder / "run" / "salt"
    if not log.exists() or not salt.exists():
        return Counter()
    key = bytes.fromhex(salt.read_text().strip())
    plan = [record["call_id"] for record in whole_records(folder / "run" / "plan.jsonl")]
    names = {opaque_id(key, name): name for name in plan}
    return Counter(names[line] for line in log.read_text().split())


def kill_once(folder: Any, lane: Any, calls: Any, delay: Any) -> Any:
    """Run one sitting and kill it so long after so many calls; return whether it came to its end before."""
    log = folder / "system.log"
    target = (log.stat().st_size if log.exists() else 0) + calls * LINE
    with sitting(folder, lane) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        while calls and child.poll() is None and (not log.exists() or log.stat().st_size < target):
            time.sleep(0.0005)
        time.sleep(delay)
        child.kill()
        out, err = child.communicate()
        assert err == b""
        return b"done" in out


def scenario(folder: Any, undisturbed: Any, lane: Any, points: Any) -> Any:
    """Kill a run at each point, check its log after each kill, and complete it; return the number of kills that hit."""
    folder.mkdir()
    hits = 0
    for calls, delay in points:
        known = logged(folder / "run")[0]
        before = asked_of_system(folder)
        done = kill_once(folder, lane, calls, delay)
        answered, records = logged(folder / "run")
        after = asked_of_system(folder)
        assert known <= answered
        assert all(after[name] == before[name] for name in known), "a logged call was asked again"
        announced = of_event(records, "asked")
        verify_turns(folder / "run", after)
        assert set(after) <= announced, "a call was made that was not announced"
        assert len(announced - answered) <= CONCURRENCY
        if done:
            break
        hits += 1
    with sitting(folder, lane) as child:
        _, err = child.communicate()
        assert (child.returncode, err) == (0, b"")
    answered, records = logged(folder / "run")
    never = of_event(records, "not_asked")
    assert never
    assert not never & answered
    assert len(answered) + len(never) == CALLS
    times = asked_of_system(folder)
    assert set(times) == answered
    marked = Counter(
        name
        for record in records
        if record["event"] == "asked" and record.get("reasked")
        for name in record["call_ids"]
    )
    assert all(times[name] - 1 <= marked[name] for name in times), "a call was asked again without a mark"
    assert sum(marked.values()) <= hits * CONCURRENCY
    for name in ("sealed.jsonl", "plan.jsonl", "run.toml"):
        assert (folder / "run" / name).read_bytes() == (undisturbed / "run" / name).read_bytes()
    assert runs.seal_differences(folder / "run") == []
    header = read_toml(folder / "run/run.toml", RunHeader)
    answers = read_records(folder / "run/sealed.jsonl", Answer)
    audit = LogAudit(cast("Any", SimpleNamespace(root=folder / "run", header=header, answers=answers)))
    assert audit.read(5) == []
    assert list(audit.arrived) == [
        record["call_id"] for record in whole_records(folder / "run/answers.jsonl")
    ]
    return hits


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: Any) -> Any:
    """The folder of a run of each lane that nothing interrupted."""
    folders = {}
    for lane in ("threads", "tasks"):
        folders[lane] = tmp_path_factory.mktemp(lane)
        with sitting(folders[lane], lane) as child:
            assert child.wait() == 0
    return folders


def points(dice: Any, number: Any) -> Any:
    """Return kill points: within the making of the folder, between calls, and about the end, when the run is sealed."""
    early = [(0, dice.uniform(0.0, 0.05))] if dice.random() < 0.3 else []
    between = [
        (dice.randrange(1, 2 * CALLS // number), dice.uniform(0.0, 0.004)) for _ in range(number - len(early))
    ]
    return early + between


def kill(tmp_path: Any, undisturbed: Any, wanted: Any, seed: Any) -> None:
    """Spread so many kills over runs with a handful of kills each."""
    dice = random.Random(seed)
    hits, number = 0, 0
    while hits < wanted:
        lane = ("threads", "tasks")[number % 2]
        chosen = points(dice, min(5, wanted - hits))
        hits += scenario(tmp_path / str(number), undisturbed[lane], lane, chosen)
        number += 1
        assert number < wanted


def test_twenty_kills(tmp_path: Any, undisturbed: Any) -> None:
    kill(tmp_path, undisturbed, 20, seed=1)


@pytest.mark.slow
def test_two_hundred_kills(tmp_path: Any, undisturbed: Any) -> None:
    kill(tmp_path, undisturbed, 200, seed=2)
