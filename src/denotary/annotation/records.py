"""The records of a judging: votes, the cases that fell by them, the cases revised after them, and agreement."""

from __future__ import annotations

from typing import Any, Literal

from denotary.records import Record

DisagreementCause = Literal[
    "annotation_noise",
    "epistemic_difficulty",
    "linguistic_ambiguity",
    "ontology_ambiguity",
    "underspecification",
    "cultural_linguistic_variation",
    "missing_context",
    "ontology_defect",
]
"""Why judges disagree on an item, or with its gold."""


class Judgement(Record, frozen=True):
    """One line of ``judgements.jsonl``, append-only; ``previous`` is the digest of the line before."""

    schema: Literal["denotary.judgement/1"]
    item: str
    """Record id of the case."""
    item_sha256: str
    """Digest of the record that was judged: as it stands in the suite, or as ``rejected.jsonl`` or
    ``revised.jsonl`` keeps it."""
    registry_version: str
    """Version of the registry that the judge judged against."""
    guideline_sha256: str
    """Digest of the guideline, one of the files ``guideline-*.md``."""
    stage: Literal["judge", "adjudicate"]
    """Whether the text was judged for the first time, or again after its first vote."""
    reviewer: str
    """Pseudonym of the judge."""
    kind: Literal["human", "generated"]
    """``generated``: a program's vote. It is stored as what it is and never counts as an annotator's."""
    disposition: str
    """What the judge takes the text to be."""
    sure: bool
    """False if the judge thinks that another careful judge might well decide otherwise."""
    previous: str
    """Digest of the line before; 64 zeros in the first."""
    codes: tuple[str, ...] = ()
    """Codes of the registry that the judge gives."""
    also_defensible: tuple[str, ...] = ()
    """Other answers that the judge would accept, each ``DISPOSITION`` or ``DISPOSITION:codes``."""
    rationale: str = ""
    """The judge's reason in one clause."""


class Excluded(Record, frozen=True):
    """One line of ``rejected.jsonl``: an item that is not in the suite, with every vote on it."""

    schema: Literal["denotary.excluded-item/1"]
    item: str
    """Its record id, which no other case is given."""
    item_sha256: str
    """Digest of the record."""
    was: Literal["case", "candidate"]
    """A case of the suite that was judged, or a text that might have taken the place of one."""
    why: str
    """What became of it, and for what reason."""
    record: dict[str, Any]
    """The record as it was judged."""
    cause: DisagreementCause | None = None
    """Why judges disagreed; absent for a candidate on which they agreed and which was not needed."""
    replaced_by: str | None = None
    """Record id of the case that took its place."""
    votes: tuple[Judgement, ...] = ()
    """Every line of ``judgements.jsonl`` on it, in order."""


class Revised(Record, frozen=True):
    """One line of ``revised.jsonl``: a case as it was judged, whose record has changed since."""

    schema: Literal["denotary.revised-item/1"]
    item: str
    """Its record id, which it keeps."""
    item_sha256: str
    """Digest of the record that was judged."""
    what: Literal["gold", "links"]
    """Whether the gold was corrected, or parent, set or seed follow a case that was replaced."""
    why: str
    """The reason."""
    record: dict[str, Any]
    """The record as it was judged."""


class Coefficient(Record, frozen=True):
    """One coefficient of agreement with its interval."""

    name: Literal["percent", "alpha_disposition", "alpha_answer", "alpha_masi_codes"]
    """``percent``: share of agreeing pairs of answers. The others are Krippendorff's alpha: nominal on
    dispositions, nominal on whole answers, and on sets of codes by their MASI distance."""
    state: Literal["ok", "empty", "few_units", "degenerate"]
    """What the interval is worth; ``degenerate``: without a disagreement every resample agrees, which shows
    nothing."""
    value: float | None = None
    """The observed value; absent where no disagreement was possible."""
    low: float | None = None
    """Lower end of the 95 % interval over units; only where the state is ok."""
    high: float | None = None
    """Upper end."""


class Agreement(Record, frozen=True):
    """How far the answers to a set of items agree."""

    items: int
    """Items with two answers or more."""
    units: int
    """Independent units that they belong to."""
    same_disposition: int
    """Items on which all dispositions are equal."""
    same_answer: int
    """Items on which all answers are equal, codes included."""
    coefficients: tuple[Coefficient, ...] = ()
    """The coefficients that make sense here."""


class Reviewer(Record, frozen=True):
    """What one judge did."""

    reviewer: str
    """Pseudonym."""
    kind: Literal["human", "generated"]
    """Whether a person or a program judged."""
    guideline: str
    """File name of the guideline that was before the judge."""
    votes: int
    """Number of judgements."""
    unsure: int
    """How many of them another careful judge might well decide otherwise."""


class Confusion(Record, frozen=True):
    """How often a gold disposition met a vote."""

    gold: str
    """Disposition of the gold."""
    vote: str
    """Disposition of the first vote."""
    items: int
    """Number of cases."""


class Repeated(Record, frozen=True):
    """Later votes, under one guideline, on cases whose first vote was another's."""

    guideline: str
    """File name of the guideline."""
    disputed: int
    """Votes on cases whose first vote differed from the gold."""
    disputed_with_gold: int
    """How many of them were the gold."""
    undisputed: int
    """Votes on cases whose first vote was the gold."""
    undisputed_with_gold: int
    """How many of them were the gold again."""


class JudgingReport(Record, frozen=True):
    """``agreement.json``: recomputed from the votes by ``tools/judging.py``."""

    schema: Literal["denotary.judging-report/1"]
    suite: str
    """Name and version of the suite."""
    registry_version: str
    """Version of the registry that was judged against."""
    head: str
    """Digest of the last judgement, which stands for all: the chain shows a line that was changed or taken out
    before it, and this one that none was taken off the end."""
    votes: dict[str, int]
    """Number of votes by kind."""
    annotators: int
    """People among the judges. A generated vote counts as none."""
    first: Agreement
    """The gold and the first vote on every case that was judged, dropped ones included."""
    by_family: dict[str, Agreement]
    """The same by primary family."""
    by_language: dict[str, Agreement]
    """The same by language slice."""
    confusion: tuple[Confusion, ...]
    """Dispositions of gold and first vote."""
    repeated: tuple[Repeated, ...]
    """What later judges said of cases that were judged before."""
    between_judges: dict[str, Agreement]
    """Judges among themselves, by the guideline that they shared, on items that two or more of them judged."""
    reviewers: tuple[Reviewer, ...]
    """Who judged."""
