"""Comparisons between anchors taken two and two: what makes a valid bound of the decision AUROC.

The AUROC of a stratum is the chance that a same pair scores above an opposite pair of another anchor. Each anchor of a
task and half has one partner, chosen by the SHA-256 of their names before anything was asked; every same pair of one is
compared with every opposite pair of the other at the same pole. Two anchors make one independent unit, whose share of
won comparisons has the AUROC as its mean, a tie counting as lost. So the bounds of rates over units hold for it, at
any number of them, where a bootstrap would only describe.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.canonical import sha256

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from denotary.measures.table import IntArray

Cells = dict[str, tuple[list[int], list[int]]]
"""By pole, the rows of an anchor's same pairs and of its opposite ones."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Comparisons of a same pair with an opposite one, arrays of shape (M,).

    Attributes:
        same: row of the same pair.
        opposite: row of the opposite pair.
        unit: number of the pair of anchors, from 0 on.
    """

    same: IntArray
    opposite: IntArray
    unit: IntArray


def matched(
    anchors: Sequence[str], groups: Sequence[Hashable], poles: Sequence[str], same: Sequence[bool]
) -> Matched:
    """Return the comparisons between partners.

    Args:
        anchors: name of each row's anchor, shape (N,).
        groups: partners are of one group, such as task and half; a row of group None is left out.
        poles: only pairs of one pole are compared.
        same: whether a row is a same pair.
    """
    held: dict[Hashable, dict[str, Cells]] = defaultdict(dict)
    for row, (anchor, group) in enumerate(zip(anchors, groups, strict=True)):
        if group is not None:
            cells = held[group].setdefault(anchor, {})
            cells.setdefault(poles[row], ([], []))[0 if same[row] else 1].append(row)
    found: list[tuple[int, int, int]] = []
    unit = 0
    for cells_of in held.values():
        for first, second in _partners(cells_of):
            found += [(a, b, unit) for a, b in _between(cells_of[first], cells_of[second])]
            unit += 1
    columns = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return Matched(columns[0], columns[1], columns[2])


def _partners(group: Mapping[str, Cells]) -> Iterator[tuple[str, str]]:
    """Yield partners: in the order of digests, each anchor takes the longest waiting one that it can be compared with.

    An anchor without one is left over: with matched anchors one of a group at most.
    """
    waiting: dict[frozenset[tuple[str, int]], list[str]] = {}
    for anchor in sorted(group, key=lambda name: sha256(name.encode("utf-8", "surrogatepass"))):
        kind = frozenset((pole, at) for pole, rows in group[anchor].items() for at in (0, 1) if rows[at])
        other = max(waiting, key=lambda held: (_shared(kind, held), sorted(held)), default=None)
        if other is None or not _shared(kind, other):
            waiting.setdefault(kind, []).append(anchor)
            continue
        yield waiting[other].pop(0), anchor
        if not waiting[other]:
            del waiting[other]


def _shared(first: frozenset[tuple[str, int]], second: frozenset[tuple[str, int]]) -> int:
    """Return how many poles and directions two kinds of anchors can be compared in."""
    return sum((pole, 1 - at) in second for pole, at in first)


def _between(first: Cells, second: Cells) -> Iterator[tuple[int, int]]:
    for one, other in ((first, second), (second, first)):
        for pole in sorted(one.keys() & other.keys()):
            yield from ((a, b) for a in one[pole][0] for b in other[pole][1])
