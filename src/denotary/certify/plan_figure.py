"""A plan as a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.measures.bounds import EXACT
from denotary.reports.figures.sizes import Power, Size, sizes
from denotary.verdicts.bounds import failure_limit
from denotary.verdicts.prospects import claimed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.certify.planning import Plan
    from denotary.reports.figures.svg import Figure
    from denotary.statistics.planning import Bound
    from denotary.verdicts.prospects import Prospect

POINTS: Final = 41
"""True rates at which the power is computed, from 0 to the limit."""
ALLOWED: Final = (0, 1, 3, 5)
"""Failures that the suites of the curves allow: a larger one forgives more and passes a good system more often."""


def plan_figure(plan: Plan) -> Figure:
    """Return the units and the power of every distinct limit of a plan, with the table behind them.

    Raises:
        InputError: no gate of the policy tolerates a rate.
    """
    gates: dict[tuple[float, str, tuple[int, ...]], list[Prospect]] = {}
    for item in plan.prospects:
        if item.kind != "zero" and item.limit is not None and item.needs:
            units = tuple(need.units for need in item.needs)
            gates.setdefault((item.limit, item.method, units), []).append(item)
    if not gates:
        raise InputError(f"no gate of policy {plan.policy} tolerates a rate, so there is nothing to draw")
    rows = [
        Size(_label(found[0]), tuple(dict.fromkeys(item.gate for item in found)), units)
        for (_, _, units), found in gates.items()
    ]
    dearest = max((found[0] for found in gates.values()), key=lambda item: item.needs[0].units)
    title = f"What a claim under {plan.policy} costs"
    return sizes(f"plan-{plan.policy}", title, rows, list(_powers(dearest, plan.alpha)), _label(dearest))


def _label(item: Prospect) -> str:
    return f"{claimed(item, item.limit)}, {_kind(item)}"


def _kind(item: Prospect) -> Bound:
    return "exact" if item.method == EXACT else "betting"


def _powers(item: Prospect, alpha: float) -> Iterator[Power]:
    import numpy as np

    from denotary.statistics import planning

    tolerated = float(failure_limit(item.limit or 0.0, "upper" if item.side == "upper" else "lower"))
    shares = np.linspace(0.0, 1.0, POINTS)
    for failures in ALLOWED:
        units = item.needs[failures].units
        chances = planning.power(units, tolerated, shares * tolerated, alpha, _kind(item))
        label = f"{units:,} units, {failures or 'none'} may fail"
        yield Power(label, tuple(zip(shares.tolist(), chances.tolist(), strict=True)))
