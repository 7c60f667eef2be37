"""Tables of the page about intervals, bounds and power."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from validity.tables import percent, share, table, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from validity.results import Part, Result


def coverage_of_gates(part: Part) -> str:
    """Return, for each bound that gates, its lowest coverage over the grid."""
    rows = []
    gating = [result for result in part.results if result.facts["gates"]]
    for (method, nominal), found in _by_method(gating).items():
        worst = min(found, key=lambda result: share(result.facts["covered"]).value)
        over = [result.facts["median_over_truth"] for result in found if "median_over_truth" in result.facts]
        rows.append(
            [
                method,
                percent(nominal),
                str(len(found)),
                percent(share(worst.facts["covered"]).value),
                worst.facts["cell"],
                f"{min(over):.2f} to {max(over):.2f}" if over else "",
                verdict(found),
            ]
        )
    head = (
        "bound",
        "nominal",
        "cells",
        "lowest coverage",
        "in cell",
        "median bound / true rate",
        "criterion",
    )
    return table(head, rows)


def coverage_of_descriptions(part: Part, *, siblings: bool) -> str:
    """Return the coverage of what describes, cell by cell."""
    cells: dict[str, dict[str, float]] = defaultdict(dict)
    for result in part.results:
        facts = result.facts
        if not facts["gates"]:
            cells[facts["cell"]][facts["method"]] = share(facts["covered"]).value
    chosen = {name: row for name, row in cells.items() if ("Korn-Graubard" in row) == siblings}
    methods = list(dict.fromkeys(method for row in chosen.values() for method in row))
    rows = ([name, *(percent(row[m]) if m in row else "" for m in methods)] for name, row in chosen.items())
    return table(("cell", *methods), rows)


def separations(part: Part) -> str:
    """Return how often each end of the interval of an AUROC misses."""
    rows = []
    for result in part.results:
        facts = result.facts
        ends = (percent(share(facts[f"{end}_misses"]).value) for end in ("low", "high"))
        held = "description" if result.holds is None else verdict([result])
        rows.append([facts["design"], *ends, f"{facts['width']:.3f}", held])
    head = (
        "design, scores, AUROC",
        "lower end misses",
        "upper end misses",
        "mean width",
        "criterion: 3.75 % + 3 s.e.",
    )
    return table(head, rows)


def sequences(part: Part) -> str:
    """Return the coverage of differences, sequences and worst groups."""
    rows = (
        [
            result.facts["method"],
            result.facts["cell"],
            percent(share(result.facts["covered"]).value),
            "description" if result.holds is None else verdict([result]),
        ]
        for result in part.results
    )
    return table(("bound", "cell", "coverage", "criterion: 95 % - 3 s.e."), rows)


def power(part: Part, *, what: str) -> str:
    """Return the power of the gate or of the policy: a row a design and amount of evidence."""
    rows: dict[tuple[str, str], dict[float, str]] = defaultdict(dict)
    for result in part.results:
        facts = result.facts
        if facts["what"].startswith(what):
            chance = share(facts["passed"]).value if what == "gate" else facts["promoted"]
            amount = f"{facts['units']:,} units" if what == "gate" else f"{facts['evidence']:g} x"
            rows[facts["design"], amount][facts["share_of_limit"]] = f"{100.0 * chance:.1f} %"
    head = ("design", "evidence", "true rate 0", "limit/10", "limit/5", "limit/3")
    return table(head, ([*key, *(row[s] for s in sorted(row))] for key, row in rows.items()))


def _by_method(results: Iterable[Result]) -> dict[tuple[str, float], list[Result]]:
    found: dict[tuple[str, float], list[Result]] = defaultdict(list)
    for result in results:
        found[result.facts["method"], result.facts["nominal"]].append(result)
    return found
