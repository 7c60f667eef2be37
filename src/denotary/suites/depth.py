"""Depth of annotation: how many people judged a case, and how many each tier asks for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from denotary.suites.board import board_problem
from denotary.suites.records import GENERATED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.suites.records import Annotation, Case, DepthTier


class Depth(NamedTuple):
    """Distinct reviewers that a tier asks for, at least and at most, and how many others adjudicate on top."""

    fewest: int
    most: int
    who: str
    adjudicators: int = 0


DEPTHS: Final[dict[DepthTier, Depth]] = {
    "A0": Depth(2, 2, "a reviewer and a checker"),
    "A1": Depth(3, 3, "native reviewers"),
    "A2": Depth(5, 5, "reviewers, and adjudication", adjudicators=1),
    "A3": Depth(7, 10, "reviewers, and a board of three", adjudicators=3),
    "A4": Depth(50, 100, "reviewers, for the distribution of their readings"),
    "A-R": Depth(3, 3, "two native reviewers and a bilingual expert; lower certification"),
}
"""The tiers, deeper ones later; A-R stands beside A1 and A2 for a language with too few reviewers."""


def votes(note: Annotation) -> dict[str, str]:
    """Return the votes that are present, by the person who cast them.

    A person who stands there twice counts once, with the first vote. A vote without a name shows nobody, and one
    that was generated is no judgement.
    """
    found: dict[str, str] = {}
    for name, vote in zip(note.reviewers, note.independent_votes, strict=False):
        if is_person(name) and vote.strip():
            found.setdefault(name.strip(), vote.strip())
    return found


def judges(note: Annotation) -> int:
    """Return how many distinct people's votes are present."""
    return len(votes(note))


def adjudicators(note: Annotation) -> int:
    """Return how many distinct people adjudicated who had not voted themselves.

    The owner of the registry alone adjudicates nothing.
    """
    if board_problem(note.adjudicated_by) is not None:
        return 0
    return len(
        {name for item in note.adjudicated_by if is_person(name := item.who.strip())} - votes(note).keys()
    )


def is_person(name: str) -> bool:
    """Whether a pseudonym stands for a person: it is not blank, and names no program."""
    return bool(name.strip()) and not name.strip().startswith(GENERATED)


def lower_certification(cases: Iterable[Case]) -> dict[str, int]:
    """Return the languages in which cases rest on A-R, and how many do."""
    found = Counter(case.language_slice for case in cases if case.annotation.depth_tier == "A-R")
    return dict(sorted(found.items()))
