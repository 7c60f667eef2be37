"""What a split check finds: the state of each key, every crossing, and what the suites may support so."""

from __future__ import annotations

from typing import Final, Literal, get_args

from denotary.records import Record
from denotary.suites.keys import Key

KeyState = Literal[
    "not controlled", "not separable", "recorded in part", "waived", "controlled", "does not apply"
]
STATES: Final[tuple[KeyState, ...]] = get_args(KeyState)
"""The states of a key, the one that separates least first."""
Support = Literal["certification", "qualification", "diagnostic", "nothing"]
"""What suites may support, as far as leakage between them goes. Qualification is what a public suite can show."""
By = Literal[
    "semantic_seed_id",
    "author",
    "generation_template",
    "source_document",
    "concept_neighbourhood",
    "translation_family",
    "perturbation_lineage",
    "attack_family",
    "parent_record_id",
    "depends_on",
    "exact_text",
    "folded_text",
    "ngrams",
    "skeleton",
    "embedding",
    "cross_language",
    "not_compared",
]
"""What shows that records belong together. ``not_compared``: so many texts are alike that not all were compared."""


class Encoding(Record, frozen=True):
    """The encoder by which texts were compared as vectors."""

    encoder: str
    identity: str
    """SHA-256 of all that its vectors depend on."""
    cosine: float
    """Least cosine of near texts."""


class SplitSuite(Record, frozen=True):
    """One of the suites that were checked against each other."""

    name: str
    version: str
    role: str
    cases: int
    hash: str | None = None
    """Absent for a draft."""
    registry: str | None = None
    """SHA-256 of the registry that the gold refers to; absent for a draft."""
    formerly: tuple[str, ...] = ()
    """SHA-256 of what the suite's ledger says it was frozen as before: this content takes the place of that."""


class SplitKey(Record, frozen=True):
    """How far one grouping key separates the suites."""

    key: Key
    state: KeyState
    recorded: int
    """Cases with a value."""
    blank: int
    """Cases whose blank says nothing."""
    not_applicable: int
    """Cases whose suite declares that a blank means that the key does not apply."""
    values: int
    """Distinct values."""


class Side(Record, frozen=True):
    """The records of one suite in a crossing."""

    suite: int
    """Position of the suite, counted from 0."""
    records: tuple[str, ...]


class Crossing(Record, frozen=True):
    """Records of suites with different roles that belong together."""

    by: By
    sides: tuple[Side, ...]
    value: str = ""
    """The shared value of a key; its SHA-256 where it is no plain name. Never a text."""
    similarity: float | None = None
    """Highest Jaccard index across roles for ``ngrams``, highest cosine for ``embedding`` and ``cross_language``."""
    waived: bool = False


class SplitCheck(Record, frozen=True):
    """The result of a split check."""

    suites: tuple[SplitSuite, ...]
    keys: tuple[SplitKey, ...]
    crossings: tuple[Crossing, ...]
    components: int
    """Groups of cases that belong together by a key or a text, over all suites."""
    crossing_components: int
    """Those that reach into suites of different roles."""
    crossing_cases: int
    """Cases in them: what would have to move or go."""
    gram: int
    """Characters of an n-gram."""
    similarity: float
    """Least Jaccard index of n-grams that counts as a near-duplicate."""
    supports: Support
    encoding: Encoding | None = None
    """Absent where texts were not compared as vectors: paraphrases and translations are then not looked for."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing crosses, but for what was waived."""
        return all(crossing.waived for crossing in self.crossings)


class SplitEvidence(Record, frozen=True):
    """What the ledger of a suite keeps of a split check. It names the very content of every suite."""

    suites: tuple[SplitSuite, ...]
    keys: dict[Key, KeyState]
    supports: Support
    crossings: int
    """Crossings that were not waived."""
    waived: int
    """Crossings that were."""
    gram: int
    similarity: float
    result: str
    """SHA-256 of the whole result."""
    encoding: Encoding | None = None
