"""The operating point of a report, in the sentences that every projection prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.measures.records import Row
    from denotary.reports.model import Report


def operating(report: Report) -> str:
    """Return the sentence on the operating point and the one that stands beside it, from the rows over all cases."""
    return operating_point(report.threshold, report.rows)


def operating_point(threshold: str, rows: Iterable[Row]) -> str:
    """Return the same from a declared threshold and measured rows."""
    found = {row.measure: row for row in rows if row.slice == "all"}
    point = words.operating_sentence(
        threshold, found.get("assignment_coverage"), found.get("assignment_risk")
    )
    return f"{point} {words.unknown_sentence(found.get('unknown_far'))}"
