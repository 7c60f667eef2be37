"""An interrupted run has written what it was answered and says how to go on."""

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from denotary import runs


def lines(path: Any) -> Any:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


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
