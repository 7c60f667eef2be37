"""Registries that differ from the small one in what a test is about."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denotary.files import encode_toml

HEADER = {"schema": "denotary.registry/1", "name": "small", "version": "1.0.0"}
REVIEW = {"by": "reviewer-1", "on": "2026-01-31", "status": "approved"}
Build = Callable[..., Path]


class Make:
    """Records with what they must have; keyword arguments replace a part."""

    @staticmethod
    def concept(code: str, **parts: Any) -> dict[str, Any]:
        return {
            "code": code,
            "definitions": {"en": f"definition of {code}"},
            "semantic_type": "thing",
            "consequence_tier": "C2",
            "owner": "owner-1",
        } | parts

    @staticmethod
    def expression(name: str, text: str, *codes: str, **parts: Any) -> dict[str, Any]:
        return {
            "id": name,
            "text": text,
            "language": "en",
            "script": "Latn",
            "codes": list(codes or ("planet",)),
            "review": REVIEW,
        } | parts

    @staticmethod
    def ambiguity(name: str, text: str, kind: str, *codes: str, **parts: Any) -> dict[str, Any]:
        return {"id": name, "text": text, "language": "en", "codes": list(codes), "kind": kind} | parts


@pytest.fixture
def make() -> type[Make]:
    return Make


@pytest.fixture
def build(tmp_path: Path, make_registry: Build) -> Build:
    """Write a registry of two concepts, ``planet`` and ``element``; it holds what a test gives and no other
    text.

    ``header`` is merged into ``registry.toml``.
    """

    def build_(*expressions: Any, header: dict[str, Any] | None = None, **lists: Any) -> Path:
        lists = {
            "concepts": [Make.concept("planet"), Make.concept("element")],
            "expressions": list(expressions),
            "ambiguities": [],
        } | lists
        folder = make_registry(tmp_path / "registry", **lists)
        (folder / "registry.toml").write_bytes(encode_toml(HEADER | (header or {})))
        return folder

    return build_
