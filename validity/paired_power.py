"""The chance that a policy on two systems promotes a release that is better than what it tolerates.

The true increase is a share of the tolerance, and nothing else moves. It describes: no criterion is attached to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

from denotary.statistics import planning
from denotary.verdicts.decision import spent
from validity.paired_release import NAMES, rules
from validity.regressions import FAMILY, Scenario, gates, kinds, passed
from validity.results import Result, chance, stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.verdicts.records import Gate

NAME: Final = NAMES[1]
WORLDS: Final = ("one case",)
SHARES: Final = (0.0, 0.1, 0.2, 0.5)
"""True increases, in tolerances."""
EVIDENCE: Final = (1.0, 1.5, 2.0, 3.0, 5.0)
"""Units, in multiples of those with which a release without a worse unit passes."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve of a gate.

    Attributes:
        gate: the gate.
        slice: where harm rises.
        world: how units come out, one of ``WORLDS``.
        share: the true increase, in tolerances.
        evidence: units, in multiples of the fewest.
    """

    gate: Gate
    slice: str
    world: str
    share: float
    evidence: float

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        return f"{self.gate.id}/{self.slice}/{self.world}/{self.share:g}/{self.evidence:g}"


def points() -> Iterator[Point]:
    """Yield every point; the first gate of each tolerance stands for those that share it."""
    found = {gate.limit: (gate, where) for gate, where in reversed(list(gates(NAME)))}
    for gate, where in reversed(found.values()):
        for world in WORLDS:
            for evidence in EVIDENCE:
                yield from (Point(gate, where, world, share, evidence) for share in SHARES)


def run(point: Point, repeats: int) -> Result:
    """Return how often the policy promoted, at one look."""
    limit, alpha = point.gate.limit or 0.0, spent(rules(NAME).policy, 1)
    units = ceil(point.evidence * planning.units_for(limit, 0, alpha, "paired"))
    scenario = Scenario(NAME, point.gate, point.slice, point.world, 0, 1)
    ways = kinds(point.world, point.share * limit, FAMILY[NAME])
    promoted = passed(scenario, ways, units, stream("paired_power", point.name), repeats)
    facts = {
        "policy": NAME,
        "gate": point.gate.id,
        "slice": point.slice,
        "limit": limit,
        "world": point.world,
        "share_of_limit": point.share,
        "evidence": point.evidence,
        "units": units,
        "promoted": chance(int(promoted.sum()), repeats),
    }
    return Result(point.name, facts)
