"""How much evidence a simulated suite holds: just enough for a gate to pass with so many failures."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from denotary.instruments.identity.critical import ANSWERED, MEANT
from denotary.measures.required import LANGUAGES as ADVERTISED
from denotary.statistics import planning
from denotary.verdicts.bounds import failure_limit
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from validity.world import CRITICAL, LANGUAGES, bound_of, scale_for

if TYPE_CHECKING:
    from denotary.verdicts.records import Gate, Policy
    from validity.world import Design

REQUIRED = {ADVERTISED: LANGUAGES, MEANT: CRITICAL, ANSWERED: CRITICAL}


def tolerated(gate: Gate) -> float:
    """Return the failure rate at the limit of a gate."""
    return float(failure_limit(gate.limit if gate.limit is not None else 0.0, gate.side))


def units_needed(gate: Gate, alpha: float, design: Design, failures: int) -> int:
    """Return the fewest units with which a gate passes although so many of them failed."""
    wanted = planning.units_for(tolerated(gate), failures, alpha, bound_of(design))
    return max(gate.minimum_units, wanted)


@cache
def least_scale(rules: Policy, looks: int, design: Design, what: str = "") -> int:
    """Return the smallest scale at which every bound gate (of one measure) passes without a failure."""
    alpha = spent(rules, looks)
    return max(
        (
            scale_for(design, name, units_needed(gate, alpha, design, 0))
            for gate in rules.gates
            if gate.kind == "bound" and what in {"", gate.measure}
            for name in slices_of(gate, REQUIRED)
        ),
        default=1,
    )


def tight_scale(rules: Policy, gate: Gate, name: str, *, looks: int, design: Design, failures: int) -> int:
    """Return the scale at which a gate in a slice only just passes with some number of failures.

    It is the worst place of an exact bound, whose chance of passing falls in steps. The number of failures
    is raised until every other slice of the measure has evidence enough as well.
    """
    alpha, least = spent(rules, looks), least_scale(rules, looks, design, gate.measure)
    while True:
        scale = scale_for(design, name, units_needed(gate, alpha, design, failures))
        if scale >= least:
            return scale
        failures += 1
