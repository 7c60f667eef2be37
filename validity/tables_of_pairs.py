"""Tables of the page on two systems, from the results."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from validity.results import ALPHA
from validity.tables import percent, share, table, verdict

if TYPE_CHECKING:
    from validity.results import Part, Result


def regressions(part: Part, policy: str) -> str:
    """Return the largest share of false promotions of each gate of a policy on two systems, by how units come out."""
    rows = []
    own_gates = [result for result in part.results if result.facts["policy"] == policy]
    for gate in dict.fromkeys(result.facts["gate"] for result in own_gates):
        found = [result for result in own_gates if result.facts["gate"] == gate]
        worlds: dict[str, list[Result]] = defaultdict(list)
        for result in found:
            worlds[result.facts["world"]].append(result)
        for world, own in worlds.items():
            by_looks = {looks: [r for r in own if r.facts["looks"] == looks] for looks in (1, 3)}
            worst = (
                percent(max(share(r.facts["promoted"]).value for r in many)) if many else "not tried"
                for many in by_looks.values()
            )
            units = [r.facts["units"] for r in own]
            tolerated = f"{100 * own[0].facts['limit']:g} pp"
            rows.append(
                [f"`{gate}`", tolerated, world, f"{min(units):,} to {max(units):,}", *worst, verdict(own)]
            )
    head = (
        "gate at its tolerance",
        "increase",
        "units come out",
        "units",
        "promoted, one look",
        "any of three",
    )
    return table((*head, f"criterion: {percent(ALPHA)} + 3 s.e."), rows)


def power(part: Part) -> str:
    """Return the chance that each gate on two systems promotes, by evidence and true increase."""
    rows: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for result in part.results:
        facts = result.facts
        tolerated = f"{100 * facts['limit']:g} pp"
        point = (f"`{facts['gate']}`", tolerated, facts["world"], f"{facts['units']:,}")
        rows[point].append(f"{100 * share(facts['promoted']).value:.1f} %")
    head = ("gate", "tolerance", "units come out", "units", "no increase", "tolerance/10", "tolerance/5")
    return table((*head, "tolerance/2"), ([*point, *chances] for point, chances in rows.items()))
