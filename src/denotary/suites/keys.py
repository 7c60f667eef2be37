"""The eight grouping keys: what must never lie on two sides of a split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from denotary.suites.records import Case

Key = Literal[
    "semantic_seed_id",
    "author",
    "generation_template",
    "source_document",
    "concept_neighbourhood",
    "translation_family",
    "perturbation_lineage",
    "attack_family",
]
KEYS: Final[tuple[Key, ...]] = get_args(Key)
WAIVABLE: Final[tuple[Key, ...]] = ("concept_neighbourhood", "author")
"""Keys that a public qualification may waive; certification may waive none."""
ALWAYS: Final[tuple[Key, ...]] = ("semantic_seed_id", "author")
"""Keys that every case has a value of, so that a blank is never an answer."""


def value_of(case: Case, key: Key) -> str | None:
    """Return a case's value of a key, or None if it is blank."""
    value: str | None = (
        case.semantic_seed_id if key == "semantic_seed_id" else getattr(case.construction, key)
    )
    return value or None
