"""The named grid on which intervals and bounds are tried: how many units, of which sizes, failing how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from validity.outcomes import Risk, draw, outcomes
from validity.tally import Tally


@dataclass(frozen=True, slots=True)
class Group:
    """Units of one size.

    Attributes:
        size: cases a unit.
        weight: chance that a unit is of this group.
        risk: how its cases fail.
    """

    size: int
    weight: float
    risk: Risk


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the grid: so many units, each drawn from the groups.

    Attributes:
        name: of the cell, unique.
        units: number of units.
        groups: what the units are like; weights sum to 1.
    """

    name: str
    units: int
    groups: tuple[Group, ...]

    @property
    def single(self) -> bool:
        """Whether every unit holds one case."""
        return all(group.size == 1 for group in self.groups)

    @property
    def ratio(self) -> bool:
        """Whether the answers decide who is in the denominator."""
        return any(group.risk.share < 1.0 for group in self.groups)

    @property
    def by_unit(self) -> float:
        """The true rate, units weighed alike."""
        top = sum(group.weight * group.risk.share * group.risk.rate for group in self.groups)
        return top / sum(group.weight * group.risk.share for group in self.groups)

    @property
    def by_case(self) -> float:
        """The true rate, cases weighed alike."""
        top = sum(group.weight * group.size * group.risk.share * group.risk.rate for group in self.groups)
        return top / sum(group.weight * group.size * group.risk.share for group in self.groups)

    def draw(self, rng: np.random.Generator, repeats: int) -> Tally:
        """Return simulated data sets; types that no unit of a data set has are counted as 0 there."""
        parts, chances = [], []
        for group in self.groups:
            found = outcomes((group.size,), (True,), group.risk)
            size = np.full_like(found.failed, group.size)
            parts.append(np.concatenate([found.failed, found.counted, size], axis=1))
            chances.append(group.weight * found.chance)
        vectors = np.concatenate(parts)
        count = draw(rng, self.units, np.concatenate(chances), repeats)
        held = vectors[:, 1] > 0
        failed, counted, size = vectors[held].T
        return Tally(failed, counted, size, count[:, held].astype(np.int64))


def single(units: int, rate: float, share: float = 1.0) -> Cell:
    """Return a cell of units of one case."""
    counted = "" if share == 1.0 else f", {share:.0%} answered"
    return Cell(
        f"{units:,} units of 1, {_percent(rate)}{counted}", units, (Group(1, 1.0, Risk(rate, 0.0, share)),)
    )


def siblings(units: int, sizes: tuple[int, ...], rate: float, correlation: float, share: float = 1.0) -> Cell:
    """Return a cell of units of some sizes, equally likely."""
    counted = "" if share == 1.0 else f", {share:.0%} answered"
    listed = "/".join(map(str, sizes))
    name = f"{units:,} units of {listed}, {_percent(rate)}, correlation {correlation:g}{counted}"
    groups = (Group(size, 1.0 / len(sizes), Risk(rate, correlation, share)) for size in sizes)
    return Cell(name, units, tuple(groups))


def _percent(rate: float) -> str:
    return f"{100.0 * rate:g} %"


SINGLE: Final = (
    *(single(units, rate) for units in (300, 1000, 2995) for rate in (0.001, 0.01, 0.05, 0.2)),
    single(5990, 0.0005),
    single(29956, 0.0001),
)
"""One case a unit."""

SIBLINGS: Final = (
    siblings(2000, (5,), 0.001, 0.0),
    siblings(2000, (5,), 0.001, 0.2),
    siblings(2000, (5,), 0.001, 0.5),
    siblings(6000, (5,), 0.001, 0.3),
    siblings(600, (5,), 0.005, 0.3),
    siblings(1000, (10,), 0.01, 0.3),
    siblings(3000, (1, 2, 4), 0.001, 1.0),
    siblings(300, (1, 2, 4), 0.01, 0.6),
    siblings(300, (1, 2, 4), 0.05, 0.3),
    siblings(60, (3,), 0.1, 0.3),
    siblings(200, (4,), 0.2, 0.1),
)
"""Siblings whose failures go together."""

RATIOS: Final = (
    single(1000, 0.01, 0.6),
    siblings(1000, (5,), 0.01, 0.3, 0.6),
    siblings(3000, (1, 2, 4), 0.001, 0.5, 0.3),
    siblings(300, (3,), 0.05, 0.3, 0.9),
    Cell(
        "1,000 units of 3, hard ones answered less",
        1000,
        (Group(3, 0.8, Risk(0.005, 0.3, 0.9)), Group(3, 0.2, Risk(0.05, 0.3, 0.4))),
    ),
)
"""The answers decide who is in the denominator."""

UNEVEN: Final = Cell(
    "1,000 units of 1 or 8, large ones fail more",
    1000,
    (Group(1, 0.8, Risk(0.002, 0.0)), Group(8, 0.2, Risk(0.03, 0.3))),
)
"""Large units fail more, so that the rate by unit and the rate by case differ."""
