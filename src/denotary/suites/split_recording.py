"""A split check on the record of the suites that were checked, and what a suite's record says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from denotary.canonical import digest
from denotary.errors import IntegrityError
from denotary.suites.ledger import append, draft
from denotary.suites.split_records import SplitCheck, SplitEvidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.suites.split_records import SplitSuite
    from denotary.suites.suite import Suite

CLEAN = "clean"
REFUSED = "refused"


def evidence(found: SplitCheck) -> SplitEvidence:
    """Return what a ledger keeps of a split check."""
    waived = sum(crossing.waived for crossing in found.crossings)
    return SplitEvidence(
        suites=found.suites,
        keys={item.key: item.state for item in found.keys},
        supports=found.supports,
        crossings=len(found.crossings) - waived,
        waived=waived,
        gram=found.gram,
        similarity=found.similarity,
        result=digest(found),
        encoding=found.encoding,
    )


def record_split(suites: Sequence[Suite], found: SplitCheck, *, who: str, why: str) -> None:
    """Write the result of a split check into the ledger of every suite, clean or not.

    Raises:
        IntegrityError: a suite is a draft, so that the record would name no content, or texts were compared less
            strictly than a record demands; then nothing is written.
        StorageError: a ledger cannot be written.
    """
    loose = next((suite for suite in suites if not suite.is_frozen), None)
    if loose is not None:
        raise IntegrityError(
            "a split check is recorded of frozen suites only", path=loose.root, hint="freeze it first"
        )
    new = msgspec.to_builtins(evidence(found))
    what = CLEAN if found.is_clean else REFUSED
    for suite in suites:
        append(suite.root, draft(kind="split_check", what=what, who=who, why=why, new=new))


def recorded_splits(suite: Suite) -> tuple[SplitEvidence, ...]:
    """Return the split checks that stand for this very content of a suite, oldest first.

    Every recorded check counts, clean or not. It stands until a later one has checked the same suites, or more, each
    in the same role: the same by the SHA-256 of suite and registry, or by what the suite's ledger says it was frozen
    as before. A check against other suites, whatever they are called, takes nothing back.
    """
    if suite.lock is None:
        return ()
    standing: list[SplitEvidence] = []
    for entry in suite.ledger:
        if entry.kind != "split_check":
            continue
        found = msgspec.convert(entry.new, SplitEvidence)
        own = {(item.hash, item.registry) for item in found.suites}
        if (suite.lock.hash, suite.lock.registry_hash) in own:
            standing = [item for item in standing if not _replaces(found, item)]
            standing.append(found)
    return tuple(standing)


def _replaces(later: SplitEvidence, former: SplitEvidence) -> bool:
    return all(any(_same(new, old) for new in later.suites) for old in former.suites)


def _same(new: SplitSuite, old: SplitSuite) -> bool:
    alike = (new.hash, new.registry) == (old.hash, old.registry) or old.hash in new.formerly
    return new.role == old.role and alike
