"""Lint rules for texts that are equal, or look alike, and belong to different concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.registry.audit import Entry, fold_conflicts, groups_of_equal_text
from denotary.registry.findings import Finding
from denotary.registry.locks import AMBIGUITIES, EXPRESSIONS, HEADER
from denotary.text import Rejection, normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.registry.model import Registry
    from denotary.registry.records import Ambiguity, Expression


def collision_findings(registry: Registry) -> Iterator[Finding]:
    """Equal texts first, then texts that meet under a fold and are not declared to."""
    expressions = [entry for item in registry.standing if (entry := _entry(item))]
    ambiguities = [entry for item in registry.ambiguities if (entry := _entry(item))]
    yield from _equal(expressions, ambiguities)
    yield from _folded(registry, [*expressions, *ambiguities])


def _entry(record: Expression | Ambiguity) -> Entry | None:
    normal = normalise(record.text)
    if isinstance(normal, Rejection):
        return None
    return Entry(record.id, record.language, normal.text, frozenset(record.codes))


def _equal(expressions: list[Entry], ambiguities: list[Entry]) -> Iterator[Finding]:
    for group in groups_of_equal_text(ambiguities):
        for entry in group[1:]:
            yield Finding("ambiguity", AMBIGUITIES, entry.id, f"declares the text of {group[0].id} again")
    declared = {(entry.language, entry.text): entry for entry in ambiguities}
    for entry in expressions:
        ambiguity = declared.get((entry.language, entry.text))
        if ambiguity is None and len(entry.codes) > 1:
            yield Finding(
                "nfc-collision",
                EXPRESSIONS,
                entry.id,
                "one text for several concepts; declare it in ambiguities.jsonl",
            )
        elif ambiguity is not None and not entry.codes <= ambiguity.codes:
            yield Finding(
                "ambiguity", EXPRESSIONS, entry.id, f"has a code that {ambiguity.id}, of the same text, lacks"
            )
    for group in groups_of_equal_text(expressions):
        first = group[0]
        for entry in group[1:]:
            if entry.codes == first.codes:
                yield Finding("duplicate", EXPRESSIONS, entry.id, f"says the same as {first.id}")
            elif (entry.language, entry.text) not in declared:
                yield Finding(
                    "nfc-collision",
                    EXPRESSIONS,
                    entry.id,
                    f"has the text of {first.id} and another concept; declare it in ambiguities.jsonl",
                )


def _folded(registry: Registry, entries: list[Entry]) -> Iterator[Finding]:
    declared = set(registry.header.declared_fold_conflicts)
    home = {item.id: AMBIGUITIES for item in registry.ambiguities}
    found = fold_conflicts(entries)
    for conflict in found:
        if conflict.pair not in declared:
            yield Finding(
                "fold-conflict",
                home.get(conflict.second, EXPRESSIONS),
                conflict.second,
                f"meets {conflict.first}, of another concept, under {conflict.fold}; if that is meant, "
                f"add {conflict.pair} to declared_fold_conflicts",
            )
    for pair in sorted(declared - {conflict.pair for conflict in found}):
        yield Finding(
            "fold-conflict",
            HEADER,
            None,
            f"declared_fold_conflicts: {pair!r:.200} is no conflict; write id1|id2, id1 < id2, or remove it",
            "warning",
        )
