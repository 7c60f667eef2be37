"""Results of an audit, as they are written to ``audit.json``: one record a figure."""

from __future__ import annotations

import math
from typing import Literal

from denotary.records import Record

Reading = Literal["reads meaning at matched overlap", "reads wording", "undecided"]
Scale = Literal["cosine", "other"]


class AxisRow(Record, frozen=True):
    """How well a score separates two kinds of pairs: an AUROC, or for ``overlap rank`` a correlation.

    Attributes:
        axis: ``decision``, ``decision, content matched``, ``lexical``, ``lexical narrowed``, ``overlap rank`` or
            ``naive``.
        half: one half alone; empty for all pairs.
        pole: one stratum alone; empty for their size-weighted mean.
        mutation: one class alone; empty for all.
        low: lower end of the two-sided 95 % interval over anchors.
        p: two-sided, decisions exchanged within anchors.
        p_floor: the smallest p that so many anchors could give.
        exploratory: too few anchors in a half for a claim.
    """

    axis: str
    task: str
    value: float | None
    anchors: int
    pairs: int
    half: str = ""
    pole: str = ""
    mutation: str = ""
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_floor: float | None = None
    method: str = ""
    exploratory: bool = False


def recorded(value: float) -> float | None:
    """Return a figure as records hold it: None for NaN, which says that it does not exist."""
    return None if math.isnan(value) else float(value)


class OperatingRow(Record, frozen=True):
    """A gate at its cutoff.

    Attributes:
        pole: one stratum, whose bounds are exact with one pair a decision and anchor; empty for both, whose bounds are
            order-free over anchors.
        wrong_approvals: opposite pairs that were approved, of ``opposites``.
        wrong_rejections: same pairs that were not approved, of ``sames``.
        approval_bound: one-sided 95 % upper bound of the wrong-approval rate.
        youden: sensitivity + specificity - 1; balanced accuracy is half of it and a half more.
    """

    gate: str
    rule: str
    task: str
    pole: str
    opposites: int
    wrong_approvals: int
    approval_bound: float
    sames: int
    wrong_rejections: int
    rejection_bound: float
    balanced_accuracy: float | None
    youden: float | None
    bound_method: str
    rejection_bound_method: str = ""


class CutoffRow(Record, frozen=True):
    """The cutoff that would have served best on these very pairs, and what one cutoff costs.

    Attributes:
        cutoff: approve from this score on; chosen on the pairs that it is scored on.
        balanced_accuracy: with it, in sample.
        close_cutoff: the best one for close pairs alone.
        oracle: balanced accuracy if each stratum had its own, averaged over them.
        cost: what the one cutoff loses against that.
        fitted_on: the half it was chosen on; empty if on all pairs.
        held_out: balanced accuracy of the cutoff on the other half.
    """

    task: str
    cutoff: float | None
    balanced_accuracy: float | None
    close_cutoff: float | None
    distant_cutoff: float | None
    oracle: float | None
    cost: float | None
    fitted_on: str = ""
    held_out: float | None = None


class ChosenCutoffRow(Record, frozen=True):
    """The lowest cutoff that keeps a limit of wrong approvals on one half, and what it does on the other pairs.

    Attributes:
        pole: ``close`` for close pairs alone; empty for both poles.
        fitted_on: the half it was chosen on; ``first`` or ``second`` where the corpus has none, by digests of anchors.
        limit: of the upper bound of the wrong-approval rate.
        cutoff: approve from this score on; None where no cutoff that approves anything keeps the limit there.
        bound: one-sided 95 % upper bound of the rate on the half it was chosen on; searched over, so that it is none.
        held_out_bound: the same on the other pairs, where it is one; None if there are none.
        right_approvals: same pairs among those that are approved, of ``sames``.
        holds: whether the held-out bound lies within the limit.
    """

    task: str
    fitted_on: str
    limit: float
    cutoff: float | None
    bound: float | None
    pole: str = ""
    wrong_approvals: int = 0
    opposites: int = 0
    held_out_bound: float | None = None
    bound_method: str = ""
    right_approvals: int = 0
    sames: int = 0
    holds: bool = False


class HistogramRow(Record, frozen=True):
    """How often scores of one cell fall into bins of one width, from ``lowest`` to ``highest`` over all cells."""

    task: str
    cell: str
    lowest: float
    highest: float
    counts: tuple[int, ...]


class PairRow(Record, frozen=True):
    """One pair and its score, without its texts: a line of ``--pairs-out``.

    Attributes:
        number: from 1 on, in the order of the corpus as it was read.
        cell: such as ``opposite_close``.
        overlap: Jaccard index of the words.
        truncated: a text is longer than the encoder's window, so that no figure of the audit counts the pair.
    """

    configuration: str
    number: int
    anchor: str
    task: str
    cell: str
    overlap: float
    score: float
    half: str = ""
    mutation: str = ""
    truncated: bool = False


class GuardRow(Record, frozen=True):
    """A gate on one mutation class: opposite pairs that it does not approve, and same pairs (controls) likewise.

    Attributes:
        gate: its name; empty in results of version 1.
        mutation: one class alone; empty for all.
        pole: one stratum of overlap alone, whose bounds are exact with one such pair an anchor; empty for both, whose
            bounds are order-free over anchors.
        catch_bound: one-sided 95 % upper bound of the share of opposite pairs that are caught.
        miss_bound: the same of the share that is approved; None in results of version 1.
        fired: same pairs that were not approved, of ``controls``.
        exploratory: too few anchors in a half for a claim of the class.
    """

    task: str
    mutation: str
    mutations: int
    caught: int
    catch_bound: float
    controls: int
    fired: int
    exploratory: bool
    gate: str = ""
    pole: str = ""
    miss_bound: float | None = None


class RangeRow(Record, frozen=True):
    """Which scores a task reaches: a cutoff outside of it never decides anything."""

    task: str
    cell: str
    lowest: float
    quarter: float
    median: float
    three_quarters: float
    highest: float


class BeyondRow(Record, frozen=True):
    """A policy beyond a cutoff, and what of the same score remains in it."""

    policy: str
    task: str
    value: float | None
    of: str
    """What the value is, one phrase."""


class DisplacementRow(Record, frozen=True):
    """Does a reversal move the score less than a restatement does?

    Attributes:
        comparison: ``unmatched`` (close opposite against distant same), ``close`` or ``distant``.
        reversal: mean of one less the score of opposite pairs.
        restatement: the same of same pairs.
        less: anchors whose reversal moved the score less.
    """

    task: str
    comparison: str
    reversal: float
    restatement: float
    less: int
    anchors: int


class TaskReading(Record, frozen=True):
    """What one task says of a configuration.

    Attributes:
        anchors: behind the decision axis; None in audits that did not record it.
        wording: the lexical baseline whose upper end on the same pairs is highest, where that reaches the bar of
            wording; what the decision axis shows may then be wording alone. Empty if none does.
        wording_high: that upper end.
    """

    task: str
    reading: Reading
    decision: float | None
    decision_low: float | None
    decision_high: float | None
    lexical: float | None
    lexical_low: float | None
    anchors: int | None = None
    wording: str = ""
    wording_high: float | None = None


class BaselineRow(Record, frozen=True):
    """The decision axis of a lexical baseline on the same pairs, to stand beside that of the configuration."""

    baseline: str
    task: str
    value: float | None
    low: float | None
    high: float | None


class Audit(Record, frozen=True):
    """The audit of one configuration on one corpus."""

    schema: Literal["denotary.similarity-audit/1", "denotary.similarity-audit/2"]
    configuration: str
    checkpoint: str
    settings: dict[str, str]
    lexical: bool
    corpus: str
    corpus_sha256: str
    split: str
    pairs: int
    anchors: int
    truncated: int | None
    """Pairs with a text longer than the encoder's window; None where it names no window."""
    readings: tuple[TaskReading, ...]
    verdict: Reading
    sentence: str
    axes: tuple[AxisRow, ...]
    beside: tuple[BaselineRow, ...]
    operating: tuple[OperatingRow, ...]
    cutoffs: tuple[CutoffRow, ...]
    guard: tuple[GuardRow, ...]
    ranges: tuple[RangeRow, ...]
    beyond: tuple[BeyondRow, ...]
    displacement: tuple[DisplacementRow, ...]
    scale: Scale = "cosine"
    """``other`` if cutoffs of shipped components say nothing of this score, so that your own gates stand alone."""
    chosen_cutoffs: tuple[ChosenCutoffRow, ...] = ()
    histograms: tuple[HistogramRow, ...] = ()
    unmatched: tuple[str, ...] = ()
    """Faults of the manipulation check on the pairs that are left without truncated ones: with any, no verdict."""
    truncated_axes: tuple[AxisRow, ...] = ()
    """The decision axis of the truncated pairs alone, where there are any; they are left out of all else."""


class ShippedGate(Record, frozen=True):
    """What the real gate of an installed library decides on one corpus, at its default.

    Attributes:
        component: import path of the class that decided.
        rule: what it does at its default, as it compares.
        cutoff: read from the component; None where its default sets none.
        read_from: attribute that the cutoff was read from.
        encoder: that was plugged in.
        errors: pairs on which the component raised; each counts as a wrong decision.
        guard: by task, class of change and pole: opposite pairs it refused, and same pairs that it refused.
        kept: of opposite pairs that it treated as the same, how often it kept which text; empty if it
            keeps both or none.
    """

    schema: Literal["denotary.similarity-shipped-gate/1", "denotary.similarity-shipped-gate/2"]
    gate: str
    component: str
    package: str
    version: str
    rule: str
    cutoff: float | None
    read_from: str
    remark: str
    encoder: str
    corpus: str
    corpus_sha256: str
    pairs: int
    errors: int
    operating: tuple[OperatingRow, ...]
    guard: tuple[GuardRow, ...]
    kept: dict[str, int]
