"""Starting: the help of the command line, and the import, each in a fresh process, against pytest and inspect_ai.

A command line that takes a second to print its help is not asked for it. CPU seconds are those of the processes, user
and system, with the start of the interpreter in them; what the bare interpreter takes stands beside it.

What it weighs. ``pip install .`` into a fresh environment brings 20 distributions, denotary among them, 307 MB by the
files that they list; at most 20 and 450 MB are allowed. By the same count inspect_ai brings 80 of 281 MB.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from _harness import Peer, compare, limited, main

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_HELP = 0.15
LIMIT_IMPORT = 0.10
HELP = {"pytest": ("-m", "pytest", "--help"), "inspect_ai": ("-m", "inspect_ai", "--help")}


def started(*words: str) -> Callable[[], int]:
    """Return what runs this interpreter with some arguments and returns its exit code."""

    def run() -> int:
        return subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode

    return run


def children() -> float:
    """Return the CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ended_well(answer: int, name: str, other: int) -> None:
    assert (answer, other) == (0, 0), name


def peers(arguments: Callable[[str], tuple[str, ...]]) -> list[Peer]:
    """Return the peers that are installed, and the interpreter itself."""
    found = [Peer("bare interpreter", started("-c", "pass"), note="the floor of every row")]
    for module in HELP:
        if find_spec(module) is None:
            print(f"absent: {module}")
        else:
            found.append(Peer(module, started(*arguments(module))))
    return found


def build() -> list[dict[str, Any]]:
    rows = (
        ("--help", started("-m", "denotary", "--help"), HELP.__getitem__, LIMIT_HELP),
        ("import", started("-c", "import denotary"), lambda name: ("-c", f"import {name}"), LIMIT_IMPORT),
    )
    return [
        limited(compare(f"start-up: {name}", ours, peers(arguments), ended_well, clock=children), limit)
        for name, ours, arguments, limit in rows
    ]


if __name__ == "__main__":
    main(build)
