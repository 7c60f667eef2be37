"""Thresholds of the semantic lane, chosen on calibration sets whose true risk is known at every threshold.

A text has an unsureness u, uniform over known texts, and is accepted up to a threshold t. With W(t) = P(accepted and
wrong | known), f(t) = P(accepted | unknown) and c = share (1 - limit) / (1 - share), the assignment risk at the
declared share reaches the limit iff W(t) + c f(t) >= limit t. ``flat``: both sides are equal for every t, so every
threshold violates the claim. ``steep``: the left side is the right one times (t / CROSSING)², so those from the
crossing on do. ``part`` says how much of the left side comes of unknown texts; it is the nuisance of the test.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from denotary.resolver.semantic.certifying import certified
from validity.results import ALPHA, Result, chance, stream
from validity.rules import CROSSING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from validity.rules import Shape

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]

Fault = Literal["share as found", "siblings by text"]
"""What is told to the code instead of the truth, so that its guarantee is for something else."""

LIMIT: Final = 0.1
"""On the assignment risk: one that a few hundred texts can certify, so that thresholds are chosen at all."""
CORRELATION: Final = 0.5
SIZES: Final = (2, 3)
"""Texts of a unit with siblings, equally likely."""
_RISE: Final = {"flat": 0, "steep": 2}
"""Power with which the risk grows, by shape."""
_SMALL: Final = 300
"""Known units of a set that the quick study draws."""
_EXACT: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Scenario:
    """One world, and the sets that are drawn from it.

    Attributes:
        shape: how the risk depends on the confidence.
        known: units of known texts; as found, their expected number.
        unknown: the same of unknown texts.
        share: declared share of unknown texts; None for the share as found, where kinds are drawn.
        part: of what reaches the limit, how much comes of unknown texts, in [0, 1].
        siblings: whether a unit holds two or three texts that go together, or one.
        fault: what is planted: the declared share is withheld, or which texts are siblings.
    """

    shape: Shape
    known: int
    unknown: int
    share: float | None
    part: float = 0.5
    siblings: bool = False
    fault: Fault | None = None

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        share = "found" if self.share is None else f"{self.share:g}"
        design = "siblings" if self.siblings else "single"
        name = f"{self.shape}/{self.known}+{self.unknown}/{share}/{self.part:g}/{design}"
        return name if self.fault is None else f"{name}/{self.fault}"

    @property
    def stated(self) -> float:
        """The share of unknown texts that the risk is stated at."""
        return self.unknown / (self.known + self.unknown) if self.share is None else self.share

    @property
    def weight(self) -> float:
        """What an accepted unknown text weighs against a wrong known one."""
        return self.stated * (1.0 - LIMIT) / (1.0 - self.stated)


SCENARIOS: Final = (
    Scenario("flat", 300, 100, 0.25),
    Scenario("flat", 300, 100, 0.1),
    Scenario("steep", 300, 100, 0.1),
    Scenario("flat", 300, 100, 0.1, part=0.0),
    Scenario("flat", 300, 100, 0.1, part=1.0),
    Scenario("flat", 300, 300, 0.1),
    Scenario("flat", 1000, 100, 0.1),
    Scenario("steep", 1000, 100, 0.1),
    Scenario("flat", 1000, 100, 0.3),
    Scenario("flat", 300, 100, 0.1, siblings=True),
    Scenario("steep", 1000, 300, 0.1, siblings=True),
    Scenario("flat", 300, 100, None),
    Scenario("steep", 300, 100, None),
    Scenario("flat", 300, 100, None, siblings=True),
    Scenario("steep", 300, 100, None, siblings=True),
    Scenario("flat", 300, 100, 0.5, fault="share as found"),
    Scenario("flat", 300, 100, None, siblings=True, fault="siblings by text"),
)
"""Faults are planted to see that the criterion tells: it must fail for them."""


def scenarios(*, whole: bool) -> Iterator[Scenario]:
    """Yield every scenario, or those of small sets at a declared share: their fault is told by few repeats, too."""
    for scenario in SCENARIOS:
        if whole or (scenario.known <= _SMALL and scenario.share is not None):
            yield scenario


@dataclass(frozen=True, slots=True)
class Sample:
    """A calibration set: per text its unsureness, whether the answer is right, whether it is unknown, its unit."""

    unsure: FloatArray
    right: BoolArray
    unknown: BoolArray
    units: IntArray


def risk(scenario: Scenario, upto: float) -> float:
    """Return the true assignment risk, at the share that is stated, of what is unsure up to a number in (0, 1]."""
    reached = LIMIT * upto * (upto / CROSSING) ** _RISE[scenario.shape]
    wrong = (1.0 - scenario.part) * reached
    false = min(scenario.part * reached / scenario.weight, 1.0)
    share = scenario.stated
    bad = (1.0 - share) * wrong + share * false
    return bad / ((1.0 - share) * upto + share * false)


def sample(rng: np.random.Generator, scenario: Scenario) -> Sample:
    """Return a calibration set.

    Each text of a unit takes what the unit has in common with chance sqrt(CORRELATION), or else has its own, so that
    any two texts of a unit have that correlation in whatever is asked about them.
    """
    size = scenario.known + scenario.unknown
    held = rng.choice(SIZES, size=size) if scenario.siblings else np.ones(size, dtype=np.int64)
    units = np.repeat(np.arange(size), held)
    draws = rng.random((units.size, 3))
    common = rng.random(units.size) < sqrt(CORRELATION)
    draws[common] = rng.random((size, 3))[units[common]]
    at, luck, kind = draws.T
    unknown = units >= scenario.known if scenario.share is not None else kind < scenario.stated
    # W'(t) and the inverse of f(t), from what `risk` has; what never is accepted with a known text comes after all.
    rise = _RISE[scenario.shape]
    wrong = (1.0 - scenario.part) * LIMIT * (rise + 1.0) * (at / CROSSING) ** rise
    most = scenario.part * LIMIT / (scenario.weight * CROSSING**rise)
    false = (at / most) ** (1.0 / (rise + 1.0)) if most > 0.0 else 1.0 + at
    unsure = np.where(unknown, false, at)
    return Sample(unsure, ~unknown & (luck >= wrong), unknown, units)


def run(scenario: Scenario, repeats: int) -> Result:
    """Return how often a threshold was chosen, and how often one whose true risk is at the limit or beyond.

    The result holds if that is at most delta and chance; of a planted fault, if it is not.
    """
    rng = stream("certified", scenario.name)
    chosen = violated = 0
    for _ in range(repeats):
        upto = choose(sample(rng, scenario), scenario)
        if upto is None:
            continue
        chosen += 1
        # Beyond 1 there are unknown texts only, and the risk still grows.
        violated += risk(scenario, min(upto, 1.0)) >= LIMIT * (1.0 - _EXACT)
    verdict = chance(violated, repeats)
    facts: dict[str, Any] = {
        "shape": scenario.shape,
        "known": scenario.known,
        "unknown": scenario.unknown,
        "share": scenario.share,
        "part": scenario.part,
        "siblings": scenario.siblings,
        "fault": scenario.fault,
        "limit": LIMIT,
        "delta": ALPHA,
        "chosen": chance(chosen, repeats),
        "violated": verdict,
    }
    return Result(scenario.name, facts, verdict.at_most(ALPHA) == (scenario.fault is None))


def choose(drawn: Sample, scenario: Scenario) -> float | None:
    """Return up to which unsureness the lane would accept, or None if it would refuse everything."""
    found = certified(
        -drawn.unsure,
        drawn.right,
        drawn.unknown,
        drawn.units if scenario.siblings and scenario.fault != "siblings by text" else None,
        limit=LIMIT,
        unknown_limit=None,
        delta=ALPHA,
        share=scenario.share if scenario.fault != "share as found" else None,
    )
    return None if found is None else -found
