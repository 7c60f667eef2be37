"""What became of every concept of an earlier snapshot: the migration map, and its check against both snapshots.

The records stand in ``migrations.jsonl`` of the later registry, one for each concept of ``from_version`` that is not
carried over as it was. A concept without a record is unchanged, and must be: same definitions, semantic type and
parents, still active.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from denotary.canonical import digest
from denotary.errors import InputError, Problem
from denotary.files import read_records
from denotary.registry.locks import MIGRATIONS
from denotary.registry.migration_rules import Pair, implied, step_problems
from denotary.registry.records import Migration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from denotary.registry.model import Registry

CARRIED: Final = frozenset({"unchanged", "renamed"})
"""Changes after which one code of the later snapshot means what one code of the earlier did."""


@dataclass(frozen=True, slots=True)
class MigrationMap:
    """A map that was checked against both snapshots.

    Attributes:
        old: name of the earlier snapshot, with its hash if it is frozen.
        new: the same of the later one.
        steps: what became of each active concept of the earlier snapshot, by code, sorted; a concept
            without a record has an implied ``unchanged``.
        added: active codes of the later snapshot that no earlier concept leads to, sorted.
        digest: SHA-256 over both names and all steps, in hexadecimal.
    """

    old: str
    new: str
    steps: Mapping[str, Migration]
    added: tuple[str, ...]
    digest: str

    def successor(self, code: str) -> str | None:
        """Return the one code that means now what ``code`` meant, or None if there is none."""
        step = self.steps.get(code)
        return step.to_codes[0] if step is not None and step.change in CARRIED else None

    @property
    def changed(self) -> frozenset[str]:
        """Earlier codes whose meaning is not carried over: results about them compare with nothing."""
        return frozenset(code for code, step in self.steps.items() if step.change not in CARRIED)

    @property
    def changed_later(self) -> frozenset[str]:
        """Later codes that no earlier code means the same as: new, or of another boundary."""
        return frozenset(self.added).union(*(self.steps[code].to_codes for code in self.changed))

    @property
    def is_identity(self) -> bool:
        """Whether every concept is unchanged and none was added, so that gold codes mean what they did."""
        return not self.added and all(step.change == "unchanged" for step in self.steps.values())


def load_migrations(path: Path) -> tuple[Migration, ...]:
    """Return the migration records of a JSON Lines file that stands outside the later registry.

    Raises:
        InputError: the file is absent, or a line is no migration record.
    """
    return read_records(path, Migration)


def check_migration(
    old: Registry, new: Registry, records: Sequence[Migration] | None = None
) -> list[Problem]:
    """Return what is wrong with a map from one snapshot to a later one; without an error it holds.

    Args:
        old: the earlier snapshot.
        new: the later one.
        records: the map; by default ``migrations.jsonl`` of the later registry. Records of other
            ``from_version`` are passed over.
    """
    mine = _of(old, new, records)
    problems = list(_frame_problems(old, new))
    for code, count in sorted(Counter(record.from_code for record in mine).items()):
        if count > 1:
            problems.append(_problem("migration_twice", code, f"has {count} records; one concept has one"))
    pair = Pair.of(old, new, mine)
    problems += [_problem(*found) for code in pair.steps for found in step_problems(pair, code)]
    return sorted(problems, key=lambda problem: (problem.record or "", problem.code, problem.message))


def migration_map(old: Registry, new: Registry, records: Sequence[Migration] | None = None) -> MigrationMap:
    """Return the map from one snapshot to a later one. Arguments as of :func:`check_migration`.

    Raises:
        InputError: the map does not hold; the message names the first error.
    """
    errors = [item for item in check_migration(old, new, records) if item.severity == "error"]
    if errors:
        raise InputError(
            f"the migration from {old.version} to {new.version} does not hold; errors found: {len(errors)}; "
            f"the first: {errors[0]}",
            path=new.root,
            hint="list them all: denotary registry diff OLD NEW",
        )
    pair = Pair.of(old, new, _of(old, new, records))
    steps = {
        code: step or implied(old.version, code)
        for code, step in sorted(pair.steps.items())
        if code in pair.before
    }
    reached = {code for step in steps.values() for code in step.to_codes}
    added = tuple(sorted(pair.after - reached))
    names = snapshot_name(old), snapshot_name(new)
    return MigrationMap(*names, steps=steps, added=added, digest=digest([*names, list(steps.values())]))


def snapshot_name(registry: Registry) -> str:
    """Return ``name version sha256:hash``, or ``name version (draft)``."""
    return registry.snapshot_id if registry.is_frozen else f"{registry.name} {registry.version} (draft)"


def _of(old: Registry, new: Registry, records: Sequence[Migration] | None) -> list[Migration]:
    given = new.migrations if records is None else records
    return [record for record in given if record.from_version == old.version]


def _frame_problems(old: Registry, new: Registry) -> list[Problem]:
    found = []
    if old.name != new.name:
        found.append(
            _problem("migration_name", None, f"leads from registry {old.name} to {new.name}, another one")
        )
    if old.version == new.version and old.concepts != new.concepts:
        found.append(
            _problem(
                "migration_version", None, f"both snapshots are version {old.version}, with other concepts"
            )
        )
    return found


def _problem(code: str, record: str | None, message: str, severity: str = "error") -> Problem:
    return Problem("warning" if severity == "warning" else "error", code, message, MIGRATIONS, record=record)
