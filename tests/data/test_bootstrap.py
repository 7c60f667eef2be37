"""The bundled registry and suite: complete, clean, frozen, and as their page in the documentation says."""

import base64
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

import pytest

from denotary.instruments.identity.answers import encode
from denotary.instruments.identity.cases import IdentityCase
from denotary.instruments.identity.families import FAMILIES, MECHANISMS, UNKNOWN_KINDS, mechanisms_of
from denotary.registry import Registry, lint, load_registry
from denotary.registry.records import HardNegativeType, Tier
from denotary.suites import Suite, check, load_suite, quota

PAGE = Path(__file__).parents[2] / "docs/reference/bootstrap.md"
WITHOUT_A_SLOT = {"code_switch", "dialect_variety", "rare_language"}
LEAST = {
    "reviewed_exact": 60,
    "held_out_paraphrase": 40,
    "adversarial_paraphrase": 15,
    "hard_negative": 40,
    "minimal_contrast": 24,
    "negation_contradiction": 20,
    "compositional": 15,
    "shadow_concept_unknown": 35,
    "ambiguity": 21,
    "underspecified_short": 12,
    "mixed_concept": 10,
    "paired_multilingual": 10,
    "domain_shift": 8,
    "long_context": 6,
    "malicious_input": 10,
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry("bundled:bootstrap")


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("bundled:starter")


@pytest.fixture(scope="module")
def cases(suite: Suite) -> list[IdentityCase]:
    return [case for case in suite.cases if isinstance(case, IdentityCase)]


def units_by_family(suite: Suite) -> dict[str, set[str]]:
    found = defaultdict(set)
    for case, unit in zip(suite.cases, suite.units, strict=True):
        found[case.construction.primary_family].add(unit)
    return found


def test_registry_has_eleven_concepts_with_five_expressions_each(registry: Registry) -> None:
    counts = Counter(code for item in registry.expressions for code in item.codes)
    assert len(registry.concepts) == 11
    assert counts == dict.fromkeys(registry.concepts, 5)
    assert {"en", "de", "es"} <= {item.language for item in registry.expressions}
    assert {item.language for item in registry.expressions} == set(registry.header.languages)


def test_registry_is_frozen_lint_clean_and_illustrative(registry: Registry) -> None:
    assert registry.is_frozen
    assert lint(registry) == []
    assert registry.header.review == "illustrative"
    assert {item.review.status for item in registry.expressions} == {"illustrative"}


def test_every_concept_is_defined_in_three_languages_and_has_neighbours(registry: Registry) -> None:
    assert all(set(item.definitions) == {"en", "de", "es"} for item in registry.concepts.values())
    assert min(len(item.neighbours) for item in registry.concepts.values()) >= 2
    assert {item.consequence_tier for item in registry.concepts.values()} == set(get_args(Tier)) - {"C0"}


def test_neighbours_are_mutual_and_of_one_type(registry: Registry) -> None:
    pairs = {
        (code, near.code): near.type
        for code, concept in registry.concepts.items()
        for near in concept.neighbours
    }
    assert {(b, a): kind for (a, b), kind in pairs.items()} == pairs
    assert len(pairs) == 2 * 18


def test_ambiguities_are_closed_and_open(registry: Registry) -> None:
    assert Counter(item.kind for item in registry.ambiguities) == {"closed": 2, "open": 5}


def test_exact_lane_answers_every_expression_and_ambiguity(registry: Registry) -> None:
    from denotary.resolver import ExactLane

    lane = ExactLane(registry)
    for item in registry.expressions:
        answer = lane.resolve({"text": item.text, "language": item.language})
        assert answer["decision"]["concept_code"] == item.codes[0], item.id
    for ambiguity in registry.ambiguities:
        answer = lane.resolve({"text": ambiguity.text, "language": ambiguity.language})
        assert answer["decision"]["type"] == "abstain", ambiguity.id
        assert "concept_code" not in answer["decision"]


def test_exact_lane_is_never_wrong_on_the_suite(cases: list[IdentityCase], registry: Registry) -> None:
    from denotary.resolver import ExactLane

    lane = ExactLane(registry)
    for case in cases:
        decision = lane.resolve(encode(case))["decision"]
        code = decision.get("concept_code")
        assert code is None or (code,) == case.gold.acceptable_concept_codes, case.record_id
        if case.construction.primary_family == "reviewed_exact":
            assert (code is not None) == (case.gold.disposition == "SINGLE"), case.record_id


def test_suite_is_frozen_and_check_clean(suite: Suite, registry: Registry) -> None:
    assert suite.lock is not None
    assert suite.lock.registry_hash == registry.hash
    assert check(suite) == []
    assert [row.key for row in quota(suite) if row.short] == []


def test_suite_claims_no_review(suite: Suite) -> None:
    assert suite.manifest.role == "public-diagnostic"
    assert suite.manifest.review == "illustrative"
    assert {case.annotation.review for case in suite.cases} == {"illustrative"}
    assert not any(case.annotation.independent_votes for case in suite.cases)
    assert not any(case.construction.native_author for case in suite.cases)


def test_every_family_with_a_slot_has_five_units(suite: Suite) -> None:
    units = units_by_family(suite)
    assert set(units) == set(FAMILIES) - WITHOUT_A_SLOT
    assert {family: len(found) for family, found in units.items() if len(found) < 5} == {}


def test_families_have_their_numbers(suite: Suite) -> None:
    counts = Counter(case.construction.primary_family for case in suite.cases)
    assert {name: counts[name] for name, least in LEAST.items() if counts[name] < least} == {}


def test_no_template_supplies_more_than_one_in_twenty(suite: Suite) -> None:
    templates = Counter(case.construction.generation_template for case in suite.cases)
    del templates[None]
    assert all(count <= len(suite.cases) / 20 for count in templates.values())
    assert max(Counter(suite.units).values()) <= len(suite.cases) / 20


def test_every_mechanism_is_exercised_or_explained(suite: Suite, cases: list[IdentityCase]) -> None:
    exercised = {name for case in cases for name in mechanisms_of(case)}
    assert exercised.isdisjoint(suite.manifest.mechanisms_not_exercised)
    assert exercised | set(suite.manifest.mechanisms_not_exercised) == set(MECHANISMS)


def test_reviewed_cases_are_the_registry(registry: Registry, cases: list[IdentityCase]) -> None:
    exact = [case for case in cases if case.construction.primary_family == "reviewed_exact"]
    asked = Counter(
        (case.input.language, case.input.text, case.gold.acceptable_concept_codes) for case in exact
    )
    wanted = Counter((item.language, item.text, item.codes) for item in registry.expressions)
    assert wanted <= asked


def test_hard_negatives_cover_every_type(cases: list[IdentityCase]) -> None:
    found = {
        note.type
        for case in cases
        if case.construction.primary_family == "hard_negative"
        for note in case.construction.neighbours
    }
    assert found == set(get_args(HardNegativeType))


def test_unknowns_are_of_every_kind_and_few_are_gibberish(cases: list[IdentityCase]) -> None:
    kinds = Counter(
        tag
        for case in cases
        if case.construction.primary_family == "shadow_concept_unknown"
        for tag in case.construction.tags
        if tag in UNKNOWN_KINDS
    )
    assert set(kinds) == set(UNKNOWN_KINDS)
    assert kinds["gibberish"] < min(count for kind, count in kinds.items() if kind != "gibberish")


def test_no_text_stands_twice_under_one_language(cases: list[IdentityCase]) -> None:
    shown = Counter((case.input.language, str(case.content()).casefold()) for case in cases)
    assert [key for key, count in shown.items() if count > 1] == []


def test_invalid_inputs_are_of_every_sort(cases: list[IdentityCase]) -> None:
    invalid = [case for case in cases if case.gold.disposition == "INVALID_INPUT"]
    texts = [case.input.text for case in invalid if case.input.text is not None]
    (encoded,) = [case.input.text_b64 for case in invalid if case.input.text_b64 is not None]
    assert "" in texts
    assert any(text and not text.strip("\x01\x02\x07\x1b") for text in texts)
    assert [len(text) for text in texts if len(text) > 2048] == [2049]
    assert any("\u202e" in text for text in texts)
    with pytest.raises(UnicodeDecodeError):
        base64.b64decode(encoded).decode()


def test_page_states_the_counts(suite: Suite, cases: list[IdentityCase]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    counts = Counter(case.construction.primary_family for case in cases)
    units = units_by_family(suite)
    assert {name: (int(n), int(u)) for name, n, u in rows} == {
        name: (counts[name], len(units[name])) for name in counts
    }
    foreign = sum(case.language_slice not in ("en", "und") for case in cases)
    other = sum(case.input.script not in (None, "Latn") for case in cases)
    sentences = (
        f"{len(cases)} cases in {len(set(suite.units))} independent units",
        f"{foreign} are not in English, {other} are in a script other than Latin",
    )
    assert all(sentence in " ".join(page.split()) for sentence in sentences)
