"""Depth of annotation: how many people judged a case, and how many each tier asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from denotary.suites.records import GENERATED

if TYPE_CHECKING:
    from denotary.suites.records import Annotation, DepthTier


class Depth(NamedTuple):
    """Distinct reviewers that a tier asks for, at least and at most; adjudication and board come on top."""

    fewest: int
    most: int
    who: str


DEPTHS: Final[dict[DepthTier, Depth]] = {
    "A0": Depth(2, 2, "a reviewer and a checker"),
    "A1": Depth(3, 3, "native reviewers"),
    "A2": Depth(5, 5, "reviewers, and adjudication"),
    "A3": Depth(7, 10, "reviewers, and a board of three"),
    "A4": Depth(50, 100, "reviewers, for the distribution of their readings"),
    "A-R": Depth(3, 3, "two native reviewers and a bilingual expert; lower certification"),
}
"""The tiers, deeper ones later; A-R stands beside A1 for a language with too few reviewers."""


def judges(note: Annotation) -> int:
    """Return how many distinct people's votes are present.

    A person who stands there twice counts once. A vote without a name shows nobody, and one that was generated is
    no judgement.
    """
    return len(
        {
            name
            for name, vote in zip(note.reviewers, note.independent_votes, strict=False)
            if name.strip() and vote.strip() and not name.startswith(GENERATED)
        }
    )
