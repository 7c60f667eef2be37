"""Every measure against a plain loop over the cases, on random small suites."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_loop import Loop  # type: ignore[import-not-found]

from denotary.instruments.identity.answers import KINDS
from denotary.instruments.identity.measures import MEASURES, PANELS, measures
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate
from denotary.measures.records import Rate, Ratio, Statistic

COUNTED = [measure.id for measure in MEASURES if isinstance(measure, (Rate, Ratio)) and not measure.over]
RELATED = [measure for measure in MEASURES if measure.over]
OF_TAGS = {"escaping_failure", "unicode_failure"}


def rows(suite: Any, answers: Any, expresses: frozenset[str] | None = None) -> dict[tuple[str, str], Any]:
    joined = table(suite, answers, expresses)
    found = evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)
    return {(row.measure, row.slice): row for row in found}


@st.composite
def runs(draw: st.DrawFn) -> tuple[Any, Any]:
    suite = draw(m.suites())
    return suite, draw(m.answers(suite))


@given(runs(), st.frozensets(st.sampled_from(KINDS)))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_count_is_that_of_the_loop_whatever_the_system_can_express(
    run: tuple[Any, Any], expresses: frozenset[str]
) -> None:
    check_counts(*run, expresses)


@given(runs())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_count_is_that_of_the_loop(run: tuple[Any, Any]) -> None:
    check_counts(*run)


@pytest.mark.slow
@given(runs())
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_count_is_that_of_the_loop_over_many_suites(run: tuple[Any, Any]) -> None:
    check_counts(*run)


def check_counts(suite: Any, answers: Any, expresses: frozenset[str] | None = None) -> None:
    loop = Loop(suite, answers, expresses)
    found = rows(suite, answers, expresses)
    slices = chosen_slices(loop)
    for (measure, name), row in found.items():
        if measure in COUNTED and measure not in OF_TAGS and name in slices:
            if row.status == "NOT_APPLICABLE":
                assert row.value is None
                continue
            assert (row.numerator, row.denominator) == loop.count(measure, slices[name]), (measure, name)
    for related in RELATED:
        check_related(related, suite, loop, found)


def chosen_slices(loop: Any) -> dict[str, Callable[[Any], bool]]:
    """Return slices by name, each as a test of a case."""
    slices: dict[str, Callable[[Any], bool]] = {"all": lambda _: True}
    for name in ("en", "de", "mixed"):
        slices[f"language={name}"] = partial(is_value, lambda item: item.language_slice, name)
    for name in ("reviewed_exact", "hard_negative"):
        slices[f"family={name}"] = partial(is_value, lambda item: item.construction.primary_family, name)
    for name in m.CODES:
        slices[f"concept={name}"] = partial(is_value, concept, name)
        slices[f"original={name}"] = partial(is_value, loop.pairs.original_code, name)
    for name in ("en", "de", "und"):
        slices[f"matrix_language={name}"] = partial(
            is_value, lambda item: (item.input.language or "und")[:2], name[:2]
        )
    for name in ("low", "high"):
        slices[f"severity={name}"] = partial(is_value, lambda item: item.construction.variant_severity, name)
    return slices


def check_related(measure: Any, suite: Any, loop: Any, found: Any) -> None:
    """Check the counts of a measure over pairs: those of a loop over every pair of every case."""
    (axis,) = measure.slices
    counted: dict[str, list[bool]] = {}
    for item in suite.cases:
        for label, event in loop.parts(measure.id, item):
            counted.setdefault(f"{axis}={label}", []).append(event)
    assert {
        name: (row.numerator, row.denominator)
        for (other, name), row in found.items()
        if other == measure.id and "=" in name and row.denominator
    } == {name: (sum(events), len(events)) for name, events in counted.items()}, measure.id


def is_value(of: Callable[[Any], str | None], value: str, item: Any) -> bool:
    return of(item) == value


def concept(item: Any) -> str:
    if item.gold.disposition == "SINGLE":
        return str(item.gold.acceptable_concept_codes[0])
    return item.construction.concept_neighbourhood or ""


@given(runs())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_outcomes_sum_to_the_planned_cases_and_are_those_of_the_answers(run: tuple[Any, Any]) -> None:
    suite, answers = run
    loop = Loop(suite, answers)
    outcomes = table(suite, answers).outcomes()
    assert sum(outcomes.values()) == len(suite.cases)
    expected = [loop.outcome(item) for item in suite.cases]
    assert {name: count for name, count in outcomes.items() if count} == {
        name: expected.count(name) for name in set(expected)
    }


@given(runs(), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_order_of_cases_and_answers_changes_nothing(run: tuple[Any, Any], seed: int) -> None:
    """But for pairs and sets whose representative is the first case of the suite, and floating point sums."""
    suite, answers = run
    mixed = random.Random(seed)
    cases, given_answers = list(suite.cases), list(answers)
    mixed.shuffle(cases)
    mixed.shuffle(given_answers)
    first, second = rows(suite, answers), rows(m.suite(cases), given_answers)
    assert first.keys() == second.keys()
    on_a_row = {"contrast_sensitivity", "contrast_consistency", "cross_language_agreement"}
    on_a_row |= {"cross_language_correct_agreement", "invariant_consistency", "pair_correct"}
    on_a_row |= {"negation_collapse", "role_reversal_confusion", "contradiction_acceptance"}
    for key, row in first.items():
        if key[0] in COUNTED and key[0] not in on_a_row:
            assert row == second[key]


@given(runs())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_types_answered_counts_and_bounds_fit_the_counts(run: tuple[Any, Any]) -> None:
    suite, answers = run
    for row in rows(suite, answers).values():
        if row.denominator is None or row.numerator is None or row.slice.startswith("language:"):
            continue
        assert sum(item.numerator * item.count for item in row.types) == row.numerator
        assert sum(item.denominator * item.count for item in row.types) == row.denominator
        assert sum(item.count for item in row.types) == row.units
        assert all(0 <= item.numerator <= item.denominator <= item.size for item in row.types)
        assert 0 <= (row.answered_numerator or 0) <= row.numerator
        assert (row.answered_numerator or 0) <= (row.answered_denominator or 0) <= row.denominator
        if not row.denominator:
            assert (row.value, row.low, row.high) == (None, 0.0, 1.0)
            assert row.status == "INSUFFICIENT"
            assert row.bound == (1.0 if row.direction == "lower" else 0.0)
        elif row.bound is not None:
            assert row.value == row.numerator / row.denominator
            assert 0.0 <= row.low <= row.value <= row.high <= 1.0
            assert row.bound >= row.value if row.direction == "lower" else row.bound <= row.value


@given(runs())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_calibration_statistics_are_those_of_the_definitions(run: tuple[Any, Any]) -> None:
    suite, answers = run
    loop = Loop(suite, answers)
    found = rows(suite, answers)
    pairs = [
        (body["confidence"], loop.outcome(item) == "right")
        for item in suite.cases
        if item.construction.primary_family != "reviewed_exact"
        and (body := loop.body(item.record_id))
        and body["type"] == "concept"
        and body["confidence"] is not None
    ]
    row = found["brier", "all"]
    if not pairs:
        assert (row.value, row.status == "SUFFICIENT") == (None, False)
        return
    assert row.denominator == len(pairs)
    assert row.value == pytest.approx(sum((c - right) ** 2 for c, right in pairs) / len(pairs))
    assert found["ece_equal_width", "all"].value == pytest.approx(ece(pairs))
    assert found["augrc", "all"].value == pytest.approx(augrc(pairs))


def ece(pairs: list[tuple[float, bool]], bins: int = 15) -> float:
    total = 0.0
    for index in range(bins):
        inside = [
            (c, right)
            for c, right in pairs
            if index / bins < c <= (index + 1) / bins or (index == 0 and c == 0.0)
        ]
        total += abs(sum(right for _, right in inside) - sum(c for c, _ in inside))
    return total / len(pairs)


def augrc(pairs: list[tuple[float, bool]]) -> float:
    """Mean over pairs of cases (with itself) of: the surer one is wrong, halves for ties. Traub et al. (2024)."""
    n = len(pairs)
    joint = 0.0
    for level in sorted({c for c, _ in pairs}, reverse=True):
        before = sum(not right for c, right in pairs if c > level) / n
        now = sum(not right for c, right in pairs if c >= level) / n
        joint += sum(c == level for c, _ in pairs) / n * (before + now) / 2
    return joint


def test_every_measure_says_what_it_hides_and_stands_in_a_panel() -> None:
    assert len({measure.id for measure in MEASURES}) == len(MEASURES)
    for measure in measures(m.suite([m.case("a")])):
        assert measure.panel in PANELS
        assert len(measure.hides) > 40
        assert measure.hides.endswith(".")
        assert "all" in measure.slices or measure.over
        assert set(measure.beside) <= {other.id for other in MEASURES} - {measure.id}


def test_what_the_policies_read_is_counted_and_no_diagnostic() -> None:
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    by_id = {measure.id: measure for measure in MEASURES}
    policies = [load_policy(path.stem, INSTRUMENT) for path in INSTRUMENT.policies.glob("*.toml")]
    # A paired policy reads comparisons, which are declared apart.
    unpaired = [policy for policy in policies if policy.design != "paired"]
    assert len(unpaired) == len(policies) - 1
    for policy in unpaired:
        for gate in policy.gates:
            if gate.measure:
                measure = by_id[gate.measure]
                assert not measure.diagnostic
                assert not isinstance(measure, Statistic)
                assert {name.partition(":")[0] for name in gate.slices} <= set(measure.slices)


def test_the_worst_language_is_not_known_without_a_case_of_an_advertised_one() -> None:
    suite = m.suite([m.case("a", language="en")])
    answers = [m.answer("a", "c.one")]
    made = {
        row.slice: row
        for row in evaluate(MEASURES, table(suite, answers), instrument="identity", unit_kind="seed",
                            resamples=0, advertised=("de", "en"))
        if row.measure == "faar"
    }  # fmt: skip
    worst = made["language:worst"]
    assert (worst.value, worst.bound, worst.status) == (0.0, None, "INSUFFICIENT")
    assert worst.note == "worst: language=en; advertised without a case: de"
    assert rows(suite, answers)["faar", "language:worst"].status == "SUFFICIENT"


def test_the_macro_mean_needs_evidence_and_the_worst_language_does_not() -> None:
    suite = m.suite([m.case("a", language="en"), m.case("b", language="de")])
    found = rows(suite, [m.answer("a", "c.one"), m.answer("b", "c.two")])
    macro, worst = found["faar", "language:macro"], found["faar", "language:worst"]
    assert macro.value is None
    assert macro.note == "2 of 2 languages are left out for want of evidence"
    assert (worst.value, worst.note) == (1.0, "worst: language=de")
    assert worst.bound == found["faar", "language=de"].bound
    assert found["faar", "language=de"].status == "INSUFFICIENT"
    assert found["faar", "language=de"].note == "below the evidence floors"


def test_an_attack_that_works_is_unresolved_whatever_its_record_says() -> None:
    made = {"primary_family": "malicious_input", "variant_severity": "high"}
    cases = [
        *(m.case(f"o{index}", resolution="open", **made) for index in range(3)),
        *(m.case(f"r{index}", resolution="resolved", **made) for index in range(2)),
        m.case("n", **made),
    ]
    wrong = {"o0", "r0", "r1"}
    answers = [m.answer(c.record_id, "c.two" if c.record_id in wrong else "c.one") for c in cases]
    found = rows(m.suite(cases), answers)
    counted = {
        where: (row.numerator, row.denominator)
        for (measure, where), row in found.items()
        if measure == "high_severity_attack_failure" and not where.startswith(("language", "concept"))
    }
    assert counted == {"all": (3, 6), "resolution=open": (1, 3), "resolution=resolved": (2, 2)}


HARMS = ("unknown_far", "ambiguity_forced", "underspecified_forced", "mixed_collapse", "hncr")


@pytest.mark.parametrize("measure", ["faar", "assignment_risk", *HARMS])
def test_every_harm_that_is_never_averaged_away_has_an_interval_of_its_average_over_languages(
    measure: str,
) -> None:
    declared = next(item for item in MEASURES if item.id == measure)
    assert declared.macro


def test_a_code_is_harm_under_the_policy_alone_that_allows_none() -> None:
    """So no comparison of releases says in its headlines that more codes are worse."""
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    assert [measure.id for measure in MEASURES if measure.neutral] == ["code_asserted"]
    readers = {
        path.stem
        for path in INSTRUMENT.policies.glob("*.toml")
        if any(gate.measure == "code_asserted" for gate in load_policy(path.stem, INSTRUMENT).gates)
    }
    assert readers == {"c0"}
