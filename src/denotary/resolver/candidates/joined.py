"""Candidates by letters and by vector, joined, with the features that speak for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from denotary.canonical import digest
from denotary.resolver.candidates.dense import DenseIndex
from denotary.resolver.candidates.lexical import LexicalIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from denotary.resolver.candidates.dense import Bytes

    Similarities: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]

DIGITS: Final = 4
"""Decimals of a similarity that is shown."""
DEPTH: Final = 50
"""Concepts whose lexical score is known; the others have none."""


class Candidates:
    """The concepts that a text resembles, of the expressions of a registry.

    A lexical index and two dense ones: over all expressions, and over one prototype a concept, the mean of the unit
    vectors of its expressions.
    """

    def __init__(
        self,
        expressions: Sequence[tuple[str, str]],
        rows: Bytes,
        scale: float,
        *,
        registry: str,
        encoder: str,
        engine: str | None = None,
    ) -> None:
        """Index expressions and their vectors.

        Args:
            expressions: (code, text) pairs, sorted, each once, at least one.
            rows: their vectors as integers, shape (n, d).
            scale: what the unit vectors were multiplied by.
            registry: snapshot id of their registry.
            encoder: SHA-256 of the identity of the encoder.
            engine: of the lexical index, None for the first that is installed.

        Raises:
            InputError: as of the indices.
        """
        codes = [code for code, _ in expressions]
        named = {"registry": registry, "encoder": encoder}
        self.lexical = LexicalIndex(expressions, registry=registry, engine=engine)
        self.nearest = DenseIndex(codes, rows, scale, **named)
        self.codes = tuple(sorted(set(codes)))
        # Sums of integers: the mean does not depend on an order of adding up.
        starts = np.unique(np.asarray(codes, dtype=np.str_), return_index=True)[1]
        sums = np.add.reduceat(rows.astype(np.int64), starts)
        self.prototypes = DenseIndex.build(self.codes, sums, **named)

    @property
    def hash(self) -> str:
        """SHA-256 of the identities of the indices."""
        return digest([self.lexical.identity, self.nearest.identity, self.prototypes.identity])

    def similarities(self, vectors: NDArray[Any]) -> list[Similarities]:
        """Return for each vector the cosines with each concept's nearest expression and with its prototype.

        Args:
            vectors: shape (n, d).
        """
        indices = (self.nearest, self.prototypes)
        nearest, prototype = ((index.scores(vectors) / index.unit).round(DIGITS) for index in indices)
        return list(zip(nearest, prototype, strict=True))

    def features(
        self, text: str, similar: Similarities, also: Mapping[str, float], count: int
    ) -> list[dict[str, Any]]:
        """Return the union of the candidates with what speaks for each, by (score, code).

        Args:
            text: in NFC.
            similar: of its vector, from :meth:`similarities`.
            also: score of concepts that are candidates anyway; a candidate without one has none.
            count: candidates that each index adds, at least 1.

        Returns:
            For each ``concept_code``: ``score`` (as given), ``lexical`` (BM25 of its best expression, null beyond the
            first 50), ``nearest`` and ``prototype`` (cosines of the nearest expression and of the mean of all, -1 to
            1), and of each a ``…_margin``: how far it is ahead of the best other concept.
        """
        lexical = {hit.code: hit.score for hit in self.lexical.search(text, DEPTH)}
        nearest, prototype = (dict(zip(self.codes, found.tolist(), strict=True)) for found in similar)
        chosen = {*also, *list(lexical)[:count]}
        for found in (nearest, prototype):
            chosen.update(sorted(found, key=lambda code: (-found[code], code))[:count])
        columns = {"lexical": lexical, "nearest": nearest, "prototype": prototype}
        rows = [
            {"concept_code": code, "score": also.get(code)}
            | {name: found.get(code) for name, found in columns.items()}
            | {f"{name}_margin": _margin(found, code) for name, found in columns.items()}
            for code in chosen
        ]
        return sorted(rows, key=lambda row: (-(row["score"] or 0.0), row["concept_code"]))


def _margin(found: Mapping[str, float], code: str) -> float | None:
    """Return how far a concept is ahead of the best other one; None if it or any other was not found."""
    others = [score for other, score in found.items() if other != code]
    return round(found[code] - max(others), DIGITS) if code in found and others else None
