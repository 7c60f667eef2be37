"""The recorded acts that change a frozen suite: correction and withdrawal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import canonical_json, digest
from denotary.errors import InputError
from denotary.files import locked, read_bytes, read_records, write_atomic
from denotary.records import Record
from denotary.suites.ledger import WITHDRAWN, append, draft, recorded, refuse_broken
from denotary.suites.loading import CASES, SUITE_LOCK, folder_of, read_suite, safe_name, verify_lock
from denotary.suites.records import BoardMember, Cause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from denotary.suites.records import Case, LedgerEntry
    from denotary.suites.suite import Suite


class Correction(Record, frozen=True):
    """What one record becomes. Parts are replaced: ``gold``, or one field such as ``construction.tags``."""

    record: str
    changes: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Correction {self.record}>"


class Decision(Record, frozen=True):
    """What the ledger says of a correction or withdrawal beside the values."""

    who: str
    """Role or pseudonym of who records it."""
    why: str
    cause: Cause | None = None
    """Needed where more than metadata changes, and for a withdrawal."""
    board: tuple[BoardMember, ...] = ()
    """Who decided; needed in the same cases, and never the owner of the registry alone."""
    affects: tuple[str, ...] = ()
    """Results that were made with the old values."""


def load_corrections(path: Path) -> tuple[Correction, ...]:
    """Return the corrections of a JSON Lines file.

    Raises:
        InputError: the file is absent, or a line is no correction.
    """
    return read_records(path, Correction)


def correct(path: Path | str, corrections: Sequence[Correction], decision: Decision) -> tuple[Case, ...]:
    """Change cases on the record, all or none, and open the suite again as a draft.

    The results of earlier versions stay what they were: they name the hash of the version they were made
    with. Set the next version in ``suite.toml`` and freeze it.

    Args:
        path: folder of the suite.
        corrections: what each record becomes.
        decision: who decided, why, and which results are affected.

    Returns:
        The cases as they stand now, in the order of the corrections.

    Raises:
        InputError: no such record, two corrections of one, or a record would be malformed.
        IntegrityError: the suite was edited after it was frozen, or the decision lacks what the change needs.
    """
    with locked(folder_of(path)):
        suite = _verified(path)
        _refuse_repeated(suite, [item.record for item in corrections])
        found = [(_case(suite, item.record), item) for item in corrections]
        new = [_changed(suite, old, item) for old, item in found]
        entries = [
            _entry(old, case, item.changes, decision) for (old, item), case in zip(found, new, strict=True)
        ]
        _apply(suite, {case.record_id: canonical_json(case) for case in new}, entries)
    return tuple(new)


def withdraw(path: Path | str, records: Sequence[str], decision: Decision) -> None:
    """Take cases out of the suite on the record, all or none, and open the suite again as a draft.

    Raises:
        InputError: no such record.
        IntegrityError: the suite was edited after it was frozen, or the decision names no cause or no board.
    """
    with locked(folder_of(path)):
        suite = _verified(path)
        _refuse_repeated(suite, records)
        entries = []
        for old in [_case(suite, record) for record in records]:
            gold = msgspec.to_builtins(old).get("gold")
            entries.append(_drafted(old, decision, what=WITHDRAWN, old={"gold": gold}))
        _apply(suite, dict.fromkeys(records, b""), entries)


def _verified(path: Path | str) -> Suite:
    suite = read_suite(folder_of(path))
    if suite.lock is not None:
        verify_lock(suite.root, suite.lock)
    return suite


def _refuse_repeated(suite: Suite, records: Sequence[str]) -> None:
    repeated = next((name for name, count in Counter(records).items() if count > 1), None)
    if repeated is not None:
        raise InputError("is named twice", path=suite.root / CASES, record=safe_name(repeated))


def _case(suite: Suite, record: str) -> Case:
    case = suite.by_id.get(record)
    if case is None:
        raise InputError("no such record", path=suite.root / CASES, record=safe_name(record))
    return case


def _changed(suite: Suite, old: Case, correction: Correction) -> Case:
    content = msgspec.to_builtins(old)
    try:
        for name, value in correction.changes.items():
            part, _, field = name.partition(".")
            content[part] = {**content.get(part, {}), field: value} if field else value
        new = msgspec.convert(content, type(old))
    except (msgspec.ValidationError, TypeError):
        raise InputError(
            f"the changed record would be malformed in {', '.join(sorted(map(safe_name, correction.changes)))}",
            path=suite.root / CASES,
            record=safe_name(correction.record),
        ) from None
    if new.record_id != old.record_id:
        raise InputError(
            "a correction cannot give a record another id",
            path=suite.root / CASES,
            record=safe_name(correction.record),
            hint="withdraw the record and add another",
        )
    return new


def _entry(old: Case, new: Case, changes: Iterable[str], decision: Decision) -> LedgerEntry:
    names = sorted(changes)
    before, after = ({name: recorded(case, name) for name in names} for case in (old, new))
    return _drafted(old, decision, what="record", old=before, new=after, new_digest=digest(new))


def _drafted(case: Case, decision: Decision, **values: Any) -> LedgerEntry:
    return draft(
        kind="correction",
        who=decision.who,
        why=decision.why,
        record=case.record_id,
        old_digest=digest(case),
        cause=decision.cause,
        board=decision.board,
        affects=decision.affects,
        **values,
    )


def _apply(suite: Suite, replaced: Mapping[str, bytes], entries: Sequence[LedgerEntry]) -> None:
    """Write lines, then entries: of an act that was interrupted, a changed record is left, which freeze refuses."""
    path = suite.root / CASES
    refuse_broken(suite.root, entries)
    lines = read_bytes(path).split(b"\n")
    for number, case in zip(suite.lines, suite.cases, strict=True):
        if case.record_id in replaced:
            lines[number - 1] = replaced[case.record_id]
    (suite.root / SUITE_LOCK).unlink(missing_ok=True)
    write_atomic(path, b"\n".join(lines))
    append(suite.root, *entries)
