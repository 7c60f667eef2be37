"""Measures of pairs, neighbourhoods, originals and repeats on one small suite, every count written down by hand."""

from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest

from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate
from denotary.suites.records import Contrast

ONE, TWO, THREE = m.CODES
UNKNOWN = "UNKNOWN_REGISTRY"

CASES = [
    # Two originals with a code, each with one changed text; the first is negated, the second has its roles swapped.
    m.case("a", codes=(ONE,), contrast=Contrast(set="a", role="original"), semantic_seed_id="a"),
    m.case("a-not", UNKNOWN, (), contrast=Contrast(set="a", role="changed"), semantic_seed_id="a", tags=("negation",)),
    m.case("b", codes=(TWO,), contrast=Contrast(set="b", role="original"), semantic_seed_id="b"),
    m.case("b-swap", codes=(THREE,), contrast=Contrast(set="b", role="changed"), semantic_seed_id="b",
           tags=("role_reversal",)),
    # Neighbours: a text of the first concept that names two, an unknown one that names one.
    m.case("n", codes=(ONE,), forbidden_neighbor_codes=(TWO, THREE)),
    m.case("n2", codes=(ONE,), forbidden_neighbor_codes=(TWO,)),
    m.case("u", UNKNOWN, (), forbidden_neighbor_codes=(TWO,), concept_neighbourhood=THREE),
    # A text that could mean two, and no answer to it.
    m.case("amb", "AMBIGUOUS", (ONE, TWO)),
    # One seed in three languages.
    m.case("en", codes=(TWO,), translation_family="t", language="en", semantic_seed_id="t"),
    m.case("de", codes=(TWO,), translation_family="t", language="de", semantic_seed_id="t"),
    m.case("hi", codes=(TWO,), translation_family="t", language="hi", semantic_seed_id="t"),
    # Noise and code-switching.
    m.case("typo", tags=("spelling_noise",), variant_severity="high"),
    m.case("cases", tags=("morphology",), variant_severity="low"),
    m.case("mix", tags=("code_switch",), language="hi"),
    # A reviewed expression, which counts in none of these measures.
    m.case("exact", codes=(ONE,), primary_family="reviewed_exact", forbidden_neighbor_codes=(TWO,)),
]  # fmt: skip

ANSWERS = [
    m.answer("a", ONE),
    m.answer("a-not", ONE),
    m.answer("b", TWO),
    m.answer("b-swap", THREE),
    m.answer("n", TWO),
    m.answer("n2", status="timeout"),
    m.answer("u", ONE),
    m.answer("en", TWO),
    m.answer("de", ONE),
    m.answer("hi", ONE),
    m.answer("typo", TWO),
    m.answer("cases", ONE),
    m.answer("mix"),
    m.answer("exact", TWO),
    m.answer("a", ONE, repeat=1),
    m.answer("b", THREE, repeat=1),
    m.answer("hi", TWO, repeat=1),
    m.answer("cases", ONE, repeat=1),
]

EXPECTED: dict[str, dict[str, tuple[int, int]]] = {
    # Of a target and a neighbour it names: given that neighbour, or no answer.
    "hncr_pair": {
        f"pair={ONE} → {TWO}": (2, 2),
        f"pair={ONE} → {THREE}": (0, 1),
        f"pair={UNKNOWN} → {TWO}": (0, 1),
    },
    # False attraction, of what was given a code: c.one to a, a-not, u, de, hi, cases; c.two to b, n, en, typo; c.three
    # to b-swap.
    "assignment_risk": {
        f"answered_code={ONE}": (4, 6),
        f"answered_code={TWO}": (2, 4),
        f"answered_code={THREE}": (0, 1),
    },
    # u lies near c.two, which it names, and c.three; a-not lies near nothing that is written down.
    "unknown_far_nearby": {f"concept={TWO}": (1, 1), f"concept={THREE}": (1, 1)},
    "ambiguity_forced_nearby": {f"concept={ONE}": (1, 1), f"concept={TWO}": (1, 1)},
    # The code of the original: c.one to a-not, c.two was not given to b-swap. u has no original in the suite, but a
    # neighbourhood, and is not tagged.
    "negation_collapse": {"all": (1, 1), f"original={ONE}": (1, 1)},
    "role_reversal_confusion": {"all": (0, 1), f"original={TWO}": (0, 1)},
    # Both sides right: not a and a-not; b and b-swap.
    "flip_correct": {"all": (1, 2), f"concept={THREE}": (1, 1)},
    # Ordered pairs: de and hi agree, and with en neither does; only en is right.
    "language_pair_agreement": {"language=en": (0, 2), "language=de": (1, 2), "language=hi": (1, 2)},
    "language_pair_correct": {"language=en": (0, 2), "language=de": (0, 2), "language=hi": (0, 2)},
    "noise_faar": {"all": (1, 2), "severity=high": (1, 1), "severity=low": (0, 1)},
    "noise_correct": {"all": (1, 2), "severity=high": (0, 1), "severity=low": (1, 1)},
    "code_switch_faar": {"all": (0, 1), "matrix_language=hi": (0, 1)},
    "code_switch_correct": {"all": (0, 1)},
    # a and cases stay right; b was wrong once, hi at first.
    "wrong_in_a_repeat": {"all": (2, 4)},
    "decision_instability": {"all": (2, 4)},
}


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], Any]:
    joined = table(m.suite(CASES), ANSWERS)
    found = evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)
    return {(row.measure, row.slice): row for row in found}


@pytest.mark.parametrize("measure", EXPECTED)
def test_the_counts_are_those_written_down(rows: dict[tuple[str, str], Any], measure: str) -> None:
    for name, counts in EXPECTED[measure].items():
        row = rows[measure, name]
        assert (row.numerator, row.denominator) == counts, name


@pytest.mark.parametrize(
    "measure", [name for name in EXPECTED if next(item for item in MEASURES if item.id == name).over]
)
def test_pairs_are_in_no_other_slice(rows: dict[tuple[str, str], Any], measure: str) -> None:
    held = {
        name for (other, name), row in rows.items() if other == measure and row.denominator and "=" in name
    }
    assert held == set(EXPECTED[measure])


def test_members_of_a_unit_are_counted_once(rows: dict[tuple[str, str], Any]) -> None:
    assert rows["language_pair_agreement", "language=de"].units == 1
    assert rows["hncr_pair", f"pair={ONE} → {TWO}"].units == 2


def test_the_language_average_is_over_languages_and_not_over_pairs(rows: dict[tuple[str, str], Any]) -> None:
    worst = rows["language_pair_agreement", "language:worst"]
    assert (worst.value, worst.note) == (0.0, "worst: language=en")


def test_recall_among_all_listed_counts_whatever_the_rank() -> None:
    cases = [m.case("a"), m.case("b"), m.case("c"), m.case("d", "UNKNOWN_REGISTRY", ())]
    listed = [(f"x{index}", 1.0) for index in range(20)] + [(ONE, 0.5)]
    answers = [
        m.answer("a", TWO, candidates=listed),
        m.answer("b", ONE, candidates=[(TWO, 1.0)]),
        m.answer("d", candidates=listed),
    ]
    joined = table(m.suite(cases), answers)
    found = evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)
    by = {(row.measure, row.slice): (row.numerator, row.denominator) for row in found}
    assert by["recall_listed", "all"] == (1, 3)
    assert by["recall_at_10", "all"] == (0, 3)


def test_strata_of_overlap_position_and_severity_are_slices() -> None:
    cases = [
        m.case("a", overlap_stratum="low", position_of_evidence="end", script="Latn", domain="legal"),
        m.case("b", overlap_stratum="low", position_of_evidence="begin", script="Deva", domain="legal"),
        m.case("c", overlap_stratum="high", variant_severity="low"),
    ]
    joined = table(m.suite(cases), [m.answer("a", TWO), m.answer("b", ONE), m.answer("c", ONE)])
    found = evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)
    by = {(row.measure, row.slice): (row.numerator, row.denominator) for row in found}
    assert by["faar", "overlap=low"] == by["assignment_risk", "domain=legal"] == (1, 2)
    assert by["faar", "overlap=high"] == by["faar", "severity=low"] == (0, 1)
    assert by["faar", "position=end"] == by["faar", "script=Latn"] == (1, 1)
    assert by["correct_known_coverage", "position=begin"] == (1, 1)


def test_calibration_is_told_apart_for_hard_negatives_and_unknown_meanings() -> None:
    cases = [m.case("a", forbidden_neighbor_codes=(TWO,)), m.case("b"), m.case("c", UNKNOWN, ())]
    answers = [
        m.answer("a", TWO, confidence=0.9),
        m.answer("b", ONE, confidence=0.8),
        m.answer("c", ONE, confidence=0.6),
    ]
    joined = table(m.suite(cases), answers)
    found = evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)
    by = {(row.measure, row.slice): row.value for row in found}
    assert by["brier", "neighbour=named"] == pytest.approx(0.81)
    assert by["brier", "neighbour=none named"] == pytest.approx((0.04 + 0.36) / 2)
    assert by["ece_equal_mass", "disposition=UNKNOWN_REGISTRY"] == pytest.approx(0.6)
    assert by["nll", "disposition=SINGLE"] is not None
