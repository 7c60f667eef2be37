"""A concept of high consequence is judged as what is meant and as what is answered."""

from typing import Any

import measured as m  # type: ignore[import-not-found]

from denotary.instruments.identity import INSTRUMENT
from denotary.instruments.identity.critical import critical_slices
from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate
from denotary.measures.measurement import Corpus, Measurement
from denotary.runs.records import Answer
from denotary.verdicts import judge, load_policy


def rows(suite: Any, answers: Any) -> dict[tuple[str, str], Any]:
    found = evaluate(MEASURES, table(suite, answers), instrument="identity", unit_kind="seed", resamples=0)
    return {(row.measure, row.slice): row for row in found}


def test_active_concepts_of_the_upper_tiers_are_critical() -> None:
    found = critical_slices(m.registry())
    assert found == dict.fromkeys(("concept:critical", "answered_code:critical"), ("c.one", "c.three"))


def test_a_code_given_to_other_meanings_is_counted_against_it() -> None:
    """c.one (tier C3) is never missed; two texts that mean c.two, and one that means nothing known, are given it."""
    cases = [m.case(f"n{index}") for index in range(4)]
    cases += [m.case(f"t{index}", codes=("c.two",)) for index in range(3)]
    cases += [m.case("u", "UNKNOWN_REGISTRY"), m.case("e", primary_family="reviewed_exact", codes=("c.two",))]
    cases.append(m.case("lost"))
    given = {"t0": "c.one", "t1": "c.one", "t2": "c.two", "u": "c.one", "e": "c.one"}
    answers = [m.answer(f"n{index}", "c.one") for index in range(4)]
    answers += [m.answer(name, code) for name, code in given.items()] + [m.answer("lost", status="timeout")]
    suite = m.suite(cases)
    found = rows(suite, answers)
    meant = found["assignment_risk", "concept=c.one"]
    assert (meant.numerator, meant.denominator) == (1, 5)
    answered = found["assignment_risk", "answered_code=c.one"]
    assert (answered.numerator, answered.denominator, answered.units) == (3, 7, 7)
    policy = load_policy("c3", INSTRUMENT)
    made = Measurement(
        instrument="identity", unit_kind="seed", suite=Corpus("s", "sealed-certification", 1, "reviewed", {}),
        snapshot_id="r", outcomes={}, required=critical_slices(suite.registry), rows=tuple(found.values()),
    )  # fmt: skip
    verdicts = {
        result.slice: result.verdict
        for result in judge(made, policy).gates
        if result.measure == "assignment_risk" and result.slice.startswith("answered_code")
    }
    # Nothing was given the code c.three: its risk is unknown, not nil.
    assert verdicts == {"answered_code=c.one": "FAIL", "answered_code=c.three": "INSUFFICIENT"}


def test_a_perfect_answer_fails_no_measure() -> None:
    golds = ("SINGLE", "AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED", "INVALID_INPUT")
    cases = [m.case(gold, gold, variant_severity="high", attack_family="a") for gold in golds]
    cases.append(m.case("miss", "EXACT_MISS", primary_family="reviewed_exact"))
    suite = m.suite(cases)
    answers = [
        Answer(call_id=f"{case.record_id}#{repeat}", case_id=case.record_id, repeat=repeat, status="answered",
               body=INSTRUMENT.perfect(case, suite))
        for case in cases
        for repeat in (0, 1)
    ]  # fmt: skip
    outcomes = table(suite, answers).outcomes()
    assert {name: count for name, count in outcomes.items() if count} == {"right": 1, "refused_rightly": 6}
    for (measure, where), row in rows(suite, answers).items():
        if (
            where == "all"
            and row.denominator
            and measure not in ("assignment_coverage", "code_asserted", "unknown_concentration")
        ):
            assert row.value == (0.0 if row.direction == "lower" else 1.0), measure
