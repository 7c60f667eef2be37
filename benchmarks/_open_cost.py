"""What a process of its own pays to open a compiled registry and to answer from it: CPU seconds and private memory.

python _open_cost.py COMPILED < requests.jsonl    # prints {"open_seconds": …, "private_bytes": …}

Private are the pages that the process alone has written to; pages of the file are shared and clean. What the
interpreter and the imports take is subtracted.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from denotary.resolver import ExactLane

KIB = 1024


def private_bytes() -> int:
    """Return the private dirty memory of this process (Linux)."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    (line,) = (line for line in lines if line.startswith("Private_Dirty:"))
    return int(line.split()[1]) * KIB


def main(compiled: str) -> None:
    requests = [json.loads(line) for line in sys.stdin]
    with ExactLane("bundled:bootstrap") as lane:
        # What every use needs once, whatever the registry: code, Unicode tables, SQLite itself.
        lane.resolve(requests[0])
        lane.resolve({"text": "\u00e9 \u4e00"})
    before = private_bytes()
    start = time.process_time()
    lane = ExactLane(compiled)
    answer = lane.resolve(requests[0])
    opened = time.process_time() - start
    if answer["disposition"] != "SINGLE":
        raise SystemExit("the first request is no hit")
    for request in requests:
        lane.resolve(request)
    print(json.dumps({"open_seconds": opened, "private_bytes": private_bytes() - before}))


if __name__ == "__main__":
    main(sys.argv[1])
