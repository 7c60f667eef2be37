"""The recorded acts on a frozen suite: correction, withdrawal, disclosure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import canonical_json
from denotary.errors import InputError
from denotary.files import read_bytes, write_atomic
from denotary.suites.ledger import append
from denotary.suites.loading import CASES, SUITE_LOCK, folder_of, read_suite, safe_name, verify_lock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from denotary.suites.records import Case
    from denotary.suites.suite import Suite


def correct(path: Path | str, record: str, changes: Mapping[str, Any], *, who: str, why: str) -> Case:
    """Change one case on the record, and open the suite again as a draft.

    The results of earlier versions stay what they were: they name the hash of the version they were made
    with. Set the next version in ``suite.toml`` and freeze it.

    Args:
        path: folder of the suite.
        record: id of the case.
        changes: the parts of the JSON record that are replaced, such as ``{"gold": {...}}``.
        who: role or pseudonym of who decided.
        why: the reason, and which results are affected.

    Returns:
        The case as it stands now.

    Raises:
        InputError: no such record, or the record would be malformed.
        IntegrityError: the suite was edited after it was frozen.
    """
    suite = _verified(path)
    old = _case(suite, record)
    before = msgspec.to_builtins(old)
    try:
        new: Case = msgspec.convert({**before, **changes}, type(old))
    except msgspec.ValidationError:
        raise InputError(
            f"the changed record would be malformed in {', '.join(sorted(changes))}",
            path=suite.root / CASES,
            record=safe_name(record),
        ) from None
    _replace_line(suite, old, canonical_json(new))
    _append(suite, record, {part: before.get(part) for part in changes}, dict(changes), who=who, why=why)
    return new


def withdraw(path: Path | str, record: str, *, who: str, why: str) -> None:
    """Take one case out of the suite on the record, and open the suite again as a draft.

    Raises:
        InputError: no such record.
        IntegrityError: the suite was edited after it was frozen.
    """
    suite = _verified(path)
    old = _case(suite, record)
    _replace_line(suite, old, b"")
    _append(suite, record, msgspec.to_builtins(old), None, who=who, why=why)


def disclose(path: Path | str, records: Sequence[str], *, who: str, why: str) -> None:
    """Record that sealed cases were shown to developers: they stop counting as fresh evidence.

    Raises:
        InputError: no such record; then nothing is recorded.
    """
    suite = _verified(path)
    for record in records:
        _case(suite, record)
    for record in sorted(set(records) - suite.disclosed):
        append(suite.root, "disclosure", "content", who=who, why=why, record=record)


def _verified(path: Path | str) -> Suite:
    suite = read_suite(folder_of(path))
    if suite.lock is not None:
        verify_lock(suite.root, suite.lock)
    return suite


def _case(suite: Suite, record: str) -> Case:
    case = suite.by_id.get(record)
    if case is None:
        raise InputError("no such record", path=suite.root / CASES, record=safe_name(record))
    return case


def _replace_line(suite: Suite, case: Case, line: bytes) -> None:
    path = suite.root / CASES
    lines = read_bytes(path).split(b"\n")
    lines[suite.lines[suite.cases.index(case)] - 1] = line
    (suite.root / SUITE_LOCK).unlink(missing_ok=True)
    write_atomic(path, b"\n".join(lines))


def _append(suite: Suite, record: str, old: Any, new: Any, *, who: str, why: str) -> None:
    append(suite.root, "correction", "record", who=who, why=why, record=record, old=old, new=new)
