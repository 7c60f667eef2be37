"""What a gate says: the figures a reader recomputes, why, and what a PASS would take."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from denotary.measures.measurement import Measurement
from denotary.verdicts.gates import Evidence, judge_gate
from denotary.verdicts.records import Gate, GateResult
from denotary.words import percent

Build = Callable[..., Any]


def judged(gate: Gate, measurement: Measurement, alpha: float = 0.05) -> list[GateResult]:
    return list(judge_gate(gate, Evidence(measurement, alpha)))


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
