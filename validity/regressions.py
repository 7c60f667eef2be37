"""The chance that a policy on two systems promotes a release whose harm rose by exactly what is tolerated.

For every gate on two systems and every kind of slice that it must hold in, the true increase, units weighed alike, is
exactly the tolerance; every other comparison shows no difference, nothing happened that must not, and all facts hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, comb
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from denotary.measures.pair_counts import PairPanel
from denotary.measures.records import PairType, Ratio
from denotary.statistics import planning
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from validity.paired_release import NAMES, comparison, paired_release, rules
from validity.promotion import AGAIN
from validity.results import ALPHA, Result, chance, significant, stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from denotary.verdicts.records import Gate

Kinds = list[tuple[tuple[int, int, int, int, int], float]]
"""Base events and population, new ones and size of a unit, and the chance of such a unit."""

RATES: Final = ("one case", "churn", "siblings together", "siblings apart")
RATIOS: Final = ("flawless base", "same coverage", "more coverage")
LOOKS: Final = (1, 3)
FAILURES: Final = (0, 4)

_BETTER: Final = 0.005
"""Share of units that became better where both systems err now and then."""
_BOTH: Final = 0.01
"""Share of answers on which both err."""
FAMILY: Final = {NAMES[0]: 4, NAMES[1]: 2}
"""Cases of a unit with siblings, by policy: of an anchor two opposite pairs, or two same ones."""
_COVERAGE: Final = {"flawless base": (0.8, 0.8), "same coverage": (0.8, 0.8), "more coverage": (0.6, 0.9)}


@dataclass(frozen=True, slots=True)
class Scenario:
    """One gate in one slice at its tolerance.

    Attributes:
        policy: name of the policy.
        gate: the gate.
        slice: where the increase is at the tolerance.
        world: how units come out.
        failures: worse units with which the gate only just passes where nothing else moves.
        looks: declared looks at the suite.
    """

    policy: str
    gate: Gate
    slice: str
    world: str
    failures: int
    looks: int

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        return f"{self.gate.id}/{self.slice}/{self.world}/{self.failures}/{self.looks}"


def scenarios() -> Iterator[Scenario]:
    """Yield every scenario of every policy on two systems."""
    for name in NAMES:
        for gate, where in gates(name):
            worlds = RATIOS if isinstance(rules(name).measures[gate.measure], Ratio) else RATES
            for world in worlds:
                # Bounds of ratios take a hundred times as long where coverage moved.
                for looks in LOOKS if world != RATIOS[-1] else LOOKS[:1]:
                    yield from (Scenario(name, gate, where, world, n, looks) for n in FAILURES)


def gates(name: str) -> Iterator[tuple[Gate, str]]:
    """Yield every gate with a tolerance in a slice of each kind: languages are alike, tasks, mutation classes."""
    for gate in rules(name).policy.gates:
        for selector in gate.slices if gate.kind == "paired" else ():
            alone = msgspec.structs.replace(gate, slices=(selector,))
            yield gate, next(slices_of(alone, rules(name).required))


def kinds(world: str, limit: float, family: int) -> Kinds:
    """Return how a unit can come out where harm rises by ``limit``.

    Args:
        world: one of ``RATES`` or ``RATIOS``.
        limit: the true increase, units weighed alike.
        family: cases of a unit with siblings.
    """
    if world in _COVERAGE:
        return _answered(*_COVERAGE[world], limit, 0.0 if world == "flawless base" else _BOTH)
    if world == "siblings apart":
        return [
            (
                (0, family, bad, family, family),
                comb(family, bad) * limit**bad * (1 - limit) ** (family - bad),
            )
            for bad in range(family + 1)
        ]
    better, both = (_BETTER, _BOTH) if world == "churn" else (0.0, 0.0)
    ways = {(0, 1): limit + better, (1, 0): better, (1, 1): both, (0, 0): 1 - limit - 2 * better - both}
    sizes = (1, family) if world == "siblings together" else (1,)
    return [
        ((base * size, size, new * size, size, size), share / len(sizes))
        for size in sizes
        for (base, new), share in ways.items()
    ]


def _answered(before: float, now: float, limit: float, both: float) -> Kinds:
    """Return units of one case of which both systems answer some, the release no fewer than the base."""
    more, rate = now - before, both + limit
    kept = [((1, 1, 1, 1, 1), before * both), ((0, 0, 0, 0, 1), 1 - now)]
    if more > 0.0:
        # The answers that the base did not dare to give bring all of the increase.
        wrong = now * rate - before * both
        return [
            *kept,
            ((0, 1, 0, 1, 1), before * (1 - both)),
            ((0, 0, 1, 1, 1), wrong),
            ((0, 0, 0, 1, 1), more - wrong),
        ]
    return [*kept, ((0, 1, 1, 1, 1), before * limit), ((0, 1, 0, 1, 1), before * (1 - rate))]


def run(scenario: Scenario, repeats: int) -> Result:
    """Return how often the policy promoted; one that falls short is asked again with ten times the repeats."""
    found = _asked(scenario, repeats, "once")
    return found if found.holds else _asked(scenario, AGAIN * repeats, "again")


def _asked(scenario: Scenario, repeats: int, stage: str) -> Result:
    gate, looks, base = scenario.gate, scenario.looks, paired_release(scenario.policy, scenario.looks)
    alpha, limit = spent(base.policy, looks), gate.limit or 0.0
    if base.decision() != "PROMOTE":
        raise RuntimeError(f"{scenario.name}: a release that answers as its base does is not promoted")
    answered = _COVERAGE.get(scenario.world, (1.0, 1.0))[0]
    units = ceil(planning.units_for(limit, scenario.failures, alpha, "paired") / answered)
    ways = kinds(scenario.world, limit, FAMILY[scenario.policy])
    rng = stream("regressions", scenario.name, stage)
    promoted = passed(scenario, ways, units, rng, repeats * looks)
    verdict = chance(int(promoted.reshape(repeats, looks).any(axis=1).sum()), repeats)
    facts: dict[str, Any] = {
        "policy": scenario.policy,
        "gate": gate.id,
        "measure": gate.measure,
        "slice": scenario.slice,
        "limit": limit,
        "world": scenario.world,
        "failures": scenario.failures,
        "looks": looks,
        "alpha": significant(alpha),
        "units": units,
        "promoted": verdict,
    }
    return Result(scenario.name, facts, verdict.at_most(ALPHA))


def passed(
    scenario: Scenario, ways: Kinds, units: int, rng: np.random.Generator, repeats: int
) -> NDArray[np.bool_]:
    """Return which of many drawn releases the policy promotes, shape (repeats,)."""
    drawn = rng.multinomial(units, [share for _, share in ways], size=repeats)
    distinct, position = np.unique(drawn, axis=0, return_inverse=True)
    return _promoted(scenario, [kind for kind, _ in ways], distinct)[position.ravel()]


def _promoted(
    scenario: Scenario, ways: list[tuple[int, int, int, int, int]], drawn: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which draws the policy promotes, shape (R,).

    Draws whose bound, by the function that bounds rows, is beyond the tolerance are not judged; the first of
    them is, to make sure.
    """
    gate, base = scenario.gate, paired_release(scenario.policy, scenario.looks)
    limit, alpha = gate.limit or 0.0, spent(base.policy, scenario.looks)
    ratio = isinstance(rules(scenario.policy).measures[gate.measure], Ratio)
    found = np.zeros(len(drawn), dtype=np.bool_)
    # No bound is printed below the observed increase: what lies above the tolerance needs no bound.
    seen = _panel(ways, drawn).difference()
    near = np.flatnonzero(seen <= limit)
    _, high = _panel(ways, drawn[near]).bounds(np.full(len(near), ratio), alpha)
    within = near[high <= limit * (1.0 + 1e-9)]
    beyond = np.setdiff1d(np.arange(len(drawn)), within)[:1]
    for place in (*within.tolist(), *beyond.tolist()):
        types = [PairType(*way, int(n)) for way, n in zip(ways, drawn[place], strict=True) if n]
        row = comparison(scenario.policy, gate.measure, scenario.slice, types)
        found[place] = base.decision([row]) == "PROMOTE"
    if found[beyond].any():
        raise RuntimeError(f"{scenario.name}: the policy promotes although the bound is beyond the tolerance")
    return found


def _panel(ways: list[tuple[int, int, int, int, int]], drawn: NDArray[np.int64]) -> PairPanel:
    """Return the panel with a row for every draw."""
    row, kind = np.nonzero(drawn)
    columns = np.asarray(ways, dtype=np.int64)[kind]
    base, new = (columns[:, 0], columns[:, 1]), (columns[:, 2], columns[:, 3])
    return PairPanel(len(drawn), row, *base, *new, columns[:, 4], drawn[row, kind])
