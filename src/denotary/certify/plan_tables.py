"""A plan as tables for people, each narrow enough for a terminal of 100 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from denotary.measures.bounds import EXACT
from denotary.verdicts.prospects import PLANNED_FAILURES, claimed
from denotary.words import NOTHING, percent, short_slice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.certify.planning import Plan
    from denotary.measures.records import Floor
    from denotary.verdicts.prospects import Prospect

SLICE: Final = 36
"""Characters of a slice's name; a longer one is cut in its middle."""
GROUPS: Final = 40
"""Most groups of cases whose floors are listed."""
PLANNED: Final = len(PLANNED_FAILURES)
"""Numbers of failures that have a column."""


class PlanTable(NamedTuple):
    """Title, column heads and rows, all of them text."""

    title: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


def tables(plan: Plan) -> Iterator[PlanTable]:
    """Yield the tables of a plan that have a row."""
    priced = list(_priced(plan.prospects))
    for table in (
        PlanTable(
            "Independent units that a pass takes, by how many of them fail",
            ("gate", "limit", "bound", *(str(number) for number in PLANNED_FAILURES)),
            [_units(item) for item in priced],
        ),
        PlanTable(
            "With the units of no failure: chance of a pass at a true rate, units to ask, judgements",
            ("gate", "bound", "at limit/3", "at limit/10", "to ask", "for 95 %", "judgements"),
            [_costs(item) for item in priced],
        ),
        PlanTable(
            "Gates without a limit",
            ("gate", "least units", "what must hold"),
            list(dict.fromkeys(_unlimited(item) for item in plan.prospects if item.limit is None)),
        ),
    ):
        if table.rows:
            yield table
    if plan.suite is not None:
        yield PlanTable(
            f"What {plan.suite} holds",
            ("gate", "slice", "units", "needed", "at best", "enough"),
            [_held(item) for item in plan.prospects],
        )
        yield from _floors(plan.floors)


def _priced(prospects: Sequence[Prospect]) -> Iterator[Prospect]:
    """Yield one prospect of each gate and bound: slices of a gate differ in what they hold, not in what they need."""
    seen = set()
    for item in prospects:
        if item.needs and (item.gate, item.method) not in seen:
            seen.add((item.gate, item.method))
            yield item


def _bound(item: Prospect) -> str:
    return "exact" if item.method == EXACT else "betting"


def _units(item: Prospect) -> tuple[str, ...]:
    units = [f"{need.units:,}" for need in item.needs]
    # A gate that tolerates no failure has no price for one.
    return item.gate, claimed(item, item.limit), _bound(item), *units, *[NOTHING] * (PLANNED - len(units))


def _costs(item: Prospect) -> tuple[str, ...]:
    first = item.needs[0]
    judged = NOTHING if item.judgements is None else _span(*item.judgements)
    powers = percent(first.power_third), percent(first.power_tenth)
    return item.gate, _bound(item), *powers, f"{first.planned:,}", f"{first.assured:,}", judged


def _unlimited(item: Prospect) -> tuple[str, ...]:
    counted = item.measure != item.fact
    asks = ["no failure"] if counted and item.kind == "zero" else []
    return (
        item.gate,
        f"{item.minimum_units:,}" if counted else NOTHING,
        ", ".join(asks + ([item.fact] if item.fact else [])),
    )


def _held(item: Prospect) -> tuple[str, ...]:
    needed = item.needs[0].units if item.needs else item.minimum_units
    counted = item.measure != item.fact
    return (
        item.gate,
        short_slice(item.slice, SLICE),
        NOTHING if item.have is None or not counted else f"{item.have:,}",
        f"{needed:,}" if counted else NOTHING,
        claimed(item, item.at_best),
        NOTHING if item.feasible is None else "yes" if item.feasible else "no",
    )


def _floors(floors: Sequence[Floor]) -> Iterator[PlanTable]:
    """Yield a table an axis: the groups below a floor, each with what it has of what it needs."""
    for axis in dict.fromkeys(floor.axis for floor in floors):
        groups: dict[str, dict[str, Floor]] = {}
        for floor in floors:
            if floor.axis == axis:
                groups.setdefault(floor.group, {})[floor.floor] = floor
        short = {
            name: kinds for name, kinds in groups.items() if any(f.have < f.need for f in kinds.values())
        }
        if short:
            more = f", of which {GROUPS} are listed" if len(short) > GROUPS else ""
            title = f"Evidence floors: {len(short):,} of {len(groups):,} {axis}s lie below one{more}"
            kinds = list(next(iter(groups.values())))
            rows = [_group(axis, name, found, kinds) for name, found in list(short.items())[:GROUPS]]
            yield PlanTable(title, (axis, *(_brief(kind) for kind in kinds)), rows)


def _group(axis: str, name: str, found: Mapping[str, Floor], kinds: Sequence[str]) -> tuple[str, ...]:
    shown = short_slice(f"{axis}={name}", SLICE).removeprefix(f"{axis} ")
    return shown, *(f"{found[kind].have:,} of {found[kind].need:,}" for kind in kinds)


def _brief(kind: str) -> str:
    """Return the first word of a list of kinds, so that a column stays narrow."""
    head, comma, _ = kind.partition(",")
    return f"{head} …" if comma else head


def _span(fewest: int, most: int) -> str:
    return f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
