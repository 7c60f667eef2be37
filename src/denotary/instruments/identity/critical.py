"""Concepts of high consequence, each of which must pass by itself: as what is meant, and as what is answered.

A code that is never missed where it is right may still be given where another is. So a critical concept is judged in
two slices: the texts that mean it or lie beside it, and the texts that were given its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from denotary.registry import Registry

TIERS: Final = frozenset({"C3", "C4", "C5"})
"""Consequence tiers of high consequence."""

MEANT: Final = "concept:critical"
ANSWERED: Final = "answered_code:critical"


def critical_slices(registry: Registry) -> dict[str, tuple[str, ...]]:
    """Return the active concepts of high consequence by selector."""
    found = tuple(
        sorted(
            concept.code
            for concept in registry.concepts.values()
            if concept.status == "active" and concept.consequence_tier in TIERS
        )
    )
    return {MEANT: found, ANSWERED: found}
