"""Write docs/benchmarks.md from the benchmark scripts and the results that ``make bench`` measured, or check it.

python tools/benchmarks_page.py            # writes the page
python tools/benchmarks_page.py --check    # exit code 1 if it differs

What a benchmark does is said by its docstring; every number comes from ``benchmarks/results/*.json``.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reference_pages.markdown import prose, table

from denotary.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "benchmarks"
RESULTS = SCRIPTS / "results"
PAGE = ROOT / "docs" / "benchmarks.md"

INTRO = """<!-- Written by tools/benchmarks_page.py from benchmarks/; edit the scripts or the tool, not this page. -->

# Benchmarks

```sh
make bench            # in minutes
make bench-nightly    # what needs hours or much memory
```

It installs the peers into `.venv-bench`, an environment of its own, and runs every script in `benchmarks/`. It writes
what it measured to `benchmarks/results/` and this page from that. No number here was typed. Run it on a quiet machine.

How a row comes about:

* Both sides do their work in one process run on the same data, drawn from a fixed seed. A script stops if their answers
  disagree, or says why they are not compared.
* Times are CPU seconds, user and system: the median of five runs in turn after a warm-up. The numeric libraries are
  held to one thread.
* A peer that would take more than five seconds runs once on a slice of the work. Its time is scaled and marked.
* *times ours* is the peer's time over ours. A goal is the least such ratio that we hold ourselves to. Where the goal is
  below 1, the peer does much less, and the goal says how much slower than it we may be.

A ratio carries over to another machine. A time does not.
"""
NOT_MEASURED = "\nNot measured yet: there is no result of this script.\n"


def page() -> str:
    """Return the page."""
    found = [*SCRIPTS.glob("*.py"), *SCRIPTS.glob("nightly/*.py")]
    scripts = sorted((path for path in found if not path.name.startswith("_")), key=lambda path: path.stem)
    return INTRO + "".join("".join(_section(path)) for path in scripts)


def _section(script: Path) -> Iterator[str]:
    about = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    yield f"\n## {script.stem}\n\n{prose(about)}\n"
    path = RESULTS / f"{script.stem}.json"
    if not path.exists():
        yield NOT_MEASURED
        return
    found = json.loads(path.read_bytes())
    for record in found["records"]:
        yield from _record(record)
    yield f"\nPython {found['python']}, {found['machine']}.\n"


def _record(record: dict[str, Any]) -> Iterator[str]:
    yield f"\n**{record['benchmark']}**\n\n"
    ours = ("denotary", _figure(record["cpu_seconds"]), "", _limit(record), "")
    yield table(("who", "CPU seconds", "times ours", "goal", "note"), [ours, *map(_peer, record["peers"])])
    for name, rows in record.items():
        if name != "peers" and isinstance(rows, list) and rows:
            yield f"\n{table(tuple(rows[0]), [[_plain(value) for value in row.values()] for row in rows])}"


def _peer(peer: dict[str, Any]) -> tuple[str, ...]:
    mark = "extrapolated" if peer["extrapolated"] else ""
    goal = "" if peer["goal"] is None else f"{peer['goal']:.3g} {_met(met=peer['met'])}"
    note = "; ".join(filter(None, (mark, peer["note"])))
    return peer["name"], _figure(peer["cpu_seconds"]), _figure(peer["ratio"]), goal, note


def _limit(record: dict[str, Any]) -> str:
    if "limit_cpu_seconds" not in record:
        return ""
    return f"at most {record['limit_cpu_seconds']:g} s {_met(met=record['limit_met'])}"


def _met(*, met: bool) -> str:
    return "met" if met else "**missed**"


def _figure(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"  # noqa: PLR2004 - three digits are enough


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        f"{value:,}" if isinstance(value, int) else f"{value:.3g}" if isinstance(value, float) else str(value)
    )


def main(arguments: list[str]) -> int:
    """Write or check the page; return the exit code."""
    text = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if arguments == ["--check"]:
        print("docs/benchmarks.md: differs from scripts or results; run python tools/benchmarks_page.py")
        return 1
    write_atomic(PAGE, text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
