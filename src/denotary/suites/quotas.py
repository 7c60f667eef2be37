"""Whether a suite holds as many cases of each sort as its manifest demands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.records import Record
from denotary.suites.keys import shown

if TYPE_CHECKING:
    from denotary.suites.suite import Suite


class QuotaRow(Record, frozen=True):
    """One quota: how many cases it demands, how many there are, how many are missing."""

    key: str
    minimum: int
    present: int
    short: int


def quota(suite: Suite) -> list[QuotaRow]:
    """Return one row for every quota of the manifest, in the order of the manifest.

    Raises:
        InputError: a quota has a key that the instrument cannot count.
    """
    counts = suite.instrument.quota_counts(suite)
    unknown = [key for key in suite.manifest.quotas if key not in counts]
    if unknown:
        raise InputError(
            f"no such quota: {', '.join(unknown)}",
            path=suite.root / "suite.toml",
            hint=f"keys that can be counted: {', '.join(map(shown, counts))}",
        )
    return [
        QuotaRow(key=key, minimum=minimum, present=counts[key], short=max(0, minimum - counts[key]))
        for key, minimum in suite.manifest.quotas.items()
    ]
