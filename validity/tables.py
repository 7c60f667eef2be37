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
        [f"`{gate}`", kind, *(percent(row[name]) if name in row else "-" for name in policies)]
        for (gate, kind), row in cells.items()
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


def pair_gates(part: Part) -> str:
    """Return the largest share of false promotions of each claim of a similarity gate, by how it comes about."""
    rows = []
    for gate, found in _grouped(part, "gate").items():
        for world in dict.fromkeys(result.facts["world"] for result in found):
            own = [result for result in found if result.facts["world"] == world]
            units = [result.facts["units"] for result in own]
            worst = (
                max(share(r.facts["promoted"]).value for r in own if r.facts["looks"] == looks)
                for looks in (1, 3)
            )
            limit = percent(own[0].facts["limit"])
            span = f"{min(units):,} to {max(units):,}"
            rows.append([f"`{gate}`", limit, world, span, *map(percent, worst), verdict(own)])
    head = ("gate at its limit", "limit", "world", "units", "promoted, one look", "any of three")
    return table((*head, f"criterion: {percent(ALPHA)} + 3 s.e."), rows)


def _grouped(part: Part, fact: str) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = defaultdict(list)
    for result in part.results:
        found[result.facts[fact]].append(result)
    return found
