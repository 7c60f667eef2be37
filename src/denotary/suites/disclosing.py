"""The recorded act of disclosure: what was shown is no fresh evidence any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.suites.ledger import append, draft
from denotary.suites.loading import CASES, folder_of, load_suite, safe_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def disclose(path: Path | str, records: Sequence[str], *, who: str, why: str) -> None:
    """Record that sealed cases were shown to developers: they stop counting as fresh evidence.

    Raises:
        InputError: no such record; then nothing is recorded.
        IntegrityError: the suite was edited after it was frozen.
    """
    suite = load_suite(folder_of(path))
    for record in records:
        if record not in suite.by_id:
            raise InputError("no such record", path=suite.root / CASES, record=safe_name(record))
    shown = sorted(set(records) - suite.disclosed)
    append(
        suite.root,
        *(draft(kind="disclosure", what="content", who=who, why=why, record=record) for record in shown),
    )
