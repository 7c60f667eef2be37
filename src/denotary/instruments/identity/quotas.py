"""What the quotas of an identity suite count."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from denotary.instruments.identity.cases import DISPOSITIONS
from denotary.instruments.identity.families import FAMILIES, TAGS
from denotary.suites.ledger import snapshot_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.suites.suite import Suite

OPEN_PREFIXES = ("tag:", "language:", "script:", "domain:")
"""Prefixes of keys that name something which a suite may simply not have: they count zero."""
PARAPHRASES = ("held_out_paraphrase", "adversarial_paraphrase")
NO_SCRIPT = (None, "Latn", "Zyyy", "Zinh", "Zxxx", "Zzzz")
"""Scripts that do not count as non-Latin."""


def quota_counts(suite: Suite, cases: Sequence[IdentityCase]) -> dict[str, int]:
    """Return how many cases fall under each key.

    Keys: ``total``; ``family:NAME``; ``gold:NAME`` for a disposition, ``gold:abstention`` for every gold but
        SINGLE; ``language:SUBTAG``, ``language:mixed``, ``language:non-en``; ``script:CODE``,
        ``script:non-Latn``; ``domain:NAME``; ``tag:NAME``, which also counts the cases of the family of that
        name; ``tokens:one_or_two``; ``author:adversarial`` (made against a system, or said to be against
        none); ``author:after_freeze``; ``overlap:high``; ``paraphrase:low_overlap``; ``concept:positives``
        and ``concept:hard_negatives``, the number for the concept that has the fewest.
    """
    counts = Counter(key for case in cases for key in set(_keys(case)))
    after = suite.registry.is_frozen and snapshot_entry(suite.ledger, suite.registry.hash) is not None
    fixed = {
        "total": len(cases),
        **{f"family:{name}": counts[f"family:{name}"] for name in FAMILIES},
        **{f"gold:{name}": counts[f"gold:{name}"] for name in (*DISPOSITIONS, "EXACT_MISS", "abstention")},
        "language:non-en": counts["language:non-en"],
        "script:non-Latn": counts["script:non-Latn"],
        **{f"tag:{name}": counts[f"tag:{name}"] for name in TAGS},
        "tokens:one_or_two": counts["tokens:one_or_two"],
        "author:adversarial": counts["author:adversarial"],
        "author:after_freeze": sum(_is_after(case, suite.registry.hash) for case in cases) if after else 0,
        "overlap:high": counts["overlap:high"],
        "paraphrase:low_overlap": counts["paraphrase:low_overlap"],
        "concept:positives": _fewest(suite, (case.gold.acceptable_concept_codes for case in _singles(cases))),
        "concept:hard_negatives": _fewest(suite, (case.gold.forbidden_neighbor_codes for case in cases)),
    }
    found = {key: counts[key] for key in sorted(counts) if key.startswith(OPEN_PREFIXES)}
    asked = {key: 0 for key in suite.manifest.quotas if key.startswith(OPEN_PREFIXES)}
    return {**asked, **found, **fixed}


def _keys(case: IdentityCase) -> Iterator[str]:
    construction = case.construction
    yield f"family:{construction.primary_family}"
    yield f"gold:{case.gold.disposition}"
    if case.gold.disposition != "SINGLE":
        yield "gold:abstention"
    yield f"language:{case.language_slice}"
    if case.language_slice not in ("en", "und"):
        yield "language:non-en"
    if case.input.script is not None:
        yield f"script:{case.input.script}"
    if case.input.script not in NO_SCRIPT:
        yield "script:non-Latn"
    if case.input.domain is not None:
        yield f"domain:{case.input.domain}"
    yield from (f"tag:{tag}" for tag in (*construction.tags, construction.primary_family))
    if case.has("one_token") or case.has("two_tokens"):
        yield "tokens:one_or_two"
    if construction.made_against is not None:
        yield "author:adversarial"
    if construction.overlap_stratum == "high" or case.has("high_lexical_overlap"):
        yield "overlap:high"
    if construction.overlap_stratum == "low" and construction.primary_family in PARAPHRASES:
        yield "paraphrase:low_overlap"


def _is_after(case: IdentityCase, registry_hash: str) -> bool:
    return case.construction.authored_after == registry_hash


def _singles(cases: Sequence[IdentityCase]) -> Iterator[IdentityCase]:
    return (case for case in cases if case.gold.disposition == "SINGLE")


def _fewest(suite: Suite, codes: Iterator[tuple[str, ...]]) -> int:
    counts = Counter(code for group in codes for code in group)
    active = (code for code, concept in suite.registry.concepts.items() if concept.status == "active")
    return min((counts[code] for code in active), default=0)
