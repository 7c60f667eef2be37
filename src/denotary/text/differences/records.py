"""What a comparison finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KINDS: Final = (
    "negation", "antonym", "modality", "quantity", "role_order", "scope", "temporal_order", "exception", "condition",
    "instruction", "mention",
)  # fmt: skip
"""Kinds of differences, in the order in which they are returned."""
UNIVERSAL: Final = ("negation", "quantity", "mention")
"""Kinds that are looked for in every language; numbers there in digits alone."""


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """A sign that two texts may mean different things. Its repr shows no word of them.

    Attributes:
        kind: one of :data:`KINDS`.
        first: the words of the first text that carry it, case folded; empty where it lies in what is absent.
        second: those of the second text.
    """

    kind: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Difference {self.kind}>"
