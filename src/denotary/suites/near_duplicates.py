"""Texts that nearly repeat each other, found among many by their n-grams and verified pair by pair.

The similarity of two texts is the Jaccard index of their sets of character n-grams: n-grams that both have, over
n-grams that either has. All pairs at or above a threshold are found, none is estimated: two sets of that similarity
share one of their rarest few n-grams (prefix filter), are of similar size (length filter), and what remains is counted.

Source: Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning" (ICDE 2006), for the
    prefix filter; Xiao et al., "Efficient similarity joins for near duplicate detection" (WWW 2008), for its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

IntArray: TypeAlias = NDArray[np.int64]
WordArray: TypeAlias = NDArray[np.uint64]

MOST_COMPARED: Final = 50_000_000
"""Pairs that are compared at most. What is left then is named as crowded, not taken for different."""
MOST_ALIKE: Final = 2_000_000
"""Pairs that are counted out at most; with more, the texts are one template, and every pair of it tells the same."""
_CHUNK: Final = 1_000_000
"""Pairs that are compared at a time, which bounds the memory."""
_COUNTED: Final = 60_000
"""Pairs whose common n-grams are counted at a time."""
_WORDS: Final = 4
"""64-bit words of the sketch that rules most pairs out."""
_MULTIPLIER: Final = 0x9E3779B97F4A7C15
_EPSILON: Final = 1e-9


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """What was found.

    Attributes:
        first: shape (P,), position of one text of each pair; pairs are sorted.
        second: shape (P,), position of the other, greater than ``first``.
        similarity: shape (P,), Jaccard index of each pair in [0, 1].
        crowded: positions of texts that share an n-gram and were not all compared, a group for each n-gram; they
            may have near-duplicates that are not listed.
    """

    first: IntArray
    second: IntArray
    similarity: NDArray[np.float64]
    crowded: tuple[tuple[int, ...], ...]


def near_duplicates(
    texts: Sequence[str],
    sides: Sequence[int],
    *,
    similarity: float,
    gram: int,
    most_compared: int = MOST_COMPARED,
    most_alike: int = MOST_ALIKE,
) -> NearDuplicates:
    """Return every pair of texts whose similarity reaches a threshold and that lie on different sides.

    Args:
        texts: N texts, folded as they are to be compared, each once; one shorter than an n-gram has no pair.
        sides: bit set of the sides that each text stands on. Two texts are compared unless both stand on one
            and the same single side; 0 means a text is compared with all.
        similarity: least Jaccard index, in (0, 1].
        gram: characters of an n-gram.
        most_compared: see :data:`MOST_COMPARED`.
        most_alike: see :data:`MOST_ALIKE`.
    """
    grams = _Grams.of(texts, gram)
    side = np.asarray(sides, dtype=np.int64)
    entries = _Entries.of(grams, similarity)
    found = [np.empty(0, dtype=np.int64)]
    compared = alike = done = 0
    while done < len(entries.text) and compared < most_compared and alike < most_alike:
        left, right, done = entries.pairs(done)
        keep = _across(side, left, right)
        keep[keep] = grams.may_reach(left[keep], right[keep], similarity)
        found.append(_distinct((left[keep] << 32) | right[keep]))
        compared, alike = compared + len(left), alike + len(found[-1])
    packed = _distinct(np.concatenate(found))
    first, second = packed >> 32, packed & 0xFFFFFFFF
    value = grams.jaccard(first, second)
    reached = value >= similarity - _EPSILON
    crowded = tuple(sorted(crowd for crowd in entries.groups(done) if _meet(side, crowd)))
    return NearDuplicates(first[reached], second[reached], value[reached], crowded)


def _meet(side: IntArray, crowd: tuple[int, ...]) -> bool:
    members = np.asarray(crowd, dtype=np.int64)
    return bool(_across(side, members[:1], members[1:]).any() or len(set(side[members].tolist())) > 1)


def _across(side: IntArray, left: IntArray, right: IntArray) -> NDArray[np.bool_]:
    one, other = side[left], side[right]
    same: NDArray[np.bool_] = (one == other) & (np.bitwise_count(one) == 1)
    return ~same


@dataclass(frozen=True, slots=True)
class _Grams:
    """The sets of n-grams of N texts.

    Attributes:
        start: shape (N + 1,), where each text's n-grams begin.
        token: shape (T,), n-grams of all texts as ranks from the rarest, ascending within each text.
        size: shape (N,), how many n-grams each text has.
        sketch: shape (N, 4), bits that the n-grams set.
        packed: shape (T,), text and n-gram as one number, ascending.
    """

    start: IntArray
    token: IntArray
    size: IntArray
    sketch: WordArray
    packed: IntArray

    @classmethod
    def of(cls, texts: Sequence[str], gram: int) -> _Grams:
        text, value = _hashed(texts, gram)
        packed = _distinct((text << 32) | _rarity(value))
        text, token = packed >> 32, packed & 0xFFFFFFFF
        size = np.bincount(text, minlength=len(texts)).astype(np.int64)
        start = np.concatenate([[0], np.cumsum(size)])
        return cls(start, token, size, _sketches(text, token, len(texts)), packed)

    def may_reach(self, left: IntArray, right: IntArray, similarity: float) -> NDArray[np.bool_]:
        """Return which pairs the sketches do not rule out.

        A bit of one sketch that the other lacks stands for at least one n-gram that the other lacks.
        """
        one, other = self.sketch[left], self.sketch[right]
        alone = np.bitwise_count(one & ~other).sum(axis=1, dtype=np.int64)
        needed = similarity / (1 + similarity) * (self.size[left] + self.size[right])
        possible: NDArray[np.bool_] = self.size[left] - alone >= needed - _EPSILON
        return possible

    def jaccard(self, left: IntArray, right: IntArray) -> NDArray[np.float64]:
        """Return the Jaccard index of each pair, shape of the arguments."""
        shared = np.zeros(len(left), dtype=np.int64)
        for begin in range(0, len(left), _COUNTED):
            part = slice(begin, begin + _COUNTED)
            pair, at = _spread(self.start[left[part]], self.size[left[part]])
            wanted = (right[part][pair] << 32) | self.token[at]
            place = np.minimum(np.searchsorted(self.packed, wanted), len(self.packed) - 1)
            hits = pair[self.packed[place] == wanted]
            shared[part] = np.bincount(hits, minlength=len(left[part]))
        union = self.size[left] + self.size[right] - shared
        index: NDArray[np.float64] = shared / np.maximum(union, 1)
        return index


def _hashed(texts: Sequence[str], gram: int) -> tuple[IntArray, WordArray]:
    """Return text and hash of every n-gram, in the order of the texts."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    whole = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    value = np.zeros(max(len(whole) - gram + 1, 0), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for offset in range(gram):
            value = value * np.uint64(_MULTIPLIER) + whole[offset : offset + len(value)] + np.uint64(1)
            value ^= value >> np.uint64(29)
    text, at = _spread(np.cumsum(lengths) - lengths, np.maximum(lengths - gram + 1, 0))
    return text, value[at]


def _rarity(value: WordArray) -> IntArray:
    """Return the rank of each value by how often it occurs, the rarest first; equally rare ones by value."""
    order = np.argsort(value)
    begins = np.diff(value[order], prepend=~value[order[:1]]) != 0
    count = np.diff(np.append(np.flatnonzero(begins), len(value)))
    place = np.empty(len(count), dtype=np.int64)
    place[np.argsort(count, kind="stable")] = np.arange(len(count))
    rank = np.empty(len(value), dtype=np.int64)
    rank[order] = place[np.cumsum(begins) - 1]
    return rank


def _distinct(values: IntArray) -> IntArray:
    """Return the distinct values, ascending: `numpy.unique` hashes, which takes five times as long here."""
    ordered = np.sort(values)
    first: NDArray[np.bool_] = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    return ordered[first]


def _sketches(text: IntArray, token: IntArray, count: int) -> WordArray:
    with np.errstate(over="ignore"):
        bit = (token.astype(np.uint64) * np.uint64(_MULTIPLIER)) >> np.uint64(56)
    cell = text * (64 * _WORDS) + bit.astype(np.int64)
    words = np.zeros(count * _WORDS, dtype=np.uint64)
    np.bitwise_or.at(words, cell >> 6, np.uint64(1) << (cell & 63).astype(np.uint64))
    return words.reshape(count, _WORDS)


def _spread(starts: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return, for ranges given by start and size, the number of the range and the position of each element."""
    number = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    within = np.arange(len(number), dtype=np.int64) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return number, starts[number] + within


@dataclass(frozen=True, slots=True)
class _Entries:
    """The rarest n-grams of every text, so many that two texts of the similarity share one.

    Sorted by n-gram, those with few pairs first. The partners of an entry stand behind it: the same n-gram, and a
    size up to its own divided by the threshold.

    Attributes:
        text: shape (E,), the text of each entry.
        token: shape (E,), its n-gram.
        partners: shape (E,), how many of the entries that follow are to be compared with it.
        total: shape (E,), partners up to each entry.
    """

    text: IntArray
    token: IntArray
    partners: IntArray
    total: IntArray

    @classmethod
    def of(cls, grams: _Grams, similarity: float) -> _Entries:
        shared = np.ceil(similarity * grams.size - _EPSILON).astype(np.int64)
        text, at = _spread(grams.start[:-1], np.where(grams.size > 0, grams.size - shared + 1, 0))
        token = grams.token[at]
        order = np.lexsort((text, grams.size[text], token))
        text, token = text[order], token[order]
        size = grams.size[text]
        width = int(grams.size.max(initial=0)) + 2
        reach = np.minimum(np.floor(size / similarity + _EPSILON).astype(np.int64), width - 1)
        last = np.searchsorted(token * width + size, token * width + reach, side="right")
        partners = last - np.arange(len(token)) - 1
        pairs = np.bincount(token, weights=partners)
        order = np.lexsort((np.arange(len(token)), token, pairs[token]))
        partners = partners[order]
        return cls(text[order], token[order], partners, np.cumsum(partners))

    def pairs(self, begin: int) -> tuple[IntArray, IntArray, int]:
        """Return the pairs of a chunk of entries, and where the next chunk begins; a pair may come twice."""
        before = int(self.total[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(self.total, before + _CHUNK, side="right")), begin + 1)
        entry, at = _spread(np.arange(begin, end) + 1, self.partners[begin:end])
        left, right = self.text[begin + entry], self.text[at]
        return np.minimum(left, right), np.maximum(left, right), end

    def groups(self, begin: int) -> Iterator[tuple[int, ...]]:
        """Yield the texts of every n-gram that still has pairs from an entry on."""
        edges = np.flatnonzero(np.diff(self.token[begin:], prepend=-1, append=-1)) + begin
        for start, stop in pairwise(edges.tolist()):
            if self.partners[start:stop].any():
                yield tuple(np.unique(self.text[start:stop]).tolist())
