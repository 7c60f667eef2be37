"""Lexical baselines: scores that cannot read meaning. Every gate's figures are printed beside theirs.

Each takes pairs of texts and returns one score a pair, higher for more alike.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.instruments.similarity.overlap import content_overlap, overlap, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denotary.statistics.checks import FloatArray

    PairScore = Callable[[Sequence[str], Sequence[str]], FloatArray]

GRAM: Final = 3
"""Length of character n-grams, with one blank around each word."""
_K1: Final = 1.2
_B: Final = 0.75


def token_jaccard(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """Return the overlap of the word sets, in [0, 1]."""
    return np.array([overlap(a, b) for a, b in zip(first, second, strict=True)])


def content_jaccard(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """Return the overlap of the word sets without closed-class words, in [0, 1]."""
    return np.array([content_overlap(a, b) for a, b in zip(first, second, strict=True)])


def character_grams(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """Return the cosine of counts of character 3-grams, in [0, 1]; 1 where both texts have none."""
    grams = {text: _grams(text) for text in {*first, *second}}
    squares = {text: sum(n * n for n in counts.values()) for text, counts in grams.items()}

    def cosine(a: str, b: str) -> float:
        if not grams[a] or not grams[b]:
            return float(not grams[a] and not grams[b])
        shared = grams[a].keys() & grams[b].keys()
        return sum(grams[a][gram] * grams[b][gram] for gram in shared) / math.sqrt(squares[a] * squares[b])

    return np.array([cosine(a, b) for a, b in zip(first, second, strict=True)])


def length_difference(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """Return one less the difference of the numbers of words over the larger of them, in [0, 1]."""
    count = [(len(words(a)), len(words(b))) for a, b in zip(first, second, strict=True)]
    return np.array([1.0 - abs(a - b) / max(a, b, 1) for a, b in count])


def bm25(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """Return BM25 of each text as a query to the other, over its score for itself, mean of both ways; in [0, 1].

    Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with the non-negative idf
    log(1 + (N - n + 1/2) / (n + 1/2)); k1 = 1.2, b = 0.75. Frequencies are those of the texts given.
    """
    counts = {text: Counter(words(text)) for text in sorted({*first, *second})}
    frequency = Counter(word for count in counts.values() for word in count)
    mean = sum(count.total() for count in counts.values()) / max(len(counts), 1)
    idf = {word: math.log1p((len(counts) - n + 0.5) / (n + 0.5)) for word, n in frequency.items()}

    def score(query: Counter[str], document: Counter[str]) -> float:
        norm = _K1 * (1.0 - _B + _B * document.total() / mean) if mean else 0.0
        return sum(
            idf[word] * document[word] * (_K1 + 1.0) / (document[word] + norm)
            for word in query
            if word in document
        )

    own = {text: score(count, count) for text, count in counts.items()}

    def one_way(query: str, document: str) -> float:
        return min(score(counts[query], counts[document]) / own[query], 1.0) if own[query] else 0.0

    return np.array([(one_way(a, b) + one_way(b, a)) / 2.0 for a, b in zip(first, second, strict=True)])


BASELINES: Final[Mapping[str, PairScore]] = {
    "token-jaccard": token_jaccard,
    "content-jaccard": content_jaccard,
    "character-3-grams": character_grams,
    "bm25": bm25,
    "length-difference": length_difference,
}
"""The baselines by name."""


def _grams(text: str) -> Counter[str]:
    padded = [f" {word} " for word in words(text)]
    return Counter(word[i : i + GRAM] for word in padded for i in range(len(word) - GRAM + 1))
