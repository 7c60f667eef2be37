"""What a gate costs before anything is asked, and what a planned suite can support at best."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from denotary.records import Record
from denotary.suites.depth import DEPTHS
from denotary.suites.records import DepthTier
from denotary.verdicts.feasibility import bound_of, least_units, spent_on_bound, tolerated
from denotary.words import bound, points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.statistics.planning import Bound
    from denotary.verdicts.bounds import Failures
    from denotary.verdicts.records import Gate

PLANNED_FAILURES: Final = range(6)
"""A plan says what 0 to 5 failures cost; of a gate that tolerates none, what no failure costs."""


class Need(Record, frozen=True):
    """What a PASS takes with this many failed units.

    ``units`` are independent units in the denominator. ``planned`` are those to be asked so that, at the
    expected assigned share, as many are expected to enter it; ``assured`` so that they do with 95 % chance.
    ``power_third`` and ``power_tenth`` are the chances that ``units`` units pass a system whose true rate is
    a third or a tenth of the limit.
    """

    failures: int
    units: int
    planned: int
    assured: int
    power_third: float
    power_tenth: float


class Prospect(Record, frozen=True):
    """One gate in one slice, before anything is asked."""

    gate: str
    title: str
    kind: str
    measure: str
    """Id of the measure that is read; where none is, the fact."""
    fact: str
    """What must hold as well, or instead."""
    slice: str
    side: str
    limit: float | None
    minimum_units: int
    """Units that the policy demands in any case; ``needs`` says what the bound takes."""
    alpha: float
    method: str
    """The bound that will gate: exact with one case a unit, betting with siblings.

    With siblings a failed unit is one that fails entirely."""
    assigned_share: float
    """Expected share of the asked units that enter the denominator; 1 for a rate."""
    needs: tuple[Need, ...]
    depth: DepthTier | None
    judgements: tuple[int, int] | None
    """Fewest and most judgements that the cases of a plan without a failure cost."""
    have: int | None = None
    """Units of the suite that are expected in the denominator; None without a suite."""
    at_best: float | None = None
    """What the suite supports without a failure: the bound on the gate's own side."""
    power_third: float | None = None
    """Power of the suite at a third of the limit."""
    power_tenth: float | None = None
    feasible: bool | None = None
    """Whether a system without a failure would pass here; None without a suite, or where a fact decides."""
    barred: str = ""
    """What bars a pass whatever the number of units: a fact that does not hold, evidence floors not met."""


def claimed(item: Prospect, value: float | None) -> str:
    """Return a limit, or what can be shown at best, in words: a rate, or of two systems a difference."""
    if item.kind == "paired" and value is not None:
        return f"≤ {points(value, 'up')}"
    return bound(value, upper=item.side == "upper")


def prospect(
    gate: Gate,
    name: str,
    *,
    alpha: float,
    population: Failures | None = None,
    assigned_share: float = 1.0,
) -> Prospect:
    """Return what a gate needs in a slice, and what a suite can claim there at best.

    Args:
        gate: the gate.
        name: the slice.
        alpha: what the gate may spend.
        population: the suite's units in the slice; None without a suite.
        assigned_share: expected share of the asked units that enter the denominator.
    """
    single = population is None or population.single
    needs = () if gate.limit is None else tuple(_needs(gate, alpha, assigned_share, single=single))
    found = _suite_figures(gate, alpha, population, assigned_share)
    return Prospect(
        gate=gate.id,
        title=gate.title,
        kind=gate.kind,
        measure=gate.measure or gate.fact,
        fact=gate.fact,
        slice=name,
        side=gate.side,
        limit=gate.limit,
        minimum_units=gate.minimum_units,
        alpha=alpha,
        method=_called(bound_of(gate, single=single)),
        assigned_share=assigned_share,
        needs=needs,
        depth=gate.depth,
        judgements=_judgements(gate, needs),
        **found,
    )


def _called(method: Bound) -> str:
    """Return how the rows of a measurement call a bound."""
    from denotary.measures import bounds, comparison_rows

    return {"exact": bounds.EXACT, "betting": bounds.BETTING, "paired": comparison_rows.BETTING}[method]


def _needs(gate: Gate, alpha: float, share: float, *, single: bool) -> Iterator[Need]:
    from denotary.statistics import planning

    for failures in PLANNED_FAILURES[:1] if gate.kind == "zero" else PLANNED_FAILURES:
        units = least_units(gate, alpha, single=single, failures=failures)
        third, tenth = _power(gate, units, alpha, single=single)
        planned, assured = planning.planned_units(units, share)
        yield Need(
            failures=failures,
            units=units,
            planned=planned,
            assured=assured,
            power_third=third,
            power_tenth=tenth,
        )


def _power(gate: Gate, units: int, alpha: float, *, single: bool) -> tuple[float, float]:
    """Return the chances that so many units pass a system whose true rate is a third or a tenth of the limit."""
    limit = tolerated(gate) or 0.0
    if gate.kind == "zero":
        return (1.0 - limit / 3) ** units, (1.0 - limit / 10) ** units
    return _bound_power(units, limit, spent_on_bound(gate, alpha), bound_of(gate, single=single))


@cache
def _bound_power(units: int, limit: float, alpha: float, method: Bound) -> tuple[float, float]:
    """Return the power of a bound at a third and a tenth of a limit; every slice of a gate asks for the same."""
    from denotary.statistics import planning

    third, tenth = planning.power(units, limit, [limit / 3, limit / 10], alpha, method)
    return float(third), float(tenth)


def _judgements(gate: Gate, needs: tuple[Need, ...]) -> tuple[int, int] | None:
    if gate.depth is None:
        return None
    cases = needs[0].planned if needs else gate.minimum_units
    depth = DEPTHS[gate.depth]
    return cases * depth.fewest, cases * depth.most


def _suite_figures(gate: Gate, alpha: float, population: Failures | None, share: float) -> dict[str, Any]:
    """Return the figures of a :class:`Prospect` that depend on the suite, by field; arguments as there."""
    from denotary.statistics import planning

    if population is None or not gate.measure:
        return {}
    if gate.allow_not_expressible and gate.fact and not population.cases:
        # The gate is set aside if its fact holds, which no plan can know.
        return {"have": 0}
    limit = tolerated(gate)
    have = math.floor(population.units * share + 1e-9)
    enough = have >= gate.minimum_units
    if limit is None:
        # A systematic gate reads a fact as well, which no plan can know.
        return {"have": have, "feasible": enough if gate.kind == "zero" or not enough else None}
    upper = (
        planning.best_claim(have, spent_on_bound(gate, alpha), "paired")
        if gate.kind == "paired"
        else _best(population, share, have, alpha)
    )
    feasible = enough and upper <= limit
    third, tenth = _power(gate, have, alpha, single=population.single) if feasible else (0.0, 0.0)
    return {
        "have": have,
        "at_best": upper if gate.side == "upper" else 1.0 - upper,
        "power_third": third,
        "power_tenth": tenth,
        "feasible": feasible,
    }


def _best(population: Failures, share: float, have: int, alpha: float) -> float:
    """Return the upper bound of the failure rate if not one case failed."""
    from denotary.statistics import betting, planning

    if population.single:
        return planning.best_claim(have, alpha)
    sizes = [item.size for item in population.types]
    counts = [item.count for item in population.types]
    return betting.upper_ratio([0.0] * len(sizes), [share * size for size in sizes], sizes, counts, alpha)
