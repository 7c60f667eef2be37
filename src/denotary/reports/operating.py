"""The operating point of a report, in the sentences that every projection prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words

if TYPE_CHECKING:
    from denotary.reports.model import Report


def operating(report: Report) -> str:
    """Return the sentence on the operating point and the one that stands beside it, from the rows over all cases."""
    rows = {row.measure: row for row in report.rows if row.slice == "all"}
    point = words.operating_sentence(
        report.threshold, rows.get("assignment_coverage"), rows.get("assignment_risk")
    )
    return f"{point} {words.unknown_sentence(rows.get('unknown_far'))}"
