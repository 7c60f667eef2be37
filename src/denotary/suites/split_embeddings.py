"""Texts near each other as vectors across roles: paraphrases, and translations if the encoder knows both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.encoders.base import unit_rows
from denotary.errors import InputError
from denotary.suites.components import Forest
from denotary.suites.split_texts import TextGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.encoders.base import Encoder
    from denotary.suites.split_records import By

COSINE: Final = 0.95
"""Least cosine of near texts. No value is right for every encoder: look at pairs of your own first."""
_BLOCK: Final = 2048


def embedding_groups(
    texts: Sequence[tuple[str, ...]],
    languages: Sequence[str],
    role: Sequence[int],
    encoder: Encoder,
    cosine: float = COSINE,
) -> list[TextGroup]:
    """Return the groups of cases with near texts across roles, those of one language and those of two apart.

    All pairs are compared; time grows with the square of the number of texts.

    Args:
        texts: the texts of each of N cases.
        languages: language of each case, a primary subtag.
        role: the role of each case.
        encoder: texts to vectors; a cross-language group needs one that knows both languages.
        cosine: least cosine, in (0, 1].

    Raises:
        InputError: the cosine lies outside (0, 1], or the encoder gives no vectors.
    """
    if not 0 < cosine <= 1:
        raise InputError(f"the cosine must lie in (0, 1], found {cosine:g}")
    case = np.array([index for index, shown in enumerate(texts) for _ in shown], dtype=np.int64)
    distinct, place = np.unique([text for shown in texts for text in shown], return_inverse=True)
    if not len(distinct):
        return []
    vectors = unit_rows(encoder.encode([str(text) for text in distinct]))[place]
    sides = np.asarray(role, dtype=np.int64)[case]
    _, tongue = np.unique(list(languages), return_inverse=True)
    pairs = list(_near(vectors, sides, cosine))
    found: list[TextGroup] = []
    kinds: tuple[tuple[By, bool], ...] = (("embedding", False), ("cross_language", True))
    for by, crossing in kinds:
        chosen = [
            (int(case[left]), int(case[right]), value)
            for left, right, value in pairs
            if (tongue[case[left]] != tongue[case[right]]) == crossing
        ]
        found += _clusters(chosen, len(texts), by)
    return found


def _near(
    vectors: NDArray[np.float32], sides: NDArray[np.int64], cosine: float
) -> Iterator[tuple[int, int, float]]:
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors[start:].T
        left, right = np.nonzero(block >= cosine)
        keep = (right > left) & (sides[start + left] != sides[start + right])
        for one, two in zip(left[keep], right[keep], strict=True):
            yield start + int(one), start + int(two), float(block[one, two])


def _clusters(pairs: Sequence[tuple[int, int, float]], cases: int, by: By) -> Iterator[TextGroup]:
    forest = Forest(cases)
    for left, right, _ in pairs:
        forest.join(left, right)
    roots = forest.roots()
    members: dict[int, set[int]] = {}
    best: dict[int, float] = {}
    for left, right, value in pairs:
        members.setdefault(roots[left], set()).update((left, right))
        best[roots[left]] = max(best.get(roots[left], 0.0), value)
    for root, cluster in members.items():
        yield TextGroup(by, tuple(sorted(cluster)), round(min(best[root], 1.0), 4))
