"""What an export could not carry: counted by what it is, so that nothing is lost without a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from denotary.registry.model import Registry


@dataclass(frozen=True, slots=True)
class Export:
    """An exported registry.

    Attributes:
        content: the file.
        not_carried: how many of each thing the format has no place for.
    """

    content: bytes
    not_carried: dict[str, int]


def left_out(
    registry: Registry, concepts: frozenset[str], *, expressions: frozenset[str], neighbours: bool = False
) -> dict[str, int]:
    """Return how much of a registry an export leaves out.

    Args:
        registry: what is exported.
        concepts: fields of a concept that the format carries, beside its code.
        expressions: fields of an expression that it carries, beside its codes.
        neighbours: whether it carries named neighbours.
    """
    described = registry.concepts.values()
    counts = {
        f"concepts: {name}": sum(bool(getattr(item, name)) for item in described)
        for name in (
            "definitions",
            "semantic_type",
            "consequence_tier",
            "owner",
            "status",
            "parents",
            "exact_matches",
        )
        if name not in concepts
    }
    counts |= {
        f"expressions: {name}": sum(bool(getattr(item, name)) for item in registry.standing)
        for name in ("id", "language", "script", "review", "derived_by")
        if name not in expressions
    }
    if not neighbours:
        counts["neighbours"] = sum(len(item.neighbours) for item in described)
    if "review" not in expressions:
        counts["rejected expressions"] = len(registry.expressions) - len(registry.standing)
    sources = [*(item.source for item in described), *(item.source for item in registry.standing)]
    counts["source of records"] = sum(map(bool, sources))
    counts["ambiguities"] = len(registry.ambiguities)
    counts["migrations"] = len(registry.migrations)
    return {name: count for name, count in counts.items() if count}
