"""The two tracks of the instrument, which are certified apart and never averaged.

``registry-exact`` is what the reviewed expressions state and can be listed; ``semantic-generalization`` is every other
text. Look-ups are easy and cheap to add, so a rate that counted both would fall as more of them are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from denotary.measures.table import BoolArray, Coded

FAMILY: Final = "reviewed_exact"
"""The family whose cases make up the track ``registry-exact``."""

EXACT: Final = f"family = '{FAMILY}'"
SEMANTIC: Final = f"family <> '{FAMILY}'"
"""The populations of the tracks, in the words of a measure."""


def semantic(family: Coded) -> BoolArray:
    """Return which rows belong to ``semantic-generalization``, shape (N,): the rows of ``SEMANTIC``."""
    if FAMILY not in family.labels:
        return np.ones(len(family.codes), dtype=np.bool_)
    found: BoolArray = family.codes != family.labels.index(FAMILY)
    return found
