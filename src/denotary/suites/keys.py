"""The eight grouping keys: what must never lie on two sides of a split."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, get_args

from denotary.canonical import sha256

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
ALWAYS: Final[tuple[Key, ...]] = ("semantic_seed_id", "author", "concept_neighbourhood")
"""Keys that every case has a value of, so that a blank is never an answer: a text that means no registered concept
lies beside one."""

_NAME: Final = re.compile(r"[\w.:/@+-]{1,60}")


def shown(value: str) -> str:
    """Return a value that is a plain name as it is, and the SHA-256 of any other, which might be a text."""
    return value if _NAME.fullmatch(value) else hidden(value)


def hidden(value: str) -> str:
    """Return the SHA-256 of a value that stands where only certain names may, and so might be a text of one word."""
    return f"sha256:{sha256(value.encode('utf-8', 'surrogatepass'))}"


def value_of(case: Case, key: Key) -> str | None:
    """Return a case's value of a key, or None if it is blank."""
    value: str | None = (
        case.semantic_seed_id if key == "semantic_seed_id" else getattr(case.construction, key)
    )
    return value or None
