"""Scores of pairs of texts: what similarity gates compare with a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from denotary.encoders.base import Encoder, EncoderIdentity
from denotary.encoders.wordpiece import words
from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[np.float64]


@runtime_checkable
class PairScorer(Protocol):
    """Gives each pair of texts a number, higher for more alike."""

    @property
    def identity(self) -> EncoderIdentity:
        """What the scores depend on."""

    def score(self, left: Sequence[str], right: Sequence[str]) -> Scores:
        """Return one number a pair, shape (n,).

        Raises:
            InputError: the two sides differ in length.
        """


class Cosine:
    """Cosine of the vectors of an encoder."""

    def __init__(self, encoder: Encoder) -> None:
        """Score by this encoder."""
        self._encoder = encoder
        self.identity = encoder.identity

    def score(self, left: Sequence[str], right: Sequence[str]) -> Scores:
        """Return cosines in [-1, 1], 0 beside a vector of zeros; each distinct text is encoded once."""
        import numpy as np

        _same_length(left, right)
        distinct = list(dict.fromkeys([*left, *right]))
        row = {text: at for at, text in enumerate(distinct)}
        vectors = self._encoder.encode(distinct).astype(np.float64)
        norms = np.sqrt((vectors * vectors).sum(axis=1))
        one, two = [row[text] for text in left], [row[text] for text in right]
        lengths = norms[one] * norms[two]
        found = (vectors[one] * vectors[two]).sum(axis=1) / np.where(lengths > 0, lengths, 1.0)
        cosines: Scores = np.clip(found, -1.0, 1.0)
        return cosines


class TokenJaccard:
    """Words in common, as a share of all words of the two texts; 1 for two texts without a word."""

    def __init__(self) -> None:
        """Take words as the baselines do: folded, punctuation marks apart."""
        self.identity = EncoderIdentity(name="token-jaccard", kind="hashed", dimension=0, normalised=False)

    def score(self, left: Sequence[str], right: Sequence[str]) -> Scores:
        """Return shares in [0, 1]."""
        import numpy as np

        _same_length(left, right)
        sets = [(set(words(one)), set(words(two))) for one, two in zip(left, right, strict=True)]
        return np.asarray([len(a & b) / len(a | b) if a | b else 1.0 for a, b in sets], dtype=np.float64)


def _same_length(left: Sequence[str], right: Sequence[str]) -> None:
    if len(left) != len(right):
        raise InputError(f"pairs need two sides of equal length, found {len(left)} and {len(right)}")
