"""Tables of the page, from the results."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from validity.results import ALPHA, Chance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from validity.results import Part, Result


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def percent(value: float) -> str:
    """Return a share with two decimals."""
    return f"{100.0 * value:.2f} %"


def share(found: dict[str, Any]) -> Chance:
    """Return a chance as a file has it."""
    return Chance(found["times"], found["repeats"])


def verdict(results: Iterable[Result]) -> str:
    """Return whether all criteria hold, or which fall short."""
    broken = [result.name for result in results if result.holds is False]
    return "holds" if not broken else f"**falls short**: {'; '.join(broken)}"


def promotion_by_policy(part: Part) -> str:
    """Return the worst of each policy."""
    rows = []
    for name, found in _grouped(part, "policy").items():
        by_looks = {looks: [r for r in found if r.facts["looks"] == looks] for looks in (1, 3)}
        rows.append(
            [
                name,
                f"{len(found)}",
                percent(max(share(r.facts["gate_passed"]).value for r in by_looks[1])),
                *(percent(max(share(r.facts["promoted"]).value for r in by_looks[k])) for k in (1, 3)),
                verdict(found),
            ]
        )
    head = ("policy", "scenarios", "gate passes, one look", "promoted, one look", "promoted, any of three")
    return table((*head, f"criterion: {percent(ALPHA)} + 3 s.e."), rows)


def asked_again(part: Part) -> str:
    """Return which scenarios were beyond the criterion at first and were asked again."""
    found = [
        f"`{result.name}` ({percent(share(result.facts['promoted']).value)} then)"
        for result in part.results
        if share(result.facts["promoted"]).repeats > part.size["promotion"]
    ]
    return f"It happened to {len(found)}: {', '.join(found)}." if found else "It happened to none."


def closed_form(part: Part) -> str:
    """Return how far simulation and closed form differ, where there is one, and how much the latter spends."""
    deviations, spent = [], []
    for result in part.results:
        expected = result.facts.get("gate_closed_form")
        if expected is not None:
            passed = share(result.facts["gate_passed"])
            error = math.sqrt(expected * (1.0 - expected) / passed.repeats)
            deviations.append(abs(passed.value - expected) / error)
            spent.append(expected / result.facts["alpha"])
    return (
        f"In {len(spent)} scenarios simulation and sum differ by at most {max(deviations):.1f} standard errors, "
        f"and the sums come to {100 * min(spent):.1f} % to {100 * max(spent):.1f} % of what the gate may spend: "
        "what lies above 5 % in these tables is chance."
    )


def promotion_by_gate(part: Part) -> str:
    """Return the largest chance of a false promotion of each gate in each kind of slice."""
    policies = list(_grouped(part, "policy"))
    cells: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for result in part.results:
        facts = result.facts
        row = cells[facts["gate"], facts["slice"].partition("=")[0]]
        row[facts["policy"]] = max(row.get(facts["policy"], 0.0), share(facts["promoted"]).value)
    rows = (
        [f"`{gate}`", kind, *(percent(row[name]) for name in policies)] for (gate, kind), row in cells.items()
    )
    return table(("gate at its limit", "in one", *policies), rows)


def thresholds(part: Part) -> str:
    """Return every way of choosing a threshold."""
    rows = []
    for result in part.results:
        facts = result.facts
        world = facts["design"] + (f", correlation {facts['correlation']:g}" if facts["correlation"] else "")
        chances = (share(facts[name]) for name in ("chosen", "violated", "promoted"))
        rows.append(
            [
                facts["policy"],
                facts["rule"],
                facts["shape"],
                world,
                str(facts["looks"]),
                *(percent(item.value) for item in chances),
                verdict([result]),
            ]
        )
    head = ("policy", "rule", "risk", "sealed units", "looks", "chosen", "violates", "promoted", "criterion")
    return table(head, rows)


def planted(part: Part) -> str:
    """Return what each planted bound did, and whether the criterion told."""
    rows = (
        [
            result.facts["policy"],
            result.facts["planted"],
            f"{share(result.facts['promoted']).repeats:,}",
            percent(share(result.facts["promoted"]).value),
            "holds" if result.facts["criterion"] else "fails",
            "as it must" if result.holds else "**not as it must**",
        ]
        for result in part.results
    )
    return table(("policy", "gates read", "repeats", "promoted", "criterion", ""), rows)


def tolerance(part: Part) -> str:
    """Return how many releases of each sort were tried and promoted."""
    rows = []
    for tried, found in _grouped(part, "tried").items():
        chances = [share(result.facts["promoted"]) for result in found]
        repeats, times = sum(item.repeats for item in chances), sum(item.times for item in chances)
        rows.append([tried, f"{repeats:,}", f"{times:,}", verdict(found)])
    return table(("what is wrong", "releases", "promoted", "criterion: none"), rows)


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


def _grouped(part: Part, fact: str) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = defaultdict(list)
    for result in part.results:
        found[result.facts[fact]].append(result)
    return found


def _by_method(results: Iterable[Result]) -> dict[tuple[str, float], list[Result]]:
    found: dict[tuple[str, float], list[Result]] = defaultdict(list)
    for result in results:
        found[result.facts["method"], result.facts["nominal"]].append(result)
    return found
