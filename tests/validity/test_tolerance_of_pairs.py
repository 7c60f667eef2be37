"""A similarity gate of which something is wrong or absent is not promoted; a judge that lets it pass is noticed."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from validity.world import Design

from denotary.verdicts import decision, gates
from denotary.verdicts.bounds import Failures, failures
from validity import tolerance, tolerance_of_pairs

INCOMPLETE = "a row is incomplete, or its evidence is insufficient"


def _broken(design: Design) -> set[str]:
    return {result.facts["tried"] for result in tolerance_of_pairs.run(design) if not result.holds}


@pytest.mark.parametrize("design", tolerance.DESIGNS)
def test_no_gate_with_something_wrong_is_promoted(design: Design) -> None:
    found = {result.facts["tried"]: result.facts for result in tolerance_of_pairs.run(design)}
    assert all(facts["promoted"].times == 0 for facts in found.values())
    # A decision axis in two tasks, wrong approvals in all, two tasks and two classes, wrong rejections in two tasks,
    # unanswered calls and repeats: eleven rows. Two facts are read by gates.
    tried = {sort: facts["promoted"].repeats for sort, facts in found.items()}
    assert tried == {
        "one failure": 1 if design == "single" else 4,
        "a fact is false": 2,
        "a fact is unknown or absent": 4,
        "a row is absent or empty": 22,
        INCOMPLETE: 55,
        "slices were not declared": 2,
        "the corpus or its review does not support it": 8,
    }


def test_one_failure_and_a_false_fact_block() -> None:
    for result in tolerance_of_pairs.run("siblings"):
        if result.facts["tried"] in {"one failure", "a fact is false"}:
            assert result.facts["blocked"].times == result.facts["blocked"].repeats


def _passes(judged: Any, *_: Any) -> Any:
    return judged.result("PASS", "")


def _without_counting(real: Callable[..., Any]) -> Callable[..., Any]:
    """Return what passes where there is no population, and else does as before."""
    return lambda judged: _passes(judged) if real(judged) else None


def test_a_judge_that_takes_the_unknown_for_true_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates._Slice, "_unproven", _passes)
    assert _broken("single") == {"a fact is unknown or absent"}


def test_a_judge_that_passes_by_absence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = gates._Slice._without_population
    monkeypatch.setattr(gates._Slice, "_without_population", _without_counting(real))
    assert _broken("single") == {"a row is absent or empty", INCOMPLETE}


def test_a_judge_that_reads_no_state_of_a_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def sufficient(judged: Any) -> Any:
        row = judged.evidence.rows.get((judged.gate.measure, judged.name))
        return row and msgspec.structs.replace(row, status="SUFFICIENT")

    monkeypatch.setattr(gates._Slice, "row", property(sufficient))
    assert _broken("siblings") == {INCOMPLETE}


def test_a_judge_that_needs_fewer_units_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "upper_bound", lambda *_: (0.0, "none"))
    assert _broken("siblings") == {INCOMPLETE}


def test_a_judge_that_compares_no_totals_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def unchecked(judged: Any) -> Failures:
        return failures(judged.row, judged.gate.side) if judged.row else Failures((), ratio=False)

    monkeypatch.setattr(gates._Slice, "units", property(unchecked))
    # Where half of the units would suffice, the totals alone tell that the other half is gone.
    monkeypatch.setattr(tolerance_of_pairs, "_units", lambda *_: (1000, 4))
    assert _broken("siblings") == {INCOMPLETE}


def test_a_judge_that_sets_undeclared_slices_aside_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates._Slice, "without_slices", lambda judged: judged.result("NOT_APPLICABLE", ""))
    assert _broken("single") == {"slices were not declared"}


def test_a_judge_that_asks_for_no_role_and_no_review_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision, "qualify", lambda *_: "")
    assert _broken("single") == {"the corpus or its review does not support it"}
