"""The suite of a thousand cases: its exact allocation, its quotas, its honesty, and its page."""

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

import pytest

from denotary.instruments.identity.answers import encode
from denotary.instruments.identity.cases import IdentityCase
from denotary.instruments.identity.families import MECHANISMS, UNKNOWN_KINDS, mechanisms_of
from denotary.registry.records import HardNegativeType
from denotary.resolver import ExactLane
from denotary.suites import Suite, check, load_suite, quota

PAGE = Path(__file__).parents[2] / "docs/reference/first-thousand.md"
ALLOCATION = {
    "reviewed_exact": 60,
    "held_out_paraphrase": 150,
    "adversarial_paraphrase": 70,
    "hard_negative": 140,
    "minimal_contrast": 60,
    "negation_contradiction": 70,
    "compositional": 45,
    "shadow_concept_unknown": 140,
    "ambiguity": 60,
    "underspecified_short": 40,
    "mixed_concept": 35,
    "paired_multilingual": 40,
    "unicode_punctuation": 9,
    "spelling_noise": 9,
    "morphology": 9,
    "cross_script": 8,
    "domain_shift": 15,
    "long_context": 20,
    "malicious_input": 20,
}
QUOTAS = {
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
ROBUSTNESS = {"unicode_punctuation", "spelling_noise", "morphology", "cross_script"}
REGISTERS = {
    "technical documentation",
    "scientific prose",
    "legal",
    "clinical",
    "engineering",
    "software documentation",
    "code comment",
    "support chat",
    "social media",
    "education",
    "business",
    "conversational question",
    "machine-generated text",
}


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("bundled:first-thousand")


@pytest.fixture(scope="module")
def cases(suite: Suite) -> list[IdentityCase]:
    return [case for case in suite.cases if isinstance(case, IdentityCase)]


def test_allocation_is_exact(cases: list[IdentityCase]) -> None:
    assert Counter(case.construction.primary_family for case in cases) == ALLOCATION
    assert sum(ALLOCATION.values()) == len(cases) == 1000


def test_every_quota_is_demanded_and_met(suite: Suite) -> None:
    demanded = {"total": 1000, **{f"family:{name}": count for name, count in ALLOCATION.items()}, **QUOTAS}
    assert suite.manifest.quotas == demanded
    assert [row.key for row in quota(suite) if row.short] == []


def test_non_english_cases_stand_outside_robustness_too(cases: list[IdentityCase]) -> None:
    others = [case for case in cases if case.construction.primary_family not in ROBUSTNESS]
    assert sum(case.language_slice not in ("en", "und") for case in others) >= 360
    assert len({(case.input.language or "").split("-")[0] for case in cases}) >= 9
    assert len({case.input.script for case in cases} - {None, "Latn"}) >= 5


def test_suite_is_frozen_and_check_clean(suite: Suite) -> None:
    assert suite.lock is not None
    assert suite.lock.registry_hash == suite.registry.hash
    assert check(suite) == []


def test_suite_claims_no_review(suite: Suite, cases: list[IdentityCase]) -> None:
    assert (suite.manifest.role, suite.manifest.review) == ("public-diagnostic", "illustrative")
    assert {case.annotation.review for case in cases} == {"illustrative"}
    assert not any(case.annotation.independent_votes or case.construction.native_author for case in cases)
    assert {case.construction.made_against for case in cases} == {None, "none"}


def test_no_text_came_from_a_template_and_no_unit_dominates(suite: Suite) -> None:
    assert {case.construction.generation_template for case in suite.cases} == {None}
    assert max(Counter(suite.units).values()) <= 50
    assert all(case.record_id.startswith("ft-") for case in suite.cases)


def test_shared_texts_share_seeds_with_the_starter_suite(cases: list[IdentityCase]) -> None:
    starter = {
        (case.input.language, str(case.content())): case.semantic_seed_id
        for case in load_suite("bundled:starter").cases
        if isinstance(case, IdentityCase)
    }
    shared = [case for case in cases if (case.input.language, str(case.content())) in starter]
    seeds = {case.semantic_seed_id for case in shared}
    assert {starter[case.input.language, str(case.content())] for case in shared} == seeds
    assert f"{len(shared)} of them stand in the suite `starter`" in " ".join(PAGE.read_text("utf-8").split())


def test_no_text_stands_twice_under_one_language(cases: list[IdentityCase]) -> None:
    shown = Counter((case.input.language, str(case.content()).casefold()) for case in cases)
    assert [key for key, count in shown.items() if count > 1] == []


def test_exact_lane_is_never_wrong_and_hits_exactly_the_reviewed_texts(
    suite: Suite, cases: list[IdentityCase]
) -> None:
    lane = ExactLane(suite.registry)
    for case in cases:
        code = lane.resolve(encode(case))["decision"].get("concept_code")
        assert code is None or (code,) == case.gold.acceptable_concept_codes, case.record_id
        if case.construction.primary_family == "reviewed_exact":
            assert (code is not None) == (case.gold.disposition == "SINGLE"), case.record_id


def test_every_reviewed_expression_is_asked(suite: Suite, cases: list[IdentityCase]) -> None:
    exact = Counter(
        (case.input.language, case.input.text, case.gold.acceptable_concept_codes)
        for case in cases
        if case.construction.primary_family == "reviewed_exact"
    )
    assert Counter((item.language, item.text, item.codes) for item in suite.registry.expressions) <= exact


def test_hard_negatives_cover_every_type_and_every_pair_of_neighbours(
    suite: Suite, cases: list[IdentityCase]
) -> None:
    hard = [case for case in cases if case.construction.primary_family == "hard_negative"]
    assert {n.type for case in hard for n in case.construction.neighbours} == set(get_args(HardNegativeType))
    covered = {
        (code, n.code)
        for case in hard
        for code in case.gold.acceptable_concept_codes
        for n in case.construction.neighbours
    }
    named = {(code, n.code) for code, concept in suite.registry.concepts.items() for n in concept.neighbours}
    assert named <= covered


def test_unknowns_are_of_every_kind_and_few_are_gibberish(cases: list[IdentityCase]) -> None:
    kinds = Counter(
        tag
        for case in cases
        if case.construction.primary_family == "shadow_concept_unknown"
        for tag in case.construction.tags
        if tag in UNKNOWN_KINDS
    )
    assert set(kinds) == set(UNKNOWN_KINDS)
    assert kinds["gibberish"] <= 5


def test_every_register_and_every_position_occurs(cases: list[IdentityCase]) -> None:
    assert {case.input.domain for case in cases} >= REGISTERS
    assert {case.construction.position_of_evidence for case in cases} >= {
        "begin",
        "quarter",
        "middle",
        "three_quarter",
        "end",
    }


def test_every_mechanism_is_exercised_or_explained(suite: Suite, cases: list[IdentityCase]) -> None:
    exercised = {name for case in cases for name in mechanisms_of(case)}
    assert exercised | set(suite.manifest.mechanisms_not_exercised) == set(MECHANISMS)
    assert exercised.isdisjoint(suite.manifest.mechanisms_not_exercised)


def test_refusals_say_why(cases: list[IdentityCase]) -> None:
    silent = [
        case.record_id
        for case in cases
        if case.gold.disposition in ("UNKNOWN_REGISTRY", "AMBIGUOUS", "UNDERSPECIFIED", "MIXED")
        and not case.annotation.rationale
        and not case.construction.neighbours
        and case.construction.meaning_relation_to_parent != "SAME_MEANING"
        and case.construction.contrast is None
    ]
    assert silent == []


def test_page_states_the_counts(suite: Suite, cases: list[IdentityCase]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    units = defaultdict(set)
    for case, unit in zip(cases, suite.units, strict=True):
        units[case.construction.primary_family].add(unit)
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert {name: (int(n), int(u)) for name, n, u in rows} == {
        name: (ALLOCATION[name], len(units[name])) for name in ALLOCATION
    }
    gold = re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|$", page, re.MULTILINE)
    assert Counter({name: int(n) for name, n in gold}) == Counter(case.gold.disposition for case in cases)
    concepts = re.findall(r"^\| `([\w.]+)` \| C\d \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert {name: (int(n), int(m)) for name, n, m in concepts} == _by_concept(suite, cases)
    foreign = sum(case.language_slice not in ("en", "und") for case in cases)
    other = sum(case.input.script not in (None, "Latn") for case in cases)
    sentence = (
        f"1,000 cases in {len(set(suite.units))} independent units; {foreign} are not in English, "
        f"{other} are in a script other than Latin."
    )
    assert sentence in " ".join(page.split())


def _by_concept(suite: Suite, cases: list[IdentityCase]) -> dict[str, tuple[int, int]]:
    singles = [case for case in cases if case.gold.disposition == "SINGLE"]
    positives = Counter(code for case in singles for code in case.gold.acceptable_concept_codes)
    named = Counter(code for case in cases for code in case.gold.forbidden_neighbor_codes)
    return {code: (positives[code], named[code]) for code in suite.registry.concepts}
