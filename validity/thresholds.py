"""Acceptance thresholds chosen on calibration data, then frozen and judged once on sealed cases.

A case has one of 20 confidences, all equally likely; it receives a code iff its confidence reaches the
threshold. ``flat``: a code is wrong with the limit as its chance, whatever the confidence, so every threshold
violates the claim. ``steep``: wrong codes grow with falling confidence, so that the risk reaches the limit at
60 % coverage. Thresholds are chosen by the rule of the product (fixed-sequence testing), or carelessly, as the
largest coverage at which the observed risk is within the limit, which is too lax half of the time. A promotion
is false where the true risk at the chosen threshold is at the limit or beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from denotary.statistics import planning
from validity.evidence import least_scale, tight_scale, tolerated
from validity.judging import batches, falsely
from validity.outcomes import Risk
from validity.promotion import LOOKS, POLICIES
from validity.release import policy, release
from validity.results import ALPHA, Result, chance, stream
from validity.rules import CROSSING, LEVELS, NONE, careless, cumulative, fixed_sequence, wrong_rates
from validity.tally import simulate
from validity.world import population, units_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from denotary.verdicts.records import Policy
    from validity.rules import Shape
    from validity.world import Design

    IntArray = NDArray[np.int64]

Rule = Literal["careless", "fixed sequence"]

CHOOSING: Final = POLICIES[1:]
"""Policies of systems that choose a threshold: under c0 no code may be asserted."""
_GATE: Final = "advertised_language"
_SLICE: Final = "language=ar"
_FAILURES: Final = 4


@dataclass(frozen=True, slots=True)
class Scenario:
    """One way of choosing a threshold, in one world.

    Attributes:
        policy: name of a shipped policy.
        rule: how the threshold is chosen.
        shape: how the risk depends on the confidence.
        design: what the sealed units are like; calibration cases are independent.
        correlation: intra-unit correlation.
        looks: declared looks; each look chooses a threshold of its own.
    """

    policy: str
    rule: Rule
    shape: Shape
    design: Design = "single"
    correlation: float = 0.0
    looks: int = 1

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        world = f"{self.design}/{self.correlation:g}/{self.looks}"
        return f"{self.policy}/{self.rule}/{self.shape}/{world}"


def scenarios() -> Iterator[Scenario]:
    """Yield every scenario: the rule of the product where its calibration set is small enough to repeat."""
    for name in CHOOSING:
        for shape in ("flat", "steep"):
            for looks in LOOKS:
                yield Scenario(name, "careless", shape, looks=looks)
    for name in CHOOSING[:3]:
        yield Scenario(name, "fixed sequence", "flat")
        yield Scenario(name, "fixed sequence", "steep")
    yield Scenario("c3", "careless", "flat", "siblings", 0.5)
    yield Scenario("c3", "careless", "steep", "siblings", 0.5)


def run(scenario: Scenario, repeats: int) -> Result:
    """Return how often a threshold was chosen, how often it violated the claim, and the false promotions."""
    rules, rng = policy(scenario.policy), stream("thresholds", scenario.name)
    gate = next(gate for gate in rules.gates if gate.id == _GATE)
    limit, cases = tolerated(gate), 4 * planning.units_for(tolerated(gate))
    risks = cumulative(wrong_rates(scenario.shape, limit))
    chosen_times = violations = promotions = 0
    for many in batches(repeats):
        chosen = _choose(rng, scenario, limit, cases, many * scenario.looks)
        violates = (chosen != NONE) & (risks[chosen] >= limit * (1.0 - 1e-9))
        promoted = np.zeros(len(chosen), dtype=np.bool_)
        for level in np.unique(chosen[violates]):
            here = violates & (chosen == level)
            promoted[here] = _promoted(rng, rules, scenario, Level(level, risks[level]), int(here.sum()))
        chosen_times += int((chosen != NONE).sum())
        violations += int(violates.sum())
        promotions += int(promoted.reshape(many, scenario.looks).any(axis=1).sum())
    false, violated = chance(promotions, repeats), chance(violations, repeats * scenario.looks)
    facts = {
        "policy": scenario.policy,
        "rule": scenario.rule,
        "shape": scenario.shape,
        "design": scenario.design,
        "correlation": scenario.correlation,
        "looks": scenario.looks,
        "limit": limit,
        "calibration_cases": cases,
        "units": _scale(rules, scenario) * units_in(scenario.design, _SLICE),
        "chosen": chance(chosen_times, repeats * scenario.looks),
        "violated": violated,
        "promoted": false,
    }
    kept = scenario.rule == "careless" or violated.at_most(ALPHA)
    return Result(scenario.name, facts, false.at_most(ALPHA) and kept)


@dataclass(frozen=True, slots=True)
class Level:
    """A threshold: its position from strict to lax, and the true risk of what it accepts."""

    position: int
    risk: float


def _choose(rng: np.random.Generator, scenario: Scenario, limit: float, cases: int, repeats: int) -> IntArray:
    """Return the position of the threshold chosen on each calibration set, -1 for none, shape (repeats,)."""
    held = rng.multinomial(cases, np.full(LEVELS, 1.0 / LEVELS), size=repeats)
    wrong = rng.binomial(held, wrong_rates(scenario.shape, limit))
    if scenario.rule == "careless":
        return careless(held, wrong, limit)
    return np.asarray([fixed_sequence(*suite, limit) for suite in zip(held, wrong, strict=True)])


def _promoted(
    rng: np.random.Generator, rules: Policy, scenario: Scenario, level: Level, suites: int
) -> NDArray[np.bool_]:
    """Return whether each sealed suite promotes the release at a threshold, shape (suites,)."""
    gate = next(gate for gate in rules.gates if gate.id == _GATE)
    least = least_scale(rules, scenario.looks, scenario.design)
    base = release(rules, scenario.design, least, scenario.looks)
    share = (level.position + 1) / LEVELS
    units = population(scenario.design, _scale(rules, scenario))
    draws = simulate(rng, units, _SLICE, Risk(level.risk, scenario.correlation, share), suites)
    _, promoted = falsely(base, gate, _SLICE, draws)
    return promoted


def _scale(rules: Policy, scenario: Scenario) -> int:
    """Return a scale at which, at the coverage of the crossing, a few failures still pass."""
    gate = next(gate for gate in rules.gates if gate.id == _GATE)
    tight = tight_scale(rules, gate, _SLICE, looks=scenario.looks, design=scenario.design, failures=_FAILURES)
    return int(np.ceil(tight / CROSSING))
