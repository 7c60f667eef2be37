"""The envelope that the cases of every instrument share, and the records of a suite's folder.

The JSON shape of a case is the published benchmark record: ``record_id``, ``input``, ``gold``,
``construction``, ``annotation``, ``security``. An instrument subclasses :class:`Case` and types ``input`` and
``gold``.

The parts of a case are out of the garbage collector's sight (``gc=False``): they are immutable and hold no
cycle, and the collector took two thirds of the time of reading a large suite.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from denotary.records import Record, Relation, Severity
from denotary.registry.records import HardNegativeType

Visibility = Literal["public", "sealed", "regression"]
Role = Literal[
    "registry-exact-conformance", "public-diagnostic", "calibration", "sealed-certification", "regression"
]
BoardRole = Literal[
    "statistics", "registry-owner", "multilingual", "security", "production-risk", "independent"
]
"""What a member of the board answers for: evaluation and statistics, the registry's definitions, languages,
attacks, what a wrong code costs, or nothing of all this."""
Cause = Literal["E29", "E30", "E31", "disclosed", "leakage", "rights"]
"""Why a case leaves or changes: annotation error, ontology defect, harness error; or it was disclosed, it
leaked or crosses a split, or it may no longer be used."""
ReviewState = Literal["illustrative", "unreviewed", "generated", "reviewed"]
DepthTier = Literal["A0", "A1", "A2", "A3", "A4", "A-R"]

GENERATED = "generated"
"""How the name of a reviewer begins who is no person."""


class AuthorSaw(Record, frozen=True, gc=False):
    """What the author of a held-out or adversarial case had before them."""

    definition: bool = False
    reviewed_expressions: bool = False
    system_output: bool = False


class NeighbourNote(Record, frozen=True, gc=False):
    """Why a neighbour named by a case is not its meaning."""

    code: str
    type: HardNegativeType
    reason: str
    non_identity_judged: bool = False
    """True if a human judged the pair to be non-identical."""


class Contrast(Record, frozen=True, gc=False):
    """The place of a case in a contrast set, ambiguity family or invariance pair."""

    set: str
    role: Literal["x", "x_same", "x_flip", "unresolved", "forced_a", "forced_b", "original", "changed"]
    edit_distance: int | None = None
    """Code points inserted, deleted or substituted against the set's first member."""


class Construction(Record, frozen=True, gc=False):
    """How a case came to be. The last eight fields but one are grouping keys (see ``suites.units``)."""

    primary_family: str
    generation_method: str
    tags: tuple[str, ...] = ()
    mechanisms: tuple[str, ...] = ()
    """Failure mechanisms ``F01`` to ``F19`` that the case exercises."""
    meaning_relation_to_parent: Relation | None = None
    variant_severity: Severity | None = None
    position_of_evidence: Literal["begin", "quarter", "middle", "three_quarter", "end"] | None = None
    overlap_stratum: Literal["high", "moderate", "low"] | None = None
    author_saw: AuthorSaw | None = None
    native_author: bool | None = None
    translated: bool = False
    equivalence_reviewed_by: str | None = None
    made_against: str | None = None
    """For adversarial cases: the system they were written against, or ``none``."""
    resolution: Literal["open", "resolved"] | None = None
    """For a known attack: whether the weakness it uses is resolved."""
    authored_after: str | None = None
    """Hash of the frozen registry snapshot that existed before the case was written."""
    neighbours: tuple[NeighbourNote, ...] = ()
    contrast: Contrast | None = None
    author: str | None = None
    generation_template: str | None = None
    source_document: str | None = None
    concept_neighbourhood: str | None = None
    """Code of the concept whose neighbourhood the case belongs to."""
    translation_family: str | None = None
    perturbation_lineage: str | None = None
    attack_family: str | None = None


class BoardMember(Record, frozen=True, gc=False):
    """Somebody who decided, by pseudonym, and what they answer for."""

    who: str
    role: BoardRole


class Annotation(Record, frozen=True, gc=False):
    """Who judged the case. ``review`` says how far it may be trusted."""

    review: ReviewState
    independent_votes: tuple[str, ...] = ()
    """What each reviewer found, one vote a reviewer: a code, or a disposition."""
    reviewers: tuple[str, ...] = ()
    """Who cast each vote, by pseudonym, in the order of the votes; ``generated…`` for one that no person cast."""
    adjudication_status: Literal["approved", "pending", "contested", "rejected"] = "pending"
    adjudicated_by: tuple[BoardMember, ...] = ()
    """Who adjudicated, without those who voted; the owner of the registry is never the only one."""
    context_sufficient: bool | None = None
    registry_complete_for_item: bool | None = None
    depth_tier: DepthTier | None = None
    rationale: str = ""


class Security(Record, frozen=True, gc=False):
    """Who may see the case."""

    visibility: Visibility
    leakage_family: str | None = None
    canary: str | None = None
    """The suite's canary, in cases that were exported, so that a single line that strays can be recognised."""


class Step(Record, frozen=True, gc=False):
    """One step of a case's transformation history."""

    operator: str
    detail: str = ""
    seed: int | None = None


class Case(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """What every instrument's case has. Its repr shows the id alone, so a log shows no sealed text."""

    record_id: str
    """The id of the case; a system sees an opaque one instead."""
    benchmark_version: str
    """Version of the suite in which the case came in."""
    registry_version: str
    """Version of the registry that the gold refers to."""
    semantic_seed_id: str
    """What the text says, whatever its wording: cases that share it are one independent unit."""
    construction: Construction
    annotation: Annotation
    security: Security
    parent_record_id: str | None = None
    """The case that this one was made from."""
    lineage: tuple[Step, ...] = ()
    turn: int = 0
    """Place of the case in its dialogue, counted from 0."""
    depends_on: tuple[str, ...] = ()
    """Record ids of earlier turns of the same suite: the case is asked once they are answered, and the system is sent
    what was asked and answered up to then."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.record_id}>"

    __str__ = __repr__

    @property
    def language_slice(self) -> str:
        """Primary subtag of the language; ``mixed`` if the text switches languages, ``und`` if unknown."""
        raise NotImplementedError(type(self).__name__)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that a system is shown: what near-duplicates are looked for in. None where there is no text."""
        return ()

    @property
    def right_codes(self) -> tuple[str, ...]:
        """Codes of the registry that are right here; none for an instrument without a registry of concepts."""
        return ()

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code of the registry that the gold names, right or wrong."""
        return self.right_codes

    @property
    def keys_due(self) -> frozenset[str]:
        """Grouping keys that apply to this case by what else it says, so that a blank cannot mean that they do not."""
        made = self.construction
        applies = {
            "translation_family": made.translated,
            "perturbation_lineage": made.variant_severity is not None,
            "generation_template": "template" in made.generation_method.lower(),
            "attack_family": made.resolution is not None,
        }
        return frozenset(key for key, due in applies.items() if due)

    @property
    def is_open(self) -> bool:
        """Whether a further concept could make the gold another, wherever it lies."""
        return not self.codes

    @property
    def depends_on_registry(self) -> bool:
        """Whether another registry could make the gold another."""
        return True


class RegistryPin(Record, frozen=True):
    """Which registry a suite was made for, and where it is relative to the suite's folder."""

    name: str
    version: str
    path: str | None = None


MOST_LOOKS: Final = 1_000_000
"""Promotion decisions that a suite or policy may be declared for; each gate spends alpha / looks."""


class Manifest(Record, frozen=True):
    """``suite.toml``."""

    schema: Literal["denotary.suite/1"]
    name: str
    version: str
    """Semantic version: MAJOR task semantics, MINOR additions, PATCH metadata."""
    instrument: str
    """Name of the instrument; ``identity`` is the one that is built in."""
    role: Role
    """What the suite may be used for."""
    registry: RegistryPin
    title: str = ""
    licence: str = ""
    review: ReviewState = "unreviewed"
    looks: int = 1
    """How many promotion decisions may be taken on this suite; each gate spends alpha / looks."""
    unknown_share: float | None = None
    """Declared share of UNKNOWN_REGISTRY inputs at which assignment risk is stated."""
    rare_languages: tuple[str, ...] = ()
    """Primary subtags of languages for which three native reviewers cannot be found: depth A-R holds in their
    slices alone, and stamps them with a lower certification."""
    mechanisms_not_exercised: dict[str, str] = msgspec.field(default_factory=dict)
    """Failure mechanism to the reason why no case exercises it."""
    controls: dict[str, str] = msgspec.field(default_factory=dict)
    """Leakage controls that were carried out: control to what was done."""
    blank_keys: dict[str, str] = msgspec.field(default_factory=dict)
    """Grouping keys of which a blank means that the key does not apply: key to the reason, such as
    ``translation_family`` to "neither translated nor a source of translations". Not for seed, author and concept
    neighbourhood, and not where the case says otherwise."""
    canary: str | None = None
    """A random UUID that stands in every export, so that a corpus that took the suite in can be recognised."""
    whole: str | None = None
    """Of an export: name, version and SHA-256 of the suite that it is a part of."""
    quotas: dict[str, int] = msgspec.field(default_factory=dict)
    """Minimum number of cases by ``family:NAME``, ``tag:NAME``, ``gold:abstention``, ``language:non-en`` …"""
    notes: tuple[str, ...] = ()
    """What a reader of every report must know, one sentence each."""


class LedgerEntry(Record, frozen=True):
    """One line of ``ledger.jsonl``, append-only; ``previous`` is the digest of the line before.

    No entry holds the input of a case or a sentence about it: these are named by their SHA-256.
    """

    sequence: int
    kind: Literal["freeze", "correction", "disclosure", "split_check"]
    what: str
    who: str
    """Role or pseudonym of who recorded it."""
    why: str
    previous: str
    record: str | None = None
    old: Any = None
    new: Any = None
    old_digest: str | None = None
    """SHA-256 of the record before a correction."""
    new_digest: str | None = None
    """SHA-256 of the record after it; absent if the record was withdrawn."""
    cause: Cause | None = None
    """Root cause of a correction of more than metadata, or of a withdrawal."""
    board: tuple[BoardMember, ...] = ()
    """Who decided on a correction of more than metadata, or on a withdrawal."""
    affects: tuple[str, ...] = ()
    """Results that were made with the old value; they stand as they are."""


class SuiteLock(Record, frozen=True):
    """``suite.lock``: written by freeze, checked at every load. Digests are SHA-256 in hexadecimal."""

    schema: Literal["denotary.suite-lock/1"]
    name: str
    version: str
    instrument: str
    registry_hash: str
    files: dict[str, str]
    cases: int
    units: int
    records_hash: str
    """One digest over the digests of all case records."""
    hash: str = ""

    @property
    def identifier(self) -> str:
        """The suite's name in every report: ``name version sha256:hash``."""
        return f"{self.name} {self.version} sha256:{self.hash}"
