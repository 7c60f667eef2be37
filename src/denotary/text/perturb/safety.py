"""Whether a variant leaves every grapheme cluster whole that it does not replace."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from denotary.text.graphemes import boundaries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.text.perturb.records import Edit


def keeps_clusters(parent: str, variant: str, edits: Sequence[Edit]) -> bool:
    """Whether every cluster of the parent outside the edits stands unsplit in the variant.

    Edits that begin and end at cluster boundaries are not enough: without what stood between them, a lone regional
    indicator can pair up with half of a flag.
    """
    ends = boundaries(parent)
    if not {offset for edit in edits for offset in (edit.start, edit.end)} <= set(ends):
        return False
    split = set(boundaries(variant))
    return not any(split.intersection(range(start + 1, end)) for start, end in _moved(ends, edits))


def _moved(ends: Sequence[int], edits: Sequence[Edit]) -> Iterator[tuple[int, int]]:
    """Yield where the clusters that no edit replaces stand in the variant."""
    waiting = list(edits)
    shift, replaced_to = 0, 0
    for start, end in pairwise(ends):
        while waiting and waiting[0].start <= start:
            edit = waiting.pop(0)
            shift += len(edit.after) - len(edit.before)
            replaced_to = edit.end
        if start >= replaced_to:
            yield start + shift, end + shift
