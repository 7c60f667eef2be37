"""Draws that are the same on every platform, Python and process."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from denotary.canonical import sha256

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Draw:
    """A stream of draws that follows from a text alone.

    Only ``random.Random.random`` is used: of the Mersenne twister's methods it is the one whose sequence Python
    promises not to change. A bias below 2**-40 for the sizes at hand does not matter here.
    """

    def __init__(self, material: str) -> None:
        """Start the stream.

        Args:
            material: whatever the draws shall depend on; any change of it gives another stream.
        """
        self._random = random.Random(int(sha256(material.encode()), 16))  # noqa: S311 - no secret hangs on it

    def below(self, count: int) -> int:
        """Return an integer from 0 to ``count`` - 1."""
        return int(self._random.random() * count)

    def one(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in another order (Fisher and Yates, Durstenfeld's form)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
