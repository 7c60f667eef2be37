"""What changed between two versions of a suite, and which version the change demands. No text is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from denotary.canonical import digest
from denotary.suites.grouping import units
from denotary.suites.versions import LEVELS, Level, least_version, version_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from denotary.suites.records import Case, Manifest

METADATA: Final = frozenset(
    {
        "annotation.rationale",
        "benchmark_version",
        "lineage",
        "security.canary",
        "security.leakage_family",
        "construction.author",
        "construction.author_saw",
        "construction.authored_after",
        "construction.generation_method",
        "construction.made_against",
        "construction.mechanisms",
        "construction.overlap_stratum",
        "construction.position_of_evidence",
        "construction.source_document",
    }
)
"""Parts of a case that no measure, fact or gate reads. Any other is changed by a decision on the record."""

TAKEN_APART: Final = ("annotation", "construction", "security")
"""Parts of a case whose fields are told apart."""

FOLLOWS: Final = frozenset({"registry_version"})
"""Parts that follow from the suite's registry; its change is a reason of its own."""

TASK: Final = ("instrument", "role", "looks", "unknown_share")
"""Fields of the manifest that say what the suite asks and how its figures are judged; its registry is another."""
SUPPORT: Final = ("blank_keys", "controls", "rare_languages")
"""Fields of the manifest that say what the figures may support."""
ANY_TASK: Final = " or ".join(TASK)
"""What a change of task is called where only its digest is left of the earlier manifest."""


def level_of(part: str) -> Level:
    """Return which part of the version a changed part of a case raises.

    How a case was judged and who may see it moves no rate, but what the rates may support: a minor change.
    """
    if part in METADATA or part in FOLLOWS:
        return "patch"
    standing = part.partition(".")[0] in {"annotation", "security"}
    return "minor" if standing or part == "construction.equivalence_reviewed_by" else "major"


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One record that was added, removed or changed.

    Attributes:
        record: its id.
        change: what happened to it.
        parts: names of the parts that differ, such as ``gold`` or ``construction.tags``; of a changed record.
        old: SHA-256 of the record before, None if it was added.
        new: SHA-256 of the record now, None if it was removed.
    """

    record: str
    change: Literal["added", "removed", "changed"]
    parts: tuple[str, ...]
    old: str | None
    new: str | None

    @property
    def level(self) -> Level:
        """Which part of the version this change raises."""
        if self.change != "changed":
            return "minor" if self.change == "added" else "major"
        return max(map(level_of, self.parts), key=LEVELS.index, default="major")


@dataclass(frozen=True, slots=True)
class SuiteDiff:
    """Everything that differs between two versions of a suite.

    Attributes:
        name: name of the suite.
        old_version: version before.
        new_version: version that is declared now.
        records: added, removed and changed records, sorted by id.
        manifest: fields of ``suite.toml`` that differ, but for the version.
        registry: names of both snapshots, if the suite is bound to another one.
        joined: how many units of the earlier version became part of another through added cases.
        demanded: which part of the version must be raised.
        reasons: why, the weightiest first, each with its level.
    """

    name: str
    old_version: str
    new_version: str
    records: tuple[RecordChange, ...]
    manifest: tuple[str, ...]
    registry: tuple[str, str] | None
    joined: int
    demanded: Level
    reasons: tuple[tuple[Level, str], ...]

    @property
    def least(self) -> str:
        """The smallest version that the change may have."""
        return least_version(self.old_version, self.demanded)

    @property
    def is_enough(self) -> bool:
        """Whether the declared version is at least the one that the change demands."""
        declared, least = version_key(self.new_version), version_key(self.least)
        return declared is not None and least is not None and declared >= least

    def of(self, change: str) -> tuple[RecordChange, ...]:
        """Return the records with this change."""
        return tuple(item for item in self.records if item.change == change)


def changed_parts(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the parts in which two records, as mappings, differ; see :data:`TAKEN_APART`."""
    found: list[str] = []
    for part in sorted({*old, *new}):
        before, after = old.get(part), new.get(part)
        if before == after:
            continue
        if part in TAKEN_APART and isinstance(before, dict) and isinstance(after, dict):
            fields = sorted({*before, *after})
            found += [f"{part}.{field}" for field in fields if before.get(field) != after.get(field)]
        else:
            found.append(part)
    return tuple(found)


def record_changes(old: Sequence[Case], new: Sequence[Case]) -> list[RecordChange]:
    """Return the records that differ between two lists of cases, sorted by id."""
    before, after = ({case.record_id: case for case in cases} for cases in (old, new))
    found = []
    for name in sorted({*before, *after}):
        one, other = before.get(name), after.get(name)
        if one == other:
            continue
        parts = changed_parts(msgspec.to_builtins(one), msgspec.to_builtins(other)) if one and other else ()
        change: Literal["added", "removed", "changed"] = (
            "added" if one is None else "removed" if other is None else "changed"
        )
        digests = (None if case is None else digest(case) for case in (one, other))
        found.append(RecordChange(name, change, parts, *digests))
    return found


def manifest_changes(old: Manifest, new: Manifest) -> list[str]:
    """Return the fields of the manifest that differ, but for version and registry."""
    fields = [name for name in old.__struct_fields__ if name not in {"version", "registry"}]
    return [name for name in fields if getattr(old, name) != getattr(new, name)]


def task_digest(manifest: Manifest) -> str:
    """Return the digest of what a manifest says of the task; see :data:`TASK`."""
    return digest([getattr(manifest, name) for name in TASK])


def joined_units(old: Iterable[str], cases: Sequence[Case]) -> int:
    """Return how many units of the earlier cases the later ones join to others.

    Args:
        old: ids of the earlier records.
        cases: the later cases; earlier records that are not among them are passed over.
    """
    earlier = set(old)
    mine = [case for case in cases if case.record_id in earlier]
    among_all = {case.record_id: unit for case, unit in zip(cases, units(cases), strict=True)}
    return len(set(units(mine))) - len({among_all[case.record_id] for case in mine})


def reasons(
    records: Iterable[RecordChange], manifest: Iterable[str], *, registry: bool, joined: int
) -> list[tuple[Level, str]]:
    """Return why a version must be raised, the weightiest reason first."""
    counts: dict[tuple[Level, str], int] = {}
    for item in records:
        for reason in _reasons_of(item):
            counts[reason] = counts.get(reason, 0) + 1
    found: list[tuple[Level, str]] = [
        (level, f"{text}: {count:,}") for (level, text), count in counts.items()
    ]
    if registry:
        found.append(("major", "bound to another registry snapshot"))
    if joined:
        found.append(("major", f"units of earlier cases that added cases join: {joined:,}"))
    found += [(_level_of_field(name), f"suite.toml: {name}") for name in manifest]
    return sorted(found, key=lambda reason: (-LEVELS.index(reason[0]), reason[1]))


def _level_of_field(name: str) -> Level:
    if name in {*TASK, ANY_TASK}:
        return "major"
    return "minor" if name in SUPPORT else "patch"


def _reasons_of(item: RecordChange) -> list[tuple[Level, str]]:
    if item.change == "changed":
        return [(level_of(part), f"cases with other {part}") for part in item.parts if part not in FOLLOWS]
    return [(item.level, f"cases {item.change}")]


def highest(found: Iterable[tuple[Level, str]]) -> Level:
    """Return the highest level among reasons; ``none`` if there is no reason."""
    return max((level for level, _ in found), key=LEVELS.index, default="none")
