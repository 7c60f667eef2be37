"""Which units the resamples of a cluster bootstrap draw, counted a tile of units at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

CHUNK = 256
"""Units that one random byte tells apart."""

TILE = 64 * CHUNK
"""Units counted at a time: a tile of a block of resamples fits the memory that a processor has near, and the block,
which for 200,000 units would take 800 MB, is never held whole."""


class Draws:
    """Which units a block of resamples draws.

    First how many draws fall into each chunk of 256 units, then a raw random byte for each within its chunk:
    the same distribution as bounded integers at two thirds of the time.

    Args:
        rng: the stream of the block.
        units: how many there are, and how many are drawn.
        resamples: resamples in the block.
    """

    def __init__(self, rng: np.random.Generator, units: int, resamples: int) -> None:
        whole, rest = divmod(units, CHUNK)
        sizes = np.array([CHUNK] * whole + [rest]) / units
        self._units = units
        self._draws = rng.multinomial(units, sizes, size=resamples)
        self._ends = np.zeros((resamples, whole + 2), dtype=np.int64)
        np.cumsum(self._draws, axis=1, out=self._ends[:, 1:])
        self._within = np.empty((resamples, units), dtype=np.uint8)
        """Place of each draw within its chunk, chunk after chunk."""
        for row, end in zip(self._within, self._ends[:, whole].tolist(), strict=True):
            row[:end] = rng.bit_generator.random_raw(end // 8 + 1).view(np.uint8)[:end]
            if rest:
                row[end:] = rng.integers(rest, size=units - end)

    def tiles(
        self, kind: np.dtype[np.float32] | np.dtype[np.float64]
    ) -> Iterator[tuple[slice, NDArray[np.floating]]]:
        """Yield some units and how often each resample draws each of them, shape (resamples, units of the tile)."""
        space = np.empty((len(self._draws), min(self._units, TILE)), dtype=kind)
        for start in range(0, self._units, TILE):
            tile = slice(start, min(start + TILE, self._units))
            size = tile.stop - start
            first, last = start // CHUNK, -(-tile.stop // CHUNK)
            places = np.arange(last - first) * CHUNK
            block = space[:, :size]
            for row, draws, ends, within in zip(block, self._draws, self._ends, self._within, strict=True):
                index = np.repeat(places, draws[first:last])
                index += within[ends[first] : ends[last]]
                row[:] = np.bincount(index, minlength=size)
            yield tile, block
