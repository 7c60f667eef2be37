"""Pairs as a report shows them, and operating points for its tables: public and regression pairs only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.similarity.answers import outcome
from denotary.instruments.similarity.facts import pairs_of
from denotary.instruments.similarity.gates import SHIPPED
from denotary.instruments.similarity.instrument import similarity_cases
from denotary.instruments.similarity.operating import operating_points
from denotary.measures.records import Series
from denotary.reports.model import CaseView
from denotary.words import FAILURES_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.instruments.similarity.cases import SimilarityCase
    from denotary.measures.table import Table
    from denotary.runs.records import Answer
    from denotary.suites.suite import Suite

SHOWN: Final = ("public", "regression")
"""Visibilities that a report may show; a sealed pair is never made into a view."""
ROUNDING: Final = 1e-6
"""How far beyond 1 rounding may put a cosine of float32."""
_RANK: Final = {name: place for place, name in enumerate(FAILURES_FIRST)}
_POINTS: Final = (
    "approves",
    "task",
    "overlap",
    "wrong approvals",
    "of",
    "upper bound",
    "wrong rejections",
    "of same",
    "upper bound of it",
)


def views(suite: Suite, answers: Iterable[Answer], most: int) -> tuple[CaseView, ...]:
    """Return the pairs that a report may show, failures first.

    Args:
        suite: the pairs.
        answers: of a run; the first call of each pair counts.
        most: how many pairs to return at most.
    """
    given = {answer.case_id: answer for answer in answers if answer.repeat == 0}
    found = [
        _view(case, unit, given.get(case.record_id))
        for case, unit in zip(similarity_cases(suite), suite.units, strict=True)
        if case.security.visibility in SHOWN
    ]
    return tuple(sorted(found, key=lambda view: (_RANK[view.outcome], view.record_id))[:most])


def series(suite: Suite, table: Table) -> tuple[Series, ...]:
    """Return what the shipped operating points would do with these scores.

    Nothing where a pair has none, or where they are no cosines: nobody says of a black box what its score is, but one
    beyond [-1, 1] is none, and one that is never above 0 is the negative of a distance.
    """
    used = table.flag("judged")
    scores = table.plain["score"][used]
    if not used.any() or not table.flag("scored")[used].all():
        return ()
    if np.abs(scores).max() > 1.0 + ROUNDING or scores.max() <= 0.0:
        return ()
    rows = tuple(
        (
            row.rule,
            row.task,
            row.pole or "both",
            row.wrong_approvals,
            row.opposites,
            row.approval_bound,
            row.wrong_rejections,
            row.sames,
            row.rejection_bound,
        )
        for row in operating_points(pairs_of(suite).where(used), scores, SHIPPED)
    )
    return (Series(instrument="similarity", series="other_cutoffs", slice="all", columns=_POINTS, rows=rows),)


def _view(case: SimilarityCase, unit: str, answer: Answer | None) -> CaseView:
    body: dict[str, Any] = (answer.body if answer else None) or {}
    status = answer.status if answer else "not_run"
    return CaseView(
        record_id=case.record_id,
        unit=unit,
        text=f"{case.input.text1}\n{case.input.text2}",
        language=case.language_slice,
        family=case.input.task,
        expected=case.gold.decision,
        outcome=outcome(case.gold.decision, status, answer.body if answer else None),
        answer=_answer(body),
        answer_kind="" if body else (answer.problem if answer else None) or "not_run",
        tags=tuple(filter(None, (case.design.pole, case.design.mutation, case.design.register))),
        contrast=f"half {case.design.half}" if case.design.half else "",
        review=case.annotation.review,
    )


def _answer(body: dict[str, Any]) -> str:
    if not body:
        return ""
    said = {True: "act", False: "do not act", None: "no decision"}[body["act"]]
    return said if body["score"] is None else f"{said}, score {body['score']:.6g}"
