"""Accepting and rejecting candidates: a person's act, with who and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from denotary.canonical import canonical_json
from denotary.errors import InputError, IntegrityError
from denotary.files import locked, read_bytes, write_atomic
from denotary.suites.building import CANDIDATES, read_candidates, write_candidates
from denotary.suites.grouping import units
from denotary.suites.loading import CASES, SUITE_LOCK, decode_cases, folder_of, read_suite, safe_name
from denotary.suites.records import GENERATED, Annotation
from denotary.suites.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from denotary.suites.building import CaseCandidate
    from denotary.suites.records import Case

_NEVER_GIVEN: Final = frozenset({"annotation", "security"})
"""Parts of a case that who accepts it cannot give: who judged it, and who may see it."""


def accept(
    path: Path | str, names: Sequence[str], *, who: str, why: str, changes: Mapping[str, Any] | None = None
) -> tuple[Case, ...]:
    """Make cases of candidates, all or none: they are appended to ``cases.jsonl`` of a draft.

    The annotation of a case stays ``generated``: that somebody let it in is no independent judgement of its gold.
    A candidate whose very case stands in the suite already, since an earlier call was interrupted, is marked as
    accepted and not written twice.

    Args:
        path: folder of the suite.
        names: ids of the candidates.
        who: role or pseudonym of the person who accepts.
        why: the reason; it becomes the rationale of the annotation where there is none.
        changes: parts of every one of these cases, as ``suites.correct`` takes them: ``gold``, or one field such as
            ``construction.tags``. What a candidate needs must be among them. The id stays the candidate's; who judged
            the case and who may see it cannot be given, but for ``annotation.rationale``.

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
        _refuse_parts(suite.root, given)
        made = tuple(_case(suite, candidate, given, why) for candidate in waiting)
        data = _appended(suite, made)
        _refuse_wrong(suite, made, data)
        write_atomic(suite.root / CASES, data)
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


def _refuse_parts(root: Path, given: Mapping[str, Any]) -> None:
    for name in given:
        part = name.partition(".")[0]
        if part == "record_id" or (part in _NEVER_GIVEN and name != "annotation.rationale"):
            raise InputError(
                f"{safe_name(name)} cannot be given when a candidate is accepted",
                path=root / CANDIDATES,
                hint="a case keeps the id of its candidate, and people judge it once it stands in the suite",
            )


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
        case: Case = msgspec.convert(content, suite.instrument.case_type)
    except (msgspec.ValidationError, TypeError):
        raise _wrong_candidate(
            suite, candidate, "would be no case of this suite's instrument with these parts"
        ) from None
    if case.record_id != candidate.candidate:
        raise _wrong_candidate(suite, candidate, "its case has another id than the candidate")
    if _is_judged(case):
        raise _wrong_candidate(
            suite, candidate, "carries a judgement; people judge a case once it stands in the suite"
        )
    return case


def _wrong_candidate(suite: Suite, candidate: CaseCandidate, message: str) -> InputError:
    return InputError(message, path=suite.root / CANDIDATES, record=safe_name(candidate.candidate))


def _is_judged(case: Case) -> bool:
    """Whether a case claims that people judged its gold, or that it says the same as its parent."""
    note = case.annotation
    blank = Annotation(review=note.review, rationale=note.rationale)
    return note.review == "reviewed" or note != blank or case.construction.equivalence_reviewed_by is not None


def _appended(suite: Suite, made: Sequence[Case]) -> bytes:
    """Return the bytes of ``cases.jsonl`` with the cases that it does not hold yet."""
    data = read_bytes(suite.root / CASES)
    lines = [] if not data or data.endswith(b"\n") else [b"\n"]
    for case in made:
        line, held = canonical_json(case), suite.by_id.get(case.record_id)
        if held is None:
            lines.append(line + b"\n")
        elif canonical_json(held) != line:
            raise InputError(
                "the suite holds this record already, with another content",
                path=suite.root / CASES,
                record=safe_name(case.record_id),
            )
    return data + b"".join(lines)


def _refuse_wrong(suite: Suite, made: Sequence[Case], data: bytes) -> None:
    """Check the cases where they would stand, as they would be read."""
    lines, cases = decode_cases(data, suite.root / CASES, suite.instrument.case_type)
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
