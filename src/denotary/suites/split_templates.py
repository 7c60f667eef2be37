"""Texts that were made from one template: the same words but for one slot.

Two texts share a skeleton if what is left of each without one run of up to three words is the same, word by word, and
at least five words are left. Case, punctuation around words and the digits of numbers are no difference. Text without
spaces between its words has no skeleton here, and neither has a long text: its n-grams tell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from denotary.suites.components import Forest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SLOT: Final = 3
"""Most words of a slot."""
FIXED: Final = 5
"""Least words outside of the slot."""
LONGEST: Final = 60
"""Words of a text above which no skeleton is looked for."""
_DIGITS: Final = re.compile(r"\d+")
_AROUND: Final = re.compile(r"^\W+|\W+$")


def skeleton_clusters(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the clusters of texts, by position, that are tied by shared skeletons.

    Args:
        texts: N distinct texts.
    """
    words = [_words(text) for text in texts]
    # Of each skeleton the first text alone is kept: the others are tied to it, if their words are the same indeed.
    first: dict[int, tuple[int, int, int]] = {}
    forest = Forest(len(texts))
    tied: set[int] = set()
    for index, mine in enumerate(words):
        for start, size in _slots(len(mine)):
            known = first.setdefault(hash((mine[:start], mine[start + size :])), (index, start, size))
            if known[0] != index and _left(words[known[0]], *known[1:]) == _left(mine, start, size):
                forest.join(known[0], index)
                tied |= {known[0], index}
    clusters: dict[int, list[int]] = {}
    roots = forest.roots()
    for index in sorted(tied):
        clusters.setdefault(roots[index], []).append(index)
    return [tuple(members) for members in clusters.values()]


def _words(text: str) -> tuple[str, ...]:
    bare = (_AROUND.sub("", word) for word in _DIGITS.sub("0", text.casefold()).split())
    return tuple(word for word in bare if word)


def _slots(count: int) -> Iterator[tuple[int, int]]:
    """Yield begin and size of every slot of a text of so many words."""
    if count <= LONGEST:
        for size in range(1, min(SLOT, count - FIXED) + 1):
            yield from ((start, size) for start in range(count - size + 1))


def _left(words: tuple[str, ...], start: int, size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return words[:start], words[start + size :]
