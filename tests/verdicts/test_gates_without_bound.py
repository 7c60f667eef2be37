"""Gates without a bound: not one event, a fact that must hold, no systematic cluster."""

from collections.abc import Callable
from typing import Any

import pytest

from denotary.measures.measurement import Measurement
from denotary.measures.records import Fact
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.records import Gate, GateResult

Build = Callable[..., Any]


def judged(gate: Gate, measurement: Measurement) -> list[GateResult]:
    return list(judge_gate(gate, Evidence(measurement, 0.05)))


@pytest.mark.parametrize(
    ("types", "side", "fact", "minimum", "verdict"),
    [
        ([(0, 1, 1, 40)], "upper", None, 1, "PASS"),
        ([(0, 1, 1, 39), (1, 1, 1, 1)], "upper", None, 1, "FAIL"),
        ([(1, 1, 1, 40)], "lower", None, 1, "PASS"),
        ([(1, 1, 1, 39), (0, 1, 1, 1)], "lower", None, 1, "FAIL"),
        ([(0, 1, 1, 40)], "upper", True, 1, "PASS"),
        ([(0, 1, 1, 40)], "upper", False, 1, "INSUFFICIENT"),
        ([(0, 1, 1, 40)], "upper", None, 41, "INSUFFICIENT"),
        ([(0, 1, 1, 40)], "upper", None, 40, "PASS"),
        ([(1, 1, 1, 1)], "upper", False, 41, "FAIL"),
    ],
)
def test_not_one_event_is_tolerated_where_the_limit_is_zero(
    row: Build,
    measurement: Build,
    gate: Build,
    types: list[tuple[int, int, int, int]],
    side: str,
    fact: bool | None,
    minimum: int,
    verdict: str,
) -> None:
    facts = [] if fact is None else [Fact(name="complete", holds=fact, detail="3 of 4 are there")]
    named = "" if fact is None else "complete"
    asked = gate(kind="zero", side=side, fact=named, minimum_units=minimum)
    assert judged(asked, measurement(row(types), facts=facts))[0].verdict == verdict


def test_a_zero_gate_whose_fact_is_not_known_does_not_pass(
    row: Build, measurement: Build, gate: Build
) -> None:
    for facts in ([], [Fact(name="complete", holds=None, detail="unknown")]):
        found = judged(gate(kind="zero", fact="complete"), measurement(row([(0, 1, 1, 9)]), facts=facts))[0]
        assert found.verdict == "INSUFFICIENT"


@pytest.mark.parametrize(
    ("kind", "holds", "verdict"),
    [
        ("evidence", True, "PASS"),
        ("evidence", False, "FAIL"),
        ("evidence", None, "INSUFFICIENT"),
        ("systematic", True, "PASS"),
        ("systematic", False, "FAIL"),
        ("systematic", None, "INSUFFICIENT"),
    ],
)
def test_a_gate_on_a_fact(
    measurement: Build, gate: Build, kind: str, holds: bool | None, verdict: str
) -> None:
    asked = gate(kind=kind, measure="", fact="known")
    found = judged(asked, measurement(facts=[Fact(name="known", holds=holds, detail="two seeds, one pair")]))[
        0
    ]
    assert (found.verdict, found.reason, found.measure) == (verdict, "two seeds, one pair", "known")


@pytest.mark.parametrize("kind", ["evidence", "systematic"])
def test_a_fact_that_nobody_declared_is_insufficient(measurement: Build, gate: Build, kind: str) -> None:
    found = judged(gate(kind=kind, measure="", fact="known"), measurement(facts=[]))[0]
    assert found.verdict == "INSUFFICIENT"
    assert "known" in found.reason


def test_no_systematic_cluster_among_no_cases_is_not_a_pass(
    row: Build, measurement: Build, gate: Build
) -> None:
    fact = Fact(name="clean", holds=True, detail="no pair")
    asked = gate(kind="systematic", fact="clean")
    assert judged(asked, measurement(row([]), facts=[fact]))[0].verdict == "INSUFFICIENT"
    assert judged(asked, measurement(row([(0, 1, 1, 1)]), facts=[fact]))[0].verdict == "PASS"
    broken = Fact(name="clean", holds=False, detail="2 seeds in one pair")
    assert judged(asked, measurement(row([]), facts=[broken]))[0].verdict == "FAIL"


def test_the_sentences_of_gates_without_a_bound(row: Build, measurement: Build, gate: Build) -> None:
    def told(
        kind: str, types: list[tuple[int, int, int, int]], *, holds: bool = True, **fields: Any
    ) -> tuple[str, str]:
        fact = Fact(name="known", holds=holds, detail="as counted")
        found = judged(gate(kind=kind, fact="known", **fields), measurement(row(types), facts=[fact]))[0]
        return found.reason, found.needed

    clean, broken = [(0, 1, 1, 40)], [(1, 1, 1, 2), (0, 1, 1, 38)]
    assert told("zero", clean) == ("no failure in 40 cases", "")
    assert told("zero", broken) == (
        "2 of 40 cases failed, 40 seeds, and not one is tolerated",
        "mend the cause of each, then ask again",
    )
    assert told("zero", clean, minimum_units=42) == (
        "40 seeds where at least 42 are required",
        "2 more seeds without a failure",
    )
    assert told("zero", clean, holds=False) == ("as counted", "evidence that 'known' holds")
    assert told("systematic", clean, holds=False) == (
        "as counted",
        "mend the cause of each pair, then ask again",
    )
    assert told("evidence", clean, holds=False) == ("as counted", "mend the cause, then ask again")
    unheard = judged(gate(kind="evidence", fact="known"), measurement(facts=[]))[0]
    assert unheard.reason == "nothing is known of 'known'"


def test_an_unknown_fact_is_asked_for_in_the_words_of_its_instrument(measurement: Build, gate: Build) -> None:
    unknown = Fact(name="known", holds=None, detail="as counted").told_by({"known": "say so"})
    found = judged(gate(kind="evidence", measure="", fact="known"), measurement(facts=[unknown]))[0]
    assert (found.verdict, found.reason, found.needed) == ("INSUFFICIENT", "as counted", "say so")
    refuted = Fact(name="known", holds=False, detail="as counted")
    assert refuted.told_by({"known": "say so"}) == refuted


def test_a_fact_of_several_words_is_named_in_words(measurement: Build, gate: Build) -> None:
    found = judged(gate(kind="evidence", measure="", fact="leakage_audit"), measurement(facts=[]))[0]
    assert (found.reason, found.needed) == (
        "nothing is known of 'leakage audit'",
        "evidence that 'leakage audit' holds",
    )
