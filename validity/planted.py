"""Broken bounds, planted on purpose: a study that could not tell them from valid ones would prove nothing.

The hook is the simulation's own: while :func:`planted` is in force, the gates read another function in place
of :func:`denotary.verdicts.bounds.upper_bound`. The product has no such switch. Each plant fails in one world
chosen for it, in which the right bound is tried as well.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from denotary.statistics import binomial, planning
from denotary.verdicts import gates
from validity.evidence import least_scale, tight_scale, tolerated
from validity.judging import batches, falsely
from validity.outcomes import Risk
from validity.release import policy, release
from validity.results import ALPHA, Result, chance, stream
from validity.tally import simulate
from validity.world import cases_in, population, scale_for, units_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from denotary.verdicts.bounds import Failures
    from denotary.verdicts.records import Gate
    from validity.world import Design

    Bound = Callable[[Failures, float], tuple[float, str]]

_SLICE: Final = "language=ar"

_FAILURES: Final = 4
"""Failures among siblings that the bound on cases only just lets pass."""


def wilson_one_sided(units: Failures, alpha: float) -> tuple[float, str]:
    """Return the upper end of Wilson's interval as if it were a one-sided bound."""
    _, high = binomial.wilson(units.failures, units.cases, 1.0 - 2.0 * alpha)
    return float(high), "Wilson, one-sided"


def exact_on_cases(units: Failures, alpha: float) -> tuple[float, str]:
    """Return the exact bound as if siblings were independent cases."""
    return binomial.upper_bound(units.failures, units.cases, alpha), "exact binomial on cases"


@dataclass(frozen=True, slots=True)
class Plant:
    """Something broken, and the world in which it shows.

    Attributes:
        name: what is broken.
        bound: what the gates read; None for the right bound.
        design: what the units are like.
        correlation: intra-unit correlation.
        looks: looks that are taken.
        declared: looks that are declared, among which the error probability is divided.
        sound: whether nothing is broken, so that the criterion must hold.
    """

    name: str
    bound: Bound | None
    design: Design
    correlation: float = 0.0
    looks: int = 1
    declared: int = 1
    sound: bool = False


PLANTS: Final = (
    Plant("right bound, one case a unit", None, "single", sound=True),
    Plant("Wilson, one-sided", wilson_one_sided, "single"),
    Plant("right bound, siblings", None, "siblings", 0.5, sound=True),
    Plant("exact bound on cases, siblings counted as independent", exact_on_cases, "siblings", 0.5),
    Plant("right bound, three declared looks", None, "single", looks=3, declared=3, sound=True),
    Plant("three looks, one declared", None, "single", looks=3),
)


@contextmanager
def planted(bound: Bound | None) -> Iterator[None]:
    """Make the gates read a broken bound; None leaves the right one in place."""
    with patch.object(gates, "upper_bound", bound) if bound else nullcontext():
        yield


def run(plant: Plant, name: str, repeats: int) -> Result:
    """Return how often a policy with something broken promoted, and whether the criterion told.

    The result holds iff the criterion fails for what is broken, and holds for what is not.
    """
    rules = policy(name)
    gate = next(gate for gate in rules.gates if gate.id == "unknown")
    scale = _scale(plant, name, gate)
    rng = stream("planted", name, plant.name)
    least = least_scale(rules, plant.declared, plant.design)
    base = release(rules, plant.design, least, plant.declared)
    units, risk = population(plant.design, scale), Risk(tolerated(gate), plant.correlation)
    times = 0
    with planted(plant.bound):
        for many in batches(repeats):
            draws = simulate(rng, units, _SLICE, risk, many * plant.looks)
            _, promoted = falsely(base, gate, _SLICE, draws, screened=plant.bound is None)
            times += int(promoted.reshape(many, plant.looks).any(axis=1).sum())
    found = chance(times, repeats)
    facts = {
        "policy": name,
        "gate": gate.id,
        "slice": _SLICE,
        "planted": plant.name,
        "sound": plant.sound,
        "correlation": plant.correlation,
        "looks": plant.looks,
        "units": scale * units_in(plant.design, _SLICE),
        "promoted": found,
        "criterion": found.at_most(ALPHA),
    }
    return Result(f"{name}/{plant.name}", facts, found.at_most(ALPHA) == plant.sound)


def _scale(plant: Plant, name: str, gate: Gate) -> int:
    """Return the scale of the world in which a plant shows: where it only just lets a few failures pass."""
    rules, limit = policy(name), tolerated(gate)
    least = least_scale(rules, plant.declared, plant.design, gate.measure)
    if plant.bound is exact_on_cases:
        cases = planning.units_for(limit, _FAILURES, ALPHA)
        return max(least, -(-cases // cases_in(plant.design, _SLICE)))
    if plant.bound is wilson_one_sided:
        return max(least, scale_for(plant.design, _SLICE, _wilson_units(limit)))
    return tight_scale(rules, gate, _SLICE, looks=plant.declared, design=plant.design, failures=0)


def _wilson_units(limit: float) -> int:
    """Return the fewest cases with which Wilson's bound lets one failure pass."""
    low, high = 1, planning.units_for(limit, _FAILURES, ALPHA)
    while high - low > 1:
        middle = (low + high) // 2
        _, end = binomial.wilson(1, middle, 1.0 - 2.0 * ALPHA)
        low, high = (low, middle) if float(end) <= limit else (middle, high)
    return high
