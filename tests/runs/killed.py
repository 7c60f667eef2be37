"""One sitting of a run that a test kills: ``killed.py FOLDER CASES LANE``.

The system under test keeps a log of its own in which calls it was asked, so that the test need not trust the run's log.
"""

import hashlib
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import fakes  # type: ignore[import-not-found]

from denotary import runs, systems

CONCURRENCY = 4
TURNS = 4


def needs(size: int) -> dict[int, tuple[int, ...]]:
    """Return what the later cases depend on: two thirds are dialogues of four turns, each on the one before."""
    return {i: (i - 1,) for i in range(size // 3, size) if i % TURNS}


def main(folder: Path, size: int, lane: str) -> None:
    log = os.open(folder / "system.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def resolve(payload: dict[str, Any]) -> dict[str, Any]:
        os.write(log, payload["record_id"].encode() + b"\n")
        # Slow or quick by the text alone: the answer is deterministic, the order of arrival is not.
        digest = hashlib.sha256(payload["text"].encode()).digest()
        time.sleep(digest[0] / 255 * 0.004)
        answer: dict[str, Any] = fakes.answer_to(payload)
        # Some texts have no answer, so that what comes after them in a dialogue is never asked.
        return answer if digest[1] >= 16 else {}

    async def resolve_later(payload: dict[str, Any]) -> dict[str, Any]:
        return resolve(payload)

    suite = fakes.fake_suite(folder / "suite", size, needs=needs(size))
    system = systems.python(resolve if lane == "threads" else resolve_later)
    ask = runs.ask
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    ask(system, suite, folder / "run", concurrency=CONCURRENCY, repeats=2, repeat_core=size // 4)
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
