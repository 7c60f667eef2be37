"""Cases as a report shows them."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from denotary.instruments.identity.families import MECHANISMS
from denotary.instruments.identity.measures import PANELS as DECLARED
from denotary.instruments.identity.panels import PANELS
from denotary.instruments.identity.views import mechanisms, views
from denotary.runs.records import Answer
from denotary.suites import load_suite
from denotary.suites.records import Security
from denotary.suites.suite import Suite


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("bundled:starter")


def body(code: str | None, **more: Any) -> dict[str, Any]:
    decided = {"type": "concept" if code else "abstain", "code": code, "kind": None, "reason": None}
    return decided | {"confidence": None, "candidates": None} | more


def answer(case: str, code: str | None = None, *, repeat: int = 0, **more: Any) -> Answer:
    return Answer(
        call_id=f"{case}#{repeat}", case_id=case, repeat=repeat, status="answered", body=body(code, **more)
    )


def test_the_panels_are_those_that_measures_stand_in() -> None:
    assert tuple(panel.id for panel in PANELS) == DECLARED
    assert all(panel.title and "?" in panel.question for panel in PANELS)


def test_failures_come_first_and_confident_ones_before_all(suite: Suite) -> None:
    single = [case for case in suite.cases if case.gold.disposition == "SINGLE"][:3]  # type: ignore[attr-defined]
    right = single[0].gold.acceptable_concept_codes[0]  # type: ignore[attr-defined]
    given = [
        answer(single[0].record_id, right),
        answer(single[1].record_id, "no.such.code", confidence=0.2),
        answer(single[2].record_id, "no.such.code", confidence=0.9),
        answer(single[0].record_id, "another.code", repeat=1),
    ]
    shown = views(suite, given, len(suite.cases))
    assert [view.record_id for view in shown[:2]] == [single[2].record_id, single[1].record_id]
    assert (shown[-1].record_id, shown[-1].outcome, shown[-1].answer) == (single[0].record_id, "right", right)
    assert {view.outcome for view in shown[2:-1]} == {"not_run"}
    assert views(suite, given, 2) == shown[:2]


def test_a_sealed_case_is_never_shown(suite: Suite) -> None:
    sealed = tuple(
        msgspec.structs.replace(case, security=Security(visibility="sealed" if place % 2 else "regression"))
        for place, case in enumerate(suite.cases)
    )
    shown = views(replace(suite, cases=sealed), [], len(sealed))
    assert {view.record_id for view in shown} == {case.record_id for case in sealed[::2]}


def test_a_view_says_what_was_answered_and_why_not(suite: Suite) -> None:
    case = suite.cases[0].record_id
    failed = Answer(call_id=f"{case}#0", case_id=case, repeat=0, status="timeout", problem="timeout")
    (shown,) = (view for view in views(suite, [failed], 999) if view.record_id == case)
    assert (shown.outcome, shown.answer, shown.answer_kind) == ("timeout", "", "timeout")
    refused = answer(case, kind="MIXED", reason="two things", candidates=[["a.b", 0.5]])
    (shown,) = (view for view in views(suite, [refused], 999) if view.record_id == case)
    assert (shown.answer, shown.answer_kind, shown.candidates) == ("two things", "MIXED", (("a.b", 0.5),))


def test_every_mechanism_is_counted_or_explained(suite: Suite) -> None:
    found = mechanisms(suite)
    assert [item.code for item in found] == list(MECHANISMS)
    assert all(item.cases or item.reason for item in found)
