"""What looks like a text that is not registered: evidence for a human, never authority."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from denotary.registry.records import Expression
from denotary.text import coarse, folds_for, primary_subtag, transforms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.registry.index import Index, TextRecord

MOST_CANDIDATES: Final = 64
"""Texts with one coarse key that are compared, the first in code point order."""
MOST_ENTRIES: Final = 16
"""Entries that an answer shows."""


def near_exact(index: Index, text: str, languages: Sequence[str]) -> list[dict[str, Any]]:
    """Return the records that evidence folds bring together with a text in NFC that is not registered.

    Args:
        index: where to look.
        text: the text in NFC.
        languages: tags to look under; empty for all.

    Returns:
        At most 16 entries: single folds before several, in declared order, then by language and id. Each has
        ``transforms`` (folds that make the texts equal), ``concept_codes``, ``language``, ``expression_id``
        or ``ambiguity_id``, and ``shared``: whether the same folds lead to another concept too.
    """
    key = coarse(text)
    if not key:
        return []
    found = sorted(_found(index, text, key, languages), key=_order)
    codes: dict[tuple[str, ...], set[str]] = {}
    for names, record in found:
        codes.setdefault(names, set()).update(record.codes)
    return [_entry(names, record, shared=len(codes[names]) > 1) for names, record in found[:MOST_ENTRIES]]


def _found(
    index: Index, text: str, key: str, languages: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], TextRecord]]:
    for other in index.lookalikes(key, MOST_CANDIDATES):
        if other == text:
            continue
        for record in index.find(other):
            if not languages or record.language in languages:
                names = transforms(text, other, folds_for(primary_subtag(record.language)))
                if names is not None:
                    yield names, record


def _order(item: tuple[tuple[str, ...], TextRecord]) -> tuple[int, list[int], str, str]:
    names, record = item
    declared = [fold.id for fold in folds_for(primary_subtag(record.language))]
    return len(names), [declared.index(name) for name in names], record.language, record.id


def _entry(names: tuple[str, ...], record: TextRecord, *, shared: bool) -> dict[str, Any]:
    name = "expression_id" if isinstance(record, Expression) else "ambiguity_id"
    return {
        "transforms": list(names),
        "concept_codes": sorted(record.codes),
        "language": record.language,
        name: record.id,
        "shared": shared,
    }
