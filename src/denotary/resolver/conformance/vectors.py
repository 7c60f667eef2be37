"""Reading the shipped vectors. They hold lone surrogates on purpose, which only the standard library's JSON carries."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from denotary.canonical import sha256
from denotary.files import read_bytes, read_toml, write_atomic
from denotary.registry import load_registry
from denotary.resolver.conformance.records import ConformanceManifest, Vector

if TYPE_CHECKING:
    from denotary.registry import Registry

FOLDER: Final = Path(__file__).parents[2] / "data" / "conformance"


@dataclass(frozen=True, slots=True)
class VectorSuite:
    """The shipped suite.

    Attributes:
        manifest: name and version.
        vectors: in the order of the file.
        digest: SHA-256 of the file of vectors, in hexadecimal.
        registry: the frozen registry that a resolver must have loaded: ``bundled:conformance``.
    """

    manifest: ConformanceManifest
    vectors: tuple[Vector, ...]
    digest: str
    registry: Registry


def load_vectors() -> VectorSuite:
    """Return the shipped suite of vectors and its registry."""
    content = read_bytes(FOLDER / "vectors.jsonl")
    vectors = tuple(msgspec.convert(json.loads(line), Vector) for line in content.splitlines())
    manifest = read_toml(FOLDER / "conformance.toml", ConformanceManifest)
    return VectorSuite(manifest, vectors, sha256(content), load_registry(FOLDER / "registry"))


def write_vectors(folder: Path) -> None:
    """Copy the suite and its registry into a folder, for a system that reads them elsewhere.

    Raises:
        StorageError: the folder cannot be written to.
    """
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            write_atomic(folder / path.relative_to(FOLDER), read_bytes(path))
