"""Every measure against a plain loop over the cases, on random small suites and on cases made by hand."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.instruments.identity.floors import floors
from denotary.instruments.identity.measures import MEASURES, PANELS, measures
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate
from denotary.measures.records import Rate, Ratio, Statistic

COUNTED = [measure.id for measure in MEASURES if isinstance(measure, (Rate, Ratio)) and not measure.over]
RELATED = [measure for measure in MEASURES if measure.over]
OF_TAGS = {"escaping_failure", "unicode_failure"}


def rows(suite: Any, answers: Any, resamples: int = 0) -> dict[tuple[str, str], Any]:
    found = evaluate(
        MEASURES, table(suite, answers), instrument="identity", unit_kind="seed", resamples=resamples
    )
    return {(row.measure, row.slice): row for row in found}


@st.composite
def runs(draw: st.DrawFn) -> tuple[Any, Any]:
    suite = draw(m.suites())
    return suite, draw(m.answers(suite))


@given(runs())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_count_is_that_of_the_loop(run: tuple[Any, Any]) -> None:
    check_counts(*run)


@pytest.mark.slow
@given(runs())
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_count_is_that_of_the_loop_over_many_suites(run: tuple[Any, Any]) -> None:
    check_counts(*run)


def check_counts(suite: Any, answers: Any) -> None:
    loop = m.Loop(suite, answers)
    found = rows(suite, answers)
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
    loop = m.Loop(suite, answers)
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


def test_the_harm_of_silence() -> None:
    """Three cases that ask for a refusal: one refused, one given a code, one without an answer."""
    suite = m.suite([m.case(name, "UNKNOWN_REGISTRY") for name in ("a", "b", "c")])
    answers = [
        m.answer("a", kind="UNKNOWN_REGISTRY"),
        m.answer("b", "c.two"),
        m.answer("c", status="timeout"),
    ]
    found = rows(suite, answers)
    risk, unknown = found["assignment_risk", "all"], found["unknown_far", "all"]
    assert (risk.numerator, risk.denominator) == (2, 2)
    assert (risk.answered_numerator, risk.answered_denominator) == (1, 1)
    assert (unknown.numerator, unknown.denominator) == (2, 3)
    assert (unknown.answered_numerator, unknown.answered_denominator) == (1, 2)
    assert found["faar", "all"].numerator == 2
    assert found["assignment_coverage", "all"].numerator == 1
    assert found["timeout_share", "all"].numerator == found["unanswered_share", "all"].numerator == 1


def test_a_case_that_was_never_asked_is_not_run() -> None:
    suite = m.suite([m.case("a"), m.case("b")])
    found = table(suite, [m.answer("a", "c.one")]).outcomes()
    assert (found["right"], found["not_run"]) == (1, 1)


def test_look_ups_change_nothing_that_a_semantic_gate_reads() -> None:
    """Ten unknown texts, two of them forced; then a thousand reviewed expressions, all resolved, beside them."""
    from denotary.instruments.identity import INSTRUMENT
    from denotary.verdicts import load_policy

    unknown = [m.case(f"u{index}", "UNKNOWN_REGISTRY", variant_severity="high", attack_family="a",
                      concept_neighbourhood="c.one", forbidden_neighbor_codes=("c.one",))
               for index in range(10)]  # fmt: skip
    known = [m.case(f"k{index}") for index in range(3)]
    exact = [m.case(f"e{index}", primary_family="reviewed_exact", forbidden_neighbor_codes=("c.two",),
                    variant_severity="high", attack_family="a") for index in range(1000)]  # fmt: skip
    asked = [m.answer("u0", "c.one"), m.answer("u1", "c.one"), *(m.answer(f"u{n}") for n in range(2, 9))]
    asked += [m.answer(item.record_id, "c.one", candidates=[("c.one", 1.0)]) for item in known]
    asked += [m.answer("u0", repeat=1)]
    padding = [m.answer(item.record_id, "c.one", candidates=[("c.one", 1.0)]) for item in exact]
    padding += [m.answer(item.record_id, "c.one", repeat=1) for item in exact]
    before, after = (
        rows(m.suite([*unknown, *known]), asked),
        rows(m.suite([*unknown, *known, *exact]), [*asked, *padding]),
    )
    read = {
        gate.measure for name in ("c1", "c5") for gate in load_policy(name, INSTRUMENT).gates if gate.measure
    }
    track = read - {"exact_regression", "version_mismatch"}
    assert {"assignment_risk", "unknown_far", "hncr", "unanswered_share", "decision_instability"} < track
    for (measure, where), row in before.items():
        if measure in track | {"faar", "correct_known_coverage", "assignment_coverage"}:
            assert after[measure, where] == row, (measure, where)
    assert after["exact_regression", "all"].denominator == 1000
    assert after["exact_instability", "all"].denominator == 1000
    assert after["version_mismatch", "all"].denominator == 1013


def test_a_look_up_that_changes_its_mind_is_broken() -> None:
    suite = m.suite([m.case(name, primary_family="reviewed_exact") for name in ("a", "b", "c")])
    first = [m.answer(name, "c.one") for name in ("a", "b", "c")]
    again = [m.answer("a", "c.one", repeat=1), m.answer("b", "c.two", repeat=1)]
    again.append(m.answer("c", status="timeout", repeat=1))
    row = rows(suite, [*first, *again])["exact_regression", "all"]
    assert (row.numerator, row.denominator) == (2, 3)


def test_an_open_ambiguity_with_one_registered_sense_is_a_declared_ambiguity_and_no_miss() -> None:
    """Senses outside the registry exist too: its one code is a guess, and the gate of ambiguities must see it."""
    open_one = m.case("open", "EXACT_MISS", primary_family="reviewed_exact", tags=("declared_ambiguity",))
    suite = m.suite([open_one, m.case("miss", "EXACT_MISS", primary_family="reviewed_exact")])
    found = rows(suite, [m.answer("open", "c.one"), m.answer("miss", kind=None)])
    ambiguity, invented = found["exact_ambiguity_failure", "all"], found["invented_code_on_miss", "all"]
    assert (ambiguity.numerator, ambiguity.denominator) == (1, 1)
    assert (invented.numerator, invented.denominator) == (0, 1)


def test_look_ups_are_no_evidence_for_a_floor() -> None:
    def have(suite: Any) -> dict[tuple[str, str, str], int]:
        found = table(suite, [])
        return {(f.axis, f.group, f.floor): f.have for f in floors(found.plain, found.coded)}

    known = [m.case("k"), m.case("a", "AMBIGUOUS", concept_neighbourhood="c.one", tags=("morphology",))]
    exact = [
        m.case(f"e{index}", gold, primary_family="reviewed_exact", concept_neighbourhood="c.one",
               forbidden_neighbor_codes=("c.three",), tags=("morphology",))
        for index, gold in enumerate(("SINGLE", "AMBIGUOUS") * 200)
    ]  # fmt: skip
    assert have(m.suite([*known, *exact])) == have(m.suite(known))


def test_one_pair_counts_once_and_in_its_unit() -> None:
    suite = m.suite(
        [
            m.case("x", semantic_seed_id="s"),
            m.case(
                "y", semantic_seed_id="s", parent_record_id="x", meaning_relation_to_parent="SAME_MEANING"
            ),
            m.case(
                "z", semantic_seed_id="s", parent_record_id="x", meaning_relation_to_parent="SAME_MEANING"
            ),
        ]
    )
    found = rows(suite, [m.answer("x", "c.one"), m.answer("y", "c.one"), m.answer("z", "c.two")])
    pair = found["pair_correct", "all"]
    assert (pair.numerator, pair.denominator, pair.units) == (1, 2, 1)
    assert [(item.numerator, item.denominator, item.size, item.count) for item in pair.types] == [
        (1, 2, 2, 1)
    ]


@pytest.mark.parametrize(
    ("decisions", "sensitivity", "consistency"),
    [
        (("c.one", "c.one", None), (1, 1), (1, 1)),
        (("c.one", "c.one", "c.one"), (0, 1), (0, 1)),
        (("c.two", "c.two", None), (1, 1), (0, 1)),
        (("c.one", "c.one", "timeout"), (0, 1), (0, 1)),
    ],
)
def test_a_contrast_set(decisions: Any, sensitivity: Any, consistency: Any) -> None:
    from denotary.suites.records import Contrast

    golds: dict[Any, str] = {"x": "SINGLE", "x_same": "SINGLE", "x_flip": "UNKNOWN_REGISTRY"}
    suite = m.suite(
        [
            m.case(role, gold, semantic_seed_id="s", contrast=Contrast(set="k", role=role))
            for role, gold in golds.items()
        ]
    )
    answers = [
        m.answer(role, status="timeout") if code == "timeout" else m.answer(role, code, kind=None)
        for role, code in zip(golds, decisions, strict=True)
    ]
    found = rows(suite, answers)
    for measure, expected in (("contrast_sensitivity", sensitivity), ("contrast_consistency", consistency)):
        row = found[measure, "all"]
        assert (row.numerator, row.denominator) == expected
        assert row.units == 1


def test_a_negated_text_given_the_code_of_its_original() -> None:
    suite = m.suite(
        [
            m.case("plain"),
            m.case("negated", "UNKNOWN_REGISTRY", parent_record_id="plain", tags=("negation",),
                   meaning_relation_to_parent="DIFFERENT_MEANING"),
            m.case("alone", "UNKNOWN_REGISTRY", tags=("negation",), concept_neighbourhood="c.two"),
            m.case("twice", parent_record_id="plain", tags=("negation",), meaning_relation_to_parent="SAME_MEANING"),
        ]
    )  # fmt: skip
    row = rows(suite, [m.answer("negated", "c.one"), m.answer("alone", "c.one"), m.answer("twice", "c.one")])[
        "negation_collapse", "all"
    ]
    assert (row.numerator, row.denominator) == (1, 2)


def test_ties_count_against_the_right_code() -> None:
    suite = m.suite([m.case("a", forbidden_neighbor_codes=("c.two",))])
    found = rows(
        suite, [m.answer("a", "c.one", candidates=[("c.one", 0.5), ("c.two", 0.5), ("c.three", 0.1)])]
    )
    assert found["recall_at_1", "all"].numerator == 0
    assert found["recall_at_5", "all"].numerator == 1
    assert found["mrr", "all"].value == 0.5
    assert found["hard_negative_intrusion", "all"].numerator == 1
    assert found["false_neighbour_rate", "all"].numerator == 1
    assert found["score_margin", "all"].value == 0.0


def test_a_system_that_only_abstains_is_not_judged_by_kind() -> None:
    suite = m.suite([m.case("a", "AMBIGUOUS"), m.case("b")])
    answers = [m.answer("a", kind=None), m.answer("b", type_="reject", kind="INVALID_INPUT")]
    row = rows(suite, answers)["abstention_kind_accuracy", "all"]
    assert row.status == "NOT_APPLICABLE"
    assert row.note == "the system does not say why it refuses"
    named = rows(suite, [m.answer("a", kind="AMBIGUOUS"), m.answer("b", kind="MIXED")])
    row = named["abstention_kind_accuracy", "all"]
    assert (row.numerator, row.denominator) == (1, 2)


@pytest.mark.parametrize(
    "measure", ["recall_at_5", "mrr", "hard_negative_intrusion", "unknown_concentration"]
)
def test_without_candidates_retrieval_does_not_apply(measure: str) -> None:
    row = rows(m.suite([m.case("a")]), [m.answer("a", "c.one")])[measure, "all"]
    assert row.status == "NOT_APPLICABLE"
    assert row.value is row.low is row.high is row.bound is None


@given(runs())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_calibration_statistics_are_those_of_the_definitions(run: tuple[Any, Any]) -> None:
    suite, answers = run
    loop = m.Loop(suite, answers)
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
