"""Cases of a comparison for the browser, what became worse first; never those of a sealed suite."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.certify.comparing import SEALED
from denotary.measures.table import OUTCOME
from denotary.reports.browser import CHANGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.certify.comparing import Compared
    from denotary.reports.model import CaseView
    from denotary.runs import Run

CASES: Final = 5_000
"""Most cases that are made into views; the page may hold fewer."""

_RIGHT: Final = frozenset({"right", "refused_rightly"})
_REFUSED: Final = "refused_otherwise"


def change(before: str, now: str, *, alike: bool) -> str:
    """Return what became of a case: one of ``CHANGES``.

    Worse is to go from right to anything else, and from a refusal to harm: a refusal of another kind costs coverage, a
    wrong code or no answer does harm.

    Args:
        before: outcome class with the base.
        now: outcome class with the release.
        alike: whether both answered the same.
    """
    ranks = [0 if name in _RIGHT else 1 if name == _REFUSED else 2 for name in (before, now)]
    if ranks[1] > ranks[0]:
        return CHANGES[0]
    if ranks[1] < ranks[0]:
        return CHANGES[2]
    return CHANGES[3] if alike and before == now else CHANGES[1]


def views(compared: Compared) -> tuple[CaseView, ...] | None:
    """Return cases with both decisions, what became worse first; None where either suite is sealed."""
    runs = (compared.base, compared.new)
    if any(run.suite.manifest.role == SEALED for run in runs):
        return None
    at = _worst_first(compared)
    before = {view.record_id: view for view in _views(compared.base, compared.alignment.at_base[at].tolist())}
    now = _views(compared.new, compared.alignment.at_new[at].tolist())
    return tuple(_joined(before[view.record_id], view) for view in now if view.record_id in before)


def _worst_first(compared: Compared) -> list[int]:
    """Return the pairs to show: all of them, or those that moved most."""
    before, now = (table.coded[OUTCOME] for table in (compared.pairs.base, compared.pairs.new))
    rank = [
        CHANGES.index(change(before.labels[old], now.labels[new], alike=False))
        for old, new in zip(before.codes.tolist(), now.codes.tolist(), strict=True)
    ]
    return sorted(np.argsort(rank, kind="stable")[:CASES].tolist())


def _views(run: Run, at: Sequence[int]) -> Sequence[CaseView]:
    """Return the views of some cases of a run; the suite is cut to them, so that no other is looked at."""
    suite = run.suite
    part = replace(
        suite,
        cases=tuple(suite.cases[i] for i in at),
        units=tuple(suite.units[i] for i in at),
        lines=tuple(suite.lines[i] for i in at),
    )
    answers = [answer for answer in run.answers if answer.case_id in part.by_id]
    found: Sequence[CaseView] = suite.instrument.views(part, answers, len(part.cases))
    return found


def _joined(before: CaseView, now: CaseView) -> CaseView:
    same = (before.answer, before.answer_kind) == (now.answer, now.answer_kind)
    return replace(
        now,
        change=change(before.outcome, now.outcome, alike=same),
        before=before.outcome,
        before_answer=before.answer or before.answer_kind,
        before_confidence=before.confidence,
    )
