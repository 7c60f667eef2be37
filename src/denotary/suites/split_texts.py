"""Texts that repeat each other: the same, the same under every fold, nearly by their n-grams, or by a template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from denotary.suites.components import Forest
from denotary.suites.split_templates import skeleton_clusters
from denotary.text import coarse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.suites.split_records import By

GRAM: Final = 5
"""Characters of an n-gram of a folded text."""
SIMILARITY: Final = 0.7
"""Least Jaccard index of a near-duplicate: a text of forty characters with one or two typing errors."""


@dataclass(frozen=True, slots=True)
class TextGroup:
    """Cases whose texts repeat each other.

    Attributes:
        by: how they were found.
        members: positions of the cases, ascending.
        similarity: highest Jaccard index between two of them for n-grams, highest cosine for embeddings.
    """

    by: By
    members: tuple[int, ...]
    similarity: float | None = None


def text_groups(
    texts: Sequence[tuple[str, ...]], role: Sequence[int] | None, similarity: float
) -> list[TextGroup]:
    """Return the groups of cases whose texts repeat each other.

    Near ones by n-grams are looked for between different roles alone, the others wherever they stand. A group is
    not listed again where a coarser comparison finds no more members than a finer one. A text of which a fold
    leaves nothing, such as punctuation alone, repeats what is equal to it; white space repeats nothing.

    Args:
        texts: the texts of each of N cases.
        role: the role of each case; None compares every case with every other.
        similarity: least Jaccard index of n-grams.
    """
    exact: dict[str, list[int]] = {}
    folded: dict[str, list[int]] = {}
    for index, shown in enumerate(texts):
        for text in dict.fromkeys(shown):
            exact.setdefault(text, []).append(index)
    for text, group in exact.items():
        folded.setdefault(coarse(text), []).extend(group)
    folded.pop("", None)
    same = {tuple(group) for text, group in exact.items() if len(group) > 1 and text.strip()}
    alike = {members for group in folded.values() if len(members := tuple(sorted(set(group)))) > 1}
    found = [TextGroup("exact_text", members) for members in sorted(same)]
    found += [TextGroup("folded_text", members) for members in sorted(alike - same)]
    found += _near(folded, role, similarity)
    listed = {group.members for group in found}
    return [*found, *(group for group in _templates(exact) if group.members not in listed)]


def _templates(exact: dict[str, list[int]]) -> Iterator[TextGroup]:
    members = [sorted(set(group)) for group in exact.values()]
    for cluster in skeleton_clusters(list(exact)):
        cases = sorted({index for text in cluster for index in members[text]})
        if len(cases) > 1:
            yield TextGroup("skeleton", tuple(cases))


def _near(folded: dict[str, list[int]], role: Sequence[int] | None, similarity: float) -> Iterator[TextGroup]:
    """Yield the clusters of texts that are near-duplicates of each other, and what could not be compared."""
    from denotary.suites.near_duplicates import near_duplicates

    texts, members = list(folded), [sorted(set(group)) for group in folded.values()]
    sides = [0 if role is None else _bits(role, group) for group in members]
    found = near_duplicates(texts, sides, similarity=similarity, gram=GRAM)
    forest, best = Forest(len(texts)), dict[int, float]()
    pairs = list(zip(found.first.tolist(), found.second.tolist(), found.similarity.tolist(), strict=True))
    for left, right, _ in pairs:
        forest.join(left, right)
    roots = forest.roots()
    clusters: dict[int, set[int]] = {}
    for left, right, value in pairs:
        root = roots[left]
        clusters.setdefault(root, set()).update((left, right))
        best[root] = max(best.get(root, 0.0), value)
    for root, cluster in clusters.items():
        cases = sorted({index for text in cluster for index in members[text]})
        yield TextGroup("ngrams", tuple(cases), round(best[root], 6))
    for crowd in found.crowded:
        cases = sorted({index for text in crowd for index in members[text]})
        yield TextGroup("not_compared", tuple(cases))


def _bits(role: Sequence[int], members: Sequence[int]) -> int:
    bits = 0
    for index in members:
        bits |= 1 << role[index]
    return bits
