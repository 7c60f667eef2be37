"""Whether every case was judged as deep as its kind asks; one that was not supports no promotion.

The depth that a case declares is a claim. What counts is the least depth of its kind, and how many distinct people's
votes are present.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.tracks import semantic
from denotary.measures.records import Fact
from denotary.suites.depth import DEPTHS, judges
from denotary.verdicts.decision import REVIEW_FACT
from denotary.words import plural

if TYPE_CHECKING:
    from denotary.instruments.identity.cases import IdentityCase
    from denotary.measures.table import IntArray, Table
    from denotary.suites.records import DepthTier
    from denotary.suites.suite import Suite

RARE: Final = "rare_language"
"""Family, and tag, of a case in a language for which three native reviewers cannot be found."""
HARD: Final = ("boundary", "negation", "contradiction", "role_reversal", "critical")
"""Columns of cases that ask for A2: near another concept, negated or contradicted, of high consequence."""
SEVERAL: Final = ("AMBIGUOUS", "MIXED")
"""Gold that asks for A3."""

_RANKED: Final[tuple[DepthTier, ...]] = ("A0", "A1", "A2", "A3", "A4")


def review_sufficient(suite: Suite, table: Table) -> Fact:
    """Return the fact that every case was judged as deep as its kind asks."""
    cases = identity_cases(suite)
    ranks = least_depths(table).tolist()
    short = Counter(
        reason for case, rank in zip(cases, ranks, strict=True) if (reason := _gap(case, _RANKED[rank]))
    )
    if short:
        listed = ", ".join(f"{count:,} {reason}" for reason, count in sorted(short.items()))
        detail = f"{sum(short.values()):,} of {len(cases):,} cases are not sufficiently reviewed: {listed}"
        return Fact(name=REVIEW_FACT, holds=False, detail=detail)
    detail = f"all {len(cases):,} cases are reviewed as deep as their kind asks"
    lower = sum(case.annotation.depth_tier == "A-R" for case in cases)
    if lower:
        detail += f"; {plural(lower, 'case')} of rare languages at A-R, lower certification"
    return Fact(name=REVIEW_FACT, holds=True, detail=detail)


def least_depths(table: Table) -> IntArray:
    """Return the place in A0, A1, A2, A3, A4 of the least depth that each case asks for, shape (N,)."""
    least = np.ones(len(table), dtype=np.int64)
    for name in HARD:
        least[table.flag(name)] = 2
    for gold in SEVERAL:
        least[table.is_label("disposition", gold)] = 3
    # What a reviewed expression means was decided when the registry was reviewed.
    least[~semantic(table.coded["family"])] = 0
    return least


def _gap(case: IdentityCase, least: DepthTier) -> str:
    """Return why a case is not sufficiently reviewed, or nothing."""
    note = case.annotation
    if note.review != "reviewed":
        return note.review
    if note.adjudication_status != "approved":
        return f"with adjudication {note.adjudication_status}"
    return "without a depth tier" if note.depth_tier is None else _depth_gap(case, note.depth_tier, least)


def _depth_gap(case: IdentityCase, tier: DepthTier, least: DepthTier) -> str:
    note, made = case.annotation, case.construction
    if least == "A0":
        return ""
    # A-R stands beside the other tiers: it takes the place of any, for a language that has too few reviewers.
    reached = RARE in (made.primary_family, *made.tags) if tier == "A-R" else tier >= least
    if not reached:
        return f"at depth {tier} where {least} is asked"
    if judges(note) < DEPTHS[tier].fewest:
        return f"by fewer than the {DEPTHS[tier].fewest} reviewers of depth {tier}"
    if made.primary_family == "adversarial_paraphrase" and not made.equivalence_reviewed_by:
        return "adversarial without an equivalence review"
    return ""
