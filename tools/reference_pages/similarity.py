"""What is particular to the similarity instrument: what a system is asked, and its declared measures."""

from __future__ import annotations

from denotary.instruments.similarity.axes import CLAIMED
from denotary.instruments.similarity.instrument import INSTRUMENT
from denotary.instruments.similarity.manipulation import SEPARATION, TOLERANCE
from denotary.instruments.similarity.measures import MEASURES
from denotary.instruments.similarity.regression import REGRESSIONS
from reference_pages.measures import events_over_pairs, listed_measures

INTRO = """# Similarity gates as an instrument

A case is a pair of texts with its decision: `same`, so that a gate may act, or `opposite`, so that it may not. Pairs of
one anchor are one independent unit. The system gets both texts and the task and returns a score, a decision at its own
cutoff, or both; see the [contract](contract.md#pairs-of-texts). To act is an assertion and not to act a refusal, so
the classes of outcomes are those of every instrument, and `undecided`: a score without a decision.

A suite is made of a corpus by `denotary similarity suite` and frozen only if its manipulation check holds: overlap of
same less opposite pairs lies within ±{tolerance} with its whole interval, per task, half and pole, and the poles lie
{separation} apart. A mutation class with fewer than {claimed} anchors in the halves that are judged is INSUFFICIENT.

The owner declares in the identity block what the system was fitted on: `fitted_on = ["A"]`, or `["none"]`. Pairs of
such a half are no evidence; they stand in the panel *In sample* alone. Undeclared is INSUFFICIENT.

The decision axis is described by the AUROC with an interval over anchors, and gated by comparisons between anchors
taken two and two before anything was asked: pairs of anchors are independent, and the mean share of comparisons that
one wins is the AUROC, a tie counting as lost, so that the bounds of rates hold for it. Columns that the conditions name
are described in `denotary.instruments.similarity.table`.

"""


def page() -> str:
    """Return the page."""
    intro = INTRO.format(tolerance=TOLERANCE, separation=f"{SEPARATION:.2f}", claimed=CLAIMED)
    return intro + listed_measures(INSTRUMENT, MEASURES) + events_over_pairs(REGRESSIONS)
