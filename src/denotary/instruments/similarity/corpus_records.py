"""Records of a corpus: shipped anchors with where they come from, anchors that fell, and users' own pairs."""

from __future__ import annotations

from typing import Literal

from denotary.instruments.similarity.anchors import Anchor, Decision, Pole
from denotary.records import Record

Cause = Literal["second_reading", "unread", "overlap", "duplicate", "balance"]
"""Why an anchor fell: a vote differs from what was written; a pair has no vote; the overlap of a cell is not what its
pole asks; a text stands twice; or it was taken out so that overlap is balanced between decisions."""


class CellReading(Record, frozen=True):
    """What blind second readers said of one pair.

    Attributes:
        votes: one a reader, in the order of their names.
        readers: names of the readers; ``generated…`` where no person read.
        result: ``agrees`` if every vote is what was written; ``unread`` without a vote.
    """

    result: Literal["agrees", "unread", "disputed"]
    votes: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()


class CorpusAnchor(Anchor, frozen=True, kw_only=True):
    """An anchor of a corpus folder, with the provenance of its four pairs.

    Attributes:
        half: which half it was written for.
        writer: who wrote it; ``generated…`` where no person did.
        instruction: SHA-256 of the instruction that the writer was given.
        second_reading: by cell, such as ``same_close``.
    """

    half: str
    writer: str
    instruction: str
    second_reading: dict[str, CellReading]
    visibility: Literal["public", "sealed"] = "public"
    review: Literal["unreviewed", "generated", "reviewed"] = "generated"


class RejectedAnchor(CorpusAnchor, frozen=True, kw_only=True):
    """An anchor that fell, kept with the cause."""

    cause: Cause
    detail: str


class SecondReading(Record, frozen=True):
    """How a blind second reading went, over the anchors that stayed and those that fell.

    An anchor of which a pair is disputed is taken out, so that among those that stayed every pair agrees by
    construction. What its writer changed after a dispute lost the earlier votes and is not counted.

    Attributes:
        anchors: of which a pair was read.
        disputed: anchors of which a vote differed from what was written.
        pairs: that were read.
        disputed_pairs: of which a vote differed.
    """

    anchors: int
    disputed: int
    pairs: int
    disputed_pairs: int

    @property
    def sentence(self) -> str:
        """The counts in words."""
        return (
            f"Blind second reading: {self.disputed:,} of {self.anchors:,} anchors were disputed and taken out "
            f"({self.disputed_pairs:,} of {self.pairs:,} pairs); what was reworded after a dispute is not counted."
        )


class Half(Record, frozen=True):
    """One half of a corpus: its file, the instruction it was written under, and who wrote it."""

    anchors: str
    writer: str
    instruction: str
    """File of the instruction."""
    instruction_sha256: str


class CorpusManifest(Record, frozen=True):
    """``corpus.toml``.

    Attributes:
        split: ``instruction`` where one kind of writer wrote both halves, ``author`` where others did.
        guideline_sha256: of what the second readers were told.
        files: SHA-256 of every other file.
    """

    schema: Literal["denotary.similarity-corpus/1"]
    name: str
    version: str
    licence: str
    split: Literal["instruction", "author"]
    halves: dict[str, Half]
    guideline_sha256: str
    files: dict[str, str]
    notes: tuple[str, ...] = ()


class UserPair(Record, frozen=True):
    """A pair of a user's own corpus, a line of JSON or of CSV.

    Attributes:
        decision: whether the gate should treat both texts as the same.
        task: blank counts as ``pairs``.
        anchor: pairs that share it are one independent unit; by default those of a task with one first text.
        pole: by default ``close`` from an overlap of 0.5 on.
        review: ``unreviewed`` for a proposal, which no audit reads; ``accepted`` once a person has said that the
            decision is right; empty for a pair that its user wrote.
        derived_by: what proposed it: ``rules`` or ``rewriter``; empty for a pair that its user wrote.
    """

    text1: str
    text2: str
    decision: Decision
    task: str = "pairs"
    anchor: str = ""
    half: str = ""
    register: str = ""
    mutation: str = ""
    pole: Pole | None = None
    review: Literal["", "unreviewed", "accepted"] = ""
    derived_by: str = ""

    def __repr__(self) -> str:
        return f"UserPair({self.anchor})"
