"""One gate in one slice, on counts whose bounds are known beforehand."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from denotary.errors import IntegrityError
from denotary.measures.measurement import Measurement
from denotary.measures.records import Fact, Row, UnitType
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.records import Gate, GateResult

Build = Callable[..., Any]


def judged(gate: Gate, measurement: Measurement, alpha: float = 0.05) -> list[GateResult]:
    return list(judge_gate(gate, Evidence(measurement, alpha)))


@pytest.mark.parametrize(
    ("limit", "failures", "fewest"),
    [
        # Sample sizes of the source document, 95 % one-sided.
        (0.05, 0, 59), (0.01, 0, 299), (0.005, 0, 598), (0.001, 0, 2995), (0.0005, 0, 5990),
        (0.0001, 0, 29956), (0.05, 1, 93), (0.01, 1, 473), (0.005, 1, 947), (0.001, 1, 4742),
        (0.0005, 1, 9486), (0.0001, 1, 47437),
        (0.001, 5, 10511),
    ],
)  # fmt: skip
def test_the_fewest_units_that_pass(single: Build, limit: float, failures: int, fewest: int) -> None:
    assert single(failures, fewest, limit=limit).verdict == "PASS"
    assert single(failures, fewest - 1, limit=limit).verdict == "INSUFFICIENT"


@pytest.mark.parametrize(("limit", "fewest"), [(0.05, 90), (0.01, 459), (0.001, 4603), (0.0001, 46050)])
def test_the_fewest_units_at_99_per_cent(single: Build, limit: float, fewest: int) -> None:
    assert single(0, fewest, limit=limit, alpha=0.01).verdict == "PASS"
    assert single(0, fewest - 1, limit=limit, alpha=0.01).verdict == "INSUFFICIENT"


def test_three_looks_cost_4093_units(single: Build) -> None:
    assert single(0, 4093, alpha=0.05 / 3).verdict == "PASS"
    assert single(0, 4092, alpha=0.05 / 3).verdict == "INSUFFICIENT"


def test_alpha_is_shared_by_the_larger_number_of_looks(policy: Build, gate: Build) -> None:
    assert spent(policy(gate()), 1) == 0.05
    assert spent(policy(gate(), looks=2), 3) == 0.05 / 3
    assert spent(policy(gate(), looks=5), 3) == 0.01
    assert spent(policy(gate(), confidence=0.99), 1) == 0.01


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(("k", "n"), [(0, 100), (3, 2000)])
def test_a_bound_that_equals_the_limit_passes_and_the_next_number_does_not(
    single: Build, side: str, k: int, n: int
) -> None:
    bound = single(k, n, side=side, limit=0.5).bound
    inward, outward = (0.0, 1.0) if side == "upper" else (1.0, 0.0)
    assert single(k, n, side=side, limit=bound).verdict == "PASS"
    assert single(k, n, side=side, limit=math.nextafter(bound, outward)).verdict == "PASS"
    assert single(k, n, side=side, limit=math.nextafter(bound, inward)).verdict == "INSUFFICIENT"


@pytest.mark.parametrize(
    ("k", "n", "limit", "verdict"),
    [
        (1, 200, 0.005, "INSUFFICIENT"),  # observed = limit: not beyond it
        (1, 199, 0.005, "FAIL"),
        (1, 1, 0.001, "FAIL"),
        (3, 3000, 0.001, "INSUFFICIENT"),
        (4, 3000, 0.001, "FAIL"),
        (7, 10, 0.7, "INSUFFICIENT"),  # 0.7 is no binary fraction, 7/10 must not lie beyond it
    ],
)
def test_it_fails_iff_the_observed_value_is_beyond_the_limit(
    single: Build, k: int, n: int, limit: float, verdict: str
) -> None:
    assert single(k, n, limit=limit).verdict == verdict


@pytest.mark.parametrize(
    ("misses", "n", "limit", "verdict"),
    [
        (0, 598, 0.995, "PASS"),
        (0, 597, 0.995, "INSUFFICIENT"),
        (1, 947, 0.995, "PASS"),
        (1, 200, 0.995, "INSUFFICIENT"),
        (1, 199, 0.995, "FAIL"),
        (0, 299, 0.99, "PASS"),
        (0, 298, 0.99, "INSUFFICIENT"),
        (3, 10, 0.7, "INSUFFICIENT"),
        (4, 10, 0.7, "FAIL"),
    ],
)
def test_a_lower_gate_reads_the_misses(
    single: Build, misses: int, n: int, limit: float, verdict: str
) -> None:
    assert single(misses, n, side="lower", limit=limit).verdict == verdict


def test_an_observed_failure_fails_a_group_that_is_too_small_for_anything_else(single: Build) -> None:
    assert single(1, 50, limit=0.001, minimum_units=299).verdict == "FAIL"


def test_fewer_units_than_the_minimum_never_pass(single: Build) -> None:
    assert single(0, 100, limit=0.5, minimum_units=100).verdict == "PASS"
    found = single(0, 99, limit=0.5, minimum_units=100)
    assert found.verdict == "INSUFFICIENT"
    assert "99" in found.reason
    assert found.needed.startswith("1 more seed,")


@pytest.mark.parametrize(
    ("status", "allowed", "verdict"),
    [("NOT_APPLICABLE", True, "NOT_EXPRESSIBLE"), ("NOT_APPLICABLE", False, "INSUFFICIENT")],
)
@pytest.mark.parametrize("kind", ["bound", "zero"])
def test_what_a_system_cannot_express_is_set_aside_only_where_the_policy_allows(
    row: Build, measurement: Build, gate: Build, kind: str, status: str, allowed: bool, verdict: str
) -> None:
    told = row([], status=status, note="the system returns no candidates")
    found = judged(gate(kind=kind, allow_not_expressible=allowed), measurement(told))[0]
    assert (found.verdict, found.reason) == (verdict, "the system returns no candidates")


@pytest.mark.parametrize("kind", ["bound", "zero"])
@pytest.mark.parametrize("allowed", [True, False])
def test_no_case_is_insufficient(
    row: Build, measurement: Build, gate: Build, kind: str, allowed: bool
) -> None:
    for rows in (
        [],
        [row([])],
        [row([(0, 0, 1, 7)], ratio=True)],
        [row([(0, 1, 1, 9)], where="language=de")],
    ):
        found = judged(gate(kind=kind, allow_not_expressible=allowed), measurement(*rows))[0]
        assert found.verdict == "INSUFFICIENT"
        assert found.needed


def test_nothing_to_ask_is_not_applicable_only_by_a_fact_that_holds(
    measurement: Build, row: Build, gate: Build
) -> None:
    asked = gate(kind="zero", fact="complete", allow_not_expressible=True)
    verdicts = {
        holds: judged(asked, measurement(row([]), facts=[Fact("complete", holds, "the set is whole")]))[
            0
        ].verdict
        for holds in (True, False, None)
    }
    assert verdicts == {True: "NOT_APPLICABLE", False: "INSUFFICIENT", None: "INSUFFICIENT"}


def test_an_absent_row_never_says_that_there_is_nothing_to_ask(measurement: Build, gate: Build) -> None:
    asked = gate(kind="zero", fact="complete", allow_not_expressible=True)
    found = judged(asked, measurement(facts=[Fact(name="complete", holds=True, detail="whole")]))[0]
    assert found.verdict == "INSUFFICIENT"


def test_a_declared_slice_that_is_absent_is_insufficient(row: Build, measurement: Build, gate: Build) -> None:
    made = measurement(
        row([(0, 1, 1, 3000)]),
        row([(0, 1, 1, 3000)], where="language=de"),
        required={"language:advertised": ("de", "sw"), "concept:critical": ()},
    )
    asked = gate(slices=("all", "language:advertised", "concept:critical", "concept:sold"))
    assert [(found.slice, found.verdict) for found in judged(asked, made)] == [
        ("all", "PASS"),
        ("language=de", "PASS"),
        ("language=sw", "INSUFFICIENT"),
        ("concept:critical", "NOT_APPLICABLE"),
        ("concept:sold", "INSUFFICIENT"),
    ]
    assert "2,995 more seeds in language sw" in judged(asked, made)[2].needed


def test_a_statistic_has_no_units_to_bound(row: Build, measurement: Build, gate: Build) -> None:
    told = row([], numerator=None, denominator=800, value=0.93)
    found = judged(gate(side="lower", limit=0.9), measurement(told))[0]
    assert found.verdict == "INSUFFICIENT"
    assert "no bound" in found.reason


@pytest.mark.parametrize("change", [{"numerator": 1}, {"denominator": 3001}, {"numerator": None}])
def test_counts_that_are_not_those_of_the_units_are_refused(
    row: Build, measurement: Build, gate: Build, change: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError, match=r"risk \[all\]: the row says"):
        judged(gate(), measurement(row([(0, 1, 1, 3000)], **change)))


def test_reasons_of_a_growing_suite_change_the_verdict_once(single: Build) -> None:
    verdicts = [single(1, n, limit=0.01).verdict for n in range(1, 600, 7)]
    changes = [(a, b) for a, b in pairwise(verdicts) if a != b]
    assert changes == [("FAIL", "INSUFFICIENT"), ("INSUFFICIENT", "PASS")]


def test_unit_types_survive_a_round_trip_through_a_row(row: Build) -> None:
    import msgspec

    made: Row = row([(1, 2, 3, 4)])
    assert msgspec.json.decode(msgspec.json.encode(made), type=Row).types == (
        UnitType(numerator=1, denominator=2, size=3, count=4),
    )


def test_a_slice_below_its_evidence_floors_fails_and_never_passes(
    row: Build, measurement: Build, gate: Build
) -> None:
    """An observed failure counts whatever the floors; a pass would claim more than the group's evidence holds."""
    short = {"where": "language=de", "status": "INSUFFICIENT", "note": "below the evidence floors"}
    asked = gate(slices=("language=de",), limit=0.01)
    (clean,) = judged(asked, measurement(row([(0, 1, 1, 5000)], **short)))
    assert (clean.verdict, clean.reason) == ("INSUFFICIENT", "below the evidence floors")
    assert clean.bound is not None
    assert clean.bound < 0.01
    (broken,) = judged(asked, measurement(row([(1, 1, 1, 5000)], **short)))
    assert broken.verdict == "FAIL"
    (enough,) = judged(asked, measurement(row([(0, 1, 1, 5000)], where="language=de")))
    assert enough.verdict == "PASS"
