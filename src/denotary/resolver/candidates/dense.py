"""The dense index: exact search over int8 vectors, with integer scores that no order of adding up can change."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.errors import InputError
from denotary.resolver.candidates.records import Hit, IndexIdentity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Bytes = NDArray[np.int8]
    IntArray = NDArray[np.int64]

MOST: Final = 100_000
"""Concepts up to which the search is offered: it compares a text with every row."""
TOP: Final = 127
"""Largest magnitude of a component."""
ROWS: Final = 4096
"""Rows of the index that are multiplied at once."""
TEXTS: Final = 256
"""Texts that are multiplied at once."""


def exact_type(dimension: int) -> type[np.float32 | np.float64]:
    """Return the floating type in which a product of int8 vectors is exact in any order of adding up.

    Every partial sum is an integer of magnitude at most ``dimension * 127**2``. float32 holds each integer up to
    2**24 and float64 up to 2**53, so that nothing is ever rounded, also with fused multiply-add.

    Args:
        dimension: of the vectors, at least 1.
    """
    return np.float32 if dimension * TOP * TOP < 1 << 24 else np.float64


class DenseIndex:
    """Finds the concepts that have the nearest vectors: of each the best row, by (integer score, code).

    Vectors become integers by one scale for the whole index, so that a score divided by ``unit`` is a cosine
    to about two digits.
    """

    def __init__(
        self, codes: Sequence[str], rows: Bytes, scale: float, *, registry: str, encoder: str
    ) -> None:
        """Index rows that are integers already; :meth:`build` makes them.

        Args:
            codes: of the rows, sorted, shape (n,).
            rows: shape (n, d).
            scale: what the unit vectors were multiplied by.
            registry: snapshot id of the registry.
            encoder: SHA-256 of the identity of the encoder.

        Raises:
            InputError: codes are not sorted or not as many as rows, or are those of more than 100,000 concepts.
        """
        if rows.ndim != 2 or len(codes) != len(rows) or list(codes) != sorted(codes):  # noqa: PLR2004
            raise InputError("a dense index needs one row a code, in the order of the codes")
        self._codes, self._starts = np.unique(np.asarray(codes, dtype=np.str_), return_index=True)
        if self._codes.size > MOST:
            raise InputError(
                f"{self._codes.size:,} concepts are more than the {MOST:,} that are searched exactly",
                hint="split the registry; approximate search is not offered",
            )
        self.rows, self.scale = rows, scale
        self.unit = scale * scale
        self._type = exact_type(rows.shape[1])
        self.identity = IndexIdentity(
            engine="exact-int8",
            version="1",
            registry=registry,
            content=hashlib.sha256("\0".join(codes).encode() + b"\0" + rows.tobytes()).hexdigest(),
            parameters={"encoder": encoder, "scale": scale, "dimension": rows.shape[1], "most": MOST},
        )

    @classmethod
    def build(cls, codes: Sequence[str], vectors: NDArray[Any], *, registry: str, encoder: str) -> DenseIndex:
        """Index vectors of expressions, which are brought to unit length and to integers.

        Args:
            codes: of the vectors, sorted, shape (n,).
            vectors: shape (n, d), finite.
            registry: snapshot id of the registry.
            encoder: SHA-256 of the identity of the encoder.

        Raises:
            InputError: as the constructor.
        """
        unit = _unit(vectors)
        largest = float(np.abs(unit).max(initial=0.0))
        scale = TOP / largest if largest else float(TOP)
        return cls(codes, integers(unit, scale), scale, registry=registry, encoder=encoder)

    def scores(self, vectors: NDArray[Any]) -> IntArray:
        """Return the best integer score of each concept for each vector, shape (n, concepts), concepts sorted by code.

        Args:
            vectors: shape (n, d), finite, of any length; each row is scored as if it were alone.
        """
        asked: NDArray[Any] = integers(_unit(vectors), self.scale).astype(self._type)
        found = np.empty((len(asked), self._codes.size), dtype=np.int64)
        ends = [*self._starts[1:].tolist(), len(self.rows)]
        first = 0
        while first < self._codes.size:
            last = max(int(np.searchsorted(ends, self._starts[first] + ROWS, side="right")), first + 1)
            begin, end = self._starts[first], ends[last - 1]
            block: NDArray[Any] = self.rows[begin:end].astype(self._type)
            for at in range(0, len(asked), TEXTS):
                products = asked[at : at + TEXTS] @ block.T
                best = np.maximum.reduceat(products, self._starts[first:last] - begin, axis=1)
                found[at : at + TEXTS, first:last] = best
            first = last
        return found

    def search(self, vector: NDArray[Any], count: int = 50) -> list[Hit]:
        """Return the concepts nearest to a vector of shape (d,)."""
        return self.search_batch(np.asarray(vector)[np.newaxis], count)[0]

    def search_batch(self, vectors: NDArray[Any], count: int = 50) -> list[list[Hit]]:
        """Return the nearest concepts of each vector, at most ``count``, nearest first; scores are integers.

        The row of a hit is the first of the concept, since all of them were compared at once.
        """
        scores = self.scores(vectors)
        size = self._codes.size
        if not size:
            return [[] for _ in scores]
        # One key a concept, so that equal scores are told apart by the code and the choice is the only one there is.
        keys = scores * size + np.arange(size - 1, -1, -1)
        kept = min(count, size)
        best = np.argpartition(-keys, kept - 1, axis=1)[:, :kept]
        order = np.take_along_axis(best, np.argsort(-np.take_along_axis(keys, best, axis=1), axis=1), axis=1)
        return [
            [Hit(str(self._codes[at]), float(row[at]), int(self._starts[at])) for at in chosen]
            for row, chosen in zip(scores, order.tolist(), strict=True)
        ]


def integers(vectors: NDArray[Any], scale: float) -> Bytes:
    """Return vectors times a scale as int8 in [-127, 127], halves to even."""
    found: Bytes = np.clip(np.rint(np.asarray(vectors, dtype=np.float64) * scale), -TOP, TOP).astype(np.int8)
    return found


def _unit(vectors: NDArray[Any]) -> NDArray[np.float64]:
    """Return rows at unit length, a row of zeros as it is; each by itself, in one order of adding up."""
    rows = np.ascontiguousarray(vectors, dtype=np.float64)
    norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    found: NDArray[np.float64] = rows / np.where(norms > 0, norms, 1.0)
    return found
