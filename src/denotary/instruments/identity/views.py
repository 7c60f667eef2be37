"""Cases as a report shows them: public and regression cases only, failures first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from denotary.instruments.identity.answers import outcome
from denotary.instruments.identity.families import MECHANISMS, mechanisms_of
from denotary.instruments.identity.instrument import identity_cases
from denotary.reports.model import CaseView, Mechanism
from denotary.words import FAILURES_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.instruments.identity.cases import IdentityCase
    from denotary.runs.records import Answer
    from denotary.suites.suite import Suite

SHOWN = ("public", "regression")
"""Visibilities that a report may show; a sealed case is never made into a view."""

_RANK = {name: place for place, name in enumerate(FAILURES_FIRST)}


def views(suite: Suite, answers: Iterable[Answer], most: int) -> tuple[CaseView, ...]:
    """Return the cases that a report may show, failures and confident errors first.

    Args:
        suite: the cases.
        answers: of a run; the first call of each case counts.
        most: how many cases to return at most.
    """
    given = {answer.case_id: answer for answer in answers if answer.repeat == 0}
    ranked = sorted(
        (_ranked(case, unit, given.get(case.record_id)))
        for case, unit in zip(identity_cases(suite), suite.units, strict=True)
        if case.security.visibility in SHOWN
    )
    found = {case.record_id: case for case in identity_cases(suite)}
    return tuple(
        _view(found[record], unit, given.get(record), result) for _, _, record, unit, result in ranked[:most]
    )


def mechanisms(suite: Suite) -> tuple[Mechanism, ...]:
    """Return every failure mechanism with the number of cases that exercise it, or the reason why none does."""
    exercised = Counter(name for case in identity_cases(suite) for name in mechanisms_of(case))
    reasons = suite.manifest.mechanisms_not_exercised
    return tuple(
        Mechanism(code=code, title=title, cases=exercised[code], reason=reasons.get(code, ""))
        for code, title in MECHANISMS.items()
    )


def _ranked(case: IdentityCase, unit: str, answer: Answer | None) -> tuple[int, float, str, str, str]:
    body = answer.body if answer else None
    result = outcome(case.gold, answer.status, body) if answer else "not_run"
    confidence = body["confidence"] if body and body["confidence"] is not None else -1.0
    return _RANK[result], -confidence, case.record_id, unit, result


def _view(case: IdentityCase, unit: str, answer: Answer | None, result: str) -> CaseView:
    construction = case.construction
    body = (answer.body if answer else None) or {}
    contrast = construction.contrast
    return CaseView(
        record_id=case.record_id,
        unit=unit,
        text=_text(case),
        language=case.language_slice,
        family=construction.primary_family,
        expected=case.gold.disposition,
        outcome=result,
        codes=case.gold.acceptable_concept_codes,
        answer=_answer(body),
        answer_kind=_kind(answer, body),
        confidence=body.get("confidence"),
        candidates=tuple((code, score) for code, score in body.get("candidates") or ()),
        neighbours=tuple((note.code, note.type, note.reason) for note in construction.neighbours),
        tags=construction.tags,
        mechanisms=mechanisms_of(case),
        parent=case.parent_record_id or "",
        relation=construction.meaning_relation_to_parent or "",
        lineage=tuple((step.operator, step.detail) for step in case.lineage),
        contrast=f"{contrast.set}: {contrast.role}" if contrast else "",
        review=case.annotation.review,
    )


def _text(case: IdentityCase) -> str:
    """Return what was asked; bytes that are no text are shown as their base64."""
    return case.input.text if case.input.text is not None else f"base64:{case.input.text_b64 or ''}"


def _answer(body: dict[str, Any]) -> str:
    return str(body.get("code") or body.get("reason") or body.get("type") or "")


def _kind(answer: Answer | None, body: dict[str, Any]) -> str:
    if not body:
        return (answer.problem if answer else None) or "not_run"
    return "concept" if body["type"] == "concept" else str(body["kind"] or body["type"])
