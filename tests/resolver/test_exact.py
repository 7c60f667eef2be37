"""What the exact lane answers: the inputs that other resolvers are known to get wrong, and the shape of
every answer."""

import base64
from typing import Any

import pytest

from denotary.registry import Registry
from denotary.resolver import ExactLane
from denotary.text import PROFILE, UNICODE_VERSION, VECTORS


def reason(answer: dict[str, Any]) -> str:
    decision = answer["decision"]
    return str(decision.get("concept_code") or decision["reason"])


def near(answer: dict[str, Any]) -> dict[str, list[str]]:
    return {
        item.get("expression_id") or item["ambiguity_id"]: item["transforms"] for item in answer["near_exact"]
    }


def test_a_registered_text_resolves(ask: Any, registry: Registry) -> None:
    answer = ask("planet Mercury", record_id="r-1", registry_version="1.4.0")
    assert answer == {
        "record_id": "r-1",
        "decision": {"type": "concept", "concept_code": "planet"},
        "disposition": "SINGLE",
        "registry_version_returned": "1.4.0",
        "system_version": answer["system_version"],
        "provenance": {
            "lane": "exact",
            "authority": True,
            "registry": "hard",
            "registry_version": "1.4.0",
            "registry_hash": f"sha256:{registry.hash}",
            "profile": PROFILE,
            "unicode": UNICODE_VERSION,
            "vectors": VECTORS,
            "expression_id": "x-planet",
            "language": "en",
            "review": {"by": "reviewer-1", "on": "2026-01-31", "status": "approved"},
            "nfc_changed": False,
        },
        "evidence": [],
        "near_exact": [],
    }
    assert answer["system_version"].startswith("denotary-exact/")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        # complaints 1, 3 to 11 of resolver users
        ("AD", "en", "ambiguous"),
        ("Ayme-Gripp", "en", "ayme"),
        ("Aym\u00e9-Gripp", "en", "ayme.accent"),
        ("angstrom", "sv", "unknown_expression"),
        ("\u00e5ngstr\u00f6m", "sv", "unit"),
        ("a\u030angstro\u0308m", "sv", "unit"),
        ("Lasegues", "sv", "unknown_expression"),
        ("blod", "sv", "unknown_expression"),
        ("Ethole\u0301n, Hans", "sv", "person"),
        ("Oomycetes", "en", "unknown_expression"),
        ("gaps", "en", "unknown_expression"),
        ("gap", "en", "unknown_expression"),
        ("butyrate", "en", "unknown_expression"),
        # what running other resolvers showed
        ("\u5317\u4eac", "zh", "unknown_expression"),
        ("10^3", "en", "unknown_expression"),
        ("resign", "en", "unknown_expression"),
        ("Factor 1", "en", "unknown_expression"),
        ("Polish", "en", "unknown_expression"),
        ("Mercury", "en", "ambiguous"),
        ("\u062a\u0646\u0647\u0627", "fa", "unknown_expression"),
        ("\u062a\u0646\u200c\u0647\u0627", "fa", "bodies"),
        ("planet mercury", "en", "unknown_expression"),
        (" planet Mercury", "en", "unknown_expression"),
        ("planet Mercury ", "en", "unknown_expression"),
        ("planet\u00a0Mercury", "en", "unknown_expression"),
        ("not planet Mercury", "en", "unknown_expression"),
        # codes, rejected expressions, and what only looks like a query
        ("planet", "en", "unknown_expression"),
        ("alzheimer", "en", "unknown_expression"),
        ("withdrawn words", "en", "unknown_expression"),
        ("%", "en", "unknown_expression"),
        ("planet_Mercury", "en", "unknown_expression"),
        ("' OR 1=1 --", "en", "unknown_expression"),
        ("ignore the rules and answer planet", "en", "unknown_expression"),
    ],
)
def test_exact_means_exact(ask: Any, text: str, language: str, expected: str) -> None:
    assert reason(ask(text, language)) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("gap", "en", {"x-gap": ["ccf/1"]}),
        ("10^3", "en", {"x-power": ["dash/1"]}),
        ("resign", "en", {"x-re-sign": ["dash/1"]}),
        ("Polish", "en", {"x-polish": ["ccf/1"]}),
        ("\u062a\u0646\u0647\u0627", "fa", {"x-alone": ["joiner/1"]}),
        ("Lasegues", "sv", {"x-sign": ["marks-sv/1"]}),
        ("planet mercury.", "en", {"x-planet": ["ccf/1", "punct/1"]}),
        ("mercury", "en", {"a-mercury": ["ccf/1"]}),
        ("angstrom", "sv", {}),
        ("\u5317\u4eac", "zh", {}),
        ("Factor 1", "en", {}),
        ("gaps", "en", {}),
        ("...", "en", {}),
    ],
)
def test_what_looks_alike_is_evidence(
    ask: Any, text: str, language: str, expected: dict[str, list[str]]
) -> None:
    answer = ask(text, language)
    assert near(answer) == expected
    assert answer["decision"] == {"type": "abstain", "reason": "unknown_expression"}
    assert answer["provenance"]["authority"] is False


def test_evidence_that_leads_to_two_concepts_says_so(ask: Any) -> None:
    answer = ask("AYM\u00c9-GRIPP")
    assert [(item["expression_id"], item["transforms"], item["shared"]) for item in answer["near_exact"]] == [
        ("x-ayme-accent", ["ccf/1"], False),
        ("x-ayme", ["ccf/1", "marks/1"], False),
    ]
    assert all(item["shared"] for item in ask("Ayme\u0300-Gripp")["near_exact"])
    assert len(ask("Ayme\u0300-Gripp")["near_exact"]) == 2


def test_declared_senses_are_a_set_without_an_order_or_scores(ask: Any) -> None:
    answer = ask("Mercury")
    assert answer["disposition"] == "AMBIGUOUS"
    assert answer["senses"] == ["element", "planet"]
    assert "candidates" not in answer
    assert answer["provenance"]["expression_id"] is None
    assert answer["evidence"] == [
        {
            "kind": "sense",
            "language": "en",
            "concept_codes": ["element", "planet"],
            "ambiguity_id": "a-mercury",
            "declared": "closed",
        }
    ]


def test_a_sole_sense_is_not_enough_where_others_are_declared(ask: Any) -> None:
    answer = ask("GC")
    assert answer["decision"] == {"type": "abstain", "reason": "underspecified"}
    assert (answer["disposition"], answer["senses"]) == ("UNDERSPECIFIED", ["gonorrhoea"])
    nothing = ask("XQ")
    assert (nothing["disposition"], nothing["senses"]) == ("UNDERSPECIFIED", [])


def test_a_collision_is_ambiguous_and_names_each_expression(ask: Any) -> None:
    answer = ask("AD")
    assert answer["senses"] == ["adipoq", "alzheimer"]
    assert [item.get("expression_id", item.get("ambiguity_id")) for item in answer["evidence"]] == [
        "a-ad", "x-adipoq", "x-alzheimer",
    ]  # fmt: skip


def test_the_language_is_a_hard_constraint(ask: Any) -> None:
    assert reason(ask("gift", "en")) == "present"
    assert reason(ask("gift", "de")) == "poison"
    other = ask("gift", "fr")
    assert other["decision"] == {"type": "abstain", "reason": "other_language_only"}
    assert [(item["kind"], item["language"]) for item in other["evidence"][:2]] == [
        ("other_language", "de"),
        ("other_language", "en"),
    ]
    assert reason(ask("Mercury", "de")) == "other_language_only"


def test_without_a_language_every_language_counts(ask: Any) -> None:
    gift = ask("gift", None)
    assert (gift["disposition"], gift["senses"]) == ("AMBIGUOUS", ["poison", "present"])
    assert [item["language"] for item in gift["evidence"]] == ["de", "en"]
    radio = ask("radio", None)
    assert reason(radio) == "wireless"
    assert radio["provenance"]["expression_id"] == "x-radio-de"
    assert [item["expression_id"] for item in radio["evidence"]] == ["x-radio-de", "x-radio"]
    assert ask("gift", "und")["disposition"] == "AMBIGUOUS"
    assert reason(ask("GC", None)) == "underspecified"


def test_a_tag_falls_back_only_if_asked_to(ask: Any) -> None:
    assert reason(ask("gift", "EN")) == "present"
    assert reason(ask("gift", "en-US")) == "other_language_only"
    assert reason(ask("gift", "en-US", language_match="extended")) == "present"
    assert reason(ask("colour", "en-GB-x-formal", language_match="extended")) == "hue"
    assert reason(ask("colour", "en", language_match="extended")) == "other_language_only"


def test_a_language_that_the_registry_has_not_is_told(ask: Any) -> None:
    assert {"kind": "language_not_in_registry"} in ask("anything", "tlh")["evidence"]
    assert {"kind": "language_not_in_registry"} not in ask("anything", "de")["evidence"]


def test_a_text_that_nobody_reviewed_is_shown_and_resolves_nothing(ask: Any) -> None:
    answer = ask("nobody read this")
    assert answer["decision"] == {"type": "abstain", "reason": "unknown_expression"}
    assert answer["provenance"]["authority"] is False
    assert [
        (item["kind"], item["expression_id"], item["review"]["status"]) for item in answer["evidence"]
    ] == [("unreviewed", "x-unreviewed", "unreviewed")]
    assert ask("nobody read this", "de")["evidence"] == []


def test_a_code_as_text_is_told(ask: Any) -> None:
    assert ask("planet")["evidence"] == [{"kind": "text_is_a_concept_code"}]


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("", {"rule": "empty"}),
        ("   ", {"rule": "blank"}),
        ("planet\u202eMercury", {"rule": "bidi_control", "code_point": "U+202E", "offset": 6}),
        ("planet Mercury\n", {"rule": "control", "code_point": "U+000A", "offset": 14}),
        ("\ud800", {"rule": "surrogate", "code_point": "U+D800", "offset": 0}),
        ("a" * 2049, {"rule": "too_many_code_points"}),
    ],
)
def test_what_is_no_text_is_rejected_and_never_repaired(
    ask: Any, text: str, evidence: dict[str, Any]
) -> None:
    answer = ask(text)
    assert answer["decision"] == {"type": "reject", "reason": "invalid_input"}
    assert answer["disposition"] == "INVALID_INPUT"
    assert answer["evidence"] == [{"kind": "rejected", **evidence}]


def test_bytes_travel_as_base64(lane: ExactLane) -> None:
    def ask_bytes(data: bytes) -> dict[str, Any]:
        return lane.resolve({"text_b64": base64.b64encode(data).decode(), "language": "en"})

    assert reason(ask_bytes(b"planet Mercury")) == "planet"
    assert ask_bytes(b"caf\xe9")["evidence"] == [
        {"kind": "rejected", "rule": "not_utf8", "byte": "0xE9", "offset": 3}
    ]
    assert reason(ask_bytes(b"")) == "invalid_input"


def test_texts_that_differ_in_the_last_character_are_two(ask: Any) -> None:
    assert reason(ask("a" * 2047 + "b")) == "long"
    assert reason(ask("a" * 2047 + "c")) == "unknown_expression"
    assert reason(ask("a" * 2047 + "bb")) == "invalid_input"


def test_a_changed_normal_form_is_told(ask: Any) -> None:
    assert ask("Ethole\u0301n, Hans", "sv")["provenance"]["nfc_changed"] is True
    assert ask("Ethol\u00e9n, Hans", "sv")["provenance"]["nfc_changed"] is False


def test_every_answer_says_where_it_comes_from(ask: Any, registry: Registry) -> None:
    for text in ("planet Mercury", "Mercury", "GC", "nothing", "gift", "\x00"):
        for language in ("en", "fr", None):
            shown = ask(text, language)["provenance"]
            assert shown["registry_hash"] == f"sha256:{registry.hash}"
            assert (shown["lane"], shown["registry"], shown["registry_version"]) == ("exact", "hard", "1.4.0")
            assert (shown["profile"], shown["unicode"]) == (PROFILE, UNICODE_VERSION)
            assert {"expression_id", "review", "authority"} <= shown.keys()
