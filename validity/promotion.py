"""The chance that a shipped policy promotes a release that it must not: one gate at its limit, no other risk.

For every bound gate and every kind of slice that it must hold in, the true rate of its measure in that slice
is exactly the limit and zero elsewhere; every other measure never fails, all facts hold and the corpus may
certify. Any promotion is false. With several looks each repeat is as many releases, each at the limit, on one
suite, and any of them that is promoted counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.instruments.identity.critical import ANSWERED, MEANT
from denotary.statistics import planning
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from validity.evidence import REQUIRED, least_scale, tight_scale, tolerated
from validity.judging import batches, falsely
from validity.outcomes import Risk
from validity.release import policy, release
from validity.results import ALPHA, Result, chance, significant, stream
from validity.tally import simulate
from validity.world import population, units_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.verdicts.records import Gate
    from validity.world import Design

POLICIES: Final = ("c0", "c1", "c2", "c3", "c4", "c5")
LOOKS: Final = (1, 3)
WORLDS: Final[tuple[tuple[Design, float, int], ...]] = (
    ("single", 0.0, 0),
    ("single", 0.0, 4),
    ("siblings", 0.3, 4),
    ("siblings", 1.0, 0),
)
"""Design, intra-unit correlation, and the failures with which the gate only just passes."""

AGAIN: Final = 10
"""How many times the repeats a scenario beyond its criterion is asked again with."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One gate in one slice at its limit.

    Attributes:
        policy: name of a shipped policy.
        gate: the gate.
        slice: where the rate is at the limit.
        design: what the units are like.
        correlation: intra-unit correlation.
        failures: failures with which the gate only just passes.
        looks: declared looks at the suite.
    """

    policy: str
    gate: Gate
    slice: str
    design: Design
    correlation: float
    failures: int
    looks: int

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        world = f"{self.design}/{self.correlation:g}/{self.failures}"
        return f"{self.policy}/{self.gate.id}/{self.slice}/{world}/{self.looks}"


def scenarios(policies: tuple[str, ...] = POLICIES) -> Iterator[Scenario]:
    """Yield every scenario. Languages are alike, and critical concepts: the first stands for each."""
    for name in policies:
        for gate in policy(name).gates:
            if gate.kind == "bound":
                for where in first_slices(gate):
                    for design, correlation, failures in WORLDS:
                        for looks in LOOKS:
                            yield Scenario(name, gate, where, design, correlation, failures, looks)


def first_slices(gate: Gate) -> Iterator[str]:
    """Yield one slice of each kind that a gate must hold in.

    A slice of answers holds the units of its concept here (:data:`validity.release.SLICES`): the rate at the limit
    in one is the rate at the limit in the other, and one scenario stands for both.
    """
    for selector in gate.slices:
        if selector == ANSWERED and MEANT in gate.slices:
            continue
        alone = msgspec.structs.replace(gate, slices=(selector,))
        yield next(slices_of(alone, REQUIRED))


def run(scenario: Scenario, repeats: int) -> Result:
    """Return how often the gate passed and how often the policy promoted.

    Among hundreds of scenarios some lie beyond three standard errors by chance alone. One that does is asked
    again with ten times the repeats, and that answer stands.
    """
    found = _asked(scenario, repeats, "once")
    return found if found.holds else _asked(scenario, AGAIN * repeats, "again")


def _asked(scenario: Scenario, repeats: int, stage: str) -> Result:
    rules, gate, looks = policy(scenario.policy), scenario.gate, scenario.looks
    scale = tight_scale(
        rules,
        gate,
        scenario.slice,
        looks=looks,
        design=scenario.design,
        failures=scenario.failures,
    )
    units, risk = population(scenario.design, scale), Risk(tolerated(gate), scenario.correlation)
    rng = stream("promotion", scenario.name, stage)
    base = release(rules, scenario.design, least_scale(rules, looks, scenario.design), looks)
    if base.decision() != "PROMOTE":
        raise RuntimeError(f"{scenario.name}: a release without a failure is not promoted")
    passes = promotions = 0
    for many in batches(repeats):
        passed, promoted = falsely(
            base, gate, scenario.slice, simulate(rng, units, scenario.slice, risk, many * looks)
        )
        passes += int(passed.sum())
        promotions += int(promoted.reshape(many, looks).any(axis=1).sum())
    verdict = chance(promotions, repeats)
    facts: dict[str, Any] = {
        "policy": scenario.policy,
        "gate": gate.id,
        "measure": gate.measure,
        "slice": scenario.slice,
        "limit": gate.limit,
        "design": scenario.design,
        "correlation": scenario.correlation,
        "looks": looks,
        "alpha": significant(spent(rules, looks)),
        "units": scale * units_in(scenario.design, scenario.slice),
        "gate_passed": chance(passes, repeats * looks),
        "promoted": verdict,
    }
    if scenario.design == "single":
        alpha, limit = spent(rules, looks), tolerated(gate)
        facts["gate_closed_form"] = significant(float(planning.power(facts["units"], limit, limit, alpha)))
    return Result(scenario.name, facts, verdict.at_most(ALPHA))
