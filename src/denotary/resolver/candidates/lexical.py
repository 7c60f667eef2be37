"""The lexical index: concepts by the words and character 3-grams of their expressions."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from denotary.errors import InputError
from denotary.resolver.candidates.engines import FTS5, TANTIVY, Fts5, Tantivy
from denotary.resolver.candidates.records import Hit, IndexIdentity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GRID: Final = 2
"""Decimals of a score: engines add up float32 numbers, whose last bits depend on the order."""
OVERFETCH: Final = 14
"""Rows fetched at first beyond those that so many concepts have on average."""
MOST: Final = 1 << 14
"""Most rows that are fetched to complete a group of equal scores."""


class LexicalIndex:
    """Finds concepts whose expressions share words and 3-grams with a text.

    The order is that of (score on the grid, code): more rows are fetched until no row outside could come before
    the last concept that is returned, or :data:`MOST` rows are there.
    """

    def __init__(
        self, expressions: Iterable[tuple[str, str]], *, registry: str, engine: str | None = None
    ) -> None:
        """Index expressions, in memory.

        Args:
            expressions: (code, text) pairs, the text in NFC, in any order.
            registry: snapshot id of their registry.
            engine: ``tantivy``, ``fts5``, or None for the first that is installed.

        Raises:
            InputError: no such engine, or it is not installed.
        """
        rows = sorted(set(expressions))
        name = engine or (TANTIVY if find_spec(TANTIVY) else FTS5)
        if name not in {TANTIVY, FTS5}:
            raise InputError(f"no lexical engine {name!r:.40}", hint=f"expected {TANTIVY} or {FTS5}")
        made = Tantivy if name == TANTIVY else Fts5
        self._codes = [code for code, _ in rows]
        self._concepts = len(set(self._codes)) or 1
        self._engine = made(text for _, text in rows)
        hashed = hashlib.sha256()
        for code, text in rows:
            hashed.update(f"{code}\0{text}\0".encode())
        self.identity = IndexIdentity(
            engine=name,
            version=self._engine.version,
            registry=registry,
            content=hashed.hexdigest(),
            parameters={"terms": "words, character 3-grams", "score": "bm25", "grid": GRID, "most": MOST},
        )

    def search(self, text: str, count: int = 50) -> list[Hit]:
        """Return at most ``count`` concepts, nearest first; none if no expression shares a word or 3-gram.

        Args:
            text: in NFC.
            count: at least 1.
        """
        rows = -(-count * len(self._codes) // self._concepts) + OVERFETCH
        while True:
            found = self._engine.hits(text, rows)
            ranked = self._ranked(found)
            if len(found) < rows or rows >= MOST:
                return ranked[:count]
            if len(ranked) >= count and round(found[-1][0], GRID) < ranked[count - 1].score:
                return ranked[:count]
            rows *= 4

    def search_batch(self, texts: Iterable[str], count: int = 50) -> list[list[Hit]]:
        """Return the concepts of each text, as :meth:`search` does."""
        return [self.search(text, count) for text in texts]

    def _ranked(self, found: Sequence[tuple[float, int]]) -> list[Hit]:
        """Return the concepts of the rows found, by (score on the grid, code)."""
        codes = self._codes
        best: dict[str, Hit] = {}
        for score, row in sorted((-round(score, GRID), row) for score, row in found):
            code = codes[row]
            if code not in best:
                best[code] = Hit(code, -score, row)
        # Rows are sorted by code, so that concepts of one score stand in the order of their codes already.
        return list(best.values())
