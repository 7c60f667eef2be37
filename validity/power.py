"""The chance that a good system passes: one gate over the number of units, and the whole policy over evidence.

True rates are 0, a tenth, a fifth and a third of the limit of each gate. Measures fail independently, so the
chance of the policy is the product of the chances that the gates on each measure pass; measures with the same
gates have the same chance, which is simulated once.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final

from denotary.statistics import planning
from validity.evidence import least_scale, tolerated
from validity.judging import falsely, gate_passes
from validity.outcomes import Risk
from validity.release import policy, release
from validity.results import Result, chance, significant, stream
from validity.tally import simulate, tally
from validity.world import population, units_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.verdicts.records import Gate, Policy
    from validity.release import Release
    from validity.world import Design

POLICY: Final = "c3"
"""Other tiers differ in the limit alone: at the same multiples of it they have the same power."""

SHARES: Final = (0.0, 0.1, 0.2, 1.0 / 3.0)
"""True rates as shares of the limit."""

EVIDENCE: Final = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0)
"""Multiples of the evidence with which a release without a failure just passes."""

DESIGNS: Final[tuple[tuple[Design, float], ...]] = (("single", 0.0), ("siblings", 0.3))


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the curves.

    Attributes:
        design: what the units are like.
        correlation: intra-unit correlation.
        share: true rate as a share of the limit.
        evidence: multiple of the least evidence.
    """

    design: Design
    correlation: float
    share: float
    evidence: float

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        return f"{self.design}/{self.correlation:g}/{self.share:.3f}/{self.evidence:g}"


def points() -> Iterator[Point]:
    """Yield every point."""
    for design, correlation in DESIGNS:
        for share in SHARES:
            for evidence in EVIDENCE:
                yield Point(design, correlation, share, evidence)


def run(point: Point, repeats: int, repeats_of_policy: int) -> Iterator[Result]:
    """Yield the power of one gate, and that of the policy."""
    base = release(policy(POLICY), point.design, least_scale(policy(POLICY), 1, point.design), 1)
    yield _gate(point, base, repeats)
    yield _policy(point, base, repeats_of_policy)


def _gate(point: Point, base: Release, repeats: int) -> Result:
    """Return the chance that the gate on unknown meanings passes over all cases."""
    gate = next(gate for gate in base.policy.gates if gate.id == "unknown")
    scale = _scale(point, base, gate)
    draws = simulate(
        stream("power", "gate", point.name),
        population(point.design, scale),
        "all",
        Risk(point.share * tolerated(gate), point.correlation),
        repeats,
    )
    passed = chance(int(gate_passes(base, gate, "all", tally(draws, "all")).sum()), repeats)
    units = scale * units_in(point.design, "all")
    facts = _facts(point) | {"what": f"gate {gate.id}, all cases", "units": units, "passed": passed}
    if point.design == "single":
        rate = point.share * tolerated(gate)
        facts["closed_form"] = significant(float(planning.power(units, tolerated(gate), rate)))
    return Result(f"gate/{point.name}", facts)


def _policy(point: Point, base: Release, repeats: int) -> Result:
    """Return the chance that every bound gate passes in every slice."""
    alike = _alike(base.policy)
    chances: dict[str, float] = {}
    for names in alike.values():
        gate = next(gate for gate in base.policy.gates if gate.measure == names[0])
        units = population(point.design, _scale(point, base, gate))
        risk = Risk(point.share * tolerated(gate), point.correlation)
        rng = stream("power", "policy", gate.measure, point.name)
        _, passed = falsely(base, gate, "all", simulate(rng, units, "all", risk, repeats))
        chances |= dict.fromkeys(names, float(passed.mean()))
    facts = _facts(point) | {
        "what": f"policy {POLICY}",
        "repeats": repeats,
        "measures": {name: significant(value) for name, value in sorted(chances.items())},
        "promoted": significant(prod(chances.values())),
    }
    return Result(f"policy/{point.name}", facts)


def _alike(rules: Policy) -> dict[tuple[object, ...], list[str]]:
    """Return the measures of the bound gates, grouped by what their gates demand."""
    demands: dict[str, list[object]] = {}
    for gate in rules.gates:
        if gate.kind == "bound":
            demand = (gate.slices, gate.side, gate.limit, gate.minimum_units)
            demands.setdefault(gate.measure, []).append(demand)
    found: dict[tuple[object, ...], list[str]] = {}
    for name, demanded in demands.items():
        found.setdefault(tuple(demanded), []).append(name)
    return found


def _scale(point: Point, base: Release, gate: Gate) -> int:
    return round(least_scale(base.policy, 1, point.design, gate.measure) * point.evidence)


def _facts(point: Point) -> dict[str, object]:
    return {
        "design": point.design,
        "correlation": point.correlation,
        "share_of_limit": significant(point.share),
        "evidence": point.evidence,
    }
