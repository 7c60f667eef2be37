"""One gate in one slice, on counts whose bounds are known beforehand."""

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from denotary.errors import IntegrityError
from denotary.measures.measurement import Measurement
from denotary.measures.records import Fact, Row, UnitType
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.records import Gate, GateResult
from denotary.words import percent

Build = Callable[..., Any]


def judged(gate: Gate, measurement: Measurement, alpha: float = 0.05) -> list[GateResult]:
    return list(judge_gate(gate, Evidence(measurement, alpha)))


@pytest.fixture
def single(row: Build, measurement: Build, gate: Build) -> Callable[..., GateResult]:
    """Judge k failures in n units of one case."""

    def judge(k: int, n: int, *, alpha: float = 0.05, side: str = "upper", **fields: Any) -> GateResult:
        events = k if side == "upper" else n - k
        types = [(1, 1, 1, events), (0, 1, 1, n - events)]
        return judged(gate(side=side, **fields), measurement(row(types)), alpha)[0]

    return judge


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


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_the_bound_is_that_of_clopper_and_pearson(single: Build, side: str) -> None:
    found = single(3, 2000, side=side, limit=0.5, alpha=0.02)
    upper = stats.beta.ppf(0.98, 4, 1997)
    assert found.bound == pytest.approx(upper if side == "upper" else 1 - upper, rel=1e-10)
    assert (found.bound_method, found.alpha) == ("exact binomial", 0.02)


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
    ("limit", "fewest"),
    # Golden numbers of the betting bound at zero failures, 95 % one-sided.
    [(0.01, 307), (0.005, 616), (0.001, 3083), (0.0001, 30845)],
)
def test_units_with_siblings_are_judged_by_the_betting_bound(
    row: Build, measurement: Build, gate: Build, limit: float, fewest: int
) -> None:
    for units, verdict in ((fewest, "PASS"), (fewest - 1, "INSUFFICIENT")):
        found = judged(gate(limit=limit), measurement(row([(0, 4, 4, units)])))[0]
        assert (found.verdict, found.units, found.denominator) == (verdict, units, 4 * units)
        assert found.bound_method.startswith("order-free betting")


def test_one_unit_with_a_sibling_is_enough_to_leave_the_exact_bound(
    row: Build, measurement: Build, gate: Build
) -> None:
    found = judged(gate(), measurement(row([(0, 1, 1, 2994), (0, 2, 2, 1)])))[0]
    assert (found.verdict, found.units) == ("INSUFFICIENT", 2995)


def capital(types: list[tuple[int, int, int, int]], limit: float) -> float:
    """The capital of the mixture at a hypothetical ratio, unit by unit, as its definition says."""
    total = 0.0
    for keep, weight in ((0.0, 0.8), (0.1, 0.1), (0.2, 0.05), (0.4, 0.05)):
        stake = (1 - keep) / (1 - limit)
        product = math.prod((1 - stake * (k - limit * n) / m) ** c for k, n, m, c in types)
        total += weight * product
    return total


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(
    ("types", "ratio"),
    [
        ([(0, 3, 3, 500), (1, 3, 3, 2), (2, 2, 2, 1)], False),
        ([(0, 1, 3, 500), (0, 3, 3, 300), (1, 2, 3, 2), (1, 1, 1, 1)], True),
    ],
)
def test_the_betting_bound_is_where_the_capital_reaches_one_over_alpha(
    row: Build,
    measurement: Build,
    gate: Build,
    types: list[tuple[int, int, int, int]],
    ratio: bool,
    side: str,
) -> None:
    events = types if side == "upper" else [(n - k, n, m, c) for k, n, m, c in types]
    found = judged(gate(side=side, limit=0.5), measurement(row(events, ratio=ratio)))[0]
    assert found.bound is not None
    bound = found.bound if side == "upper" else 1 - found.bound
    assert capital(types, bound) == pytest.approx(20.0, rel=1e-7)
    assert found.verdict == "PASS"


def test_a_unit_without_an_assignment_says_nothing_of_the_assigned(
    row: Build, measurement: Build, gate: Build
) -> None:
    with_refusals = judged(gate(), measurement(row([(0, 1, 1, 2995), (0, 0, 1, 5000)], ratio=True)))[0]
    assert (with_refusals.verdict, with_refusals.units, with_refusals.denominator) == ("PASS", 2995, 2995)
    fewer = judged(gate(), measurement(row([(0, 1, 1, 2994), (0, 0, 1, 5000)], ratio=True)))[0]
    assert fewer.verdict == "INSUFFICIENT"


def test_a_unit_counts_once_however_many_of_its_cases_fail(
    row: Build, measurement: Build, gate: Build
) -> None:
    by_case = judged(gate(limit=0.004), measurement(row([(50, 50, 50, 1), (0, 1, 1, 10_000)])))[0]
    assert by_case.verdict == "FAIL"  # 0.01 % of units, 0.498 % of cases
    by_unit = judged(gate(limit=0.004), measurement(row([(1, 1, 1, 5), (0, 50, 50, 1000)])))[0]
    assert by_unit.verdict == "FAIL"  # 0.01 % of cases, 0.498 % of units
    assert "weighed alike" in by_unit.reason
    assert "weighed alike" not in by_case.reason


def test_the_bound_is_never_below_the_share_that_a_reader_recomputes(
    row: Build, measurement: Build, gate: Build
) -> None:
    found = judged(gate(limit=0.9), measurement(row([(500, 500, 500, 1), (0, 1, 1, 500)])))[0]
    assert found.bound == 0.5


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


def test_a_result_carries_what_a_reader_needs_to_recompute_it(
    row: Build, measurement: Build, gate: Build
) -> None:
    told = row([(1, 1, 1, 2), (0, 1, 1, 998)], low=0.0005, high=0.0072)
    found = judged(gate(limit=0.01, minimum_units=50, title="Risk"), measurement(told), alpha=0.025)[0]
    bound = found.bound
    assert bound == pytest.approx(stats.beta.ppf(0.975, 3, 998))
    assert found == GateResult(
        gate="g",
        title="Risk",
        measure="risk",
        slice="all",
        verdict="PASS",
        reason=found.reason,
        numerator=2,
        denominator=1000,
        units=1000,
        value=0.002,
        low=0.0005,
        high=0.0072,
        bound=bound,
        bound_method="exact binomial",
        alpha=0.025,
        limit=0.01,
        side="upper",
        minimum_units=368,  # log(0.025) / log(0.99) = 367.04
        corpus="suite 1.0.0 sha256:00",
        evidence="SUFFICIENT",
    )
    assert "2 of 1,000" in found.reason


counts = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(0, 2), st.integers(1, 400)),
    min_size=1,
    max_size=4,
).map(lambda items: [(min(k, n), n, n + extra, c) for k, n, extra, c in items])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    types=counts,
    ratio=st.booleans(),
    limit=st.sampled_from([0.01, 0.05, 0.2]),
    looks=st.integers(1, 3),
    side=st.sampled_from(["upper", "lower"]),
)
def test_what_is_said_to_be_needed_is_exactly_what_a_pass_takes(
    row: Build,
    measurement: Build,
    gate: Build,
    types: list[tuple[int, int, int, int]],
    ratio: bool,
    limit: float,
    looks: int,
    side: str,
) -> None:
    if not ratio:
        types = [(k, n, n, c) for k, n, _, c in types]
    asked = gate(limit=limit if side == "upper" else 1 - limit, side=side, minimum_units=20)

    def verdict(more: int) -> GateResult:
        clean = (0, 1, 1, more)
        shown = [(k, n, m, c) if side == "upper" else (n - k, n, m, c) for k, n, m, c in [*types, clean]]
        return judged(asked, measurement(row(shown, ratio=ratio)), 0.05 / looks)[0]

    found = verdict(0)
    if found.verdict == "PASS":
        assert found.needed == ""
        return
    more = int(re.findall(r"([\d,]+) more seed", found.needed)[0].replace(",", ""))
    assert verdict(more).verdict == "PASS"
    assert verdict(more - 1).verdict != "PASS"


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


@pytest.mark.parametrize(
    ("k", "side", "limit", "reason", "needed"),
    [
        (
            0,
            "upper",
            0.001,
            "upper bound {bound} is not within the limit {limit} (0 of 100 cases failed, 100 seeds)",
            "2,895 more seeds, none failing",
        ),
        (
            2,
            "upper",
            0.001,
            "observed {value} is beyond the limit {limit} (2 of 100 cases failed, 100 seeds)",
            "mend the cause and ask again; with the present failures it would take 6,194 more seeds, none failing",
        ),
        (
            2,
            "lower",
            0.999,
            "observed {value} is beyond the limit {limit} (2 of 100 cases failed, 100 seeds)",
            "mend the cause and ask again; with the present failures it would take 6,194 more seeds, none failing",
        ),
        (
            0,
            "lower",
            0.9,
            "lower bound {bound} is within the limit {limit} (0 of 100 cases failed, 100 seeds)",
            "",
        ),
    ],
)
def test_the_sentences_name_figure_limit_counts_and_what_is_needed(
    single: Build, k: int, side: str, limit: float, reason: str, needed: str
) -> None:
    found = single(k, 100, side=side, limit=limit)
    said = reason.format(
        bound=percent(found.bound, "up" if side == "upper" else "down"),
        value=percent(k / 100 if side == "upper" else 1 - k / 100),
        limit=percent(limit),
    )
    assert (found.reason, found.needed) == (said, needed)


def test_a_ratio_needs_units_that_enter_its_denominator(row: Build, measurement: Build, gate: Build) -> None:
    told = row([(0, 1, 1, 100), (0, 0, 1, 7)], ratio=True, where="language=de")
    found = judged(gate(slices=("language=de",)), measurement(told))[0]
    assert found.needed == "2,895 more seeds in language de that enter the denominator, none failing"


def test_the_sentences_where_there_is_nothing_to_judge(row: Build, measurement: Build, gate: Build) -> None:
    asked = gate(slices=("language:advertised", "concept:critical"))
    undeclared, empty = judged(asked, measurement(required={"concept:critical": ()}))
    assert (
        undeclared.reason
        == "no language is declared as advertised, so there is no slice for the claim to hold in"
    )
    assert undeclared.needed == "declare each language that is advertised before asking"
    assert (empty.reason, empty.needed) == ("no concept is critical", "")
    mute = judged(gate(), measurement(row([], status="NOT_APPLICABLE")))[0]
    assert mute.reason == "the measure does not apply to this system"
    assert mute.needed == "a system that expresses what the measure needs"
    absent = judged(gate(), measurement())[0]
    assert absent.reason == "the suite has no case for this claim here"
    assert absent.needed == "2,995 more seeds, none failing"
    assert (absent.units, absent.numerator, absent.value) == (0, None, None)


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
