"""The audit of one configuration: everything that a page about it says, from one scoring of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity import axes, deployed, guards, manipulation, operating, verdict
from denotary.instruments.similarity.cutoff_choice import LIMIT, chosen_cutoffs
from denotary.instruments.similarity.gates import DRIFT_GUARD, SHIPPED
from denotary.instruments.similarity.results import Audit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.configurations import Configuration, Progress
    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.gates import Gate
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.instruments.similarity.results import AxisRow, BaselineRow, TaskReading
    from denotary.statistics.checks import BoolArray, FloatArray


def audit(
    configuration: Configuration,
    corpus: Corpus,
    own: Sequence[Gate] = (),
    progress: Progress = lambda _: None,
    *,
    limit: float = LIMIT,
) -> Audit:
    """Return the audit of one configuration; arguments and errors as those of :class:`Auditing`."""
    return Auditing(corpus, own, limit=limit).audit(configuration, progress)


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of all pairs of a corpus, shape (N,).

    Attributes:
        cut: which pairs hold a text longer than the encoder's window; None where it names none.
    """

    scores: FloatArray
    cut: BoolArray | None


class Auditing:
    """Audits of configurations on one corpus: what does not depend on the configuration is computed once.

    Args:
        corpus: pairs; their manipulation check is made before anything is scored.
        own: the gates as they are deployed. Of a score on the scale of a cosine, the shipped operating points and the
            drift guard follow, if they are none of them.
        limit: upper bound of the wrong-approval rate that a cutoff is chosen for.

    Raises:
        InputError: the manipulation check fails.
    """

    def __init__(self, corpus: Corpus, own: Sequence[Gate] = (), *, limit: float = LIMIT) -> None:
        manipulation.require(corpus.pairs)
        self._corpus = corpus
        self._own = own
        self._limit = limit
        self._beside: dict[bytes, tuple[BaselineRow, ...]] = {}
        """Rows of the lexical baselines, by which pairs are left out."""

    def audit(self, configuration: Configuration, progress: Progress = lambda _: None) -> Audit:
        """Return the audit of a configuration; arguments and errors as those of :meth:`score`."""
        return self.judge(configuration, self.score(configuration, progress))

    def score(self, configuration: Configuration, progress: Progress = lambda _: None) -> Scored:
        """Return the scores of all pairs.

        Args:
            configuration: what gives a pair its score.
            progress: is told how many texts were encoded, as it goes on: of all, as many as the corpus has distinct
                ones.

        Raises:
            InputError: a score is not finite.
        """
        pairs = self._corpus.pairs
        cut = _cut(configuration, pairs)
        if configuration.prepare is not None:
            configuration.prepare(pairs.texts, progress)
        return Scored(configuration.scores(list(pairs.first), list(pairs.second)), cut)

    def judge(self, configuration: Configuration, scored: Scored) -> Audit:
        """Return the audit of a configuration by the scores that it gave."""
        corpus, scores, cut = self._corpus, scored.scores, scored.cut
        whole = np.zeros(len(scores), dtype=np.bool_) if cut is None else cut
        pairs, kept = corpus.pairs.where(~whole), scores[~whole]
        decision = list(axes.decision_axis(pairs, kept))
        lexical = list(axes.lexical_axis(pairs, kept))
        beside = self._baselines(pairs, whole)
        readings = _readings(decision, lexical, beside)
        unmatched = self._faults(pairs, whole)
        said = verdict.overall(readings, unmatched)
        cosine = configuration.scale == "cosine"
        return Audit(
            schema="denotary.similarity-audit/2",
            configuration=configuration.name,
            checkpoint=configuration.checkpoint,
            settings=configuration.settings,
            lexical=configuration.lexical,
            corpus=corpus.name,
            corpus_sha256=corpus.digest,
            split=corpus.split,
            pairs=len(pairs),
            anchors=len(set(pairs.anchor)),
            truncated=None if cut is None else int(cut.sum()),
            readings=tuple(readings),
            verdict=said,
            sentence=verdict.sentence(said, readings, unmatched),
            axes=(*decision, *axes.content_axis(pairs, kept), *lexical, *axes.naive_comparison(pairs, kept)),
            beside=beside,
            operating=tuple(operating.operating_points(pairs, kept, self._with(SHIPPED if cosine else ()))),
            cutoffs=tuple(operating.cutoffs(pairs, kept)),
            guard=tuple(guards.guard_view(pairs, kept, self._with([DRIFT_GUARD] if cosine else ()))),
            ranges=tuple(deployed.ranges(pairs, kept)),
            beyond=tuple(deployed.beyond(pairs, kept, configuration)),
            displacement=tuple(deployed.displacements(pairs, kept)) if cosine else (),
            scale=configuration.scale,
            chosen_cutoffs=tuple(chosen_cutoffs(pairs, kept, self._limit)),
            histograms=tuple(deployed.histograms(pairs, kept)),
            unmatched=unmatched,
            truncated_axes=tuple(axes.decision_axis(corpus.pairs.where(whole), scores[whole]))
            if whole.any()
            else (),
        )

    def _faults(self, pairs: Pairs, left_out: BoolArray) -> tuple[str, ...]:
        """Return what the manipulation check finds in the pairs that are left; the whole corpus has passed it."""
        if not left_out.any():
            return ()
        gone = set(self._corpus.pairs.values("task")) - set(pairs.values("task"))
        found = manipulation.all_faults(pairs, manipulation.checks(pairs))
        return (*found, *(f"{task}: no pair is left" for task in sorted(gone) if len(pairs)))

    def _with(self, shipped: Sequence[Gate]) -> list[Gate]:
        """Return one's own gates, then the shipped ones whose rule none of them has: their rows would be alike."""
        rules = {(gate.quantity, gate.comparison, gate.cutoff) for gate in self._own}
        others = [one for one in shipped if (one.quantity, one.comparison, one.cutoff) not in rules]
        return [*self._own, *others]

    def _baselines(self, pairs: Pairs, left_out: BoolArray) -> tuple[BaselineRow, ...]:
        """Return the rows of the lexical baselines on the pairs that are not left out."""
        key = left_out.tobytes()
        if key not in self._beside:
            self._beside[key] = tuple(axes.beside(pairs))
        return self._beside[key]


def _readings(
    decision: Sequence[AxisRow], lexical: Sequence[AxisRow], beside: Sequence[BaselineRow]
) -> list[TaskReading]:
    """Return what each task says, from its headlines on both axes and its baselines."""
    return [
        verdict.task_reading(row, control, beside)
        for row in decision
        for control in lexical
        if control.axis == "lexical"
        and control.task == row.task
        and not (row.half or row.pole or row.mutation)
    ]


def _cut(configuration: Configuration, pairs: Pairs) -> BoolArray | None:
    """Return which pairs hold a text longer than the encoder's window."""
    if configuration.cut is None:
        return None
    texts = pairs.texts
    long = dict(zip(texts, configuration.cut(texts), strict=True))
    return np.array(
        [long[a] or long[b] for a, b in zip(pairs.first, pairs.second, strict=True)], dtype=np.bool_
    )
