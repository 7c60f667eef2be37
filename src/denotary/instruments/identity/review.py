"""Whether every case was judged as deep as its kind asks; one that was not supports no promotion.

The depth that a case declares is a claim. What counts is the least depth of its kind, how many distinct people's votes
are present, what they say, and who adjudicated.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.tracks import semantic
from denotary.measures.records import Fact
from denotary.suites.depth import DEPTHS, adjudicators, is_person, lower_certification, votes
from denotary.verdicts.decision import REVIEW_FACT
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.measures.table import IntArray, Table
    from denotary.suites.records import DepthTier
    from denotary.suites.suite import Suite

HARD: Final = ("boundary", "negation", "contradiction", "role_reversal", "critical")
"""Columns of cases that ask for A2: near another concept, negated or contradicted, of high consequence."""
SEVERAL: Final = ("AMBIGUOUS", "MIXED")
"""Gold that asks for A3."""
SUPPORT: Final = 2
"""Reviewers who must find each of two readings of an ambiguous text."""

_RANKED: Final[tuple[DepthTier, ...]] = ("A0", "A1", "A2", "A3", "A4")


def review_sufficient(suite: Suite, table: Table) -> Fact:
    """Return the fact that every case was judged as deep as its kind asks."""
    cases = identity_cases(suite)
    ranks = least_depths(table).tolist()
    rare = frozenset(suite.manifest.rare_languages)
    short = Counter(
        reason for case, rank in zip(cases, ranks, strict=True) if (reason := _gap(case, _RANKED[rank], rare))
    )
    if short:
        listed = ", ".join(f"{count:,} {reason}" for reason, count in sorted(short.items()))
        detail = f"{sum(short.values()):,} of {len(cases):,} cases are not sufficiently reviewed: {listed}"
        return Fact(name=REVIEW_FACT, holds=False, detail=detail)
    detail = f"all {len(cases):,} cases are reviewed as deep as their kind asks"
    lower = lower_certification(cases)
    if lower:
        count = plural(sum(lower.values()), "case")
        detail += f"; {count} of rare languages ({', '.join(lower)}) at A-R, lower certification"
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


def _gap(case: IdentityCase, least: DepthTier, rare: frozenset[str]) -> str:
    """Return why a case is not sufficiently reviewed, or nothing."""
    note = case.annotation
    if note.review != "reviewed":
        return note.review
    if note.adjudication_status != "approved":
        return f"with adjudication {note.adjudication_status}"
    if note.depth_tier is None:
        return "without a depth tier"
    if least == "A0":
        return ""
    return _depth_gap(case, note.depth_tier, least, rare) or _votes_gap(case, note.depth_tier, least)


def _depth_gap(case: IdentityCase, tier: DepthTier, least: DepthTier, rare: frozenset[str]) -> str:
    if tier == "A-R" and case.language_slice not in rare:
        return "at depth A-R in a language that the manifest does not declare rare"
    # A-R has fewer reviewers. It takes no board's place: what is ambiguous is not settled by a rare language.
    reached = least < "A3" if tier == "A-R" else tier >= least
    return "" if reached else f"at depth {tier} where {least} is asked"


def _votes_gap(case: IdentityCase, tier: DepthTier, least: DepthTier) -> str:
    """Return what the votes do not show, or who is missing above them, or nothing."""
    note, made, cast = case.annotation, case.construction, votes(case.annotation)
    if len(cast) < DEPTHS[tier].fewest:
        return f"by fewer than the {DEPTHS[tier].fewest} reviewers of depth {tier}"
    # A deeper tier that names no board, such as A4, does not lift the one that the kind of case asks for.
    needed, present = max(DEPTHS[tier].adjudicators, DEPTHS[least].adjudicators), adjudicators(note)
    if present < needed:
        return f"adjudicated by {present} of {plural(needed, 'person')} who did not vote"
    if case.gold.disposition == "AMBIGUOUS" and not _two_readings(case, cast):
        return f"ambiguous without {SUPPORT} votes for each of two of its codes"
    if not present and not _by_majority(case, cast):
        return "with gold that no majority of the votes finds, and without adjudication"
    if made.primary_family == "adversarial_paraphrase" and not _equivalence_reviewed(case):
        return "adversarial without an equivalence review"
    return ""


def _two_readings(case: IdentityCase, cast: Mapping[str, str]) -> bool:
    found = Counter(cast.values())
    return sum(found[code] >= SUPPORT for code in set(case.gold.acceptable_concept_codes)) > 1


def _by_majority(case: IdentityCase, cast: Mapping[str, str]) -> bool:
    gold = case.gold
    right = gold.acceptable_concept_codes if gold.disposition == "SINGLE" else (gold.disposition,)
    return 2 * sum(vote in right for vote in cast.values()) > len(cast)


def _equivalence_reviewed(case: IdentityCase) -> bool:
    """Whether a person who did not write the text judged that it says the same."""
    name = (case.construction.equivalence_reviewed_by or "").strip()
    return is_person(name) and name != (case.construction.author or "").strip()
