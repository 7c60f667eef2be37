"""A compiled registry: one read-only SQLite file that opens in milliseconds, whatever its size."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any, Final, Literal

from denotary.errors import InputError, IntegrityError
from denotary.files import open_to_read
from denotary.registry.compiling import APPLICATION_ID, EXPRESSION, FORMAT, SEPARATOR
from denotary.registry.index import Snapshot, TextRecord
from denotary.registry.records import Ambiguity, Expression, Review
from denotary.text import PROFILE, UNICODE_VERSION, VECTORS

_AMBIGUITY_KINDS: Final[dict[str, Literal["closed", "open"]]] = {"c": "closed", "o": "open"}
_COLUMNS: Final = "language, id, kind, codes, script, review_by, review_on, review_status, derived_by, source"
_FIND: Final = f"SELECT {_COLUMNS} FROM entry WHERE text = ? ORDER BY language, id"  # noqa: S608 - constants
_FOLDED: Final = "SELECT text FROM fold WHERE key = ? ORDER BY text LIMIT ?"
_CODE: Final = "SELECT 1 FROM concept WHERE code = ?"
_MAPPED: Final = 1 << 40
"""Bytes of the file that may be mapped: all of it. Mapped pages are shared and clean, so they cost no
memory."""


def open_compiled(path: Path | str) -> CompiledIndex:
    """Return the index in a file that :func:`denotary.registry.compile_registry` wrote.

    Raises:
        InputError: there is no such file, or it is no compiled registry of this format.
        IntegrityError: the file is cut off, or was compiled under another Unicode version or other golden
            vectors.
    """
    return CompiledIndex(Path(path))


class CompiledIndex:
    """An index over a compiled registry. Each thread that asks gets a connection of its own."""

    def __init__(self, path: Path) -> None:
        """Open the file. See :func:`open_compiled`."""
        self._path = path
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        _check_whole(path)
        try:
            self.snapshot = self._read_snapshot()
        except sqlite3.DatabaseError as error:
            self.close()
            raise _not_compiled(path) from error
        except (InputError, IntegrityError):
            self.close()
            raise

    def find(self, text: str) -> tuple[TextRecord, ...]:
        """Return the records of a text in NFC, in all languages, sorted by language and id."""
        rows = self._rows(_FIND, (text,))
        if len(rows) == 1:
            return (_record(text, rows[0]),)
        return tuple([_record(text, row) for row in rows])

    def lookalikes(self, key: str, limit: int) -> tuple[str, ...]:
        """Return at most ``limit`` texts with this coarse key, sorted."""
        same = [key] if self.find(key) else []
        folded = [text for (text,) in self._rows(_FOLDED, (key, limit))]
        return tuple(sorted([*same, *folded])[:limit])

    def is_code(self, text: str) -> bool:
        """Whether a text is the code of a concept."""
        return bool(self._rows(_CODE, (text,)))

    def close(self) -> None:
        """Close the connections of all threads."""
        while self._open:
            self._open.pop().close()
        self._local = threading.local()

    def _rows(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            return self._connection().execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise IntegrityError(
                f"the compiled registry is damaged ({error})", path=self._path, hint="compile it again"
            ) from error

    def _connection(self) -> sqlite3.Connection:
        try:
            return self._local.connection  # type: ignore[no-any-return]
        except AttributeError:
            # The file never changes, so SQLite needs no lock and looks for no journal.
            address = f"{self._path.resolve().as_uri()}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
            connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
            self._open.append(connection)
            self._local.connection = connection
            return connection

    def _read_snapshot(self) -> Snapshot:
        connection = self._connection()
        found = dict(connection.execute("SELECT key, value FROM meta"))
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID or found.get("format") != FORMAT:
            raise _not_compiled(self._path)
        ours = {"profile": PROFILE, "unicode": UNICODE_VERSION, "vectors": VECTORS}
        for name, value in ours.items():
            if found[name] != value:
                raise IntegrityError(
                    f"compiled with {name} {found[name]}, but this denotary has {value}",
                    path=self._path,
                    hint="compile the registry again",
                )
        tags = frozenset(filter(None, found["languages"].split("\n")))
        return Snapshot(
            found["name"], found["version"], found["hash"], found["profile"], found["unicode"], tags
        )


def _record(text: str, row: tuple[Any, ...]) -> TextRecord:
    language, name, kind, joined, script, by, on, status, derived_by, source = row
    codes = tuple(joined.split(SEPARATOR)) if joined else ()
    if kind == EXPRESSION:
        return Expression(
            id=name,
            text=text,
            language=language,
            script=script,
            codes=codes,
            review=Review(by=by, on=on, status=status),
            derived_by=derived_by,
            source=source,
        )
    return Ambiguity(id=name, text=text, language=language, codes=codes, kind=_AMBIGUITY_KINDS[kind])


def _check_whole(path: Path) -> None:
    # A mapped file that is shorter than its header says would end the process at the first missing page.
    with open_to_read(path) as handle:
        size = os.fstat(handle.fileno()).st_size
        head = handle.read(100)
    if not head.startswith(b"SQLite format 3\x00"):
        raise _not_compiled(path)
    expected = int.from_bytes(head[16:18], "big") * int.from_bytes(head[28:32], "big")
    if size != expected:
        raise IntegrityError(
            f"the file has {size} bytes instead of {expected}", path=path, hint="copy or compile it again"
        )


def _not_compiled(path: Path) -> InputError:
    return InputError(
        f"no compiled registry of format {FORMAT}",
        path=path,
        hint="write one: denotary registry compile FOLDER FILE",
    )
