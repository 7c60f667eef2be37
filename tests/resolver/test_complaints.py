"""What users of other resolvers complained of, each as its thread says it, and what running them showed.

The registry is that of the conformance vectors; both forms of the index answer.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from denotary.registry import compile_registry, lint, load_registry
from denotary.registry.model import Registry
from denotary.resolver import ExactLane

Answer = dict[str, Any]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry("bundled:conformance")


@pytest.fixture(scope="module", params=["memory", "disk"])
def lane(
    request: pytest.FixtureRequest, registry: Registry, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ExactLane]:
    path = tmp_path_factory.mktemp("compiled") / "registry.sqlite"
    if request.param == "disk":
        compile_registry(registry, path)
    with ExactLane(registry if request.param == "memory" else path) as opened:
        yield opened


def said(lane: ExactLane, text: str, language: str | None = "en") -> str:
    decision = lane.resolve({"text": text, "language": language})["decision"]
    return str(decision.get("concept_code") or decision["reason"])


def near(lane: ExactLane, text: str, language: str = "en") -> list[tuple[str, tuple[str, ...]]]:
    answer = lane.resolve({"text": text, "language": language})
    assert answer["decision"]["type"] == "abstain"
    return [
        (code, tuple(entry["transforms"]))
        for entry in answer["near_exact"]
        for code in entry["concept_codes"]
    ]


def test_row_01_an_acronym_of_two_diseases_is_ambiguous(lane: ExactLane) -> None:
    """gyorilab/gilda#123."""
    answer = lane.resolve({"text": "AD", "language": "en"})
    assert (answer["disposition"], answer["senses"]) == ("AMBIGUOUS", ["k.adipoq", "k.alzheimer"])


def test_row_02_a_sole_registered_sense_is_not_enough_where_others_exist(lane: ExactLane) -> None:
    """opentargets/issues#3353."""
    answer = lane.resolve({"text": "GC", "language": "en"})
    assert (answer["disposition"], answer["senses"]) == ("UNDERSPECIFIED", ["k.gonorrhoea"])


def test_row_03_names_that_differ_by_an_accent_find_each_its_own_and_the_audit_flags_the_pair(
    lane: ExactLane, registry: Registry
) -> None:
    """gyorilab/gilda#62."""
    assert (said(lane, "Ayme-Gripp"), said(lane, "Aym\u00e9-Gripp")) == ("k.ayme", "k.ayme_accent")
    assert "x-ayme|x-ayme-accent" in registry.header.declared_fold_conflicts
    assert not [problem for problem in lint(registry) if problem.code == "fold-conflict"]


def test_row_04_swedish_angstrom_without_its_letters_is_another_text(lane: ExactLane) -> None:
    """IHTSDO/snowstorm#65 and #41."""
    assert near(lane, "angstrom", "sv") == []
    assert near(lane, "Lasegues", "sv") == [("k.lasegue", ("marks-sv/1",))]


def test_row_05_what_folding_does_in_a_language_is_data_of_that_language(lane: ExactLane) -> None:
    """IHTSDO/snowstorm#83: each answer names the fold of the language, and none authorises."""
    answer = lane.resolve({"text": "Lasegues", "language": "sv"})
    assert (answer["decision"]["reason"], answer["provenance"]["authority"]) == ("unknown_expression", False)
    assert answer["near_exact"][0]["transforms"] == ["marks-sv/1"]


def test_row_06_the_language_changes_matching(lane: ExactLane) -> None:
    """IHTSDO/snowstorm#113."""
    assert (said(lane, "blod", "da"), said(lane, "blod", "sv")) == ("k.blood", "other_language_only")


def test_row_07_a_decomposed_name_is_the_same_name(lane: ExactLane) -> None:
    """NatLibFi/Skosmos#1184."""
    assert said(lane, "Ethole\u0301n, Hans", "sv") == "k.person"


def test_row_08_exact_means_exact(lane: ExactLane) -> None:
    """EBISPOT/ols4#950."""
    assert (said(lane, "Oomycetes"), said(lane, "unclassified Oomycota")) == (
        "unknown_expression",
        "k.oomycota",
    )


def test_row_09_gaps_is_not_a_gene(lane: ExactLane) -> None:
    """allenai/scispacy#364."""
    assert near(lane, "gaps") == []
    assert near(lane, "gap") == [("k.gap", ("ccf/1",))]


@pytest.mark.parametrize("text", ["butyrate", "nucleusoid", "\u0130\u0130\u0130 nucleus here"])
def test_row_10_a_part_of_a_text_is_no_text(lane: ExactLane, text: str) -> None:
    """INCATools/ontology-access-kit#805; its offsets in a lowered text."""
    assert said(lane, text) == "unknown_expression"


@pytest.mark.parametrize("text", ["Mercury", "AD", "GC", "planet Mercury", "mercury", "nothing"])
def test_row_11_at_most_one_concept_is_asserted_and_none_where_it_is_ambiguous(
    lane: ExactLane, text: str
) -> None:
    """reconciliation-api/specs#58 and #51."""
    answer = lane.resolve({"text": text, "language": "en"})
    assert (
        (answer["decision"]["type"] == "concept")
        == (answer["disposition"] == "SINGLE")
        == (text == "planet Mercury")
    )
    assert "candidates" not in answer


@pytest.mark.parametrize("threshold", [None, 0, 0.0, 1, -1.0])
def test_row_15_no_threshold_makes_the_lane_answer_or_not(lane: ExactLane, threshold: Any) -> None:
    """zilliztech/GPTCache#578, moj-analytical-services/splink#1716: there is none to fail open."""
    asked = {"language": "en", "threshold": threshold}
    assert lane.resolve({"text": "turn the pump off", **asked})["disposition"] == "ABSTAIN"
    assert lane.resolve({"text": "bake a cake", **asked})["disposition"] == "ABSTAIN"
    assert lane.resolve({"text": "turn the pump on", **asked})["disposition"] == "SINGLE"


@pytest.mark.parametrize(
    ("text", "language", "evidence"),
    [
        ("\u5317\u4eac", "zh", []),
        ("10^3", "en", [("k.milli", ("dash/1",))]),
        ("pH 7", "en", [("k.ph_minus_7", ("dash/1",))]),
        ("resign", "en", [("k.sign_again", ("dash/1",))]),
        ("Factor 1", "en", []),
        ("Type 10", "en", []),
        ("Polish", "en", [("k.rub", ("ccf/1",))]),
        ("aids", "en", []),
        ("il", "tr", []),
        ("\u062e\u0627\u0646\u0647\u0647\u0627", "fa", [("k.houses", ("joiner/1",))]),
        ("B stores the representation of A", "en", []),
        ("the format is not human-readable", "en", []),
        ("man bites dog", "en", []),
        ("C", "en", []),
    ],
)
def test_what_others_fold_silently_is_unknown_with_evidence(
    lane: ExactLane, text: str, language: str, evidence: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert near(lane, text, language) == evidence


def test_two_concepts_with_one_utterance_are_ambiguous_and_each_stands_once(lane: ExactLane) -> None:
    answer = lane.resolve({"text": "Mercury", "language": "en"})
    assert (answer["disposition"], answer["senses"]) == ("AMBIGUOUS", ["k.element", "k.planet"])


def test_a_text_of_another_language_is_told_and_never_taken(lane: ExactLane) -> None:
    assert said(lane, "gift", "fr") == "other_language_only"
    assert said(lane, "gift", None) == "ambiguous"
