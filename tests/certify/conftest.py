"""A small reviewed registry, its conformance suite, and systems that answer from the registry."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benches"))

from release_bench import Bench, texts

from denotary import systems
from denotary.certify import Judged, certify
from denotary.files import encode_jsonl, encode_toml
from denotary.instruments.identity.conformance import conformance
from denotary.registry import freeze, load_registry
from denotary.resolver import exact_lane_system
from denotary.runs.records import Identity
from denotary.suites import load_suite
from denotary.suites.suite import Suite

Resolver = Callable[[dict[str, Any]], dict[str, Any]]

IDENTITY = Identity(
    system="exact lane", system_version="1.0.0", languages=("en", "de"), test_date="2031-01-31"
)
TEXTS = {
    "bread.loaf": (("en", "loaf of bread"), ("de", "Brotlaib")),
    "bread.dough": (("en", "bread dough"), ("de", "Brotteig")),
    "bread.oven": (("en", "bread oven"), ("de", "Brotbackofen")),
}
REVIEW = {"by": "reviewer-1", "on": "2030-06-01", "status": "approved"}


class Certified(NamedTuple):
    """A certified folder: ``registry``, ``suite`` and ``out`` side by side."""

    root: Path
    judged: Judged

    @property
    def out(self) -> Path:
        return self.root / "out"


def write_registry(root: Path) -> None:
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
    expressions = [
        {
            "id": f"{code}-{language}",
            "text": text,
            "language": language,
            "script": "Latn",
            "codes": [code],
            "review": REVIEW,
        }
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


def write_suite(root: Path) -> Suite:
    write_registry(root / "registry")
    conformance(load_registry(root / "registry"), root / "suite")
    return load_suite(root / "suite")


def certified(
    root: Path, *, resolver: Resolver | None = None, policy: str = "registry-exact", **options: Any
) -> Certified:
    suite = write_suite(root)
    system = systems.python(resolver or exact_lane_system(suite.registry))
    judged = certify(system, suite, policy, root / "out", identity=IDENTITY, **options)
    return Certified(root, judged)


@pytest.fixture(scope="session")
def promoted(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    """A certified exact lane. Not to be written to."""
    return certified(tmp_path_factory.mktemp("promoted"))


@pytest.fixture(scope="session")
def make() -> Callable[..., Certified]:
    return certified


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return write_suite(tmp_path)


@pytest.fixture
def bench(tmp_path: Path, make_registry: Any, case: Any) -> Bench:
    return Bench(tmp_path, make_registry, case)


@pytest.fixture
def plain(bench: Bench) -> Bench:
    """Twelve texts whose one right code is x.alpha (tier C3)."""
    bench.registry()
    bench.suite(texts(bench.case))
    return bench
