"""How many units a gate needs for a PASS at the least, and how many more, the failures staying what they are.

The numbers come from the bound that gates, so that a plan and a verdict cannot disagree.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from denotary.verdicts.bounds import columns, failure_limit, observed

if TYPE_CHECKING:
    from fractions import Fraction

    from denotary.statistics.planning import Bound
    from denotary.verdicts.bounds import Failures
    from denotary.verdicts.records import Gate


def bound_of(gate: Gate, *, single: bool) -> Bound:
    """Return the bound that gates; ``single`` says whether every unit is one case."""
    if gate.kind == "paired":
        return "paired"
    return "exact" if single else "betting"


def spent_on_bound(gate: Gate, alpha: float) -> float:
    """Return what is left of alpha for the bound itself: comparing two ratios spends a part on one of them."""
    from denotary.statistics.paired_ratios import NUISANCE

    return (1.0 - NUISANCE) * alpha if gate.kind == "paired" and gate.at_best else alpha


def tolerated(gate: Gate) -> float | None:
    """Return the failure rate that a gate must exclude; None where only the number of units counts."""
    return None if gate.limit is None else float(failure_limit(gate.limit, gate.side))


def least_units(gate: Gate, alpha: float, *, single: bool, failures: int = 0) -> int:
    """Return the units below which a gate cannot pass with so many failed ones.

    They are those that the policy demands or, if more, those with which the bound reaches the limit at ``alpha``. A
    unit fails entirely; one that does so in part, or answers in part, may take more.

    Args:
        gate: the gate.
        alpha: what the gate may spend, one look's share.
        single: whether every unit is one case.
        failures: units that fail.
    """
    limit = tolerated(gate)
    if limit is None:
        return gate.minimum_units
    wanted = _units_for(limit, failures, spent_on_bound(gate, alpha), bound_of(gate, single=single))
    return max(gate.minimum_units, wanted)


@cache
def _units_for(limit: float, failures: int, alpha: float, bound: Bound) -> int:
    """Return the units of a bound once: every slice of a gate asks for the same."""
    from denotary.statistics import planning

    return planning.units_for(limit, failures, alpha, bound)


def more_units(units: Failures, limit: Fraction | None, alpha: float, minimum: int) -> int:
    """Return how many further units of one case, none failing, a PASS takes at the present failures.

    Args:
        units: the evidence in hand.
        limit: the failure rate to be excluded; None where only the number of units counts.
        alpha: what the gate may spend.
        minimum: units that the gate demands in any case.
    """
    short = max(minimum - units.units, 0)
    if limit is None:
        return short
    return max(short, _more_for_bound(units, limit, alpha))


def _more_for_bound(units: Failures, limit: Fraction, alpha: float) -> int:
    from denotary.statistics import planning

    if units.single:
        return max(planning.units_for(float(limit), units.failures, alpha) - units.units, 0)
    high = 1
    while not _passes(units, high, limit, alpha):
        high *= 2
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        if _passes(units, middle, limit, alpha):
            high = middle
        else:
            low = middle
    return high


def _passes(units: Failures, more: int, limit: Fraction, alpha: float) -> bool:
    from denotary.statistics import betting

    grown = units.with_clean_units(more)
    tops, bottoms, sizes, counts = columns(grown)
    within = betting.p_value(tops, bottoms, sizes, float(limit), counts) <= alpha
    return within and observed(grown) <= limit
