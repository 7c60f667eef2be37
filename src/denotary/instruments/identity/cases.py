"""The identity case: a text, and what a system that assigns concept codes may do with it."""

from __future__ import annotations

import base64
from typing import Literal

from denotary.records import Record
from denotary.suites.records import Case
from denotary.text.languages import is_tag, primary_subtag

Disposition = Literal[
    "SINGLE", "AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED", "INVALID_INPUT", "EXACT_MISS"
]
"""What holds of a text relative to a registry.

``SINGLE``: exactly one registered concept is justified. ``AMBIGUOUS``: two or more are each defensible and
the text cannot choose. ``UNKNOWN_REGISTRY``: a coherent meaning, and no registered concept is right.
``UNDERSPECIFIED``: a needed entity, direction, role, purpose or modality is missing. ``MIXED``: two or more
concepts are expressed together. ``INVALID_INPUT``: empty, undecodable, over the limit, or refused by the
registry's normalisation profile. ``EXACT_MISS``: not a reviewed expression; it claims nothing about the
meaning, and any refusal is right.
"""

DISPOSITIONS: tuple[Disposition, ...] = (
    "SINGLE",
    "AMBIGUOUS",
    "UNKNOWN_REGISTRY",
    "UNDERSPECIFIED",
    "MIXED",
    "INVALID_INPUT",
)
"""The dispositions that say something about meaning, in the order of every report."""

CODE_SWITCH = "code_switch"
"""Family, and tag, of a case that switches languages."""

ATTACKS = ("adversarial_paraphrase", "malicious_input")
"""Families, and tags, of cases that attack."""

PAIRED = "paired_multilingual"
"""Family of cases that say the same in several languages."""

OPEN: frozenset[Disposition] = frozenset({"AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "EXACT_MISS"})
"""Dispositions that a further concept may end: the meaning that was not registered, or one more reading."""


class Input(Record, frozen=True, gc=False):
    """What the system is shown. Exactly one of ``text`` and ``text_b64`` is given. Its repr shows neither."""

    text: str | None = None
    text_b64: str | None = None
    """Bytes that are no UTF-8, as base64."""
    language: str | None = None
    """BCP 47 tag in canonical case; None where no language is told."""
    script: str | None = None
    """ISO 15924 code."""
    domain: str | None = None
    """Register, such as ``engineering`` or ``support_chat``."""
    context_length_class: Literal["short", "medium", "long", "over_limit"] | None = None

    def __repr__(self) -> str:
        return f"<Input {self.language} {self.script}>"


class Gold(Record, frozen=True, gc=False):
    """What is right. Codes are codes of the suite's registry."""

    disposition: Disposition
    acceptable_concept_codes: tuple[str, ...] = ()
    forbidden_neighbor_codes: tuple[str, ...] = ()
    """Registered concepts that are easily taken for the meaning, and are not it."""
    ambiguity_distribution: dict[str, float] | None = None
    """Share of human votes by code or disposition, summing to 1."""

    @property
    def answer(self) -> tuple[Disposition, frozenset[str]]:
        """Disposition and codes: two cases with equal answers ask for the same decision."""
        return self.disposition, frozenset(self.acceptable_concept_codes)


class IdentityCase(Case, frozen=True, gc=False):
    """One line of ``cases.jsonl`` of an identity suite."""

    input: Input
    gold: Gold

    __repr__ = Case.__repr__
    __str__ = Case.__repr__

    @property
    def language_slice(self) -> str:
        """Primary subtag of the language; ``mixed`` if the text switches languages, ``und`` if unknown or no tag."""
        if self.has(CODE_SWITCH):
            return "mixed"
        tag = self.input.language or "und"
        return primary_subtag(tag) if is_tag(tag) else "und"

    @property
    def texts(self) -> tuple[str, ...]:
        """The text, or the base64 of what is none."""
        text = self.input.text if self.input.text is not None else self.input.text_b64
        return () if text is None else (text,)

    @property
    def right_codes(self) -> tuple[str, ...]:
        """The codes that are right here."""
        return self.gold.acceptable_concept_codes

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code that the gold names, right or wrong."""
        return (*self.gold.acceptable_concept_codes, *self.gold.forbidden_neighbor_codes)

    @property
    def keys_due(self) -> frozenset[str]:
        """Also the family of the attack, of a case that attacks, and of the translations, of one that is paired."""
        due = {"attack_family"} if any(map(self.has, ATTACKS)) else set()
        if self.construction.primary_family == PAIRED:
            due.add("translation_family")
        return super().keys_due | due

    @property
    def is_open(self) -> bool:
        """Whether a further concept could be what is meant: always, but where one concept or its parts are."""
        return self.gold.disposition in OPEN

    @property
    def depends_on_registry(self) -> bool:
        """Whether another registry could make the gold another: an input that is invalid is so in any."""
        return self.gold.disposition != "INVALID_INPUT"

    def has(self, name: str) -> bool:
        """Whether the case carries a tag, or belongs to the family of that name."""
        return self.construction.primary_family == name or name in self.construction.tags

    def content(self) -> str | bytes | None:
        """Return the text, or the bytes given as base64; None if there is neither or the base64 is bad."""
        if self.input.text is not None or self.input.text_b64 is None:
            return self.input.text
        try:
            return base64.b64decode(self.input.text_b64, validate=True)
        except ValueError:
            return None
