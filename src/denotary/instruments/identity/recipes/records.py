"""A recipe: what is to be generated for a suite, and from what."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from denotary.instruments.identity.cases import Disposition
from denotary.records import Record, Severity
from denotary.registry.records import HardNegativeType

WrittenKind = Literal[
    "registry_absent", "near_boundary", "out_of_domain", "open_class_novelty", "category_error", "gibberish"
]
"""Kinds of unknown meaning for which somebody writes the texts."""
DerivedKind = Literal["withheld_shadow", "future_concept"]
"""Kinds of unknown meaning that another registry supplies."""


class SeedSelection(Record, frozen=True):
    """Which seeds a step takes; every condition that is given must hold."""

    ids: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    """Primary families."""
    languages: tuple[str, ...] = ()
    """Primary subtags."""
    dispositions: tuple[Disposition, ...] = ()
    tags: tuple[str, ...] = ()
    """At least one of these."""


class PerturbStep(Record, frozen=True):
    """Variants of seeds by operators: Unicode, spelling, morphology, script, formats, long context, attacks.

    Codes and sentences about other concepts that an operator asks for come from the registry if they are not given:
    the declared neighbours of the seed's codes, and what the registry says for them in the seed's language.
    """

    operators: tuple[str, ...]
    """Identifiers, or families for all of their operators."""
    severities: tuple[Severity, ...] = ("low",)
    select: SeedSelection = msgspec.field(default_factory=SeedSelection)
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class ContrastStep(Record, frozen=True):
    """A triple: a text, a small change that keeps its meaning, a small change that does not."""

    id: str
    language: str
    code: str
    """The right code of the first two."""
    x: str
    x_same: str
    x_flip: str
    flip_disposition: Disposition
    """What holds of the third; never what holds of the first."""
    flip_codes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Contrast {self.id}>"


class ForcedReading(Record, frozen=True):
    """A text with a context that decides for one reading."""

    text: str
    code: str

    def __repr__(self) -> str:
        return f"<Forced {self.code}>"


class AmbiguityStep(Record, frozen=True):
    """A family of three: a text that cannot choose, and two that can."""

    id: str
    language: str
    unresolved: str
    forced_a: ForcedReading
    forced_b: ForcedReading

    def __repr__(self) -> str:
        return f"<Ambiguity {self.id}>"


class UnknownText(Record, frozen=True):
    """A text for which no code of the registry is right."""

    text: str
    language: str
    near: str | None = None
    """A registered concept that is easily taken for it."""
    type: HardNegativeType | None = None
    """How that concept differs."""
    reason: str | None = None
    """Why that concept is not its meaning."""
    domain: str | None = None

    def __repr__(self) -> str:
        return f"<UnknownText {self.language}>"


class UnknownStep(Record, frozen=True):
    """Texts that somebody wrote, of one kind of unknown meaning."""

    kind: WrittenKind
    texts: tuple[UnknownText, ...]


class AbsentStep(Record, frozen=True):
    """Texts of another registry whose concepts the suite's registry does not have."""

    kind: DerivedKind
    """``withheld_shadow``: the suite's registry is that one without some concepts. ``future_concept``: that one is a
    later version."""
    registry: str
    """Folder of the other registry, relative to the recipe."""
    codes: tuple[str, ...] = ()
    """Concepts to take; default: every active one that the suite's registry does not have."""
    languages: tuple[str, ...] = ()
    """Primary subtags; default: all."""
    per_concept: int = 1
    """Texts a concept and language, in the order of the registry."""


class HardNegativeStep(Record, frozen=True):
    """A text beside a named neighbour, with the written reason why the neighbour is not its meaning."""

    text: str
    language: str
    neighbour: str
    type: HardNegativeType
    reason: str
    code: str | None = None
    """The right code; none if no code of the registry is right."""
    judged: bool = False
    """Whether a person judged the pair to be non-identical."""

    def __repr__(self) -> str:
        return f"<HardNegative of {self.neighbour}>"


class NominateStep(Record, frozen=True):
    """Sources that nominate pairs of concepts for hard negatives; the nominations are their union."""

    experts: bool = True
    """The neighbours that the registry declares."""
    lexical: float | None = 0.5
    """Least lexical overlap of two expressions in one language; absent: this source is not asked."""
    encoder: str | None = None
    """``module:function`` from texts to vectors; never the system under test alone."""
    nearest: int = 3
    """How many nearest concepts the encoder nominates for each."""
    runs: tuple[str, ...] = ()
    """Folders of runs, relative to the recipe, whose wrong codes nominate."""


class Recipe(Record, frozen=True):
    """``recipe.toml``."""

    schema: Literal["denotary.recipe/1"]
    name: str
    """Letters, digits and hyphens; stands in every id that the recipe makes."""
    author: str
    """Role or pseudonym of who wrote the texts in it."""
    seed: int = 0
    seeds: str | None = None
    """JSON Lines of hand-written cases, relative to the recipe; default: the cases of the suite."""
    perturb: tuple[PerturbStep, ...] = ()
    contrast: tuple[ContrastStep, ...] = ()
    ambiguity: tuple[AmbiguityStep, ...] = ()
    unknown: tuple[UnknownStep, ...] = ()
    absent: tuple[AbsentStep, ...] = ()
    hard_negative: tuple[HardNegativeStep, ...] = ()
    nominate: NominateStep | None = None


class Nomination(Record, frozen=True):
    """One line of ``nominations.jsonl``: a pair of concepts that deserves a hard negative."""

    target: str
    neighbour: str
    sources: dict[str, float]
    """What each source says: 1 for an expert, overlap, cosine, or how often a run confused them."""
    type: HardNegativeType | None = None
    """As the registry declares it."""
    reason: str | None = None
