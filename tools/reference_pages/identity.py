"""Dispositions, outcomes, families and mechanisms of the identity instrument, from the code."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from denotary.instruments.identity.answers import KIND_OF_REASON, OUTCOMES, UNANSWERED
from denotary.instruments.identity.cases import DISPOSITIONS
from denotary.instruments.identity.check import NUMBER_OF_CODES
from denotary.instruments.identity.facts import CONTROLS
from denotary.instruments.identity.families import ANY, FAMILIES, MECHANISMS, TAGS, UNKNOWN_KINDS
from denotary.instruments.identity.floors import CONCEPT, LANGUAGE
from denotary.instruments.identity.overlap import HIGH, MODERATE
from denotary.instruments.identity.root_causes import OUTSIDE, ROOT_CAUSES
from denotary.registry.records import HardNegativeType
from denotary.suites.depth import DEPTHS
from denotary.words import OUTCOMES as OUTCOME_WORDS
from reference_pages.markdown import code, codes, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.identity.families import Family

INTRO = """# Dispositions, families, mechanisms

The identity instrument asks: may a system assert one concept code for a text? This page lists the names that its cases
and answers use. [Why decisions, not similarities](../explanation/decisions.md) explains them.

## Dispositions

What holds of a text, relative to one frozen registry.

"""
MEANING = {
    "SINGLE": ("exactly one registered concept is justified", "that code"),
    "AMBIGUOUS": (
        "two or more concepts are each defensible, and the text cannot choose",
        "a refusal, as ambiguous or without a kind",
    ),
    "UNKNOWN_REGISTRY": (
        "a coherent meaning, and no registered concept is right",
        "a refusal, as unknown or without a kind",
    ),
    "UNDERSPECIFIED": (
        "a needed entity, direction, role, purpose or modality is missing",
        "a refusal, as underspecified or without a kind, or a question",
    ),
    "MIXED": (
        "two or more concepts are expressed together",
        "a refusal, as mixed or without a kind, or a question",
    ),
    "INVALID_INPUT": (
        "empty, undecodable, over the limit, or refused by the registry's profile",
        "a rejection",
    ),
    "EXACT_MISS": (
        "in `reviewed_exact` only: not a reviewed expression; nothing is claimed about its meaning",
        "any refusal",
    ),
}
"""What each disposition says, and the right act."""

COUNTED = """
## Outcomes

Every planned case ends in exactly one class. The classes add up to the plan, and that is checked.

"""
REASONS = """
## Kinds of refusal

`decision.reason` of an answer, in any case, with `_`, `-` or a space, says the kind. Any other reason is a refusal
without a kind, which is right wherever a refusal is. `clarify` is a kind of its own. A `reject` without a reason is
`INVALID_INPUT`.

"""
FAMILIES_INTRO = """
## Families

A case stands in one primary family. *By relation* means that SAME_MEANING keeps the gold of the parent,
POTENTIALLY_AMBIGUOUS adds AMBIGUOUS, and DIFFERENT_MEANING allows any. *Flipped: any* means that a member of a contrast
whose meaning was changed may have any gold.

"""
MECHANISMS_INTRO = """
## Failure mechanisms

A way in which a system comes to assert a code that is not justified. A suite exercises each, or says why not.

"""
CAUSES_INTRO = """
## Root causes

What made a case fail. [Rules propose one](../how-to/find-the-causes.md) for every failed case; a person confirms or
overrules it. No rate depends on it.

"""
OVERLAP = """## Overlap strata

The overlap coefficient of a text's words with the nearest expression of its code, in its language: `high` from {high},
`moderate` from {moderate}, else `low`. `denotary suite check` measures it.

"""
DEPTH = """## Depth of annotation

A case promotes nothing until it is approved and so many distinct people have judged it. `reviewers` names them by
pseudonym, one a vote: somebody who stands there twice counts once, an unnamed vote shows nobody, and a reviewer whose
name begins with `generated` is no person. A case may be judged deeper than its kind asks, never less deep.

`adjudicated_by` names who decided beyond the votes: people who did not vote themselves. A2 needs one, and so does gold
that no majority of the votes finds; A3 needs three. Each of two codes of an `AMBIGUOUS` text needs two votes. An
adversarial paraphrase needs `equivalence_reviewed_by`, a person other than its author.

"""
ASKED = {
    "A0": "`reviewed_exact`; the review of the registry's expression stands for it",
    "A1": "every other case",
    "A2": "boundary and hard negative, negation, contradiction, role reversal, concepts of tier C3 and up",
    "A3": "`AMBIGUOUS` and `MIXED`",
    "A4": "a core on which the distribution of readings is studied",
    "A-R": "A1 or A2 in a language of the manifest's `rare_languages`; never in place of A3",
}
"""Which cases need each tier."""
TIERS = """
## Tiers of languages

Every report says for each language what may be claimed in it. The second and third tier need evidence of four sources,
reviewed and approved: expressions of the registry, native-authored held-out paraphrases, seeds paired with another
language, and challenges of the language itself. A language whose cases are translated stays at L1. Native-authored and
translated shares are printed beside the tier.

| tier | is | when |
| --- | --- | --- |
| L3 | certified | it passes every gate of the policy by itself |
| L2 | qualified | evidence of all four sources, floors met, no gate of its own failed |
| L1 | exact only | its reviewed expressions resolve, all of them |
| L0 | unsupported | anything else |
"""
FLOORS = """## Evidence floors

Below one of these a group is labelled insufficient. It leaves averages over groups; pooled rates and worst groups keep
its cases.

"""


def page() -> str:
    """Return the page."""
    if set(MEANING) != set(NUMBER_OF_CODES) or not set(DISPOSITIONS) < set(MEANING):
        raise RuntimeError("the page describes other dispositions than the code has")
    reasons: dict[str, list[str]] = {}
    for reason, kind in KIND_OF_REASON.items():
        reasons.setdefault(kind, []).append(reason)
    parts = [
        INTRO,
        table(("disposition", "the text", "acceptable codes", "the right act"), map(_disposition, MEANING)),
        COUNTED,
        table(("class", "meaning", "in a harm rate"), map(_outcome, OUTCOMES)),
        REASONS,
        table(("kind", "reasons"), [(code(kind), codes(found)) for kind, found in reasons.items()]),
        FAMILIES_INTRO,
        table(("family", "holds", "allowed gold", "mechanisms"), map(_family, FAMILIES.values())),
        MECHANISMS_INTRO,
        table(("code", "mechanism"), [(code(name), text) for name, text in MECHANISMS.items()]),
        CAUSES_INTRO,
        table(("code", "cause", "leaves the rates"), map(_cause, ROOT_CAUSES)),
        *_lists(),
    ]
    return "".join(parts)


def _disposition(name: str) -> tuple[str, str, str, str]:
    least, most = NUMBER_OF_CODES[name]
    number = "any number" if least == 0 and most > 1 else str(least) if least == most else f"{least} or more"
    return code(name), MEANING[name][0], number, MEANING[name][1]


def _outcome(name: str) -> tuple[str, str, str]:
    harm = (
        "counts as the event" if name in UNANSWERED else "is the event" if name == "wrong" else "is no event"
    )
    return code(name), OUTCOME_WORDS[name][1], harm


def _family(family: Family) -> tuple[str, str, str, str]:
    gold = "any" if family.allowed == ANY else codes(name for name in MEANING if name in family.allowed)
    follows = "by relation to the parent; without one " if family.follows_parent else ""
    flips = "; flipped: any" if family.flips else ""
    return code(family.name), family.holds, f"{follows}{gold}{flips}", ", ".join(family.mechanisms)


def _depths() -> Iterator[tuple[str, str, str, str]]:
    for tier, depth in DEPTHS.items():
        people = f"{depth.fewest}" if depth.fewest == depth.most else f"{depth.fewest} to {depth.most}"
        yield tier, people, ASKED[tier], depth.who


def _cause(name: str) -> tuple[str, str, str]:
    return code(name), ROOT_CAUSES[name], "only by the correction ledger" if name in OUTSIDE else "never"


def _lists() -> list[str]:
    floors = [("concept", f"{need:,} {kind}") for kind, need in CONCEPT.items()] + [
        ("language", f"{need:,} {kind}") for kind, need in LANGUAGE.items()
    ]
    return [
        "\n## Tags\n\nTags are free. Quotas count these: " + codes(TAGS) + ".\n\n",
        "A case of `shadow_concept_unknown` carries one of " + codes(UNKNOWN_KINDS) + ".\n\n",
        "## Neighbours\n\nTypes of a hard negative: " + codes(get_args(HardNegativeType)) + ".\n\n",
        OVERLAP.format(high=HIGH, moderate=MODERATE),
        DEPTH,
        table(("tier", "people", "asked of", "who"), list(_depths())),
        "\n## Leakage controls\n\n"
        "The fact `leakage_audit` holds if the ledger records a clean split check of the suite's very content "
        "(`denotary suite split check … --record`) that waives nothing, no case was disclosed, and `[controls]` of the "
        "manifest says what was done for " + codes(CONTROLS) + ".\n\n",
        FLOORS,
        table(("each", "needs"), floors),
        TIERS,
    ]
