"""Baselines without a model: bags of hashed words or of character n-grams, as floors for every comparison."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal

from denotary.encoders.base import EncoderIdentity, unit_rows
from denotary.encoders.wordpiece import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.encoders.base import Vectors

CHARACTERS: Final = 3
"""Length of the character n-grams."""


class HashedEncoder:
    """Counts of features, each added with its sign to one of ``dimension`` places.

    Feature hashing as in Weinberger et al. 2009 (arXiv 0902.2206). It knows no order: texts with the same bag have the
    same vector.
    """

    def __init__(self, features: Literal["words", "characters"], dimension: int = 512) -> None:
        """Choose what is counted and in how many places."""
        self._features = _words if features == "words" else character_ngrams
        self._places: dict[str, tuple[int, int]] = {}
        self.identity = EncoderIdentity(
            name=f"hash-{features}",
            kind="hashed",
            dimension=dimension,
            parameters={"features": features, "characters": CHARACTERS},
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (n, dimension); zeros for a text without a feature."""
        import numpy as np

        found = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for feature in self._features(text):
                place, sign = self._place(feature)
                found[row, place] += sign
        return unit_rows(found)

    def truncated(self, texts: Sequence[str]) -> int:
        """Return 0: every text is read to its end."""
        del texts
        return 0

    def _place(self, feature: str) -> tuple[int, int]:
        if feature not in self._places:
            number = int.from_bytes(
                blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
            )
            self._places[feature] = (number >> 1) % self.identity.dimension, 1 - 2 * (number & 1)
        return self._places[feature]


def _words(text: str) -> Iterator[str]:
    return words(text)


def character_ngrams(text: str) -> Iterator[str]:
    """Yield the character n-grams of each word of a text, the word's borders marked by spaces."""
    for word in words(text):
        marked = f" {word} "
        for begin in range(max(len(marked) - CHARACTERS, 0) + 1):
            yield marked[begin : begin + CHARACTERS]
