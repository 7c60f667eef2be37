"""Which pairs a corpus holds, whatever file they came from: none that a repair was fitted on is held out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.canonical import digest
from denotary.errors import IntegrityError

if TYPE_CHECKING:
    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.instruments.similarity.repairs.records import FittedOn, FittedRepair, PlannedCorpus

_DIGITS = 16
"""Of a kept hash: among 10,000 pairs two alike by chance are one in 10**11."""


def pair_hashes(pairs: Pairs) -> list[str]:
    """Return a hash of every pair: of its two texts in either order, without case, spacing and punctuation."""
    return [digest(list(alike))[:_DIGITS] for alike in pairs.wordings]


def require_role(record: FittedRepair, planned: PlannedCorpus, corpus: Corpus) -> None:
    """Check that what is called held out holds no pair of the fit, and what is called in-sample holds just those.

    Of a repair whose fitted pairs are not known only file and half are compared.

    Raises:
        IntegrityError: it is otherwise.
    """
    if not record.fitted_on.pair_hashes:
        _require_other_file(record, planned, corpus)
        return
    found, fitted = pair_hashes(corpus.pairs), set(record.fitted_on.pair_hashes)
    shared = sum(pair in fitted for pair in found)
    if planned.role != "in-sample" and shared:
        raise _fitted(record, planned, f"{shared:,} of the {len(found):,} pairs")
    absent = len(fitted - set(found))
    if planned.role == "in-sample" and (absent or shared < len(found)):
        raise IntegrityError(
            f"the plan calls the corpus {planned.name} in-sample, but the repair {record.name} was not fitted on "
            f"{len(found) - shared:,} of its {len(found):,} pairs, and on {absent:,} that it does not hold",
            hint="name the corpus and half of the fit, in a new plan",
        )


def _require_other_file(record: FittedRepair, planned: PlannedCorpus, corpus: Corpus) -> None:
    if planned.role != "in-sample" and _same_file(record.fitted_on, corpus):
        raise _fitted(record, planned, "pairs")


def _same_file(fitted: FittedOn, corpus: Corpus) -> bool:
    """Whether a corpus is of the file, and of a half, that was fitted on."""
    # Pairs without a half have "" or none; both mean the whole of the file.
    halves = corpus.pairs.values("half")
    whole = not fitted.halves or not halves
    return corpus.digest == fitted.corpus_sha256 and (whole or bool({*fitted.halves} & {*halves}))


def _fitted(record: FittedRepair, planned: PlannedCorpus, what: str) -> IntegrityError:
    return IntegrityError(
        f"the repair {record.name} was fitted on {what} of the corpus {planned.name}, "
        f"which the plan calls {planned.role}",
        hint="judge it on another half or corpus, in a new plan",
    )
