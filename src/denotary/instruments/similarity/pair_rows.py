"""One line a pair: what a configuration gave it. Texts are never written, so that a sealed pair stays sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.similarity.results import PairRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.instruments.similarity.auditing import Scored
    from denotary.instruments.similarity.pairs import Pairs


def pair_rows(pairs: Pairs, scored: Scored, configuration: str) -> Iterator[PairRow]:
    """Yield the pairs with their scores, in the order of the corpus."""
    for at, score in enumerate(scored.scores):
        decision = "same" if pairs.same[at] else "opposite"
        pole = "close" if pairs.close[at] else "distant"
        yield PairRow(
            configuration=configuration,
            number=at + 1,
            anchor=str(pairs.anchor[at]),
            task=str(pairs.task[at]),
            cell=f"{decision}_{pole}",
            overlap=float(pairs.overlap[at]),
            score=float(score),
            half=str(pairs.half[at]),
            mutation=str(pairs.mutation[at]),
            truncated=bool(scored.cut[at]) if scored.cut is not None else False,
        )
