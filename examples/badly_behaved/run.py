"""Certify the control and the five bad resolvers, and print resolvers x gates as a Markdown table.

    python run.py [--page PAGE] [--check]

Each resolver is asked the bundled suite ``first-thousand`` under policy ``c3`` and the exhaustive conformance suite of
the bundled registry under ``registry-exact``. With ``--page`` the tables replace those between the marks of a page;
with ``--check`` the page must hold them already.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import denotary as dn
from denotary import systems
from denotary.certify import certify
from denotary.instruments.identity.conformance import conformance
from denotary.words import VERDICT_ORDER, VERDICTS

sys.path.insert(0, str(Path(__file__).parent))
from causes import Share, share
from resolvers import RESOLVERS, make

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.certify import Judged
    from denotary.suites import Suite
    from denotary.verdicts.records import GateResult

POLICIES = ("c3", "registry-exact")
CAUSES = (
    "resolver",
    "suite",
    "right cause",
    "failures of the fault",
    "proposed",
    "another",
    "none",
    "share",
    "other failures",
    "of them so called",
)
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"


@dataclass(frozen=True, slots=True)
class Cell:
    """What one gate says of one resolver: the worst of its slices."""

    verdict: str
    bad: int | None
    among: int | None

    def __str__(self) -> str:
        counts = "" if self.among is None else f" {self.bad:,} of {self.among:,}"
        return f"**FAIL**{counts}" if self.verdict == "FAIL" else f"{VERDICTS[self.verdict].lower()}{counts}"


def cells(judged: Judged) -> dict[str, Cell]:
    """Return the worst result of each gate, by the gate's name."""
    found: dict[str, list[GateResult]] = defaultdict(list)
    for result in judged.verdict.gates:
        found[result.gate].append(result)
    worst = {
        name: min(results, key=lambda r: VERDICT_ORDER.index(r.verdict)) for name, results in found.items()
    }
    return {name: Cell(r.verdict, r.numerator, r.denominator) for name, r in worst.items()}


def suites(folder: Path) -> dict[str, Suite]:
    """Return the suite that each policy is judged on."""
    conformance(dn.load_registry("bundled:bootstrap"), folder / "conformance")
    return {
        "c3": dn.load_suite("bundled:first-thousand"),
        "registry-exact": dn.load_suite(folder / "conformance"),
    }


def examine(name: str, policy: str, suite: Suite, folder: Path) -> Judged:
    """Certify one resolver; calls are made one at a time, so that the unstable one is unstable in one way."""
    return certify(systems.python(make(name)), suite, policy, folder / f"{name}-{policy}", concurrency=1)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [tuple(head)]
    lines += [("---",) * len(lines[0]), *(tuple(row) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def tables() -> str:
    """Return the matrices of both policies, and the gate that each resolver was made to fail."""
    parts: list[str] = []
    with tempfile.TemporaryDirectory() as root:
        judged = {
            (name, policy): examine(name, policy, suite, Path(root))
            for policy, suite in suites(Path(root)).items()
            for name in RESOLVERS
        }
        shares = {key: share(key[0], each.run) for key, each in judged.items()}
    found = {key: cells(each) for key, each in judged.items()}
    made_for = (
        (name, f"`{gate[0]}` / `{gate[1]}`", str(found[name, gate[0]][gate[1]]))
        for name, (_, gate) in RESOLVERS.items()
        if gate is not None
    )
    parts.append(table(("resolver", "policy / gate it was made to fail", "result"), made_for))
    for policy in POLICIES:
        gates = found["control", policy]
        rows = ((f"`{gate}`", *(str(found[name, policy][gate]) for name in RESOLVERS)) for gate in gates)
        parts.append(f"Policy `{policy}`:\n\n" + table(("gate", *RESOLVERS), rows))
        failed = Counter(
            name for name in RESOLVERS for cell in found[name, policy].values() if cell.verdict == "FAIL"
        )
        parts[-1] += "\nGates failed: " + ", ".join(f"{name} {failed[name]}" for name in RESOLVERS) + ".\n"
    parts.append(causes(shares))
    return "\n".join(parts)


def causes(shares: dict[tuple[str, str], Share]) -> str:
    """Return how often triage proposes the fault of each resolver, with family, tags and notes hidden."""
    rows = (
        (name, f"`{policy}`", *found.cells)
        for (name, policy), found in shares.items()
        if found.made + found.elsewhere
    )
    return "Root causes proposed with family, tags and notes hidden:\n\n" + table(CAUSES, rows)


def main() -> int:
    """Print the tables, or put them into a page, or compare them with it."""
    parser = argparse.ArgumentParser(description="Resolvers x gates.")
    parser.add_argument("--page", type=Path, help="Markdown file with the marks")
    parser.add_argument("--check", action="store_true", help="fail if the page holds other tables")
    options = parser.parse_args()
    made = tables()
    if options.page is None:
        print(made)
        return 0
    before, _, rest = options.page.read_text(encoding="utf-8").partition(BEGIN)
    held, _, after = rest.partition(END)
    if options.check:
        return 0 if held == made else 1
    options.page.write_text(before + BEGIN + made + END + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
