"""Records of repairs: what was fitted, what was planned, what came out."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from denotary.records import Record

Measure = Literal["auroc", "balanced_accuracy", "decided_share"]
"""``auroc``: same above opposite within overlap strata, abstentions at 0.5. ``balanced_accuracy``: on decided pairs."""
Role = Literal["in-sample", "held-out half", "other author"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class FittedOn(Record, frozen=True):
    """The pairs a repair was fitted on."""

    corpus: str
    corpus_sha256: str
    halves: tuple[str, ...]
    pairs: int
    anchors: int


class FittedRepair(Record, frozen=True):
    """A frozen repair, as it stands in its file. Its digest is that of its canonical JSON.

    Attributes:
        kind: ``encoder``, ``overlap``, ``judge`` or ``polarity``.
        settings: what it depends on beside the fit, such as encoder and digests of word lists.
        parameters: what was fitted.
    """

    schema: Literal["denotary.similarity-repair/1"]
    name: str
    kind: str
    settings: dict[str, str]
    parameters: dict[str, float]
    fitted_on: FittedOn


class Bar(Record, frozen=True):
    """What a repair must reach on a corpus, written before the run."""

    repair: str
    corpus: str
    measure: Measure
    at_least: Share


class Prediction(Record, frozen=True):
    """Where a figure was expected to lie, written before the run."""

    repair: str
    corpus: str
    measure: Measure
    low: Share
    high: Share
    why: str = ""


class PlannedCorpus(Record, frozen=True):
    """A corpus to judge on.

    Attributes:
        source: ``shipped``, a file of pairs, or ``scone:FOLDER`` and ``negation-nli:FOLDER``; a folder that begins with
            ``$DENOTARY_DATA`` lies in that environment variable.
        half: one half alone.
        role: ``other author`` only where others wrote it.
        labels: how its labels become same and opposite, with the limits of that.
        sha256: of the corpus, as `denotary similarity check` gives it for the shipped one or a file; a run on another
            content is refused. Empty if it is not pinned, and then the report alone says what was judged on.
    """

    name: str
    source: str
    role: Role
    half: str = ""
    labels: str = ""
    sha256: str = ""


class RepairPlan(Record, frozen=True):
    """A pre-registration, ``plan.toml``: repairs by the digest of their fit, corpora, bars and predictions.

    Attributes:
        seen: what of the data was seen before, by whoever wrote this.
    """

    schema: Literal["denotary.repair-plan/1"]
    name: str
    repairs: dict[str, str]
    corpora: tuple[PlannedCorpus, ...]
    bars: tuple[Bar, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    seen: tuple[str, ...] = ()


class RegisteredPlan(Record, frozen=True):
    """The lock beside a plan: its SHA-256, taken before the run."""

    schema: Literal["denotary.repair-plan-lock/1"]
    name: str
    plan_sha256: str


class JudgedRow(Record, frozen=True):
    """A repair on a corpus, all pairs or one pole of overlap.

    Attributes:
        auroc: same above opposite within overlap strata, abstentions at 0.5, failures wrong; with its 95 % interval.
        balanced_accuracy: on decided pairs; failures are decided wrongly.
        decided_share: pairs on which it did not abstain.
        failed: pairs without an answer in time and in form.
    """

    repair: str
    corpus: str
    role: Role
    pairs: int
    anchors: int
    failed: int
    pole: str = ""
    auroc: float | None = None
    low: float | None = None
    high: float | None = None
    balanced_accuracy: float | None = None
    decided_share: float | None = None


class ClassRow(Record, frozen=True):
    """What a repair catches of one mutation class, and what it refuses wrongly beside it.

    Attributes:
        caught: opposite pairs refused.
        approved: opposite pairs approved, failures among them.
        kept: same pairs approved.
        refused: same pairs refused, failures among them.
        exploratory: too few anchors for a claim.
    """

    repair: str
    corpus: str
    mutation: str
    pole: str
    opposites: int
    caught: int
    approved: int
    sames: int
    kept: int
    refused: int
    auroc: float | None = None
    exploratory: bool = False


class DifferenceRow(Record, frozen=True):
    """In-sample, held-out and the difference of one figure of a repair."""

    repair: str
    corpus: str
    measure: Measure
    in_sample: float | None
    held_out: float | None
    difference: float | None


class BarRow(Bar, frozen=True, kw_only=True):
    """A bar with what came out."""

    value: float | None
    holds: bool


class PredictionRow(Prediction, frozen=True, kw_only=True):
    """A prediction with what came out."""

    value: float | None
    holds: bool


class CorpusRow(Record, frozen=True):
    """A corpus that was judged on.

    Attributes:
        matched: whether it passes the manipulation check; where it does not, a figure may be one of wording.
        lexical: AUROC of token overlap alone, within the same strata.
    """

    name: str
    role: Role
    sha256: str
    pairs: int
    anchors: int
    same: int
    matched: bool
    lexical: float | None
    labels: str = ""


class RepairReport(Record, frozen=True):
    """The outcome of a plan, ``report.json``; every bar and prediction stands in it, failed or not."""

    schema: Literal["denotary.repair-report/1"]
    plan: str
    plan_sha256: str
    repairs: dict[str, str]
    corpora: tuple[CorpusRow, ...]
    judged: tuple[JudgedRow, ...]
    differences: tuple[DifferenceRow, ...]
    classes: tuple[ClassRow, ...]
    bars: tuple[BarRow, ...]
    predictions: tuple[PredictionRow, ...]
    seen: tuple[str, ...] = ()
