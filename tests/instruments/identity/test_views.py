"""Cases as a report shows them, and the root causes that are named beside a failure."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from denotary.instruments.identity.families import MECHANISMS
from denotary.instruments.identity.measures import PANELS as DECLARED
from denotary.instruments.identity.panels import PANELS
from denotary.instruments.identity.root_causes import FORCED, root_causes
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


def find(suite: Suite, **wanted: Any) -> Any:
    """Return the first case with this disposition and family or tag."""
    for case in suite.cases:
        gold = case.gold.disposition  # type: ignore[attr-defined]
        name = wanted.get("name", case.construction.primary_family)
        if gold == wanted.get("gold", "SINGLE") and case.has(name):  # type: ignore[attr-defined]
            return case
    raise AssertionError(wanted)


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


@pytest.mark.parametrize(
    "gold", ["AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED", "INVALID_INPUT", "EXACT_MISS"]
)
def test_a_code_where_none_is_right_is_named_by_what_was_forced(suite: Suite, gold: str) -> None:
    case = find(suite, gold=gold)
    assert root_causes(case, body("semantic_registry.abstention"), "wrong", suite.registry)[0] == FORCED[gold]


def test_a_neighbour_is_named_by_its_relation(suite: Suite) -> None:
    registry = suite.registry
    for code, concept in registry.concepts.items():
        for neighbour in concept.neighbours:
            case = next(
                (item for item in suite.cases if item.gold.acceptable_concept_codes == (code,)),  # type: ignore[attr-defined]
                None,
            )
            if case is None or neighbour.type not in {"sibling", "evidence_vs_authority", "process_product"}:
                continue
            found = root_causes(case, body(neighbour.code), "wrong", registry)  # type: ignore[arg-type]
            assert ("E01" if neighbour.type == "sibling" else "E04") in found


def test_broader_and_narrower_follow_the_parents(suite: Suite) -> None:
    case = find(suite, name="held_out_paraphrase")
    code = case.gold.acceptable_concept_codes[0]
    other = next(name for name in suite.registry.concepts if name != code)
    concepts = dict(suite.registry.concepts)
    concepts[code] = msgspec.structs.replace(concepts[code], parents=(other,))
    registry = replace(suite.registry, concepts=concepts)
    assert root_causes(case, body(other), "wrong", registry)[0] == "E02"
    concepts[code] = msgspec.structs.replace(concepts[code], parents=())
    concepts[other] = msgspec.structs.replace(concepts[other], parents=(code,))
    assert root_causes(case, body(other), "wrong", registry)[0] == "E03"


def test_circumstance_and_overconfidence_are_added(suite: Suite) -> None:
    case = find(suite, name="malicious_input")
    found = root_causes(case, body("no.code", confidence=0.9), "wrong", suite.registry)
    assert {"E23", "E25"} <= set(found)
    assert "E25" not in root_causes(case, body("no.code", confidence=0.89), "wrong", suite.registry)
    assert len(found) == len(set(found))


def test_what_did_not_fail_has_no_cause(suite: Suite) -> None:
    case = find(suite)
    for outcome in ("right", "refused_rightly", "timeout", "error", "not_run", "invalid_output"):
        assert root_causes(case, body("x"), outcome, suite.registry) == ()
    assert root_causes(case, None, "wrong", suite.registry) == ()
