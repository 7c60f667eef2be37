"""Which concepts lie beside one that changed, and which pairs of neighbours must be judged anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denotary.registry.migration import MigrationMap
    from denotary.registry.model import Registry

    Pair = tuple[str, str]
    """A target, and a neighbour that is easily taken for it."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What a migration does to neighbourhoods. Codes are of the earlier snapshot where nothing else is said.

    Attributes:
        affected: codes that changed, or lie beside one that changed or was added, with the codes that moved
            them; a code that moved by itself names itself.
        stale: pairs of the later snapshot whose judgement was made on other meanings, sorted.
        nominated: pairs of the later snapshot that nobody declared and that a change put side by side, sorted.
    """

    affected: Mapping[str, tuple[str, ...]]
    stale: tuple[Pair, ...]
    nominated: tuple[Pair, ...]


def adjacent(registry: Registry) -> dict[str, set[str]]:
    """Return the codes beside each concept: neighbours and parents that either of two concepts declares."""
    found: dict[str, set[str]] = {code: set() for code in registry.concepts}
    for code, concept in registry.concepts.items():
        for other in (*concept.parents, *(neighbour.code for neighbour in concept.neighbours)):
            if other != code:
                found[code].add(other)
                found[other].add(code)
    return found


def shift(old: Registry, new: Registry, migration: MigrationMap) -> Shift:
    """Return what a checked migration does to the neighbourhoods of both snapshots."""
    before, after = adjacent(old), adjacent(new)
    earlier = _earlier(migration)
    moved: dict[str, set[str]] = {code: {code} for code in migration.changed}
    for code in migration.changed:
        for other in before.get(code, ()):
            moved.setdefault(other, set()).add(code)
    for code in migration.changed_later:
        for other in after.get(code, ()):
            for source in earlier.get(other, ()):
                moved.setdefault(source, set()).add(code)
    declared = _declared(new)
    fresh = migration.changed_later
    return Shift(
        affected={code: tuple(sorted(moved[code])) for code in sorted(moved)},
        stale=tuple(sorted(pair for pair in declared if not fresh.isdisjoint(pair))),
        nominated=tuple(sorted(_side_by_side(migration, before) - declared)),
    )


def _earlier(migration: MigrationMap) -> dict[str, list[str]]:
    """Return the earlier codes that lead to each later code."""
    found: dict[str, list[str]] = {}
    for code, step in migration.steps.items():
        for target in step.to_codes:
            found.setdefault(target, []).append(code)
    return found


def _declared(registry: Registry) -> set[Pair]:
    return {
        (code, neighbour.code)
        for code, concept in registry.concepts.items()
        if concept.status == "active"
        for neighbour in concept.neighbours
    }


def _side_by_side(migration: MigrationMap, before: Mapping[str, Iterable[str]]) -> set[Pair]:
    """Return pairs of the parts of what was split, and of what changed with the heirs of what lay beside it."""
    found: set[Pair] = set()
    for code in migration.changed:
        heirs = migration.steps[code].to_codes
        beside = [
            target
            for other in before.get(code, ())
            if other in migration.steps
            for target in migration.steps[other].to_codes
        ]
        for heir in heirs:
            for other in (*heirs, *beside):
                if other != heir:
                    found |= {(heir, other), (other, heir)}
    return found
