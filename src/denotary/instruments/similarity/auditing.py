"""The audit of one configuration: everything that a page about it says, from one scoring of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity import axes, deployed, guards, manipulation, operating, verdict
from denotary.instruments.similarity.gates import DRIFT_GUARD, SHIPPED
from denotary.instruments.similarity.results import Audit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.instruments.similarity.configurations import Configuration, Progress
    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.gates import Gate
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.instruments.similarity.results import AxisRow, BaselineRow, TaskReading
    from denotary.statistics.checks import BoolArray


def audit(
    configuration: Configuration,
    corpus: Corpus,
    own: Sequence[Gate] = (),
    progress: Progress = lambda _: None,
) -> Audit:
    """Return the audit of one configuration; arguments and errors as those of :class:`Auditing`."""
    return Auditing(corpus, own).audit(configuration, progress)


class Auditing:
    """Audits of configurations on one corpus: what does not depend on the configuration is computed once.

    Args:
        corpus: pairs; their manipulation check is made before anything is scored.
        own: the gates as they are deployed. Of a score on the scale of a cosine, the shipped operating points and the
            drift guard follow, if they are none of them.

    Raises:
        InputError: the manipulation check fails.
    """

    def __init__(self, corpus: Corpus, own: Sequence[Gate] = ()) -> None:
        manipulation.require(corpus.pairs)
        self._corpus = corpus
        self._own = own
        self._beside: dict[bytes, tuple[BaselineRow, ...]] = {}
        """Rows of the lexical baselines, by which pairs are left out."""

    def audit(self, configuration: Configuration, progress: Progress = lambda _: None) -> Audit:
        """Return the audit of a configuration.

        Args:
            configuration: what gives a pair its score.
            progress: is told how many texts were encoded, as it goes on: of all, as many as the corpus has distinct
                ones.

        Raises:
            InputError: a score is not finite.
        """
        corpus = self._corpus
        cut = _cut(configuration, corpus.pairs)
        if configuration.prepare is not None:
            configuration.prepare(corpus.pairs.texts, progress)
        scores = configuration.scores(list(corpus.pairs.first), list(corpus.pairs.second))
        whole = np.zeros(len(scores), dtype=np.bool_) if cut is None else cut
        pairs, kept = corpus.pairs.where(~whole), scores[~whole]
        decision = list(axes.decision_axis(pairs, kept))
        lexical = list(axes.lexical_axis(pairs, kept))
        readings = _readings(decision, lexical)
        said = verdict.overall(readings)
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
            sentence=verdict.sentence(said, readings),
            axes=(*decision, *lexical, *axes.naive_comparison(pairs, kept)),
            beside=self._baselines(pairs, whole),
            operating=tuple(operating.operating_points(pairs, kept, self._with(SHIPPED if cosine else ()))),
            cutoffs=tuple(operating.cutoffs(pairs, kept)),
            guard=tuple(guards.guard_view(pairs, kept, self._with([DRIFT_GUARD] if cosine else ()))),
            ranges=tuple(deployed.ranges(pairs, kept)),
            beyond=tuple(deployed.beyond(pairs, kept, configuration)),
            displacement=tuple(deployed.displacements(pairs, kept)) if cosine else (),
            scale=configuration.scale,
            truncated_axes=tuple(axes.decision_axis(corpus.pairs.where(whole), scores[whole]))
            if whole.any()
            else (),
        )

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


def _readings(decision: Sequence[AxisRow], lexical: Sequence[AxisRow]) -> list[TaskReading]:
    """Return what each task says, from its headlines on both axes."""
    return [
        verdict.task_reading(row, control)
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
