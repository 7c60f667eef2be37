"""Accepting and rejecting candidates: a person's act, with who and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import canonical_json
from denotary.errors import InputError, IntegrityError
from denotary.files import locked, read_bytes, write_atomic
from denotary.suites.building import CANDIDATES, read_candidates, write_candidates
from denotary.suites.grouping import units
from denotary.suites.loading import CASES, SUITE_LOCK, folder_of, read_suite, safe_name
from denotary.suites.records import GENERATED
from denotary.suites.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from denotary.suites.building import CaseCandidate
    from denotary.suites.records import Case


def accept(
    path: Path | str, names: Sequence[str], *, who: str, why: str, changes: Mapping[str, Any] | None = None
) -> tuple[Case, ...]:
    """Make cases of candidates, all or none: they are appended to ``cases.jsonl`` of a draft.

    The annotation of a case stays ``generated``: that somebody let it in is no independent judgement of its gold.

    Args:
        path: folder of the suite.
        names: ids of the candidates.
        who: role or pseudonym of the person who accepts.
        why: the reason; it becomes the rationale of the annotation where there is none.
        changes: parts of every one of these cases, as ``suites.correct`` takes them: ``gold``, or one field such as
            ``construction.tags``. What a candidate needs must be among them.

    Raises:
        InputError: no such candidate, it is decided already, something that it needs is missing, or the case would
            be wrong; the message quotes no text.
        IntegrityError: the suite is frozen.
    """
    _refuse_unnamed(who, why)
    with locked(folder_of(path)):
        suite = _draft(path)
        waiting = _waiting(suite.root, names)
        given = dict(changes or {})
        made = tuple(_case(suite, candidate, given, why) for candidate in waiting)
        _refuse_wrong(suite, made)
        data = read_bytes(suite.root / CASES)
        gap = b"" if not data or data.endswith(b"\n") else b"\n"
        write_atomic(suite.root / CASES, data + gap + b"".join(canonical_json(case) + b"\n" for case in made))
        _decide(suite.root, names, "accepted", who, why)
    return made


def reject(path: Path | str, names: Sequence[str], *, who: str, why: str) -> None:
    """Mark candidates as rejected; they stay in the file, so that the next build does not bring them back.

    Raises:
        InputError: no such candidate, or it is decided already.
    """
    _refuse_unnamed(who, why)
    root = folder_of(path)
    with locked(root):
        _waiting(root, names)
        _decide(root, names, "rejected", who, why)


def _draft(path: Path | str) -> Suite:
    root = folder_of(path)
    if (root / SUITE_LOCK).exists():
        raise IntegrityError(
            "the suite is frozen, and no candidate enters a frozen suite",
            path=root,
            hint="copy the folder without suite.lock, raise the version, accept there, and freeze it with --on",
        )
    return read_suite(root)


def _refuse_unnamed(who: str, why: str) -> None:
    if not who.strip() or not why.strip():
        raise InputError("expected who decides, and why")
    if who.startswith(GENERATED):
        raise InputError(f"a person decides on candidates; {GENERATED}… names a machine")


def _waiting(root: Path, names: Sequence[str]) -> list[CaseCandidate]:
    known = {item.candidate: item for item in read_candidates(root)}
    found = []
    for name in dict.fromkeys(names):
        item = known.get(name)
        if item is None:
            raise InputError("no such candidate", path=root / CANDIDATES, record=safe_name(name))
        if item.status != "candidate":
            raise InputError(f"is {item.status} already", path=root / CANDIDATES, record=safe_name(name))
        found.append(item)
    if not found:
        raise InputError("expected at least one candidate", path=root / CANDIDATES)
    return found


def _case(suite: Suite, candidate: CaseCandidate, changes: Mapping[str, Any], why: str) -> Case:
    missing = [part for part in candidate.needs if part not in changes]
    if missing:
        raise InputError(
            f"needs {', '.join(missing)}, which only a person can give",
            path=suite.root / CANDIDATES,
            record=safe_name(candidate.candidate),
            hint="give each with --set PART=JSON",
        )
    content = dict(candidate.case)
    content["annotation"] = {"rationale": why, **content.get("annotation", {})}
    try:
        for name, value in changes.items():
            part, _, field = name.partition(".")
            content[part] = {**content.get(part, {}), field: value} if field else value
        return msgspec.convert(content, suite.instrument.case_type)
    except (msgspec.ValidationError, TypeError):
        raise InputError(
            "would be no case of this suite's instrument with these parts",
            path=suite.root / CANDIDATES,
            record=safe_name(candidate.candidate),
        ) from None


def _refuse_wrong(suite: Suite, made: Sequence[Case]) -> None:
    """Check the cases where they would stand."""
    for case in made:
        if case.record_id in suite.by_id:
            raise InputError(
                "the suite holds this record already",
                path=suite.root / CASES,
                record=safe_name(case.record_id),
            )
    cases = (*suite.cases, *made)
    lines = (*suite.lines, *(0 for _ in made))
    after = Suite(
        manifest=suite.manifest,
        cases=cases,
        units=units(cases),
        lines=lines,
        registry=suite.registry,
        lock=None,
        ledger=suite.ledger,
        root=suite.root,
    )
    for case in made:
        for problem in suite.instrument.check(case, after):
            if problem.severity == "error":
                raise InputError(
                    f"would be wrong: {problem.message}",
                    path=suite.root / CANDIDATES,
                    record=safe_name(case.record_id),
                )


def _decide(root: Path, names: Sequence[str], status: Any, who: str, why: str) -> None:
    chosen = set(names)
    write_candidates(
        root,
        [
            msgspec.structs.replace(item, status=status, who=who, why=why)
            if item.candidate in chosen
            else item
            for item in read_candidates(root)
        ],
    )
