"""Every way in which one unit can come out, and the chance of each.

Failures of siblings are exchangeable and beta-binomial: the unit draws its own failure rate from a beta
distribution whose mean is the true rate and whose spread is the intra-unit correlation. Whether a case is
answered with a code at all is drawn case by case.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Risk:
    """How the cases of a unit fail.

    Attributes:
        rate: true failure rate of a case that is answered with a code, in [0, 1].
        correlation: intra-unit correlation of failures, in [0, 1]; 1 makes siblings fail together.
        share: chance that a case enters the denominator, in (0, 1]; 1 for a plain rate.
    """

    rate: float
    correlation: float = 0.0
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of one unit; P outcomes of cases in L groups (languages).

    Attributes:
        counted: cases in the denominator, shape (P, L).
        failed: failures among them, shape (P, L).
        chance: of each outcome, shape (P,), summing to 1.
    """

    counted: NDArray[np.int64]
    failed: NDArray[np.int64]
    chance: NDArray[np.float64]


def outcomes(sizes: Sequence[int], at_risk: Sequence[bool], risk: Risk) -> Outcomes:
    """Return every outcome that has a chance.

    Args:
        sizes: planned cases in each group, shape (L,).
        at_risk: groups whose cases can fail, shape (L,); the others never do.
        risk: how they fail.
    """
    counted = [range(size + 1) if risk.share < 1.0 else (size,) for size in sizes]
    rows = [
        (taken, failed, chance)
        for taken in product(*counted)
        for failed in product(
            *(range(n + 1 if risky else 1) for n, risky in zip(taken, at_risk, strict=True))
        )
        if (chance := _chance(sizes, taken, failed, at_risk, risk)) > 0.0
    ]
    chances = np.asarray([chance for _, _, chance in rows])
    return Outcomes(
        np.asarray([taken for taken, _, _ in rows], dtype=np.int64),
        np.asarray([failed for _, failed, _ in rows], dtype=np.int64),
        chances / chances.sum(),
    )


def _chance(
    sizes: Sequence[int], taken: Sequence[int], failed: Sequence[int], at_risk: Sequence[bool], risk: Risk
) -> float:
    """Return the chance of one outcome."""
    answered = prod(
        comb(size, n) * risk.share**n * (1.0 - risk.share) ** (size - n)
        for size, n in zip(sizes, taken, strict=True)
    )
    ways = prod(comb(n, k) for n, k in zip(taken, failed, strict=True))
    exposed = sum(n for n, risky in zip(taken, at_risk, strict=True) if risky)
    return answered * ways * _one_way(sum(failed), exposed, risk)


def _one_way(failed: int, exposed: int, risk: Risk) -> float:
    """Return the chance that certain cases fail and certain others do not."""
    if exposed == 0:
        return 1.0
    if risk.correlation >= 1.0:
        return {0: 1.0 - risk.rate, exposed: risk.rate}.get(failed, 0.0)
    # Polya's urn: the same product for every order of the cases; without correlation it is binomial.
    weight = risk.correlation / (1.0 - risk.correlation)
    bad = prod(risk.rate + weight * i for i in range(failed))
    good = prod(1.0 - risk.rate + weight * i for i in range(exposed - failed))
    return bad * good / prod(1.0 + weight * i for i in range(exposed))


def draw(
    rng: np.random.Generator, units: int, chance: NDArray[np.float64], repeats: int
) -> NDArray[np.int32]:
    """Return how many of the units come out each way in each repeat, shape (repeats, P)."""
    drawn: NDArray[Any] = rng.multinomial(units, chance, size=repeats)
    return drawn.astype(np.int32)
