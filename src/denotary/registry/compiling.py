"""Writing a registry as one SQLite file, the same bytes for the same registry."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from denotary.canonical import canonical_json
from denotary.errors import StorageError
from denotary.files import storage_error
from denotary.registry.index import records_by_text, snapshot_of
from denotary.registry.records import Ambiguity
from denotary.text import VECTORS, coarse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.registry.index import Snapshot, TextRecord
    from denotary.registry.model import Registry

FORMAT: Final = "denotary.compiled-registry/2"
APPLICATION_ID: Final = 0x444E4F54
"""``DNOT``: what ``file`` and an editor may know the format by."""
EXPRESSION: Final = "e"
KINDS: Final = {"closed": "c", "open": "o"}
"""Column ``kind`` of a declared ambiguity; an expression has :data:`EXPRESSION`."""
SEPARATOR: Final = "\n"
"""Between codes; no code holds it, because codes are printable."""

_PAGE_SIZE: Final = 4096
_SCHEMA: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE concept (
  code TEXT PRIMARY KEY, status TEXT NOT NULL, consequence_tier TEXT NOT NULL, record TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE entry (
  text TEXT NOT NULL, language TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, codes TEXT NOT NULL,
  script TEXT, review_by TEXT, review_on TEXT, review_status TEXT, derived_by TEXT, source TEXT,
  PRIMARY KEY (text, language, id)
) WITHOUT ROWID;
CREATE TABLE fold (key TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (key, text)) WITHOUT ROWID;
"""
_OF_EXPRESSIONS: Final = 6
"""Columns that only an expression has."""
_LIBRARY_VERSION: Final = 96
"""Offset of the four bytes in which SQLite notes the library that wrote a file last; nothing depends on
them."""


def compile_registry(registry: Registry, path: Path) -> None:
    """Write a frozen registry as one SQLite file; read it with :func:`denotary.registry.open_compiled`.

    Rows go in sorted, with a fixed page size and no times, so that the same registry gives the same bytes.
    The file appears whole or not at all.

    Raises:
        InputError: the registry is a draft.
        StorageError: the file cannot be written.
    """
    snapshot, records = snapshot_of(registry), records_by_text(registry)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            draft = Path(folder) / path.name
            _write(draft, registry, snapshot, records)
            _seal(draft)
            draft.replace(path)
    except OSError as error:
        raise storage_error(path, error) from error
    except sqlite3.OperationalError as error:
        raise StorageError(f"cannot be written: {error}", path=path, hint="free space on the disk") from error


def _write(
    path: Path, registry: Registry, snapshot: Snapshot, records: Mapping[str, Sequence[TextRecord]]
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE_SIZE}")
        connection.execute("PRAGMA encoding = 'UTF-8'")
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.executescript(_SCHEMA)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(_meta(snapshot).items()))
        connection.executemany("INSERT INTO concept VALUES (?, ?, ?, ?)", _concepts(registry))
        texts = sorted(records)
        connection.executemany(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (_row(text, record) for text in texts for record in records[text]),
        )
        keys = ((coarse(text), text) for text in texts)
        connection.executemany(
            "INSERT INTO fold VALUES (?, ?)", sorted(key for key in keys if key[0] != key[1])
        )
        connection.execute("COMMIT")


def _meta(snapshot: Snapshot) -> dict[str, str]:
    return {
        "format": FORMAT,
        "name": snapshot.name,
        "version": snapshot.version,
        "hash": snapshot.hash,
        "profile": snapshot.profile,
        "unicode": snapshot.unicode,
        "vectors": VECTORS,
        "languages": "\n".join(sorted(snapshot.languages)),
    }


def _concepts(registry: Registry) -> Iterator[tuple[str, str, str, str]]:
    for code in sorted(registry.concepts):
        concept = registry.concepts[code]
        yield code, concept.status, concept.consequence_tier, canonical_json(concept).decode()


def _row(text: str, record: TextRecord) -> tuple[str | None, ...]:
    codes = SEPARATOR.join(record.codes)
    if isinstance(record, Ambiguity):
        return text, record.language, record.id, KINDS[record.kind], codes, *([None] * _OF_EXPRESSIONS)
    review = (record.review.by, record.review.on, record.review.status)
    made = (record.derived_by, record.source)
    return text, record.language, record.id, EXPRESSION, codes, record.script, *review, *made


def _seal(path: Path) -> None:
    with path.open("r+b") as handle:
        handle.seek(_LIBRARY_VERSION)
        handle.write(bytes(4))
        handle.flush()
        os.fsync(handle.fileno())
