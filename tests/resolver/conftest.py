"""A registry with the inputs that other resolvers get wrong, and the exact lane over it, in memory and
compiled."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from denotary.files import encode_jsonl, encode_toml
from denotary.registry import Registry, compile_registry, freeze, load_registry
from denotary.resolver import ExactLane

Ask = Callable[..., dict[str, Any]]
REVIEW = {"by": "reviewer-1", "on": "2026-01-31", "status": "approved"}
TEXTS = [
    ("x-planet", "planet Mercury", "en", "Latn", "planet"),
    ("x-element", "quicksilver", "en", "Latn", "element"),
    ("x-adipoq", "AD", "en", "Latn", "adipoq"),
    ("x-alzheimer", "AD", "en", "Latn", "alzheimer"),
    ("x-ayme", "Ayme-Gripp", "en", "Latn", "ayme"),
    ("x-ayme-accent", "Aym\u00e9-Gripp", "en", "Latn", "ayme.accent"),
    ("x-unit", "\u00e5ngstr\u00f6m", "sv", "Latn", "unit"),
    ("x-sign", "Las\u00e8gues", "sv", "Latn", "sign"),
    ("x-name", "Ethol\u00e9n, Hans", "sv", "Latn", "person"),
    ("x-oomycetes", "unclassified Oomycota", "en", "Latn", "oomycota"),
    ("x-gap", "GAP", "en", "Latn", "gap"),
    ("x-b", "b", "en", "Latn", "letter"),
    ("x-butyrate", "Bu", "en", "Latn", "butyl"),
    ("x-background", "\u80cc\u666f", "zh", "Hani", "background"),
    ("x-power", "10^-3", "en", "Latn", "milli"),
    ("x-re-sign", "re-sign", "en", "Latn", "sign.again"),
    ("x-factor", "Factor I", "en", "Latn", "fibrinogen"),
    ("x-polish", "polish", "en", "Latn", "rub"),
    ("x-alone", "\u062a\u0646\u200c\u0647\u0627", "fa", "Arab", "bodies"),
    ("x-gift", "gift", "en", "Latn", "present"),
    ("x-gift-de", "gift", "de", "Latn", "poison"),
    ("x-radio", "radio", "en", "Latn", "wireless"),
    ("x-radio-de", "radio", "de", "Latn", "wireless"),
    ("x-long", "a" * 2047 + "b", "en", "Latn", "long"),
    ("x-colour", "colour", "en-GB", "Latn", "hue"),
]
UNREVIEWED = ("x-unreviewed", "nobody read this", "en", "Latn", "planet")
REJECTED = ("x-rejected", "withdrawn words", "en", "Latn", "planet")
AMBIGUITIES = [
    {
        "id": "a-mercury",
        "text": "Mercury",
        "language": "en",
        "codes": ["planet", "element"],
        "kind": "closed",
    },
    {"id": "a-gc", "text": "GC", "language": "en", "codes": ["gonorrhoea"], "kind": "open"},
    {"id": "a-ad", "text": "AD", "language": "en", "codes": ["adipoq", "alzheimer"], "kind": "closed"},
    {"id": "a-nothing", "text": "XQ", "language": "en", "codes": [], "kind": "open"},
]
CONFLICTS = ["x-ayme|x-ayme-accent"]


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("registry")
    header = {
        "schema": "denotary.registry/1",
        "name": "hard",
        "version": "1.4.0",
        "declared_fold_conflicts": CONFLICTS,
    }
    expressions = [
        {"id": name, "text": text, "language": language, "script": script, "codes": [code], "review": REVIEW}
        for name, text, language, script, code in [*TEXTS, UNREVIEWED, REJECTED]
    ]
    expressions[-1]["review"] = {**REVIEW, "status": "rejected"}
    expressions[-2]["review"] = {"status": "unreviewed"}
    codes = sorted({row[-1] for row in TEXTS} | {"gonorrhoea"})
    concepts = [
        {
            "code": code,
            "definitions": {"en": f"the meaning of {code}"},
            "semantic_type": "thing",
            "consequence_tier": "C2",
            "owner": "owner-1",
        }
        for code in codes
    ]
    (folder / "registry.toml").write_bytes(encode_toml(header))
    (folder / "concepts.jsonl").write_bytes(encode_jsonl(concepts))
    (folder / "expressions.jsonl").write_bytes(encode_jsonl(expressions))
    (folder / "ambiguities.jsonl").write_bytes(encode_jsonl(AMBIGUITIES))
    freeze(folder)
    return load_registry(folder)


@pytest.fixture(scope="session")
def compiled(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compiled") / "registry.sqlite"
    compile_registry(registry, path)
    return path


@pytest.fixture(scope="session", params=["memory", "disk"])
def lane(request: pytest.FixtureRequest, registry: Registry, compiled: Path) -> Iterator[ExactLane]:
    with ExactLane(registry if request.param == "memory" else compiled) as opened:
        yield opened


@pytest.fixture(scope="session")
def ask(lane: ExactLane) -> Ask:
    """Resolve a text, in English unless another language is said."""

    def ask_(text: str, language: str | None = "en", **keys: Any) -> dict[str, Any]:
        return lane.resolve({"text": text, "language": language, **keys})

    return ask_
