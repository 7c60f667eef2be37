"""A gate goes from suite to certificate: what promotes, what blocks, and what is no evidence."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.instruments.similarity.suites import Answering, reads_meaning, reads_wording, sealed_suite

from denotary import systems
from denotary.certify import Judged, certify, plan, verify
from denotary.errors import InputError
from denotary.instruments.similarity.corpus import Corpus
from denotary.measures.engine import evaluate
from denotary.measures.scoring import joined_table
from denotary.runs import ask
from denotary.runs.records import Identity
from denotary.statistics.clustered_auroc import separation
from denotary.suites import Suite, units
from denotary.suites.instrument import instrument, instruments

NONE = Identity(fitted_on=("none",))


@pytest.fixture
def suite(corpus_of: Callable[[int], Corpus], tmp_path: Path) -> Suite:
    """64 anchors a task, two halves, two mutation classes: 32 anchors a class and half."""
    return sealed_suite(corpus_of(32), tmp_path / "suite")


def judged(suite: Suite, system: Answering, out: Path, identity: Identity = NONE) -> Judged:
    return certify(systems.python(system), suite, "similarity-gate", out, identity=identity)


def gate(found: Judged, name: str, where: str = "all") -> Any:
    return next(item for item in found.verdict.gates if (item.gate, item.slice) == (name, where))


def value(found: Judged, measure: str, where: str = "all") -> Any:
    return next(r for r in found.measurement.rows if (r.measure, r.slice) == (measure, where))


def test_it_is_found_by_its_entry_point() -> None:
    assert "similarity" in instruments()
    assert instrument("similarity").unit_kind == "anchor"


def test_a_gate_that_reads_meaning_is_promoted_and_its_certificate_rebuilt(
    suite: Suite, tmp_path: Path
) -> None:
    found = judged(suite, reads_meaning, tmp_path / "out")
    assert found.decision == "PROMOTE", found.verdict.reason
    assert verify(tmp_path / "out", suite=suite) == []
    axis = gate(found, "decision_axis", "task=constraint")
    assert (axis.units, axis.unit_kind, axis.numerator) == (32, "anchor pair", 128)


def test_a_gate_that_reads_wording_is_blocked_on_both_counts(suite: Suite, tmp_path: Path) -> None:
    found = judged(suite, reads_wording, tmp_path / "out")
    assert found.decision == "BLOCK"
    assert gate(found, "decision_axis", "task=constraint").verdict == "FAIL"
    assert gate(found, "wrong_approval_by_class", "mutation=negation").value == 0.5
    assert value(found, "lexical_auroc").value == 1.0
    assert value(found, "naive_auroc", "task=constraint").value == 0.0
    assert value(found, "decision_auroc_token_jaccard", "task=constraint").value == pytest.approx(0.5)


def test_a_gate_that_rejects_everything_is_useless_whatever_its_score(suite: Suite, tmp_path: Path) -> None:
    def never(payload: dict[str, Any]) -> dict[str, Any]:
        return reads_meaning(payload) | {"decision": {"type": "do_not_act"}}

    found = judged(suite, never, tmp_path / "out")
    assert gate(found, "decision_axis", "task=constraint").verdict == "PASS"
    assert gate(found, "wrong_approval").verdict == "PASS"
    assert gate(found, "wrong_rejection", "task=constraint").verdict == "FAIL"
    assert found.decision == "BLOCK"


def test_a_gate_that_rejects_half_of_the_same_pairs_is_not_shown_to_be_useful(
    suite: Suite, tmp_path: Path
) -> None:
    def close_alone(payload: dict[str, Any]) -> dict[str, Any]:
        act = reads_wording(payload)["score"] >= 0.5 and reads_meaning(payload)["score"] == 1.0
        return reads_meaning(payload) | {"decision": {"type": "act" if act else "do_not_act"}}

    found = judged(suite, close_alone, tmp_path / "out")
    rejected = gate(found, "wrong_rejection", "task=constraint")
    assert (rejected.value, rejected.verdict) == (0.5, "INSUFFICIENT")
    assert found.decision == "INSUFFICIENT"


def test_what_is_not_answered_is_approved_wrongly_and_lost(suite: Suite, tmp_path: Path) -> None:
    def silent(payload: dict[str, Any]) -> dict[str, Any]:
        if payload["text2"].endswith("drop"):
            raise TimeoutError
        return reads_meaning(payload)

    found = judged(suite, silent, tmp_path / "out")
    assert value(found, "wrong_approval").numerator == value(found, "wrong_approval").denominator
    assert value(found, "decision_wins").numerator == 0
    assert value(found, "wrong_approval").answered_denominator == 0
    assert found.decision == "BLOCK"


def test_the_half_that_was_fitted_on_counts_nothing(suite: Suite, tmp_path: Path) -> None:
    def bad_on_b(payload: dict[str, Any]) -> dict[str, Any]:
        number = int(payload["text1"].split()[0].partition("x")[0][1:])
        return reads_wording(payload) if number >= 1000 else reads_meaning(payload)

    on_a = judged(suite, bad_on_b, tmp_path / "a", Identity(fitted_on=("A",)))
    assert value(on_a, "wrong_approval").value == 0.5
    assert value(on_a, "wrong_approval_fitted").value == 0.0
    on_b = judged(suite, bad_on_b, tmp_path / "b", Identity(fitted_on=("B",)))
    assert value(on_b, "wrong_approval").value == 0.0
    assert on_b.decision == "PROMOTE"
    assert value(on_b, "wrong_approval", "half=A").units == 64
    both = judged(suite, reads_meaning, tmp_path / "c", Identity(fitted_on=("A", "B")))
    assert both.decision == "BLOCK"
    assert gate(both, "firewall").verdict == "FAIL"
    assert gate(both, "wrong_approval").verdict == "INSUFFICIENT"


def test_what_it_was_fitted_on_must_be_declared_and_exist(suite: Suite, tmp_path: Path) -> None:
    assert judged(suite, reads_meaning, tmp_path / "out", Identity()).decision == "INSUFFICIENT"
    for wrong in (("C",), ("none", "A")):
        with pytest.raises(InputError, match="fitted_on"):
            judged(suite, reads_meaning, tmp_path / "no", Identity(fitted_on=wrong))
    assert not (tmp_path / "no").exists()


def test_a_class_with_fewer_than_thirty_anchors_is_insufficient(
    corpus_of: Callable[[int], Corpus], tmp_path: Path
) -> None:
    small = sealed_suite(corpus_of(24), tmp_path / "suite")
    found = judged(small, reads_meaning, tmp_path / "out", Identity(fitted_on=("A",)))
    by_class = gate(found, "wrong_approval_by_class", "mutation=negation")
    assert (by_class.verdict, by_class.units) == ("INSUFFICIENT", 24)
    assert found.decision == "INSUFFICIENT"
    made = plan("similarity-gate", small, fitted_on=("A",))
    assert {item.slice for item in made.infeasible} >= {"mutation=negation", "mutation=quantity_unit"}
    assert plan("similarity-gate", small, fitted_on=("none",)).claims == {"similarity-gate": True}


def test_scores_without_decisions_show_no_operating_point(suite: Suite, tmp_path: Path) -> None:
    found = judged(suite, lambda payload: {"score": reads_meaning(payload)["score"]}, tmp_path / "out")
    assert gate(found, "decision_axis", "task=constraint").verdict == "PASS"
    assert gate(found, "wrong_approval").verdict == "INSUFFICIENT"
    assert found.measurement.outcomes["undecided"] == len(suite.cases)


@pytest.mark.parametrize("outcome", ["error", "invalid_output"])
def test_a_system_without_one_valid_answer_approves_every_opposite_pair(
    suite: Suite, tmp_path: Path, outcome: str
) -> None:
    def fails(payload: dict[str, Any]) -> dict[str, Any]:
        if outcome == "invalid_output":
            return {"score": "high"}
        raise TimeoutError

    found = judged(suite, fails, tmp_path / "out")
    approved = gate(found, "wrong_approval")
    assert found.measurement.outcomes[outcome] == len(suite.cases)
    assert (approved.verdict, approved.value, approved.units) == ("FAIL", 1.0, 128)
    assert gate(found, "wrong_approval_by_class", "mutation=negation").verdict == "FAIL"
    assert gate(found, "wrong_rejection", "task=constraint").verdict == "FAIL"
    assert found.decision == "BLOCK"


def test_failures_beside_scores_without_decisions_show_no_operating_point(
    suite: Suite, tmp_path: Path
) -> None:
    def half(payload: dict[str, Any]) -> dict[str, Any]:
        if payload["text2"].endswith("drop"):
            raise TimeoutError
        return {"score": 1.0}

    assert gate(judged(suite, half, tmp_path / "out"), "wrong_approval").verdict == "INSUFFICIENT"


@pytest.mark.parametrize(("times", "plus", "tables"), [(1, 0, 1), (1, -1, 0), (30, 0, 0)])
def test_the_cutoffs_of_cosines_are_tried_on_no_other_scores(
    suite: Suite, tmp_path: Path, times: float, plus: float, tables: int
) -> None:
    def scaled(payload: dict[str, Any]) -> dict[str, Any]:
        found = reads_wording(payload)
        return found | {"score": times * found["score"] + plus}

    assert len(judged(suite, scaled, tmp_path / "out").measurement.series) == tables


def test_decisions_without_scores_are_scores_of_their_own(suite: Suite, tmp_path: Path) -> None:
    found = judged(suite, lambda payload: {"decision": reads_meaning(payload)["decision"]}, tmp_path / "out")
    assert found.decision == "PROMOTE"


def test_a_decision_that_changes_when_asked_again_fails(suite: Suite, tmp_path: Path) -> None:
    seen: set[str] = set()

    def fickle(payload: dict[str, Any]) -> dict[str, Any]:
        again = payload["text2"] in seen
        seen.add(payload["text2"])
        return reads_wording(payload) if again else reads_meaning(payload)

    found = judged(suite, fickle, tmp_path / "out")
    assert gate(found, "determinism").verdict == "FAIL"


def test_the_statistic_is_the_audits_and_its_interval_that_of_anchors(suite: Suite, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    noise = {case.input.text2: float(rng.normal()) for case in suite.cases}  # type: ignore[attr-defined]

    def noisy(payload: dict[str, Any]) -> dict[str, Any]:
        return {"score": reads_meaning(payload)["score"] + noise[payload["text2"]]}

    run = ask(systems.python(noisy), suite, tmp_path / "run", identity=NONE)
    table = joined_table(run)
    measure = next(m for m in suite.instrument.measures(suite) if m.id == "decision_auroc")
    rows = evaluate([measure], table, instrument="similarity", unit_kind="anchor", resamples=500)
    expected = separation(
        table.plain["score"],
        table.flag("same"),
        table.plain["task_stratum"].astype(np.int64),
        table.unit,
        resamples=500,
    )
    assert (rows[0].value, rows[0].low, rows[0].high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    assert rows[0].units == expected.anchors


def test_a_suite_that_fails_the_manipulation_check_cannot_be_frozen(suite: Suite) -> None:
    leaning = tuple(
        msgspec.structs.replace(case, input=msgspec.structs.replace(case.input, text2=case.input.text1))  # type: ignore[attr-defined]
        if case.gold.decision == "opposite" and case.design.pole == "close"  # type: ignore[attr-defined]
        else case
        for case in suite.cases
    )
    found = list(suite.instrument.check_suite(replace(suite, cases=leaning)))
    assert {problem.code for problem in found if problem.severity == "error"} == {"manipulation"}
    assert not list(suite.instrument.check_suite(suite))


def test_a_pair_under_another_anchor_is_no_further_evidence(suite: Suite) -> None:
    """Three thousand copies of one pair would pass the gate of one in a thousand."""
    first: Any = suite.cases[0]
    fields = {"record_id": "again", "semantic_seed_id": "another-anchor", "parent_record_id": None}
    text = msgspec.structs.replace(
        first.input, text1=f"{first.input.text2}!", text2=first.input.text1.upper()
    )
    made = msgspec.structs.replace(first.construction, generation_template=None, perturbation_lineage=None)
    again = msgspec.structs.replace(first, input=text, construction=made, **fields)
    cases = (*suite.cases, again)
    longer = replace(suite, cases=cases, units=units(cases), lines=(*suite.lines, len(cases)))
    found = [item for item in suite.instrument.check_suite(longer) if item.code == "repeated_pair"]
    assert [(item.severity, item.record, item.line) for item in found] == [("error", "again", len(cases))]
    assert first.input.text1 not in str(found[0])
    sibling = msgspec.structs.replace(again, semantic_seed_id=first.semantic_seed_id)
    cases = (*suite.cases, sibling)
    together = replace(longer, cases=cases, units=units(cases))
    assert "repeated_pair" not in {item.code for item in suite.instrument.check_suite(together)}


def test_errors_and_views_show_no_sealed_text(suite: Suite) -> None:
    assert suite.instrument.views(suite, (), 10) == ()
    assert "x0" not in f"{suite.cases[0]!r} {suite.cases[0].input!r}"  # type: ignore[attr-defined]
