"""A small reviewed registry, its conformance suite, and a system that answers from the registry."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary import systems
from denotary.files import encode_jsonl, encode_toml
from denotary.instruments.identity.conformance import conformance
from denotary.registry import freeze, load_registry
from denotary.resolver import exact_lane_system
from denotary.runs.records import Identity
from denotary.suites import load_suite
from denotary.suites.suite import Suite

IDENTITY = Identity(system="exact lane", system_version="1.0.0", languages=("en", "de"), test_date="2031-01-31")
TEXTS = {
    "bread.loaf": (("en", "loaf of bread"), ("de", "Brotlaib")),
    "bread.dough": (("en", "bread dough"), ("de", "Brotteig")),
    "bread.oven": (("en", "bread oven"), ("de", "Brotbackofen")),
}


def write_registry(root: Path) -> Path:
    concepts = [
        {
            "code": code,
            "definitions": {"en": f"What is called {texts[0][1]}."},
            "semantic_type": "thing",
            "consequence_tier": "C3",
            "owner": "bakery",
        }
        for code, texts in TEXTS.items()
    ]
    review = {"by": "reviewer-1", "on": "2030-06-01", "status": "approved"}
    expressions = [
        {"id": f"{code}-{language}", "text": text, "language": language, "script": "Latn", "codes": [code], "review": review}
        for code, texts in TEXTS.items()
        for language, text in texts
    ]
    ambiguity = {
        "id": "amb-1",
        "text": "raw bread",
        "language": "en",
        "codes": ["bread.dough", "bread.loaf"],
        "kind": "closed",
    }
    header = {
        "schema": "denotary.registry/1",
        "name": "bakery",
        "version": "1.0.0",
        "review": "reviewed",
        "languages": ["en", "de"],
    }
    root.mkdir(parents=True)
    (root / "registry.toml").write_bytes(encode_toml(header))
    (root / "concepts.jsonl").write_bytes(encode_jsonl(concepts))
    (root / "expressions.jsonl").write_bytes(encode_jsonl(expressions))
    (root / "ambiguities.jsonl").write_bytes(encode_jsonl([ambiguity]))
    freeze(root)
    return root


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    registry = write_registry(tmp_path / "registry")
    conformance(load_registry(registry), tmp_path / "suite")
    return load_suite(tmp_path / "suite")


@pytest.fixture
def lane(suite: Suite) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return exact_lane_system(suite.registry)


@pytest.fixture
def system(lane: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    return systems.python(lane)
