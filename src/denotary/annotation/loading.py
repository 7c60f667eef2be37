"""Reading the judgements beside a suite: the chain, and the records that they speak of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import msgspec

from denotary.annotation.records import Excluded, Judgement, Revised
from denotary.canonical import digest
from denotary.errors import InputError, IntegrityError
from denotary.files import file_digest, read_jsonl
from denotary.suites.ledger import START
from denotary.suites.loading import safe_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from denotary.suites import Suite
    from denotary.suites.records import Case

FOLDER = "judging"
"""Name of the folder in a suite's folder."""
JUDGEMENTS = "judgements.jsonl"
REJECTED = "rejected.jsonl"
REVISED = "revised.jsonl"
AGREEMENT = "agreement.json"
GUIDELINES = "guideline-*.md"

_Kept = TypeVar("_Kept", Excluded, Revised)


@dataclass(frozen=True, slots=True, repr=False)
class Judging:
    """All votes on a suite. Its repr shows no text.

    Attributes:
        judgements: every vote, oldest first.
        excluded: items that are not in the suite, with their votes.
        revised: cases as they were judged whose records have changed since.
        records: the record that was judged, by its digest.
        guidelines: file name of each guideline by its digest.
        root: the folder.
    """

    judgements: tuple[Judgement, ...]
    excluded: tuple[Excluded, ...]
    revised: tuple[Revised, ...]
    records: Mapping[str, Case]
    guidelines: Mapping[str, str]
    root: Path

    def __repr__(self) -> str:
        return f"<Judging {len(self.judgements)} judgements>"

    @property
    def head(self) -> str:
        """Digest of the last judgement, which stands for the whole chain."""
        return digest(self.judgements[-1]) if self.judgements else START

    @property
    def annotators(self) -> frozenset[str]:
        """Pseudonyms of the people among the judges; a generated vote has no annotator."""
        return frozenset(row.reviewer for row in self.judgements if row.kind == "human")


def load_judging(suite: Suite) -> Judging:
    """Return the judgements in the folder ``judging`` of a suite.

    Raises:
        InputError: a file is missing or malformed, or a judge has two votes on one item.
        IntegrityError: a judgement does not follow from the one before it, names a record or a guideline
            that is not there, or was left out of the votes of a rejected item.
    """
    root = suite.root / FOLDER
    guidelines = {file_digest(path): path.name for path in sorted(root.glob(GUIDELINES))}
    excluded = _kept(root / REJECTED, Excluded, suite)
    revised = _kept(root / REVISED, Revised, suite)
    records = {digest(case): case for case in suite.cases}
    records |= {sha: case for sha, (_, case) in (excluded | revised).items()}
    found = Judging(
        judgements=_judgements(root / JUDGEMENTS, records, guidelines),
        excluded=tuple(item for item, _ in excluded.values()),
        revised=tuple(item for item, _ in revised.values()),
        records=records,
        guidelines=guidelines,
        root=root,
    )
    _verify_votes(found)
    return found


def _kept(path: Path, kind: type[_Kept], suite: Suite) -> dict[str, tuple[_Kept, Case]]:
    """Return the records that a file keeps, by digest; each must be the one that its line names."""
    found: dict[str, tuple[_Kept, Case]] = {}
    for line, item in read_jsonl(path, kind):
        try:
            case = msgspec.convert(item.record, suite.instrument.case_type)
        except msgspec.ValidationError:
            # The message of the decoder may quote the record's text.
            raise InputError("its record is no case", path=path, line=line, record=item.item) from None
        if digest(item.record) != item.item_sha256 or case.record_id != item.item:
            raise IntegrityError(
                f"the record is not {safe_name(item.item)} with sha256:{item.item_sha256}",
                path=path,
                line=line,
                hint="restore the line from the last copy that was not edited",
            )
        found[item.item_sha256] = (item, case)
    return found


def _judgements(
    path: Path, records: Mapping[str, Case], guidelines: Mapping[str, str]
) -> tuple[Judgement, ...]:
    previous = START
    seen: set[tuple[str, str]] = set()
    rows = read_jsonl(path, Judgement)
    for line, row in rows:
        problem = _problem(row, previous, records, guidelines)
        if problem is not None:
            raise IntegrityError(problem, path=path, line=line, record=safe_name(row.item), hint=_RESTORE)
        if (row.reviewer, row.item_sha256) in seen:
            message = f"{safe_name(row.reviewer)} has judged the item before"
            raise InputError(message, path=path, line=line, record=safe_name(row.item))
        seen.add((row.reviewer, row.item_sha256))
        previous = digest(row)
    return tuple(row for _, row in rows)


_RESTORE = "judgements are append-only and are kept with what they judged; restore the folder"


def _problem(
    row: Judgement, previous: str, records: Mapping[str, Case], guidelines: Mapping[str, str]
) -> str | None:
    """Return what is wrong with a judgement, or None."""
    if row.previous != previous:
        return f"the chain is broken: expected a judgement after sha256:{previous}"
    case = records.get(row.item_sha256)
    if case is None or case.record_id != row.item:
        return f"no record of that id has sha256:{row.item_sha256}"
    if case.registry_version != row.registry_version:
        return f"judged against registry {row.registry_version}, its gold is of {case.registry_version}"
    if row.guideline_sha256 not in guidelines:
        return f"no guideline has sha256:{row.guideline_sha256}"
    return None


def _verify_votes(judging: Judging) -> None:
    """Compare the votes that rejected items carry with the log."""
    for item in judging.excluded:
        votes = tuple(row for row in judging.judgements if row.item_sha256 == item.item_sha256)
        if votes != item.votes:
            raise IntegrityError(
                f"carries {len(item.votes)} votes that are not the {len(votes)} on it in {JUDGEMENTS}",
                path=judging.root / REJECTED,
                record=safe_name(item.item),
                hint="a rejected item keeps all its votes, unchanged",
            )
