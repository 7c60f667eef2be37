"""What a registry holds, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from denotary.text import PROFILE, UNICODE_VERSION, primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.registry.model import Registry


def summary(registry: Registry) -> dict[str, Any]:
    """Return what ``registry show`` prints: identity, counts, and hashes if it is frozen."""
    header, lock = registry.header, registry.lock
    concepts = registry.concepts.values()
    fields: dict[str, Any] = {
        "name": header.name,
        "version": header.version,
        "title": header.title,
        "licence": header.licence,
        "review": header.review,
        "profile": PROFILE,
        "unicode": UNICODE_VERSION,
        "state": "frozen" if registry.is_frozen else "draft",
        "concepts": _counts(concept.status for concept in concepts),
        "consequence_tiers": _counts(c.consequence_tier for c in concepts if c.status == "active"),
        "neighbours": sum(len(concept.neighbours) for concept in concepts),
        "expressions": len(registry.expressions),
        "expressions_by_review": _counts(item.review.status for item in registry.expressions),
        "expressions_by_language": _counts(primary_subtag(item.language) for item in registry.expressions),
        "expressions_by_script": _counts(item.script for item in registry.expressions),
        "ambiguities": _counts(item.kind for item in registry.ambiguities),
        "migrations": len(registry.migrations),
    }
    if lock is not None:
        fields |= {
            "snapshot": lock.snapshot_id,
            "concept_set_hash": lock.concept_set_hash,
            "definitions_hash": lock.definitions_hash,
            "expressions_hash": lock.expressions_hash,
            "ambiguities_hash": lock.ambiguities_hash,
        }
    return fields


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
