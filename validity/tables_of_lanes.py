"""Table of the page on thresholds of the semantic lane, from the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from validity.results import ALPHA
from validity.tables import percent, share, table, verdict

if TYPE_CHECKING:
    from validity.results import Part


def certified(part: Part) -> str:
    """Return how often a threshold was chosen in each world, and how often one that violates the claim."""
    rows = []
    for result in part.results:
        facts = result.facts
        holds = "as it must fail, it does" if result.holds else "**not as it must**"
        rows.append(
            [
                facts["shape"],
                f"{facts['known']:,} + {facts['unknown']:,}",
                "as found" if facts["share"] is None else f"{100 * facts['share']:g} %",
                f"{100 * facts['part']:g} %",
                "two or three" if facts["siblings"] else "one",
                facts["fault"] or "",
                percent(share(facts["chosen"]).value),
                percent(share(facts["violated"]).value),
                holds if facts["fault"] else verdict([result]),
            ]
        )
    head = ("risk", "known + unknown", "declared share", "of unknown texts", "texts a unit", "planted fault")
    return table((*head, "chosen", "violates", f"criterion: {percent(ALPHA)} + 3 s.e."), rows)
