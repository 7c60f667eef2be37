"""Which cases of two runs are the same: by record id and content, through a migration map where registries differ.

Nothing is intersected away: a case that changed, that names a concept whose meaning was not carried over, or that
stands in one suite alone is listed, and counted beside every figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.errors import InputError
from denotary.measures.records import Fact
from denotary.suites.grouping import units
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from denotary.measures.table import IntArray
    from denotary.registry.migration import MigrationMap
    from denotary.registry.records import Migration
    from denotary.suites.records import Case
    from denotary.suites.suite import Suite

ALIGNED: Final = "cases_aligned"
"""The fact that no case of the base's suite is left out without a reason on record."""

_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class Alignment:
    """The cases of two suites side by side.

    Attributes:
        at_base: place of each pair in the base's suite, shape (N,).
        at_new: place of each pair in the new suite, shape (N,), ascending.
        unit: independent unit of each pair over both suites, shape (N,).
        changed: ids of records that are in both suites with other content.
        unmapped: ids of base records that name a concept whose meaning is not carried over.
        base_alone: ids of records of the base's suite alone.
        new_alone: ids of records of the new suite alone.
        unexplained: those of ``changed`` and ``base_alone`` of which the new suite's ledger says nothing.
        migration: the map between two registry snapshots, or None where both runs have the same.
    """

    at_base: IntArray
    at_new: IntArray
    unit: IntArray
    changed: tuple[str, ...] = ()
    unmapped: tuple[str, ...] = ()
    base_alone: tuple[str, ...] = ()
    new_alone: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()
    migration: MigrationMap | None = None

    def fact(self, *, named: bool) -> Fact:
        """Return whether every case of the base can be compared, or the record says why not.

        Args:
            named: whether ids may stand in the sentence.
        """
        pairs = plural(len(self.at_new), "case")
        left = {
            "changed": self.changed,
            "about a concept that changed": self.unmapped,
            "in the base's suite alone": self.base_alone,
            "in the release's suite alone": self.new_alone,
        }
        rest = ", ".join(f"{len(ids):,} {what}" for what, ids in left.items() if ids)
        if not self.unexplained:
            told = f"; not compared, with a reason on record: {rest}" if rest else ""
            return Fact(name=ALIGNED, holds=True, detail=f"{pairs} are compared{told}")
        ids = f": {_some(self.unexplained)}" if named else ""
        detail = (
            f"{pairs} are compared; not compared: {rest}; the ledger says nothing of "
            f"{plural(len(self.unexplained), 'record')}{ids}"
        )
        return Fact(name=ALIGNED, holds=None, detail=detail)


def align(base: Suite, new: Suite, records: Sequence[Migration] | None = None) -> Alignment:
    """Return which cases of two suites are the same.

    Args:
        base: the suite that the base was asked.
        new: the suite that the release was asked.
        records: migration records between the two registry snapshots; by default those of the new registry.

    Raises:
        InputError: the suites are no versions of one suite, the registries differ and no migration map leads from
            one to the other, the map does not hold, or there is nothing to migrate.
    """
    mapped = _map(base, new, records)
    if base.name != new.name or base.manifest.instrument != new.manifest.instrument:
        raise InputError(
            f"the runs were made with two suites, {base.name} and {new.name}",
            hint="ask both systems the same suite, or versions of it",
        )
    return _aligned(base, new, mapped)


def _map(base: Suite, new: Suite, records: Sequence[Migration] | None) -> MigrationMap | None:
    from denotary.registry.migration import migration_map

    if base.registry.hash == new.registry.hash:
        if records is not None:
            raise InputError(
                "there is nothing to migrate: both runs were made with the same registry snapshot",
                hint="leave the migration out",
            )
        return None
    given = new.registry.migrations if records is None else records
    if not any(record.from_version == base.registry.version for record in given):
        raise InputError(
            f"the runs were made with registry {base.registry.snapshot_id} and {new.registry.snapshot_id}; "
            "scores across registry versions are refused without a migration map",
            hint="record what became of each concept in migrations.jsonl of the new registry, or give --migration FILE",
        )
    return migration_map(base.registry, new.registry, records)


def _aligned(base: Suite, new: Suite, mapped: MigrationMap | None) -> Alignment:
    import numpy as np

    place = {case.record_id: index for index, case in enumerate(base.cases)}
    at_base: list[int] = []
    at_new: list[int] = []
    left: dict[str, list[str]] = {"changed": [], "unmapped": [], "new_alone": []}
    same = _comparer(new, mapped)
    for index, case in enumerate(new.cases):
        old = place.get(case.record_id)
        state = "new_alone" if old is None else same(base.cases[old], case)
        if state:
            left[state].append(case.record_id)
        elif old is not None:
            at_base.append(old)
            at_new.append(index)
    alone = [name for name in place if name not in new.by_id]
    known = _on_record(base, new)
    return Alignment(
        at_base=np.asarray(at_base, dtype=np.int64),
        at_new=np.asarray(at_new, dtype=np.int64),
        unit=np.asarray(list(_units(base, new, at_new)), dtype=np.int64),
        base_alone=tuple(sorted(alone)),
        unexplained=tuple(sorted({*left["changed"], *alone} - known)),
        migration=mapped,
        **{state: tuple(sorted(ids)) for state, ids in left.items()},
    )


def _comparer(new: Suite, mapped: MigrationMap | None) -> Callable[[Case, Case], str]:
    """Return the function that says why two records of one id cannot be compared, or nothing if they can."""
    if mapped is None:
        return lambda old, case: "" if old == case else "changed"
    recoded, successor = new.instrument.recoded, mapped.successor

    def compare(old: Case, case: Case) -> str:
        moved = recoded(old, successor)
        if moved is None:
            return "unmapped"
        # The version follows from the suite's registry; everything else must be as it was.
        moved = msgspec.structs.replace(moved, registry_version=case.registry_version)
        return "" if moved == case else "changed"

    return compare


def _units(base: Suite, new: Suite, at_new: Sequence[int]) -> Iterator[int]:
    """Yield the number of each pair's independent unit: siblings in either suite are siblings."""
    names = new.units if base.cases == new.cases else units((*base.cases, *new.cases))[len(base.cases) :]
    number: dict[str, int] = {}
    return (number.setdefault(names[index], len(number)) for index in at_new)


def _on_record(base: Suite, new: Suite) -> frozenset[str]:
    """Return the ids of records that the new suite's ledger corrects or withdraws and the base's did not."""
    before: set[Any] = {entry.previous for entry in base.ledger}
    entries = [entry for entry in new.ledger if entry.previous not in before]
    return frozenset(entry.record for entry in entries if entry.kind == "correction" and entry.record)


def _some(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + rest
