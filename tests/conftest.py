"""A small registry and small identity suites, as files, for the tests of every room."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from denotary.files import encode_toml

Record = dict[str, Any]
APPROVED = {"by": "reviewer-1", "on": "2026-01-05", "status": "approved"}

CONCEPTS: list[Record] = [
    {
        "code": f"x.{name}",
        "definitions": {"en": f"the definition of {name}"},
        "semantic_type": "concept",
        "consequence_tier": tier,
        "owner": "owner-1",
    }
    for name, tier in (("alpha", "C3"), ("beta", "C2"), ("gamma", "C1"))
]

EXPRESSIONS: list[Record] = [
    {"id": name, "text": text, "language": language, "script": script, "codes": [code], "review": APPROVED}
    for name, text, language, script, code in (
        ("e-present", "gift", "en", "Latn", "x.alpha"),
        ("e-persistent", "a persistent name", "en", "Latn", "x.alpha"),
        ("e-poison", "gift", "de", "Latn", "x.beta"),
        ("e-cafe", "café-bar", "fr", "Latn", "x.beta"),
        ("e-hindi", "स्थायी नाम", "hi", "Deva", "x.alpha"),
        ("e-quote", 'the "gamma" part', "en", "Latn", "x.gamma"),
    )
]

AMBIGUITIES: list[Record] = [
    {"id": "a-bank", "text": "bank", "language": "en", "codes": ["x.alpha", "x.beta"], "kind": "closed"}
]


def jsonl(records: Iterable[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def write_registry(folder: Path, *, review: str = "reviewed", **lists: list[Record]) -> Path:
    """Write a registry's files; ``concepts``, ``expressions`` and ``ambiguities`` replace the usual ones."""
    folder.mkdir(parents=True, exist_ok=True)
    header = {
        "schema": "denotary.registry/1",
        "name": "small",
        "version": "1.0.0",
        "review": review,
        "languages": ["de", "en", "fr", "hi"],
    }
    (folder / "registry.toml").write_bytes(encode_toml(header))
    usual = {"concepts": CONCEPTS, "expressions": EXPRESSIONS, "ambiguities": AMBIGUITIES, "migrations": []}
    for name, records in (usual | lists).items():
        (folder / f"{name}.jsonl").write_text(jsonl(records), encoding="utf-8")
    return folder


def case_record(
    name: str, gold: Record | str = "x.alpha", *, text: str = "a durable name for a meaning", **parts: Any
) -> Record:
    """Return one case as it stands in ``cases.jsonl``: by default a text whose one right code is ``gold``.

    ``parts`` are merged into the record, a mapping into the part of its name.
    """
    single = {"disposition": "SINGLE", "acceptable_concept_codes": [gold]}
    record: Record = {
        "record_id": name,
        "benchmark_version": "1.0.0",
        "registry_version": "1.0.0",
        "semantic_seed_id": f"seed-{name}",
        "input": {"text": text, "language": "en", "script": "Latn"},
        "gold": single if isinstance(gold, str) else gold,
        "construction": {"primary_family": "compositional", "generation_method": "human"},
        "annotation": {"review": "unreviewed"},
        "security": {"visibility": "public"},
    }
    for key, value in parts.items():
        merged = isinstance(value, dict) and key in ("input", "construction", "annotation", "security")
        record[key] = record[key] | value if merged else value
    return record


def write_suite(
    folder: Path, cases: Iterable[Record], registry: str = "../registry", **manifest: Any
) -> Path:
    """Write a suite's files; ``manifest`` is merged into ``suite.toml``."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "schema": "denotary.suite/1",
        "name": "small-suite",
        "version": "1.0.0",
        "instrument": "identity",
        "role": "public-diagnostic",
        **manifest,
        "registry": {"name": "small", "version": "1.0.0", "path": registry},
    }
    (folder / "suite.toml").write_bytes(encode_toml(content))
    (folder / "cases.jsonl").write_text(jsonl(cases), encoding="utf-8")
    return folder


@pytest.fixture
def frozen_registry(tmp_path: Path) -> Path:
    """The folder of the small registry, frozen, at ``tmp_path / "registry"``."""
    from denotary.registry import freeze

    folder = write_registry(tmp_path / "registry")
    freeze(folder)
    return folder


@pytest.fixture
def case() -> Callable[..., Record]:
    """See :func:`case_record`."""
    return case_record


@pytest.fixture
def make_registry() -> Callable[..., Path]:
    """See :func:`write_registry`."""
    return write_registry


@pytest.fixture
def make_suite(tmp_path: Path, frozen_registry: Path) -> Callable[..., Path]:
    """Write a suite beside the frozen small registry, at ``tmp_path / "suite"``; see :func:`write_suite`."""
    del frozen_registry
    return lambda cases, **manifest: write_suite(tmp_path / "suite", cases, **manifest)
