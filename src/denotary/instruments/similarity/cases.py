"""The similarity case: a pair of texts, and whether a gate that compares them may act."""

from __future__ import annotations

from denotary.instruments.similarity.anchors import Decision, Pole
from denotary.records import Record
from denotary.suites.records import Case
from denotary.text.languages import primary_subtag

CODES: dict[Decision, str] = {"same": "similarity.same", "opposite": "similarity.opposite"}
"""The concept of the registry that each decision asserts of a pair."""


class Input(Record, frozen=True, gc=False):
    """What the system is shown. Its repr shows no text."""

    text1: str
    text2: str
    task: str
    """What the two texts are compared for, such as ``distinctness`` or ``constraint``."""
    language: str | None = None
    """BCP 47 tag of both; None where no language is told."""

    def __repr__(self) -> str:
        return f"<Input {self.task} {self.language}>"


class Gold(Record, frozen=True, gc=False):
    """What is right: to act where both texts say the same, not to act where they do not."""

    decision: Decision


class Design(Record, frozen=True, gc=False):
    """The place of the pair in the matched design; the system sees none of it.

    Attributes:
        pole: whether the two texts share most of their words or few.
        half: which half of the corpus; evidence from one that the system was fitted on counts nothing.
        mutation: how the decision was changed on the opposite pairs of this anchor; empty if unknown.
        register: such as ``clinical``; empty if unknown.
    """

    pole: Pole
    half: str = ""
    mutation: str = ""
    register: str = ""


class SimilarityCase(Case, frozen=True, gc=False):
    """One line of ``cases.jsonl`` of a similarity suite. Cases that share ``semantic_seed_id`` share their anchor."""

    input: Input
    gold: Gold
    design: Design

    __repr__ = Case.__repr__
    __str__ = Case.__repr__

    @property
    def language_slice(self) -> str:
        """Primary subtag of the language; ``und`` if unknown."""
        return primary_subtag(self.input.language or "und")

    @property
    def texts(self) -> tuple[str, ...]:
        """Both texts."""
        return self.input.text1, self.input.text2

    @property
    def right_codes(self) -> tuple[str, ...]:
        """The concept that holds of the pair."""
        return (CODES[self.gold.decision],)
