"""How often each end of the interval of a stratified AUROC misses, by design, shape of the scores and AUROC.

It describes and gates nothing. Where each kind of case has 15 anchors or more, an end may miss half as often again as
its nominal 2.5 %; with fewer its share is reported as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from denotary.statistics.clustered_auroc import separation
from validity.results import Chance, Result, chance, significant, stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

ALLOWED: Final = 1.5 * 0.025
"""Misses of one end."""

FEW: Final = 15
"""Anchors of the rarer kind from which on an end is held to that."""

RESAMPLES: Final = 300

Shape = Literal["normal", "exponential"]


@dataclass(frozen=True, slots=True)
class Design:
    """Cases and their anchors.

    Attributes:
        positives: anchors with a positive case.
        negatives: anchors with a negative case.
        matched: whether each anchor has a case of both kinds in each of two strata, so that both numbers are one.
        shape: of the scores; in ``exponential`` a few positives lie below most negatives at any AUROC.
        auroc: the true one, between anchors.
    """

    positives: int
    negatives: int
    matched: bool
    shape: Shape
    auroc: float

    @property
    def name(self) -> str:
        """Of the design."""
        held = (
            f"{self.positives} anchors with four cases"
            if self.matched
            else f"{self.positives} against {self.negatives} anchors"
        )
        return f"{held}, {self.shape}, {self.auroc:g}"

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
        """Return scores, whether positive, strata and anchors; half of the variance is common to an anchor's cases."""
        from scipy.special import ndtr, ndtri

        if self.matched:
            size = 4 * self.positives
            positive = np.repeat([True, False], size // 2)
            stratum = np.tile(np.repeat([0, 1], self.positives), 2)
            anchor = np.tile(np.arange(self.positives), 4)
        else:
            size = self.positives + self.negatives
            positive, stratum, anchor = np.arange(size) < self.positives, np.zeros(size, int), np.arange(size)
        common = rng.normal(size=(size, 2))[anchor, stratum]
        normal = np.sqrt(0.5) * (common + rng.normal(size=size))
        if self.shape == "normal":
            return normal + positive * np.sqrt(2.0) * ndtri(self.auroc), positive, stratum, anchor
        scale = np.where(positive, self.auroc / (1.0 - self.auroc), 1.0)
        return -np.log1p(-ndtr(normal)) * scale, positive, stratum, anchor


def designs() -> Iterator[Design]:
    """Yield the grid."""
    sizes = (
        (15, 15, True),
        (30, 30, True),
        (300, 300, True),
        (15, 85, False),
        (5, 45, False),
        (3, 97, False),
    )
    shapes: tuple[Shape, ...] = ("normal", "exponential")
    for positives, negatives, matched in sizes:
        for shape in shapes:
            for auroc in (0.5, 0.7, 0.97, 0.99):
                yield Design(positives, negatives, matched, shape, auroc)


def run(design: Design, repeats: int) -> Result:
    """Return how often each end misses."""
    rng = stream("separations", design.name)
    above = below = 0
    widths = []
    for _ in range(repeats):
        found = separation(*design.draw(rng), resamples=RESAMPLES)
        above += found.low > design.auroc
        below += found.high < design.auroc
        widths.append(found.high - found.low)
    ends = {"low": chance(above, repeats), "high": chance(below, repeats)}
    facts = {
        "design": design.name,
        "auroc": design.auroc,
        **{f"{end}_misses": missed for end, missed in ends.items()},
        "width": significant(float(np.mean(widths))),
    }
    held = min(design.positives, design.negatives) >= FEW
    return Result(design.name, facts, _within(ends.values()) if held else None)


def _within(ends: Iterable[Chance]) -> bool:
    return all(missed.at_most(ALLOWED) for missed in ends)
