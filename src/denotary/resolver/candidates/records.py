"""What a search returns, and what an index is."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from denotary.canonical import digest
from denotary.records import Record


class Hit(NamedTuple):
    """A concept that was found.

    Attributes:
        code: of the concept.
        score: of its best expression, on the grid of the index; higher is nearer.
        row: the best expression, by its place among those of the index; the first of equally good ones.
    """

    code: str
    score: float
    row: int


class IndexIdentity(Record, frozen=True):
    """All that can change what an index finds: two indices with one digest find the same."""

    engine: str
    version: str
    registry: str
    """Snapshot id of the registry whose concepts are found."""
    content: str
    """SHA-256 of what was indexed, in the order of its rows."""
    parameters: dict[str, str | int | float] = msgspec.field(default_factory=dict)

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON of this record, in hexadecimal."""
        return digest(self)
