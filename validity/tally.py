"""From simulated outcomes of units to the type counts of a slice: what a row keeps of its units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from validity.outcomes import Risk, draw, outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from validity.outcomes import Outcomes
    from validity.world import Kind


@dataclass(frozen=True, slots=True)
class Draws:
    """Simulated suites.

    Attributes:
        kinds: the kinds of units.
        outcomes: the outcomes of a unit of each kind.
        counts: how many units of each kind came out each way, kind after kind, shape (R, C).
    """

    kinds: tuple[Kind, ...]
    outcomes: tuple[Outcomes, ...]
    counts: NDArray[np.int32]

    def only(self, rows: NDArray[Any]) -> Draws:
        """Return some of the suites, chosen by index or mask."""
        return Draws(self.kinds, self.outcomes, self.counts[rows])

    def distinct(self) -> tuple[Draws, NDArray[np.int64]]:
        """Return the distinct suites, and which of them each suite is, shape (R,)."""
        found, position = np.unique(self.counts, axis=0, return_inverse=True)
        return Draws(self.kinds, self.outcomes, found), position.ravel()


@dataclass(frozen=True, slots=True)
class Tally:
    """Type counts of one slice in R suites.

    Attributes:
        failed: failures of each type, shape (T,).
        counted: cases in the denominator of each type, above 0, shape (T,).
        size: planned cases of each type, shape (T,).
        count: units of each type in each suite, shape (R, T).
    """

    failed: NDArray[np.int64]
    counted: NDArray[np.int64]
    size: NDArray[np.int64]
    count: NDArray[np.int64]

    def only(self, rows: NDArray[Any]) -> Tally:
        """Return some of the suites, chosen by index or mask."""
        return Tally(self.failed, self.counted, self.size, self.count[rows])

    def distinct(self) -> tuple[Tally, NDArray[np.int64]]:
        """Return the distinct suites as far as the slice tells them apart, and which of them each is."""
        found, position = np.unique(self.count, axis=0, return_inverse=True)
        return Tally(self.failed, self.counted, self.size, found), position.ravel()


def simulate(rng: np.random.Generator, kinds: Sequence[Kind], where: str, risk: Risk, repeats: int) -> Draws:
    """Draw suites whose cases fail in one slice and nowhere else.

    Args:
        rng: the stream.
        kinds: the units of a suite.
        where: the slice in which the risk holds.
        risk: how cases fail there; its ``share`` holds everywhere.
        repeats: number of suites.
    """
    ways = tuple(outcomes(kind.sizes, kind.within(where), risk) for kind in kinds)
    counts = [draw(rng, kind.units, way.chance, repeats) for kind, way in zip(kinds, ways, strict=True)]
    return Draws(tuple(kinds), ways, np.concatenate(counts, axis=1))


def flawless(kinds: Sequence[Kind]) -> Draws:
    """Return one suite in which nothing fails."""
    ways = tuple(outcomes(kind.sizes, kind.within("all"), Risk(0.0)) for kind in kinds)
    return Draws(tuple(kinds), ways, np.asarray([[kind.units for kind in kinds]], dtype=np.int32))


def tally(draws: Draws, name: str) -> Tally:
    """Return the type counts of a slice; units without a case in its denominator are left out."""
    parts = [_vectors(kind, way, name) for kind, way in zip(draws.kinds, draws.outcomes, strict=True)]
    vectors = np.concatenate(parts)
    held = vectors[:, 0] > 0
    types, position = np.unique(vectors[held], axis=0, return_inverse=True)
    member = np.zeros((int(held.sum()), len(types)), dtype=np.float64)
    member[np.arange(len(member)), position.ravel()] = 1.0
    # Whole numbers far below 2**53: the product of floats is exact, and much faster than one of integers.
    count = (draws.counts[:, held].astype(np.float64) @ member).astype(np.int64)
    return Tally(types[:, 1], types[:, 0], types[:, 2], count)


def _vectors(kind: Kind, way: Outcomes, name: str) -> NDArray[np.int64]:
    """Return (counted, failed, size) of each outcome of a kind within a slice, shape (P, 3)."""
    inside = np.asarray(kind.within(name))
    counted, failed = way.counted[:, inside].sum(axis=1), way.failed[:, inside].sum(axis=1)
    planned = np.full_like(counted, np.asarray(kind.sizes)[inside].sum())
    # Who belongs to a slice of answers is known once they are given.
    size = counted if name.startswith("answered_code=") else planned
    return np.stack([counted, failed, size], axis=1)
