"""The records of a registry, as they stand in its files."""

from __future__ import annotations

from typing import Literal

from denotary.records import Record

Tier = Literal["C0", "C1", "C2", "C3", "C4", "C5"]
"""Consequence tier: C0 evidence only, C1 a human confirms, C2 trivial to undo, C3 reversible, C4 costly, C5
irreversible."""

HardNegativeType = Literal[
    "role_reversal",
    "negation_or_antonym",
    "scope_or_quantifier",
    "broader_narrower",
    "part_whole",
    "sibling",
    "cause_effect",
    "process_product",
    "agent_instrument_object",
    "representation_vs_represented",
    "evidence_vs_authority",
    "modality_strength",
    "lifecycle_stage",
    "quantity_or_unit",
    "same_word_other_domain",
    "false_friend",
    "transliteration_collision",
]


class RegistryHeader(Record, frozen=True):
    """``registry.toml``: what this registry is."""

    schema: Literal["denotary.registry/1"]
    name: str
    version: str
    title: str = ""
    licence: str = ""
    review: Literal["illustrative", "unreviewed", "reviewed"] = "unreviewed"
    """How far its expressions were read by people; a draft may stay ``unreviewed``."""
    profile: Literal["esid-nfc/1"] = "esid-nfc/1"
    """The normalisation profile that texts are compared under."""
    languages: tuple[str, ...] = ()
    """Languages (BCP 47) that its texts may be in; empty for any."""
    declared_fold_conflicts: tuple[str, ...] = ()
    """Pairs of expression ids, ``id1|id2`` with id1 < id2, that meet under an evidence fold and are meant
    to."""
    waivers: tuple[str, ...] = ()
    """``rule:record`` pairs that lint reports as waived."""


class Neighbour(Record, frozen=True):
    """A registered concept that is easily taken for this one, and why it is not the same."""

    code: str
    type: HardNegativeType
    reason: str


class Concept(Record, frozen=True):
    """One line of ``concepts.jsonl``."""

    code: str
    """The lasting name of the meaning; never given to another."""
    definitions: dict[str, str]
    """Definition by language (BCP 47)."""
    semantic_type: str
    """What kind of thing it is, in the owner's words."""
    consequence_tier: Tier
    owner: str
    """Role that rules on the definition."""
    status: Literal["active", "retired"] = "active"
    parents: tuple[str, ...] = ()
    """Codes of broader concepts."""
    neighbours: tuple[Neighbour, ...] = ()
    exact_matches: tuple[str, ...] = ()
    """IRIs or CURIEs of other vocabularies that a source says mean the same; they resolve nothing."""
    source: str = ""
    """Where an imported concept was read: file, line or property."""


class Review(Record, frozen=True, gc=False):
    """Who reviewed an expression, when (ISO date), and with what result."""

    status: Literal["approved", "rejected", "illustrative", "unreviewed"]
    """An ``unreviewed`` expression, as every imported one is, resolves nothing until somebody reviews it."""
    by: str = ""
    on: str = ""


class Expression(Record, frozen=True, gc=False):
    """One line of ``expressions.jsonl``: text that the registry says expresses a concept."""

    id: str
    text: str
    language: str
    """BCP 47 tag in canonical case."""
    script: str
    """ISO 15924 code."""
    codes: tuple[str, ...]
    """The concepts it expresses; more than one only where an ambiguity is declared."""
    review: Review
    derived_by: str | None = None
    """How it was made from another text, if it was."""
    source: str | None = None
    """Where an imported expression was read: file, line or property."""


class Ambiguity(Record, frozen=True):
    """One line of ``ambiguities.jsonl``: text declared to have more than one sense."""

    id: str
    text: str
    language: str
    codes: tuple[str, ...]
    """The registered senses."""
    kind: Literal["closed", "open"]
    """``closed``: these senses and no others. ``open``: senses outside the registry exist too."""


class Migration(Record, frozen=True):
    """One line of ``migrations.jsonl``: what became of a concept of an earlier version."""

    from_version: str
    from_code: str
    to_codes: tuple[str, ...]
    change: Literal["unchanged", "renamed", "split", "merged", "retired", "boundary_changed"]
    reason: str = ""


class RegistryLock(Record, frozen=True):
    """``registry.lock``: written by freeze, checked at every load, copied into each suite made for it.

    All digests are SHA-256 in hexadecimal. ``hash`` is the digest of the canonical JSON of this record
    without ``hash`` itself.
    """

    schema: Literal["denotary.registry-lock/1"]
    name: str
    version: str
    profile: str
    unicode: str
    """Version of the Unicode character database that the profile was applied with."""
    files: dict[str, str]
    concept_set_hash: str
    """Over the codes of the active concepts alone."""
    definitions_hash: str
    expressions_hash: str
    ambiguities_hash: str
    concepts: int
    expressions: int
    hash: str = ""

    @property
    def snapshot_id(self) -> str:
        """The snapshot's name in every answer and report: ``name version sha256:hash``."""
        return f"{self.name} {self.version} sha256:{self.hash}"
