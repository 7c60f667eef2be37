"""The two engines of the lexical index: tantivy, and SQLite's FTS5 where that extra is absent.

Both keep the words and the character 3-grams of each text and score a text by BM25 over both, which are added up.
"""

from __future__ import annotations

import sqlite3
import threading
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Protocol

from denotary.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TANTIVY: Final = "tantivy"
FTS5: Final = "fts5"
_HEAP: Final = 256 << 20
"""Bytes that tantivy may take while it builds."""


class Engine(Protocol):
    """Finds rows by the letters of a text."""

    name: str
    version: str

    def hits(self, text: str, count: int) -> Sequence[tuple[float, int]]:
        """Return (score, row) of the best ``count`` rows, best first; fewer if no more share a word or 3-gram."""


class Tantivy:
    """BM25 by tantivy, in memory, built on one thread so that rows keep their order."""

    name = TANTIVY

    def __init__(self, texts: Iterable[str]) -> None:
        """Index the texts; their rows count from 0.

        Raises:
            InputError: the extra ``lexical`` is not installed.
        """
        try:
            import tantivy
        except ImportError as error:
            raise InputError(
                "needs the package tantivy, which is not installed", hint="pip install 'denotary[lexical]'"
            ) from error
        self.version = version(TANTIVY)
        self._tantivy: Any = tantivy
        lower = tantivy.Filter.lowercase()
        kinds = {"words": tantivy.Tokenizer.simple(), "grams": tantivy.Tokenizer.ngram(3, 3)}
        self._fields = {
            name: tantivy.TextAnalyzerBuilder(tokenizer).filter(lower).build()
            for name, tokenizer in kinds.items()
        }
        builder = tantivy.SchemaBuilder()
        for name in self._fields:
            builder.add_text_field(name, tokenizer_name=name, index_option="freq")
        builder.add_unsigned_field("row", fast=True)
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        for name, analyser in self._fields.items():
            index.register_tokenizer(name, analyser)
        writer = index.writer(_HEAP, 1)
        for row, text in enumerate(texts):
            document = tantivy.Document()
            document.add_text("words", text)
            document.add_text("grams", text)
            document.add_unsigned("row", row)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def hits(self, text: str, count: int) -> Sequence[tuple[float, int]]:
        """Return (score, row) of the best rows."""
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        terms = [
            (should, query.term_query(self._schema, name, term, "freq"))
            for name, analyser in self._fields.items()
            for term in dict.fromkeys(analyser.analyze(text))
        ]
        found = self._searcher.search(query.boolean_query(terms), count, count=False).hits
        rows: Any = self._searcher.fast_field_values("row", [address for _, address in found])
        return [(score, row) for (score, _), row in zip(found, rows, strict=True)]


class Fts5:
    """BM25 by SQLite's FTS5, in memory. It needs no package, and scores every row that shares a term."""

    name = FTS5

    def __init__(self, texts: Iterable[str]) -> None:
        """Index the texts; their rows count from 0.

        Raises:
            InputError: this Python's SQLite has no FTS5 with 3-grams.
        """
        self.version = sqlite3.sqlite_version
        # Whether SQLite serialises the calls of several threads depends on how it was built.
        self._lock = threading.Lock()
        self._base = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            for name, tokenizer in (("words", "unicode61 remove_diacritics 0"), ("grams", "trigram")):
                self._base.execute(
                    f"CREATE VIRTUAL TABLE {name} USING fts5(t, content='', tokenize='{tokenizer}')"
                )
        except sqlite3.OperationalError as error:
            raise InputError(
                "this Python's SQLite has no FTS5 with 3-grams", hint="pip install 'denotary[lexical]'"
            ) from error
        for row, text in enumerate(texts, start=1):
            for name in ("words", "grams"):
                self._base.execute(f"INSERT INTO {name}(rowid, t) VALUES (?, ?)", (row, text))  # noqa: S608
        self._base.commit()

    def hits(self, text: str, count: int) -> Sequence[tuple[float, int]]:
        """Return (score, row) of the best rows; of equal scores the first row comes first."""
        from denotary.text.negation import words

        # SQLite folds the case of a term itself, character by character, which keeps its length.
        # A query ends for it at U+0000.
        triples = (text[at : at + 3] for at in range(len(text) - 2))
        grams = dict.fromkeys(triple for triple in triples if "\0" not in triple)
        parts, values = [], []
        for name, terms in (("words", list(dict.fromkeys(words(text)))), ("grams", list(grams))):
            if terms:
                parts.append(f"SELECT rowid AS r, -bm25({name}) AS s FROM {name} WHERE {name} MATCH ?")  # noqa: S608
                values.append(" OR ".join('"' + term.replace('"', '""') + '"' for term in terms))
        if not parts:
            return []
        union = " UNION ALL ".join(parts)
        query = f"SELECT sum(s), r - 1 FROM ({union}) GROUP BY r ORDER BY 1 DESC, r LIMIT ?"  # noqa: S608
        with self._lock:
            return list(self._base.execute(query, (*values, count)))
