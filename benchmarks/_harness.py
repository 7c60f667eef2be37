"""Run ours and the peers in one process, check that the answers agree, and print the ratios.

Times are CPU seconds of this process: median of five runs in turn after a warm-up. A peer that would take
more than five seconds runs once on a slice of its work; its time is scaled and marked as extrapolated.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RUNS = 5


@dataclass(frozen=True, slots=True)
class Peer:
    """Another way to the same answer.

    Attributes:
        name: library and function.
        run: does the work, or one slice of it, and returns its answer.
        scale: how many such slices the whole work is; above 1 it runs once and is marked extrapolated.
        goal: least ratio peer / ours that we hold ourselves to; None for information only.
        note: why its answer is not compared, or what differs.
    """

    name: str
    run: Callable[[], Any]
    scale: float = 1.0
    goal: float | None = None
    note: str = ""


def compare(
    name: str,
    ours: Callable[[], Any],
    peers: Sequence[Peer],
    check: Callable[[Any, str, Any], None],
    *,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, Any]:
    """Time ``ours`` and ``peers`` in turn, print a table and return it.

    Args:
        name: of the row in the table of goals.
        ours: does the work and returns its answer.
        peers: the others.
        check: called with our answer, a peer's name and its answer; raises AssertionError if they disagree.
        clock: CPU seconds so far, of this process or of its children.

    Returns:
        A JSON-ready record of the times, ratios and goals.
    """
    answer = ours()
    for peer in peers:
        result, single = _timed(peer.run, clock)
        check(answer, peer.name, result)
        if peer.scale > 1.0:
            _print_progress(f"{peer.name}: one slice, {single:.2f} s x {peer.scale:g}")
    times = _in_turn(ours, peers, clock)
    record: dict[str, Any] = {"benchmark": name, "cpu_seconds": times["ours"], "peers": []}
    for peer in peers:
        seconds = times[peer.name]
        ratio = seconds / times["ours"]
        record["peers"].append(
            {
                "name": peer.name,
                "cpu_seconds": seconds,
                "ratio": ratio,
                "goal": peer.goal,
                "met": None if peer.goal is None else ratio >= peer.goal,
                "extrapolated": peer.scale > 1.0,
                "note": peer.note,
            }
        )
    _print_table(record)
    return record


def main(build: Callable[[], list[dict[str, Any]]]) -> None:
    """Run a benchmark script: ``--json PATH`` also writes the records."""
    parser = argparse.ArgumentParser(description="Benchmark against peers in one process.")
    parser.add_argument("--json", type=Path, default=None, help="file or folder to write the records to")
    arguments = parser.parse_args()
    records = build()
    if arguments.json is not None:
        path: Path = arguments.json
        if path.suffix != ".json":
            path = path / f"{Path(sys.argv[0]).stem}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        payload = {"python": platform.python_version(), "machine": platform.machine(), "records": records}
        path.write_text(json.dumps(payload, indent=2) + "\n", encoding="utf-8")


def limited(record: dict[str, Any], limit: float) -> dict[str, Any]:
    """Add an absolute limit in CPU seconds, and print whether it is kept."""
    kept = record["cpu_seconds"] <= limit
    print(f"  limit {limit:g} CPU-s {'met' if kept else 'MISSED'}")
    return {**record, "limit_cpu_seconds": limit, "limit_met": kept}


def _timed(run: Callable[[], Any], clock: Callable[[], float]) -> tuple[Any, float]:
    """Return the answer and the CPU seconds of one run."""
    start = clock()
    answer = run()
    return answer, clock() - start


def _in_turn(ours: Callable[[], Any], peers: Sequence[Peer], clock: Callable[[], float]) -> dict[str, float]:
    """Return the median CPU seconds of each; slices run once, after the others."""
    repeated = [("ours", ours)] + [(peer.name, peer.run) for peer in peers if peer.scale == 1.0]
    samples: dict[str, list[float]] = {label: [] for label, _ in repeated}
    for _ in range(RUNS):
        for label, run in repeated:
            samples[label].append(_timed(run, clock)[1])
    times = {label: statistics.median(values) for label, values in samples.items()}
    times.update({peer.name: _timed(peer.run, clock)[1] * peer.scale for peer in peers if peer.scale > 1.0})
    return times


def _print_table(record: dict[str, Any]) -> None:
    """Print one line for us and one a peer."""
    print(f"\n{record['benchmark']}")
    print(f"  {'ours':44} {record['cpu_seconds']:10.4f} s")
    for peer in record["peers"]:
        goal = (
            "" if peer["goal"] is None else f"  goal {peer['goal']:g} x {'met' if peer['met'] else 'MISSED'}"
        )
        mark = " (extrapolated)" if peer["extrapolated"] else ""
        print(f"  {peer['name']:44} {peer['cpu_seconds']:10.4f} s  {peer['ratio']:9.1f} x{goal}{mark}")
        if peer["note"]:
            print(f"      {peer['note']}")


def _print_progress(message: str) -> None:
    """Tell on stderr what takes long."""
    print(message, file=sys.stderr)
