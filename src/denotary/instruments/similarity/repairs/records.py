"""Records of repairs: what was fitted, what was planned, what came out."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from denotary.records import Record

Measure = Literal["auroc", "balanced_accuracy", "decided_share"]
"""``auroc``: same above opposite within overlap strata, abstentions at 0.5. ``balanced_accuracy``: on decided pairs."""
Role = Literal["in-sample", "held-out half", "other author"]
HeldAgainst = Literal["value", "lower"]
"""What of a figure must reach a bar: the figure itself, or the lower end of its 95 % interval."""
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class FittedOn(Record, frozen=True):
    """The pairs a repair was fitted on.

    Attributes:
        pair_hashes: of every distinct pair, see ``contents.pair_hashes``; absent in what an earlier version fitted.
    """

    corpus: str
    corpus_sha256: str
    halves: tuple[str, ...]
    pairs: int
    anchors: int
    pair_hashes: tuple[str, ...] = ()


class FittedRepair(Record, frozen=True):
    """A frozen repair, as it stands in its file. Its digest is that of its canonical JSON.

    Attributes:
        kind: ``encoder``, ``overlap``, ``judge``, ``polarity``, ``words`` or ``second-text``.
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
        sha256: of the file or files, as `denotary similarity repair digests` gives it; a run on another content is
            refused. Empty if it is not pinned, and then the report alone says what was judged on.
        pairs_sha256: of the pairs as they were read, of the half alone if one is named; alike. It also finds a reader
            that reads the same files differently.
    """

    name: str
    source: str
    role: Role
    half: str = ""
    labels: str = ""
    sha256: str = ""
    pairs_sha256: str = ""


class RepairPlan(Record, frozen=True):
    """A pre-registration, ``plan.toml``: repairs by the digest of their fit, corpora, bars and predictions.

    Bars of version 2 are held against the lower end of the interval. Those of version 1 are held against the value, as
    they were registered; none is registered any more.

    Attributes:
        comparisons: two repairs each: their difference on the same pairs is reported.
        seen: what of the data was seen before, by whoever wrote this.
    """

    schema: Literal["denotary.repair-plan/1", "denotary.repair-plan/2"]
    name: str
    repairs: dict[str, str]
    corpora: tuple[PlannedCorpus, ...]
    comparisons: tuple[tuple[str, str], ...] = ()
    bars: tuple[Bar, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    seen: tuple[str, ...] = ()

    @property
    def held_against(self) -> HeldAgainst:
        """What of a figure must reach a bar."""
        return "value" if self.schema == "denotary.repair-plan/1" else "lower"


class RegisteredPlan(Record, frozen=True):
    """The lock beside a plan: its SHA-256, taken before the run."""

    schema: Literal["denotary.repair-plan-lock/1"]
    name: str
    plan_sha256: str


class JudgedRow(Record, frozen=True):
    """A repair on a corpus, all pairs or one pole of overlap.

    Ends are those of 95 % intervals over anchors; reports of version 1 have them of the AUROC alone.

    Attributes:
        auroc: same above opposite within overlap strata, abstentions at 0.5, failures wrong; from ``low`` to ``high``.
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
    balanced_low: float | None = None
    balanced_high: float | None = None
    decided_share: float | None = None
    decided_low: float | None = None
    decided_high: float | None = None


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


class PairedRow(Record, frozen=True):
    """Two repairs on the same pairs of a corpus, all of them or one pole of overlap.

    Attributes:
        difference: AUROC of ``repair`` less that of ``against``.
        low: lower end of its 95 % interval, anchors resampled for both together; absent where no resample differs.
    """

    repair: str
    against: str
    corpus: str
    role: Role
    pairs: int
    anchors: int
    pole: str = ""
    difference: float | None = None
    low: float | None = None
    high: float | None = None


class BarRow(Bar, frozen=True, kw_only=True):
    """A bar with what came out.

    Attributes:
        low: lower end of the 95 % interval of the value.
        holds: whether it is reached by what bars of the plan are held against; never if that does not exist.
    """

    value: float | None
    holds: bool
    low: float | None = None


class PredictionRow(Prediction, frozen=True, kw_only=True):
    """A prediction with what came out."""

    value: float | None
    holds: bool


class CorpusRow(Record, frozen=True):
    """A corpus that was judged on.

    Attributes:
        sha256: of the file or files.
        pairs_sha256: of the pairs as they were read; absent in reports of version 1.
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
    pairs_sha256: str = ""


class RepairReport(Record, frozen=True):
    """The outcome of a plan, ``report.json``; every bar and prediction stands in it, failed or not.

    Attributes:
        held_against: what of a figure had to reach a bar.
        unknown_fits: repairs whose fitted pairs are not known; of those only file and half were compared with the plan.
    """

    schema: Literal["denotary.repair-report/1", "denotary.repair-report/2"]
    plan: str
    plan_sha256: str
    repairs: dict[str, str]
    corpora: tuple[CorpusRow, ...]
    judged: tuple[JudgedRow, ...]
    differences: tuple[DifferenceRow, ...]
    classes: tuple[ClassRow, ...]
    bars: tuple[BarRow, ...]
    predictions: tuple[PredictionRow, ...]
    held_against: HeldAgainst = "value"
    comparisons: tuple[PairedRow, ...] = ()
    unknown_fits: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
