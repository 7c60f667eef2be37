"""Candidates: the concepts whose expressions a text resembles, by its letters or by its vector. Evidence alone.

:class:`LexicalIndex` searches words and character 3-grams (BM25; the engine is tantivy with the extra ``lexical``, else
SQLite's FTS5); :class:`DenseIndex` searches int8 vectors exactly, with integer scores. Both order what they find
by (score on a declared grid, code), so that the same text gets the same candidates alone or in a batch, and each has an
:class:`IndexIdentity` with the digest of all that can change them. :class:`Candidates` joins both.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.resolver.candidates.dense import DenseIndex
    from denotary.resolver.candidates.joined import Candidates
    from denotary.resolver.candidates.lexical import LexicalIndex
    from denotary.resolver.candidates.records import Hit, IndexIdentity

__all__ = ["Candidates", "DenseIndex", "Hit", "IndexIdentity", "LexicalIndex"]

_HOMES = {
    "Candidates": "joined",
    "DenseIndex": "dense",
    "Hit": "records",
    "IndexIdentity": "records",
    "LexicalIndex": "lexical",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
