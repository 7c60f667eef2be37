"""A registry of two verbs."""

import pytest

from denotary.files import encode_jsonl, encode_toml
from denotary.registry import Registry, freeze, load_registry

REVIEW = {"by": "reviewer-1", "on": "2026-01-31", "status": "approved"}


@pytest.fixture(scope="session")
def verbs(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("registry")
    header = {"schema": "denotary.registry/1", "name": "verbs", "version": "1.0.0"}
    concepts = [
        {
            "code": code,
            "definitions": {"en": code},
            "semantic_type": "act",
            "consequence_tier": "C2",
            "owner": "owner-1",
        }
        for code in ("open", "close")
    ]
    expressions = [
        {
            "id": "x-1",
            "text": "open it",
            "language": "en",
            "script": "Latn",
            "codes": ["open"],
            "review": REVIEW,
        }
    ]
    (folder / "registry.toml").write_bytes(encode_toml(header))
    (folder / "concepts.jsonl").write_bytes(encode_jsonl(concepts))
    (folder / "expressions.jsonl").write_bytes(encode_jsonl(expressions))
    freeze(folder)
    return load_registry(folder)
