"""Run the study: ``python -m validity [--quick] [--workers N] [--page]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from validity import page
from validity.results import write
from validity.study import FULL, QUICK, study, unrepeatable

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "validity" / "results"


def main() -> int:
    """Return 0 iff every criterion holds and the page is what the results say."""
    parser = argparse.ArgumentParser(prog="python -m validity", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small repeats; writes nothing into the tree")
    parser.add_argument(
        "--page", action="store_true", help="render the page from the results at hand, simulate nothing"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    asked = parser.parse_args()
    if asked.page:
        page.write(RESULTS, ROOT)
        return 0
    parts = study(QUICK if asked.quick else FULL, asked.workers, _say)
    if not asked.quick:
        write(RESULTS, parts)
        page.write(RESULTS, ROOT)
    stale = [*page.stale(RESULTS, ROOT), *unrepeatable(RESULTS)] if asked.quick else []
    broken = [f"{part.part}: {name}" for part in parts for name in part.broken]
    for line in broken:
        _say(f"falls short: {line}")
    for name in stale:
        _say(f"not what the code and validity/results say: {name}; run `make validity`")
    checked = sum(result.holds is not None for part in parts for result in part.results)
    _say(f"{checked} criteria, {len(broken)} fall short")
    return 1 if broken or stale else 0


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
