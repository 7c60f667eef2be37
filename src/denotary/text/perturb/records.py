"""The records of a variant: the text, what was changed, what it means now, and how it came to be."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from denotary.records import Record, Relation, Severity

Outcome = Literal["same_key", "other_key", "refused", "parent_refused"]
"""What a normalisation profile makes of a variant, beside its parent."""


class Edit(Record, frozen=True):
    """One change: at ``start`` of the parent, ``after`` stands for ``before``. Both ends are cluster boundaries."""

    start: int
    """Offset in the parent, in code points."""
    before: str
    """What stood there; empty for an insertion."""
    after: str
    """What stands there now; empty for a deletion."""

    def __repr__(self) -> str:
        return f"<Edit at {self.start}>"

    @property
    def end(self) -> int:
        """Offset in the parent at which what was replaced ends."""
        return self.start + len(self.before)


class Effect(Record, frozen=True):
    """What one normalisation profile makes of the variant, computed with the profile itself."""

    profile: str
    """Identifier of the profile."""
    outcome: Outcome
    """Whether the profile gives the parent's exact key, another key, or refuses the variant (or the parent)."""
    rule: str | None = None
    """By which rule the profile refuses the text."""
    folds: tuple[str, ...] = ()
    """For another key: the evidence folds under which the two texts are equal; none if no folds make them so."""


class Lineage(Record, frozen=True):
    """What makes the variant again: the same operator, text and settings give the same bytes anywhere."""

    operator: str
    """Identifier of the operator."""
    version: int
    """Version of the operator; another version may give another text."""
    seed: int
    severity: Severity
    language: str
    """Language tag under which the operator worked."""
    parent: str
    """``sha256:`` and the digest of the parent's UTF-8."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Options that were given. A value of more than 200 bytes stands as its digest, a function as its name."""


class Variant(Record, frozen=True):
    """A text made from another, or why the operator does not apply to it. Its repr shows no text."""

    applies: bool
    """False if the parent holds nothing that the operator could change; then there is no text."""
    lineage: Lineage
    reason: str | None = None
    """Why the operator does not apply."""
    text: str | None = None
    relation: Relation | None = None
    """What the operator says of the meaning. It is a proposal for a reviewer, never a judgement."""
    edits: tuple[Edit, ...] = ()
    """What was changed, in the order of the text."""
    effects: tuple[Effect, ...] = ()
    """What each normalisation profile makes of the text."""
    details: dict[str, Any] = msgspec.field(default_factory=dict)
    """What the operator drew and the edits do not say, such as the position of the evidence."""
    parent_record_id: str | None = None
    """The id of the record that the parent text stands in, if it has one."""

    def __repr__(self) -> str:
        state = self.relation if self.applies else f"does not apply: {self.reason}"
        return f"<Variant {self.lineage.operator}/{self.lineage.version} {state}>"

    __str__ = __repr__
