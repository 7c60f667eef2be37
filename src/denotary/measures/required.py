"""The slices that a claim must hold in, declared before anything is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.text.languages import canonical_tag, primary_subtag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.registry import Registry

LANGUAGES: Final = "language:advertised"
CONCEPTS: Final = "concept:critical"
CRITICAL: Final = frozenset({"C3", "C4", "C5"})
"""Consequence tiers whose concepts must each pass by themselves."""


def required_slices(registry: Registry, languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the values of every selector that a gate may name; one that is absent was not declared.

    Args:
        registry: its active concepts of tier C3 and up are critical.
        languages: advertised languages, BCP 47; a slice is their primary subtag.

    Raises:
        InputError: a language tag is not well-formed.
    """
    critical = (
        concept.code
        for concept in registry.concepts.values()
        if concept.status == "active" and concept.consequence_tier in CRITICAL
    )
    advertised = tuple(sorted({primary_subtag(canonical_tag(tag)) for tag in languages}))
    found = {CONCEPTS: tuple(sorted(critical))}
    return found | {LANGUAGES: advertised} if advertised else found
