"""From a run to a measurement."""

from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from denotary import measures
from denotary.errors import InputError, IntegrityError
from denotary.measures import Measurement, measure, read_rows
from denotary.measures.required import advertised
from denotary.registry import load_registry
from denotary.runs.records import Answer, Identity, RunHeader, SuitePin
from denotary.suites import load_suite


@dataclass(frozen=True)
class Run:
    header: RunHeader
    suite: Any
    answers: Any


@pytest.fixture(scope="module")
def suite() -> Any:
    return load_suite("bundled:starter", registry=load_registry("bundled:bootstrap"))


def pin(of: Any) -> SuitePin:
    return SuitePin(path="p", name=of.name, version=of.version, hash=of.hash)


def make_run(suite: Any, answers: Any = (), **identity: Any) -> Run:
    header = RunHeader(
        schema="denotary.run/1", instrument="identity", suite=pin(suite), registry=pin(suite.registry), system={},
        plan="0" * 64, identity=Identity(**identity),
    )  # fmt: skip
    return Run(header, suite, answers)


def answer(case: Any, code: str | None) -> Answer:
    body = {
        "type": "concept" if code else "abstain", "code": code, "kind": None, "reason": None, "confidence": None,
        "candidates": None, "registry_version": case.registry_version, "system_version": None,
    }  # fmt: skip
    return Answer(
        call_id=f"{case.record_id}#0", case_id=case.record_id, repeat=0, status="answered", body=body
    )


def perfect(suite: Any) -> list[Answer]:
    singles = {
        case.record_id: case.gold.acceptable_concept_codes[0]
        for case in suite.cases
        if case.gold.disposition == "SINGLE"
    }
    return [answer(case, singles.get(case.record_id)) for case in suite.cases]


def test_a_system_that_is_always_right(suite: Any) -> None:
    found = measure(make_run(suite, perfect(suite)), resamples=0)
    assert isinstance(found, Measurement)
    rows = {(row.measure, row.slice): row for row in found.rows}
    for name in (
        "faar",
        "assignment_risk",
        "unknown_far",
        "hncr",
        "exact_conformance_failure",
        "unanswered_share",
    ):
        assert rows[name, "all"].numerator == 0
    assert rows["correct_known_coverage", "all"].value == 1.0
    invalid = sum(case.gold.disposition == "INVALID_INPUT" for case in suite.cases)
    assert found.outcomes["refused_otherwise"] == invalid, "an abstention is no rejection"
    assert sum(found.outcomes.values()) == len(suite.cases)
    assert {fact.name: fact.holds for fact in found.facts}["conformance_complete"] is True
    assert (found.suite.identifier, found.snapshot_id) == (suite.identifier, suite.registry.snapshot_id)
    assert sum(found.suite.visibility.values()) == len(suite.cases)


def test_a_run_that_was_never_asked_is_all_harm_and_no_value_is_missing(suite: Any) -> None:
    found = measure(make_run(suite), resamples=0)
    rows = {(row.measure, row.slice): row for row in found.rows}
    assert found.outcomes["not_run"] == len(suite.cases)
    assert rows["assignment_risk", "all"].value == rows["faar", "all"].value == 1.0
    assert rows["recall_at_5", "all"].status == "NOT_APPLICABLE"


def test_the_required_slices(suite: Any) -> None:
    silent = measure(make_run(suite), resamples=0)
    assert "language:advertised" not in silent.required
    critical = {code for code, item in suite.registry.concepts.items() if item.consequence_tier >= "C3"}
    assert set(silent.required["concept:critical"]) == critical
    assert silent.required["answered_code:critical"] == silent.required["concept:critical"]
    said = measure(make_run(suite, languages=("pt-BR", "pt", "en")), resamples=0)
    assert said.required["language:advertised"] == ("en", "pt")
    with pytest.raises(InputError, match="not well-formed"):
        advertised(["en", " de"])


def test_a_declared_kind_is_a_capability(suite: Any) -> None:
    run = make_run(suite, perfect(suite))

    def status(found: Measurement) -> set[str]:
        return {
            row.status
            for row in found.rows
            if row.measure == "abstention_kind_accuracy" and row.slice == "all"
        }

    assert status(measure(run, resamples=0)) == {"NOT_APPLICABLE"}
    declared = make_run(suite, perfect(suite), expresses=("AMBIGUOUS",))
    assert status(measure(declared, resamples=0)) == {"SUFFICIENT"}


@pytest.mark.parametrize("which", ["suite", "registry"])
def test_another_suite_or_registry_is_refused(which: str, suite: Any) -> None:
    run = make_run(suite)
    other = msgspec.structs.replace(getattr(run.header, which), hash="0" * 64)
    header = msgspec.structs.replace(run.header, **{which: other})
    with pytest.raises(IntegrityError, match=f"the run was made with {which} "):
        measure(replace(run, header=header), resamples=0)


def test_another_instrument_is_refused(suite: Any) -> None:
    run = make_run(suite)
    header = msgspec.structs.replace(run.header, instrument="similarity")
    with pytest.raises(IntegrityError, match="the run is of instrument similarity"):
        measure(replace(run, header=header), resamples=0)


def test_the_order_of_the_answers_changes_no_byte(suite: Any) -> None:
    answers = perfect(suite)
    one = measure(make_run(suite, answers), resamples=50)
    other = measure(make_run(suite, list(reversed(answers))), resamples=50)
    assert one.rows_jsonl() == other.rows_jsonl()
    assert one == other


def test_rows_can_be_read_back(suite: Any, tmp_path: Any) -> None:
    found = measure(make_run(suite, perfect(suite)), resamples=50)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(found.rows_jsonl())
    assert read_rows(path) == found.rows
    path.write_bytes(b'{"measure": "x"}\n')
    with pytest.raises(InputError, match=r"rows\.jsonl:1: not a valid Row"):
        read_rows(path)


def test_no_text_of_a_case_is_in_a_result(suite: Any) -> None:
    found = measure(make_run(suite, perfect(suite)), resamples=0)
    written = found.rows_jsonl() + repr((found.facts, found.series)).encode()
    texts = [case.input.text for case in suite.cases if case.input.text and len(case.input.text) > 20]
    assert len(texts) > 100
    assert not [text for text in texts if text.encode() in written]


def test_public_names_resolve_late_and_unknown_ones_do_not() -> None:
    assert set(measures.__all__) == set(measures._HOMES)
    for name in measures.__all__:
        assert getattr(measures, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(measures, "nonsense")  # noqa: B009
