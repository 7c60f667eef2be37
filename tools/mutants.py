"""Draw mutants of the rooms that decide, let their tests look for them, and write what was found, or check the page.

python tools/mutants.py [ROOM ...]        # draws, runs, writes docs/mutants.json and its page
python tools/mutants.py --again [ROOM ...]  # runs the survivors of the last run only: after a test was added
python tools/mutants.py --check           # exit code 1 if the page differs from its results

The draw is that of a fixed seed from all mutants in the order of their names. A mutant runs every test of
`tests/statistics` and `tests/verdicts` that calls its function, until one fails. Mutants that no test can tell from the
code are listed in `docs/equivalent-mutants.toml` with the reason, by function and changed line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from reference_pages.markdown import table

from denotary.files import write_atomic
from denotary.statistics import binomial

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "mutants.json"
EQUIVALENT = ROOT / "docs" / "equivalent-mutants.toml"
PAGE = ROOT / "docs" / "explanation" / "mutants.md"

SEED = 4177
"""Another one for each measurement: see ``LOOKED_AT``."""

LOOKED_AT = {"statistics": (2004,), "verdicts": (2004, 31, 4177)}
"""Seeds whose survivors tests were written for: drawn with them again, mutants would say too much of the tests."""

DRAWN = {"statistics": 160, "verdicts": 120}
GENERATE = "denotary.statistics.calibration_smooth.x__even_residuals__mutmut_1"
"""Mutants come to be in any run; this one is short."""

SURVIVED, UNTESTED = 0, 33
"""Exit codes of mutmut: all tests passed, no test calls the function. Every other code is a test that noticed."""

INTRO = """<!-- Written by tools/mutants.py from docs/mutants.json; edit the tool or docs/equivalent-mutants.toml. -->

# Would the tests notice?

```sh
make mutants
```

A mutant is the code with one small error put in: a comparison turned round, a constant moved, an argument left out. If
every test still passes, the tests do not notice that error. The command draws mutants of the two rooms on which a
verdict rests, `statistics/` and `verdicts/`, with a fixed seed, and runs the tests on each until one fails
([mutmut](https://mutmut.readthedocs.io/) makes the mutants). It takes about half an hour on two cores, so it is not
part of CI. We hold ourselves to at least 90 % killed.

*Killed* counts mutants that a test noticed, endless loops included. *Equivalent* counts those that no test could
notice, each listed below with the reason. *Survived* is the rest. The rate is of all drawn, equivalent ones included.

What this does not show: constants outside functions are not mutated, and a test can notice a mutant for a reason that
has nothing to do with what it asserts.
"""


def run_mutmut(names: list[str]) -> None:
    """Run the tests on the named mutants, two at a time and behind everything else on the machine."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    command = [
        "nice",
        "-n",
        "19",
        str(Path(sys.executable).with_name("mutmut")),
        "run",
        "--max-children",
        "2",
        *names,
    ]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


def exit_codes(room: str) -> dict[str, int | None]:
    """Return what became of every mutant of a room, by name; None if it was not run."""
    found: dict[str, int | None] = {}
    for path in sorted((ROOT / "mutants" / "src" / "denotary" / room).glob("*.meta")):
        found |= json.loads(path.read_bytes())["exit_code_by_key"]
    return dict(sorted(found.items()))


def change(name: str) -> str:
    """Return the changed lines of a mutant, those taken out before those put in."""
    command = [str(Path(sys.executable).with_name("mutmut")), "show", name]
    shown = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    lines = [line for line in shown.splitlines() if line[:1] in "+-" and line[:3] not in {"---", "+++"}]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines)


def measure(room: str, *, again: bool) -> dict[str, Any]:
    """Draw and run the mutants of a room, or run its survivors again, and return what is written of it."""
    before = json.loads(RESULTS.read_bytes())["rooms"][room] if again else None
    everything = exit_codes(room)
    if before:
        drawn, names = before["drawn"], [mutant["name"] for mutant in before["survived"]]
    else:
        drawn = names = sorted(random.Random(SEED).sample(list(everything), DRAWN[room]))
    if names:
        run_mutmut(names)
    codes = exit_codes(room)
    lost = [name for name in names if codes[name] in {SURVIVED, UNTESTED}]
    survived = [{"name": name, "change": change(name)} for name in lost]
    seed = before["seed"] if before else SEED
    return {"seed": seed, "mutants": len(everything), "drawn": drawn, "survived": survived}


def place(name: str) -> tuple[str, str]:
    """Return the file and the function of a mutant's name."""
    module, _, function = name.removeprefix("denotary.").rpartition(".")
    stem = function.rpartition("__mutmut_")[0]
    return module, stem.removeprefix("x_") if stem.startswith("x_") else stem[2:].replace("ǁ", ".").strip(".")


def reasons() -> dict[tuple[str, str, str], str]:
    """Return why a mutant is equivalent, by file, function and change."""
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {(entry["file"], entry["function"], entry["change"].strip()): entry["why"] for entry in entries}


def wilson(killed: int, drawn: int) -> str:
    """Return the interval of the share of all mutants of which these are a sample."""
    low, high = binomial.wilson(killed, drawn)
    return f"{float(low):.1%} to {float(high):.1%}"


def looked_at(room: str, seed: int) -> str:
    """Return which draws tests were written for, before this one and after it."""
    earlier = [str(other) for other in LOOKED_AT[room] if other != seed]
    told = ""
    if earlier:
        seeds = f"draw{'s' * (len(earlier) > 1)} with seed{'s' * (len(earlier) > 1)} {' and '.join(earlier)}"
        told = f"Before it, tests were written for survivors of the {seeds}. "
    if seed in LOOKED_AT[room]:
        told += "Since, tests were written for survivors of this draw too; its rate is that of before."
    return f"{told.strip()}\n\n" if told else ""


def page(found: dict[str, Any]) -> str:
    """Return the page."""
    known = reasons()
    parts = [INTRO]
    for room, result in found["rooms"].items():
        counts: dict[str, list[int]] = {}
        rows, open_rows = [], []
        for name in result["drawn"]:
            counts.setdefault(place(name)[0], [0, 0, 0])[0] += 1
        for mutant in result["survived"]:
            file, function = place(mutant["name"])
            why = known.get((file, function, mutant["change"]))
            counts[file][1 if why else 2] += 1
            shown = "<br>".join(f"`{line}`" for line in mutant["change"].splitlines())
            (rows if why else open_rows).append((f"`{file}`", f"`{function}`", shown, why or ""))
        drawn = [sum(column) for column in zip(*counts.values(), strict=True)]
        killed = drawn[0] - drawn[1] - drawn[2]
        parts.append(
            f"\n## `{room}/`\n\n{drawn[0]} of {result['mutants']:,} mutants drawn with seed {result['seed']}: "
        )
        parts.append(
            f"**{killed} killed ({killed / drawn[0]:.1%}; 95 % Wilson interval of all: "
            f"{wilson(killed, drawn[0])})**, {drawn[1]} equivalent, {drawn[2]} survived.\n\n"
        )
        parts.append(looked_at(room, result["seed"]))
        body = [(f"`{file}`", *map(str, (n, n - e - s, e, s))) for file, (n, e, s) in sorted(counts.items())]
        parts.append(table(("file", "drawn", "killed", "equivalent", "survived"), body))
        if open_rows:
            parts.append(
                "\n**Survived**\n\n" + table(("file", "function", "change"), [row[:3] for row in open_rows])
            )
        if rows:
            parts.append("\n**Equivalent**\n\n" + table(("file", "function", "change", "why"), rows))
    return "".join(parts)


def main(arguments: list[str]) -> int:
    """Run, write or check; return the exit code."""
    parser = argparse.ArgumentParser(description="Mutation testing of a drawn sample.")
    parser.add_argument(
        "rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(DRAWN)}; all if none is named"
    )
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", action="store_true", help="write the page from the results, run nothing")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    if unknown := set(options.rooms) - DRAWN.keys():
        parser.error(f"no mutants are drawn from {', '.join(sorted(unknown))}")
    found = json.loads(RESULTS.read_bytes()) if RESULTS.exists() else {"rooms": {}}
    if options.check:
        same = PAGE.read_text(encoding="utf-8") == page(found)
        if not same:
            print("docs/explanation/mutants.md: differs from its results; run python tools/mutants.py --page")
        return 0 if same else 1
    if not options.page:
        # mutmut would keep old copies of policies and tests.
        shutil.rmtree(ROOT / "mutants", ignore_errors=True)
        run_mutmut([GENERATE])
        for room in options.rooms or DRAWN:
            found["rooms"][room] = measure(room, again=options.again)
            write_atomic(RESULTS, (json.dumps(found, indent=1) + "\n").encode())
    write_atomic(PAGE, page(found).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
