"""The run of a plan: every repair on every corpus, with bars and predictions beside what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.instruments.similarity.axes import CLAIMED, fewest_anchors
from denotary.instruments.similarity.baselines import token_jaccard
from denotary.instruments.similarity.manipulation import checks
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.repairs.contents import require_role
from denotary.instruments.similarity.repairs.intervals import balanced_interval, share_interval
from denotary.instruments.similarity.repairs.planned import open_corpus
from denotary.instruments.similarity.repairs.records import (
    ClassRow,
    CorpusRow,
    JudgedRow,
    PairedRow,
    RepairReport,
)
from denotary.instruments.similarity.repairs.reporting import bar_rows, difference_rows, prediction_rows
from denotary.instruments.similarity.results import recorded
from denotary.statistics.auroc import stratified_auroc
from denotary.statistics.bootstrap import RESAMPLES
from denotary.statistics.clustered_auroc import separation, separation_difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.instruments.similarity.repairs.base import Frozen, Scored
    from denotary.instruments.similarity.repairs.records import PlannedCorpus, RepairPlan
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

_DETAIL = 2_000
"""Resamples of rows that stand beneath a headline."""


def run(plan: RepairPlan, plan_sha256: str, repairs: Sequence[Frozen]) -> RepairReport:
    """Return the report of a plan.

    Args:
        plan: as registered.
        plan_sha256: of its file.
        repairs: frozen ones, each named in the plan with its digest.

    Raises:
        InputError: a repair is missing, or is another one than was planned, or a corpus is not there.
        IntegrityError: a corpus is another one than was planned, what the plan calls held out holds pairs that a repair
            was fitted on, or what it calls in-sample others.
    """
    fits = _require_planned(plan, repairs)
    loaded = [(planned, open_corpus(planned)) for planned in plan.corpora]
    for frozen in repairs:
        for planned, corpus in loaded:
            require_role(frozen.record, planned, corpus)
    said = {
        (frozen.record.name, planned.name): frozen.score(list(corpus.pairs.first), list(corpus.pairs.second))
        for frozen in repairs
        for planned, corpus in loaded
    }
    each = [
        (name, planned, corpus.pairs, said[name, planned.name]) for name in fits for planned, corpus in loaded
    ]
    judged = [row for of in each for row in judged_rows(*of)]
    return RepairReport(
        schema="denotary.repair-report/2",
        plan=plan.name,
        plan_sha256=plan_sha256,
        repairs={name: frozen.digest for name, frozen in fits.items()},
        corpora=tuple(_corpus_row(planned, corpus) for planned, corpus in loaded),
        judged=tuple(judged),
        differences=tuple(difference_rows(judged)),
        classes=tuple(row for of in each for row in class_rows(*of)),
        bars=tuple(bar_rows(plan.bars, judged, plan.held_against)),
        predictions=tuple(prediction_rows(plan.predictions, judged)),
        held_against=plan.held_against,
        comparisons=tuple(
            row
            for one, other in plan.comparisons
            for planned, corpus in loaded
            for row in paired_rows(
                planned, corpus.pairs, {name: said[name, planned.name] for name in (one, other)}
            )
        ),
        unknown_fits=tuple(name for name, frozen in fits.items() if not frozen.record.fitted_on.pair_hashes),
        seen=plan.seen,
    )


def _require_planned(plan: RepairPlan, repairs: Sequence[Frozen]) -> dict[str, Frozen]:
    """Return the repairs by their names, in the order given."""
    found = {frozen.record.name: frozen for frozen in repairs}
    digests = {name: frozen.digest for name, frozen in found.items()}
    wrong = sorted(n for n in digests.keys() | plan.repairs.keys() if digests.get(n) != plan.repairs.get(n))
    if wrong:
        both = [
            f"{n}, planned {plan.repairs.get(n, 'not at all')}, found {digests.get(n, 'none')}" for n in wrong
        ]
        raise InputError(
            f"not the repairs that were planned: {'; '.join(both)}",
            hint="a repair that changed needs a new plan",
        )
    return found


def judged_rows(repair: str, planned: PlannedCorpus, pairs: Pairs, said: Scored) -> Iterator[JudgedRow]:
    """Yield the figures of a repair on a corpus, over both poles of overlap and at each."""
    order, approved = said.order(pairs.same), said.approved(pairs.same)
    same, codes = pairs.same, pairs.codes
    for pole, at in pairs.poles(np.ones(len(pairs), dtype=np.bool_)):
        resamples = _DETAIL if pole else RESAMPLES
        told = at & ~said.abstained
        found = separation(order[at], same[at], pairs.stratum[at], codes[at], resamples=resamples)
        right = balanced_interval(approved[told], same[told], codes[told], resamples)
        share = share_interval(told[at], codes[at], resamples)
        yield JudgedRow(
            repair=repair,
            corpus=planned.name,
            role=planned.role,
            pole=pole,
            pairs=int(at.sum()),
            anchors=len(set(pairs.anchor[at])),
            failed=int(said.failed[at].sum()),
            auroc=recorded(found.value),
            low=recorded(found.low),
            high=recorded(found.high),
            balanced_accuracy=recorded(balanced_accuracy(approved[told], same[told])),
            balanced_low=recorded(right[0]),
            balanced_high=recorded(right[1]),
            decided_share=float(told.sum() / at.sum()),
            decided_low=recorded(share[0]),
            decided_high=recorded(share[1]),
        )


def paired_rows(planned: PlannedCorpus, pairs: Pairs, said: Mapping[str, Scored]) -> Iterator[PairedRow]:
    """Yield the difference of two repairs on a corpus, over both poles of overlap and at each.

    Args:
        planned: the corpus.
        pairs: of it.
        said: what the two repairs say of these pairs, by their names; the first less the second.
    """
    (repair, one), (against, other) = ((name, scored.order(pairs.same)) for name, scored in said.items())
    for pole, at in pairs.poles(np.ones(len(pairs), dtype=np.bool_)):
        found = separation_difference(
            one[at],
            other[at],
            pairs.same[at],
            pairs.stratum[at],
            pairs.codes[at],
            resamples=_DETAIL if pole else RESAMPLES,
        )
        yield PairedRow(
            repair=repair,
            against=against,
            corpus=planned.name,
            role=planned.role,
            pole=pole,
            pairs=int(at.sum()),
            anchors=len(set(pairs.anchor[at])),
            difference=recorded(found.value),
            low=recorded(found.low),
            high=recorded(found.high),
        )


def class_rows(repair: str, planned: PlannedCorpus, pairs: Pairs, said: Scored) -> Iterator[ClassRow]:
    """Yield what a repair catches by mutation class and pole of overlap."""
    order, approved = said.order(pairs.same), said.approved(pairs.same)
    told = ~said.abstained
    for mutation in pairs.values("mutation"):
        of = pairs.of(mutation=mutation)
        for pole, at in pairs.poles(of):
            same, opposite = at & pairs.same, at & ~pairs.same
            yield ClassRow(
                repair=repair,
                corpus=planned.name,
                mutation=mutation,
                pole=pole,
                opposites=int(opposite.sum()),
                caught=int((~approved & told & opposite).sum()),
                approved=int((approved & told & opposite).sum()),
                sames=int(same.sum()),
                kept=int((approved & told & same).sum()),
                refused=int((~approved & told & same).sum()),
                auroc=_auroc(order[at], pairs.same[at], pairs.stratum[at]),
                exploratory=fewest_anchors(pairs.where(of), pairs.values("half")) < CLAIMED,
            )


def _auroc(order: FloatArray, same: BoolArray, stratum: IntArray) -> float | None:
    """Return the mean over strata that hold both kinds, weighted by their cases; None without any."""
    values = stratified_auroc(order, same, stratum)
    weights = np.bincount(stratum, minlength=len(values)) * ~np.isnan(values)
    return float(np.average(np.nan_to_num(values), weights=weights)) if weights.any() else None


def _corpus_row(planned: PlannedCorpus, corpus: Corpus) -> CorpusRow:
    pairs = corpus.pairs
    lexical = separation(
        token_jaccard(list(pairs.first), list(pairs.second)),
        pairs.same,
        pairs.stratum,
        pairs.codes,
        resamples=_DETAIL,
    )
    return CorpusRow(
        name=planned.name,
        role=planned.role,
        sha256=corpus.digest,
        pairs=len(pairs),
        anchors=len(set(pairs.anchor)),
        same=int(pairs.same.sum()),
        matched=not any(check.faults for check in checks(pairs)),
        lexical=recorded(lexical.value),
        labels=planned.labels,
        pairs_sha256=pairs.digest,
    )
