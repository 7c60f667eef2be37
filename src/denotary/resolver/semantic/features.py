"""Features of a text: the encoder's vector, and hashed word and character n-grams brought to few dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.encoders.wordpiece import words

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from denotary.encoders.base import Encoder, Vectors

    FloatArray = NDArray[np.float64]

BUCKETS: Final = 1 << 14
"""Places that n-grams are hashed to."""
COMPONENTS: Final = 256
"""Dimensions that the n-grams are brought to."""
LONGEST: Final = 5
"""Characters of the longest n-gram."""
WEIGHT: Final = 0.7
"""Of the n-grams beside the encoder's vector, both at unit length."""


@dataclass(frozen=True, slots=True)
class NGrams:
    """Weights of n-grams and their projection, learned once.

    Attributes:
        idf: inverse document frequency of each place, shape (BUCKETS,).
        projection: right singular vectors of the weighted counts, shape (BUCKETS, k).
    """

    idf: FloatArray
    projection: NDArray[np.float32]

    @classmethod
    def learn(cls, texts: Sequence[str]) -> NGrams:
        """Learn from texts: idf, then latent semantic analysis (Deerwester et al. 1990) by a truncated SVD."""
        from scipy.sparse.linalg import svds

        counted = [hashed(text) for text in texts]
        frequency = np.bincount([place for found in counted for place in found], minlength=BUCKETS)
        idf = np.log((1 + len(texts)) / (1 + frequency)) + 1.0
        matrix = _weighted(counted, idf)
        size = min(COMPONENTS, min(matrix.shape) - 1)
        start = np.ones(min(matrix.shape))
        return cls(idf, svds(matrix, k=size, v0=start)[2][::-1].T.astype(np.float32))

    def transform(self, texts: Sequence[str]) -> FloatArray:
        """Return unit rows, shape (n, k); zeros for a text without a known n-gram."""
        found = _weighted([hashed(text) for text in texts], self.idf) @ self.projection.astype(np.float64)
        return _unit(np.asarray(found))


def features(texts: Sequence[str], encoder: Encoder, ngrams: NGrams) -> FloatArray:
    """Return the features of texts, shape (n, encoder dimension + k), a constant 1 at the end."""
    return with_vectors(texts, encoder.encode(texts), ngrams)


def with_vectors(texts: Sequence[str], vectors: Vectors, ngrams: NGrams) -> FloatArray:
    """Return the features of texts whose vectors are there already, as :func:`features` does."""
    dense = _unit(vectors.astype(np.float64))
    return np.hstack([dense, WEIGHT * ngrams.transform(texts), np.ones((len(texts), 1))])


def hashed(text: str) -> Counter[int]:
    """Return how often each place is met by the words, pairs of words and character n-grams of a text."""
    from collections import Counter
    from zlib import crc32

    found = list(words(text))
    grams = [f"w{word}" for word in found]
    grams += [f"p{one} {two}" for one, two in pairwise(found)]
    for word in found:
        marked = f" {word} "
        for length in range(2, LONGEST + 1):
            grams += [marked[at : at + length] for at in range(len(marked) - length + 1)]
    return Counter(crc32(gram.encode("utf-8", "surrogatepass")) % BUCKETS for gram in grams)


def _weighted(counted: Sequence[Counter[int]], idf: FloatArray) -> Any:
    """Return sublinear counts times idf as a sparse matrix with unit rows, shape (n, BUCKETS)."""
    from scipy.sparse import csr_array

    rows = np.repeat(np.arange(len(counted)), [len(found) for found in counted])
    places = np.asarray([place for found in counted for place in found], dtype=np.int64)
    counts = np.asarray([count for found in counted for count in found.values()], dtype=np.float64)
    values = (1.0 + np.log(counts)) * idf[places]
    lengths = np.sqrt(np.bincount(rows, values * values, len(counted)))
    return csr_array((values / lengths[rows], (rows, places)), shape=(len(counted), BUCKETS))


def _unit(rows: FloatArray) -> FloatArray:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    found: FloatArray = rows / np.where(norms > 0, norms, 1.0)
    return found
