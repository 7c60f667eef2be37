"""The published shapes: the records of the source, and every bundled case, are valid under the JSON Schemas."""

import copy
import json
from typing import Any

import jsonschema
import msgspec
import pytest

from denotary.canonical import canonical_json
from denotary.instruments.identity.answers import SystemAnswer
from denotary.instruments.identity.cases import IdentityCase
from denotary.suites import load_suite

RECORD: dict[str, Any] = {
    "record_id": "esid-private-000842",
    "benchmark_version": "1.0.0",
    "registry_version": "REGISTRY_SNAPSHOT_ID",
    "semantic_seed_id": "seed-0197",
    "parent_record_id": None,
    "input": {
        "text": "Example user expression",
        "language": "LANGUAGE_TAG",
        "script": "SCRIPT_TAG",
        "domain": "engineering",
        "context_length_class": "short",
    },
    "gold": {
        "disposition": "SINGLE",
        "acceptable_concept_codes": ["CONCEPT_A"],
        "forbidden_neighbor_codes": ["CONCEPT_B"],
        "ambiguity_distribution": None,
    },
    "construction": {
        "primary_family": "hard_negative",
        "tags": ["role_reversal", "high_lexical_overlap"],
        "generation_method": "human_minimal_contrast",
        "meaning_relation_to_parent": "DIFFERENT_MEANING",
    },
    "annotation": {
        "review": "reviewed",
        "independent_votes": ["CONCEPT_A"] * 5,
        "adjudication_status": "approved",
        "context_sufficient": True,
        "registry_complete_for_item": True,
    },
    "security": {"visibility": "sealed", "leakage_family": "private-family-73"},
}
"""The benchmark record of the source, with the state of review that every case here must give."""

OUTPUT = {
    "record_id": "esid-private-000842",
    "system_version": "candidate-2026-08-23",
    "decision": {"type": "concept", "concept_code": "CONCEPT_A", "confidence": 0.9981},
    "candidates": [
        {"concept_code": "CONCEPT_A", "score": 0.91},
        {"concept_code": "CONCEPT_B", "score": 0.90},
    ],
    "registry_version_returned": "REGISTRY_SNAPSHOT_ID",
}
"""The system output of the source."""

CASE = jsonschema.Draft202012Validator(msgspec.json.schema(IdentityCase))
ANSWER = jsonschema.Draft202012Validator(msgspec.json.schema(SystemAnswer))


def test_the_schemas_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(CASE.schema)
    jsonschema.Draft202012Validator.check_schema(ANSWER.schema)


def test_the_record_of_the_source_is_valid_and_reads() -> None:
    CASE.validate(RECORD)
    case = msgspec.convert(RECORD, IdentityCase)
    assert case.gold.forbidden_neighbor_codes == ("CONCEPT_B",)
    ANSWER.validate(OUTPUT)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("gold", {"disposition": "LOW_CONFIDENCE"}),
        ("gold", {}),
        ("input", {"text": "a", "words": 1}),
        ("record_id", 7),
        ("security", None),
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(part: str, value: Any) -> None:
    wrong = copy.deepcopy(RECORD) | {part: value}
    assert not CASE.is_valid(wrong)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, IdentityCase)


def test_every_bundled_case_is_valid() -> None:
    for case in load_suite("bundled:starter").cases:
        CASE.validate(json.loads(canonical_json(case)))
