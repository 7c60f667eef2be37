"""What a writer hands in: one anchor with its four cells, decision x overlap.

A cell is the anchor's text written anew: with the same decision or the opposite one, in nearly the same words
or in other words. All four share the anchor, so that nothing but decision and overlap differs between them.
"""

from __future__ import annotations

from typing import Literal

from denotary.records import Record

Task = Literal["distinctness", "constraint"]
"""``distinctness``: do both texts state the same hypothesis? ``constraint``: does every requirement survive?"""
Register = Literal["clinical", "software", "legal", "finance", "operations", "everyday"]
Mutation = Literal[
    "negation",
    "antonym",
    "scope",
    "modal_downgrade",
    "modal_upgrade",
    "quantity_unit",
    "constraint_deletion",
    "role_reversal",
    "temporal_order",
    "exception",
    "condition",
]
"""How the decision was changed in both opposite cells of an anchor."""
Decision = Literal["same", "opposite"]
Pole = Literal["close", "distant"]
CELLS: tuple[tuple[Decision, Pole], ...] = (
    ("same", "close"),
    ("same", "distant"),
    ("opposite", "close"),
    ("opposite", "distant"),
)


class Anchor(Record, frozen=True):
    """One anchor of the factorial design, as it stands in a corpus file.

    Attributes:
        anchor: its id, unique in a corpus.
        text: the anchor itself, the first text of all four pairs.
        same_close: the same decision in nearly the same words; the other cells are named alike.
    """

    anchor: str
    task: Task
    register: Register
    mutation: Mutation
    text: str
    same_close: str
    same_distant: str
    opposite_close: str
    opposite_distant: str

    def __repr__(self) -> str:
        return f"Anchor({self.anchor})"

    def cell(self, decision: Decision, pole: Pole) -> str:
        """Return the text of one cell."""
        text: str = getattr(self, f"{decision}_{pole}")
        return text
