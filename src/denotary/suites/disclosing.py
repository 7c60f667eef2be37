"""The recorded act of disclosure: what was shown is no fresh evidence any more, and moves to the regression corpus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, locked, read_bytes, write_atomic
from denotary.suites.keys import shown as name_of
from denotary.suites.ledger import append, draft
from denotary.suites.loading import CASES, MANIFEST, SUITE_LOCK, folder_of, load_suite, safe_name
from denotary.suites.records import Security, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from denotary.suites.records import Case
    from denotary.suites.suite import Suite

DISCLOSED: Final = "disclosed"
"""Operator of the step by which a case came into the regression corpus."""
REPLACES: Final = "replaces"
"""Operator of the step by which a fresh case says which disclosed one it stands for; detail: its id."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What an act of disclosure did.

    Attributes:
        disclosed: records that are no fresh evidence from now on, sorted; those of earlier acts are not listed.
        moved: records that were added to the regression corpus, sorted.
        siblings: records of the same units that were not disclosed: whoever knows one knows of the others.
    """

    disclosed: tuple[str, ...]
    moved: tuple[str, ...]
    siblings: tuple[str, ...]


def disclose(
    path: Path | str,
    records: Sequence[str],
    *,
    who: str,
    why: str,
    to: Path | str | None = None,
    with_siblings: bool = False,
) -> Disclosure:
    """Record that sealed cases were shown: they stop counting as fresh evidence, and fresh siblings are asked for.

    Args:
        path: folder of the suite.
        records: ids of the cases that were shown.
        who: role or pseudonym of who disclosed them.
        why: the reason.
        to: folder of a regression suite that the cases are added to; it is a draft then.
        with_siblings: disclose every case of the units that the records belong to.

    Raises:
        InputError: no such record; then nothing is recorded.
        IntegrityError: a suite was edited after it was frozen, or ``to`` is no regression suite for this registry.
    """
    root = folder_of(path)
    with locked(root):
        suite = load_suite(root)
        target = None if to is None else _regression(suite, to)
        found = _recorded(suite, records, target, who, why, with_siblings=with_siblings)
    if target is None:
        return replace(found, moved=())
    # The one lock is given back before the other is asked for, so that two acts never wait for each other.
    with locked(target.root):
        moved = _move(suite, _regression(suite, target.root), found.moved)
    return replace(found, moved=tuple(moved))


def _recorded(
    suite: Suite, records: Sequence[str], target: Suite | None, who: str, why: str, *, with_siblings: bool
) -> Disclosure:
    """Write the entries; ``moved`` of what is returned names every record that is to move."""
    for record in records:
        if record not in suite.by_id:
            raise InputError("no such record", path=suite.root / CASES, record=safe_name(record))
    unit_of = dict(zip(suite.by_id, suite.units, strict=True))
    hit = {unit_of[record] for record in records}
    family = {record for record, unit in unit_of.items() if unit in hit}
    shown = sorted(family if with_siblings else set(records))
    fresh = [record for record in shown if record not in suite.disclosed]
    seeds: dict[str, set[str]] = {}
    for case, unit in zip(suite.cases, suite.units, strict=True):
        if unit in hit:
            seeds.setdefault(unit, set()).add(name_of(case.semantic_seed_id))
    append(
        suite.root,
        *(_entry(suite.by_id[name], target, who, why, sorted(seeds[unit_of[name]])) for name in fresh),
    )
    return Disclosure(tuple(fresh), tuple(shown), tuple(sorted(family - {*shown} - suite.disclosed)))


def siblings_wanted(suite: Suite) -> dict[str, dict[str, Any]]:
    """Return what is asked for in place of each disclosed record that no fresh case replaces yet.

    A fresh case says so by a step of its lineage with the operator ``replaces`` and the id of the record. It has
    a semantic seed of its own, because the disclosed one is known.
    """
    replaced = {step.detail for case in suite.cases for step in case.lineage if step.operator == REPLACES}
    return {
        entry.record: dict(entry.new["wanted"])
        for entry in suite.ledger
        if entry.kind == "disclosure"
        and entry.record
        and entry.record not in replaced
        and isinstance(entry.new, dict)
        and isinstance(entry.new.get("wanted"), dict)
    }


def _entry(case: Case, target: Suite | None, who: str, why: str, unit: list[str]) -> Any:
    wanted = {"family": case.construction.primary_family, "language": case.language_slice}
    new = {"wanted": wanted, "moved_to": target.name if target else None, "unit": unit}
    return draft(kind="disclosure", what="content", who=who, why=why, record=case.record_id, new=new)


def _regression(suite: Suite, path: Path | str) -> Suite:
    target = load_suite(path)
    ours, theirs = suite.manifest, target.manifest
    if theirs.role != "regression":
        raise IntegrityError(
            f"disclosed cases move to a regression suite, and this one is {theirs.role}",
            path=target.root / MANIFEST,
        )
    if (theirs.instrument, theirs.registry.name, theirs.registry.version) != (
        ours.instrument,
        ours.registry.name,
        ours.registry.version,
    ):
        raise IntegrityError(
            "the regression suite is for another instrument or registry", path=target.root / MANIFEST
        )
    return target


def _move(suite: Suite, target: Suite, records: Iterable[str]) -> list[str]:
    moved = [record for record in records if record not in target.by_id]
    if moved:
        data = read_bytes(target.root / CASES)
        data += b"" if data.endswith(b"\n") or not data else b"\n"
        cases = (_regressed(suite.by_id[record], suite, target) for record in moved)
        (target.root / SUITE_LOCK).unlink(missing_ok=True)
        write_atomic(target.root / CASES, data + encode_jsonl(cases))
    return moved


def _regressed(case: Case, suite: Suite, target: Suite) -> Case:
    step = Step(operator=DISCLOSED, detail=f"{suite.name} {suite.version}")
    return msgspec.structs.replace(
        case,
        benchmark_version=target.version,
        lineage=(*case.lineage, step),
        security=Security(visibility="regression", leakage_family=case.security.leakage_family),
    )
