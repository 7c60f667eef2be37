"""Whether people judged every pair: one that none did supports no promotion."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.instrument import similarity_cases
from denotary.measures.records import Fact
from denotary.suites.depth import DEPTHS, adjudicators, votes
from denotary.verdicts.decision import REVIEW_FACT

if TYPE_CHECKING:
    from denotary.instruments.similarity.cases import SimilarityCase
    from denotary.suites.records import DepthTier
    from denotary.suites.suite import Suite

LEAST: Final[DepthTier] = "A1"
"""Depth that every pair asks for."""


def review_sufficient(suite: Suite) -> Fact:
    """Return the fact that every pair was judged as deep as its kind asks, and that the judges found its decision."""
    cases = similarity_cases(suite)
    short = Counter(reason for case in cases if (reason := _gap(case)))
    if short:
        listed = ", ".join(f"{count:,} {reason}" for reason, count in sorted(short.items()))
        detail = f"{sum(short.values()):,} of {len(cases):,} pairs are not sufficiently reviewed: {listed}"
        return Fact(name=REVIEW_FACT, holds=False, detail=detail)
    return Fact(
        name=REVIEW_FACT, holds=True, detail=f"all {len(cases):,} pairs are reviewed at depth {LEAST}"
    )


def _gap(case: SimilarityCase) -> str:
    """Return why a pair is not sufficiently reviewed, or nothing."""
    note = case.annotation
    if note.review != "reviewed":
        return note.review
    if note.adjudication_status != "approved":
        return f"with adjudication {note.adjudication_status}"
    tier = note.depth_tier
    if tier is None or tier not in DEPTHS or tier in {"A0", "A-R"}:
        return f"below depth {LEAST}"
    cast = votes(note)
    if len(cast) < DEPTHS[tier].fewest:
        return f"by fewer than the {DEPTHS[tier].fewest} reviewers of depth {tier}"
    if adjudicators(note) < DEPTHS[tier].adjudicators:
        return f"without the adjudication of depth {tier}"
    right = sum(vote == case.gold.decision for vote in cast.values())
    return (
        ""
        if 2 * right > len(cast) or adjudicators(note)
        else "with a decision that no majority of the votes finds"
    )
