"""The lexical axis: how much wording two texts share.

Overlap is the Jaccard index of the two sets of lower-cased runs of letters, digits and combining marks, of any
script. Two texts without a single run overlap by 1.
"""

from __future__ import annotations

from functools import lru_cache

import unicodedata2

from denotary.text.closed_class import CLOSED_CLASS

_WORD = frozenset({"Ll", "Lm", "Lo", "Lt", "Lu", "Nd", "Nl", "No", "Mn", "Mc"})
"""Letters, numbers, and the marks without which Indic words would fall apart."""


def words(text: str) -> list[str]:
    """Return the lower-cased runs of letters, digits and combining marks, in order."""
    return "".join(map(_kept, text.lower())).split()


def overlap(first: str, second: str) -> float:
    """Return the Jaccard index of the word sets of two texts, in [0, 1]; 1 where both sets are empty.

    >>> overlap("Withhold the drug.", "Administer the drug")
    0.5
    >>> overlap("", "...")
    1.0
    """
    a, b = set(words(first)), set(words(second))
    return len(a & b) / len(a | b) if a or b else 1.0


def content_overlap(first: str, second: str) -> float:
    """Return the overlap of two English texts without closed-class words, in [0, 1]; 1 where neither has others.

    Two texts that share as many words may differ in *not* or in a noun. An encoder gives more weight to the second.

    >>> content_overlap("Do not withhold the drug.", "Withhold the drug")
    1.0
    """
    a, b = set(words(first)) - CLOSED_CLASS, set(words(second)) - CLOSED_CLASS
    return len(a & b) / len(a | b) if a or b else 1.0


@lru_cache(maxsize=4096)
def _kept(character: str) -> str:
    return character if unicodedata2.category(character) in _WORD else " "
