"""What quotas count, and their joint feasibility against a linear programme."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from denotary.errors import InputError
from denotary.instruments.identity.families import FAMILIES
from denotary.instruments.identity.feasibility import infeasible
from denotary.suites import check, load_suite, pin, quota, summary

Make = Callable[..., Path]
Case = Callable[..., dict[str, Any]]
UNKNOWN = {"disposition": "UNKNOWN_REGISTRY", "forbidden_neighbor_codes": ["x.beta"]}


@pytest.fixture
def counts(make_suite: Make) -> Callable[..., dict[str, int]]:
    def of(*cases: dict[str, Any], **quotas: int) -> dict[str, int]:
        suite = load_suite(make_suite(cases, quotas=quotas))
        return dict(suite.instrument.quota_counts(suite))

    return of


@pytest.fixture
def mixed(case: Case) -> list[dict[str, Any]]:
    return [
        case("c1", construction={"tags": ["negation", "one_token"], "made_against": "none"}),
        case("c2", "x.beta", input={"language": "hi-Latn"}, construction={"tags": ["romanised"]}),
        case("c3", "x.gamma", text="नाम", input={"language": "hi", "script": "Deva", "domain": "legal"}),
        case("c4", UNKNOWN, input={"language": "es"}, construction={"tags": ["code_switch", "two_tokens"]}),
        case("c5", UNKNOWN, construction={"primary_family": "morphology", "overlap_stratum": "high"}),
        case("c6", construction={"primary_family": "held_out_paraphrase", "overlap_stratum": "low"}),
        case(
            "c7",
            input={"language": "en-GB"},
            construction={"tags": ["dialect_variety", "high_lexical_overlap"]},
        ),
    ]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("total", 7),
        ("family:compositional", 5),
        ("family:morphology", 1),
        ("family:ambiguity", 0),
        ("gold:SINGLE", 5),
        ("gold:UNKNOWN_REGISTRY", 2),
        ("gold:abstention", 2),
        ("gold:MIXED", 0),
        ("language:en", 4),
        ("language:hi", 2),
        ("language:mixed", 1),
        ("language:non-en", 3),
        ("script:Deva", 1),
        ("script:non-Latn", 1),
        ("domain:legal", 1),
        ("tag:negation", 1),
        ("tag:morphology", 1),
        ("tag:romanised", 1),
        ("tag:code_switch", 1),
        ("tag:spelling_noise", 0),
        ("tokens:one_or_two", 2),
        ("author:adversarial", 1),
        ("author:after_freeze", 0),
        ("overlap:high", 2),
        ("paraphrase:low_overlap", 1),
        ("concept:positives", 1),
        ("concept:hard_negatives", 0),
    ],
)
def test_what_a_key_counts(
    counts: Callable[..., dict[str, int]], mixed: list[dict[str, Any]], key: str, expected: int
) -> None:
    assert counts(*mixed)[key] == expected


def test_the_concept_with_the_fewest_decides(counts: Callable[..., dict[str, int]], case: Case) -> None:
    cases = [case(f"{code}{n}", code) for code, size in (("x.alpha", 3), ("x.beta", 2)) for n in range(size)]
    assert counts(*cases)["concept:positives"] == 0
    assert counts(*cases, case("g", "x.gamma"))["concept:positives"] == 1


def test_cases_written_after_the_freeze_carry_its_hash_and_follow_its_entry(
    make_suite: Make, case: Case
) -> None:
    folder = make_suite([case("c1")])
    snapshot = load_suite(folder).registry.hash
    after = [
        case("c1", construction={"authored_after": snapshot}),
        case("c2", construction={"authored_after": "00"}),
    ]
    make_suite(after)

    def present() -> int:
        suite = load_suite(folder)
        return suite.instrument.quota_counts(suite)["author:after_freeze"]

    assert present() == 0
    pin(folder)
    assert present() == 1


def test_rows_say_what_is_short(make_suite: Make, mixed: list[dict[str, Any]]) -> None:
    quotas = {"total": 5, "language:hi": 3, "tag:my_own": 1, "script:Arab": 2}
    suite = load_suite(make_suite(mixed, quotas=quotas))
    assert [(row.key, row.minimum, row.present, row.short) for row in quota(suite)] == [
        ("total", 5, 7, 0),
        ("language:hi", 3, 2, 1),
        ("tag:my_own", 1, 0, 1),
        ("script:Arab", 2, 0, 2),
    ]
    assert summary(suite)["quotas_short"] == ["language:hi 1", "tag:my_own 1", "script:Arab 2"]
    assert sum(problem.code == "quota_short" for problem in check(suite)) == 3


def test_a_quota_that_nothing_counts_is_refused(make_suite: Make, case: Case) -> None:
    with pytest.raises(InputError, match="no such quota: family:riddles"):
        quota(load_suite(make_suite([case("c1")], quotas={"family:riddles": 1})))


FIRST_THOUSAND = {
    "total": 1000,
    "family:reviewed_exact": 60,
    "family:held_out_paraphrase": 150,
    "family:adversarial_paraphrase": 70,
    "family:hard_negative": 140,
    "family:minimal_contrast": 60,
    "family:negation_contradiction": 70,
    "family:compositional": 45,
    "family:shadow_concept_unknown": 140,
    "family:ambiguity": 60,
    "family:underspecified_short": 40,
    "family:mixed_concept": 35,
    "family:paired_multilingual": 40,
    "family:unicode_punctuation": 9,
    "family:spelling_noise": 9,
    "family:morphology": 9,
    "family:cross_script": 8,
    "family:domain_shift": 15,
    "family:long_context": 20,
    "family:malicious_input": 20,
    "gold:abstention": 300,
    "language:non-en": 400,
    "script:non-Latn": 150,
    "tag:code_switch": 60,
    "tag:romanised": 60,
    "tag:unicode_punctuation": 80,
    "tag:spelling_noise": 60,
    "tag:morphology": 60,
    "tag:dialect_variety": 40,
    "tag:rare_language": 40,
    "tokens:one_or_two": 80,
    "tag:long_context": 40,
    "tag:domain_shift": 100,
    "tag:negation": 100,
    "tag:role_reversal": 40,
    "author:adversarial": 120,
    "tag:prompt_like": 50,
    "tag:identifier_spoof": 25,
    "overlap:high": 150,
    "paraphrase:low_overlap": 60,
    "author:after_freeze": 100,
    "concept:positives": 10,
    "concept:hard_negatives": 10,
}
"""The quotas of the thousand cases that the specification names."""


def test_the_quotas_of_the_first_thousand_can_be_met() -> None:
    assert sum(number for key, number in FIRST_THOUSAND.items() if key.startswith("family:")) == 1000
    assert infeasible(FIRST_THOUSAND, concepts=11) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"total": 999}, "the families together demand 1000 cases"),
        ({"gold:MIXED": 300}, "gold:MIXED demand 300 cases, but the other quotas leave room for"),
        ({"gold:abstention": 741}, "gold:abstention demand 741 cases"),
        ({"concept:positives": 75}, "concept:positives demand 825 cases"),
        (
            {"concept:positives": 55, "gold:abstention": 400},
            "concept:positives and gold:abstention demand 1005 cases",
        ),
        ({"script:non-Latn": 950}, "script:non-Latn and tag:romanised demand 1010 cases"),
        ({"paraphrase:low_overlap": 221}, "paraphrase:low_overlap demand 221 cases"),
        ({"tag:negation": 1001}, "tag:negation demand 1001 cases"),
        ({"author:adversarial": 791}, "author:adversarial demand 791 cases"),
    ],
)
def test_quotas_that_exclude_each_other_are_named(change: dict[str, int], expected: str) -> None:
    reasons = infeasible(FIRST_THOUSAND | change, concepts=11)
    assert any(reason.startswith(expected) for reason in reasons)


def test_without_a_total_there_is_always_room() -> None:
    assert infeasible({"gold:MIXED": 10**6, "family:ambiguity": 3}, concepts=5) == []


GOLD = ("SINGLE", "AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED", "INVALID_INPUT", "EXACT_MISS")
small = st.integers(0, 12)
families = st.dictionaries(st.sampled_from(sorted(set(FAMILIES) - {"ambiguity", "minimal_contrast"})), small)
golds = st.dictionaries(st.sampled_from([*(f"gold:{name}" for name in GOLD), "gold:abstention"]), small)


def by_linear_programme(sizes: dict[str, int], demands: dict[str, int]) -> bool:
    """Whether gold can be dealt out: the linear programme of a transportation problem is integral."""
    names = [name for name, size in sizes.items() if size]
    pairs = [(i, gold) for i in range(len(names)) for gold in GOLD]
    fits = [
        gold in (set(GOLD[:6]) if FAMILIES[names[i]].flips else FAMILIES[names[i]].allowed)
        for i, gold in pairs
    ]
    if not names:
        return not any(demands.values())
    dealt = np.array([[pair[0] == i for pair in pairs] for i in range(len(names))], dtype=float)
    wanted = {
        key: [key in (f"gold:{g}", "gold:abstention" if g != "SINGLE" else "") for _, g in pairs]
        for key in demands
    }
    found = linprog(
        np.zeros(len(pairs)),
        A_ub=-np.array(list(wanted.values()), dtype=float) if wanted else None,
        b_ub=-np.array(list(demands.values()), dtype=float) if wanted else None,
        A_eq=dealt,
        b_eq=[sizes[name] for name in names],
        bounds=[(0, None if fit else 0) for fit in fits],
    )
    return bool(found.status == 0)


@settings(max_examples=150, deadline=None)
@given(families, golds)
def test_feasibility_of_gold_is_that_of_a_linear_programme(
    sizes: dict[str, int], demands: dict[str, int]
) -> None:
    quotas = {
        "total": sum(sizes.values()),
        **{f"family:{name}": size for name, size in sizes.items()},
        **demands,
    }
    assert (infeasible(quotas, concepts=0) == []) is by_linear_programme(sizes, demands)
