"""The run of a plan: every repair on every corpus, with bars and predictions beside what came out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError, IntegrityError
from denotary.instruments.similarity.axes import CLAIMED, fewest_anchors
from denotary.instruments.similarity.baselines import token_jaccard
from denotary.instruments.similarity.corpus import Corpus, load_corpus
from denotary.instruments.similarity.manipulation import checks
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.repairs.base import UNDECIDED
from denotary.instruments.similarity.repairs.foreign import negation_nli, scone
from denotary.instruments.similarity.repairs.records import ClassRow, CorpusRow, JudgedRow, RepairReport
from denotary.instruments.similarity.repairs.reporting import bar_rows, difference_rows, prediction_rows
from denotary.instruments.similarity.results import recorded
from denotary.statistics.auroc import stratified_auroc
from denotary.statistics.bootstrap import RESAMPLES
from denotary.statistics.clustered_auroc import separation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.similarity.pairs import Pairs
    from denotary.instruments.similarity.repairs.base import Frozen, Scored
    from denotary.instruments.similarity.repairs.records import FittedRepair, PlannedCorpus, RepairPlan
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

_DATA = "$DENOTARY_DATA"
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
        IntegrityError: a repair was fitted on pairs of a corpus that the plan calls held out.
    """
    digests = {frozen.record.name: frozen.digest for frozen in repairs}
    if digests != plan.repairs:
        wrong = sorted(
            n for n in digests.keys() | plan.repairs.keys() if digests.get(n) != plan.repairs.get(n)
        )
        raise InputError(
            f"not the repairs that were planned: {', '.join(wrong)}",
            hint="a repair that changed needs a new plan",
        )
    loaded = [(planned, open_corpus(planned)) for planned in plan.corpora]
    for frozen in repairs:
        for planned, corpus in loaded:
            _require_role(frozen.record, planned, corpus)
    judged: list[JudgedRow] = []
    classes: list[ClassRow] = []
    for frozen in repairs:
        for planned, corpus in loaded:
            said = frozen.score(list(corpus.pairs.first), list(corpus.pairs.second))
            judged += judged_rows(frozen.record.name, planned, corpus.pairs, said)
            classes += class_rows(frozen.record.name, planned, corpus.pairs, said)
    return RepairReport(
        schema="denotary.repair-report/1",
        plan=plan.name,
        plan_sha256=plan_sha256,
        repairs=digests,
        corpora=tuple(_corpus_row(planned, corpus) for planned, corpus in loaded),
        judged=tuple(judged),
        differences=tuple(difference_rows(judged)),
        classes=tuple(classes),
        bars=tuple(bar_rows(plan.bars, judged)),
        predictions=tuple(prediction_rows(plan.predictions, judged)),
        seen=plan.seen,
    )


def open_corpus(planned: PlannedCorpus) -> Corpus:
    """Return the pairs of a planned corpus.

    Raises:
        InputError: it is not there, or the variable of its folder is not set.
        IntegrityError: the plan pins another content.
    """
    kind, _, rest = planned.source.partition(":")
    readers = {"scone": scone, "negation-nli": negation_nli}
    if kind in readers:
        found = readers[kind](_folder(rest))
    else:
        found = load_corpus(None if planned.source == "shipped" else Path(planned.source))
    if planned.sha256 not in ("", found.digest):
        raise IntegrityError(
            f"the corpus {planned.name} is not the one that was planned: its SHA-256 is {found.digest}",
            hint="restore it, or register a new plan",
        )
    return found.half(planned.half) if planned.half else found


def judged_rows(repair: str, planned: PlannedCorpus, pairs: Pairs, said: Scored) -> Iterator[JudgedRow]:
    """Yield the figures of a repair on a corpus, over both poles of overlap and at each."""
    order, approved = _order(pairs, said), _approved(pairs, said)
    every = np.ones(len(pairs), dtype=np.bool_)
    for pole, at in (("", every), ("close", pairs.close), ("distant", ~pairs.close)):
        if not at.any():
            continue
        told = at & ~said.abstained
        found = separation(
            order[at],
            pairs.same[at],
            pairs.stratum[at],
            pairs.codes[at],
            resamples=_DETAIL if pole else RESAMPLES,
        )
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
            balanced_accuracy=recorded(balanced_accuracy(approved[told], pairs.same[told])),
            decided_share=float(told.sum() / at.sum()),
        )


def class_rows(repair: str, planned: PlannedCorpus, pairs: Pairs, said: Scored) -> Iterator[ClassRow]:
    """Yield what a repair catches by mutation class and pole of overlap."""
    order, approved = _order(pairs, said), _approved(pairs, said)
    told = ~said.abstained
    for mutation in pairs.values("mutation"):
        of = pairs.of(mutation=mutation)
        for pole, at in (("", of), ("close", of & pairs.close), ("distant", of & ~pairs.close)):
            if not at.any():
                continue
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


def _order(pairs: Pairs, said: Scored) -> FloatArray:
    """Return the scores, a failure at the wrong end whatever is right."""
    return np.where(said.failed, np.where(pairs.same, 0.0, 1.0), said.scores)


def _approved(pairs: Pairs, said: Scored) -> BoolArray:
    return np.where(said.failed, ~pairs.same, said.scores > UNDECIDED)


def _require_role(record: FittedRepair, planned: PlannedCorpus, corpus: Corpus) -> None:
    """Check that what is called held out is not what the repair was fitted on: the same file, and a half of it.

    A copy of the pairs in another file has another digest and is not found.
    """
    fitted = record.fitted_on
    # Pairs without a half have "" or none; both mean the whole of the file.
    halves = set(fitted.halves) & set(corpus.pairs.values("half"))
    whole = not fitted.halves or not corpus.pairs.values("half")
    same = corpus.digest == fitted.corpus_sha256 and (whole or bool(halves))
    if same and planned.role != "in-sample":
        raise IntegrityError(
            f"the repair {record.name} was fitted on pairs of the corpus {planned.name}, "
            f"which the plan calls {planned.role}",
            hint="judge it on another half or corpus, in a new plan",
        )


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
    )


def _folder(text: str) -> Path:
    if not text.startswith(_DATA):
        return Path(text)
    root = os.environ.get(_DATA[1:])
    if not root:
        raise InputError(
            f"the environment variable {_DATA[1:]} is not set", hint="set it to the folder of the data"
        )
    return Path(root) / text.removeprefix(_DATA).lstrip("/")
