"""How many more units a gate would need for a PASS, the failures staying what they are.

The numbers come from the bound that gates, so that a plan and a verdict cannot disagree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.verdicts.bounds import columns, observed

if TYPE_CHECKING:
    from fractions import Fraction

    from denotary.verdicts.bounds import Failures


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
