"""The operating point of a report, in the sentences that every projection prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary import words
from denotary.measures.weighing import weighed_alike

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.measures.records import Row
    from denotary.reports.model import Report


def operating(report: Report) -> str:
    """Return the sentence on the operating point and the one that stands beside it, from the rows over all cases."""
    return operating_point(report.threshold, report.rows)


def operating_point(threshold: str, rows: Iterable[Row]) -> str:
    """Return the same from a declared threshold and measured rows; nothing where none of them is of an assignment."""
    found = {row.measure: row for row in rows if row.slice == "all"}
    if found and not found.keys() & {"assignment_coverage", "assignment_risk"}:
        return ""
    point = operating_sentence(threshold, found.get("assignment_coverage"), found.get("assignment_risk"))
    return f"{point} {unknown_sentence(found.get('unknown_far'))}"


def operating_sentence(threshold: str, coverage: Row | None, risk: Row | None) -> str:
    """Return the sentence on the operating point that every report prints.

    Args:
        threshold: as the owner declared it; empty if undeclared.
        coverage: the row of assignment coverage over all cases.
        risk: the row of assignment risk over all cases.
    """
    point = f"t = {threshold}" if threshold else "t (not declared)"
    covered = "not measured (no case counts towards it)"
    observed, limit = "not measured", "not available"
    if coverage and coverage.value is not None:
        covered = words.row_value(coverage)
        observed = "not measured (nothing was assigned)"
    if risk and risk.value is not None:
        observed, limit = _observed(risk, "of the cases"), words.percent(risk.bound, "up")
    return (
        f"At production threshold {point}, coverage is {covered}, observed AssignmentRisk is {observed}, "
        f"one-sided 95 % bound is {limit}."
    )


def unknown_sentence(unknown: Row | None) -> str:
    """Return what must stand beside the operating point: an assignment risk alone hides what unknown texts suffer.

    Args:
        unknown: the row of the unknown false assignment rate over all cases.
    """
    if unknown is None or unknown.value is None:
        return "UnknownFAR beside it is not measured: no text of unknown meaning counts."
    counted = words.fraction(unknown.numerator, unknown.denominator)
    return (
        f"UnknownFAR beside it is {_observed(unknown, counted, always=True)}, "
        f"one-sided 95 % bound is {words.percent(unknown.bound, 'up')}."
    )


def _observed(row: Row, counted: str, *, always: bool = False) -> str:
    """Return the value that a row's bound is for, and the one by case where units weighed alike give another."""
    alike = weighed_alike(row.types, ratio=row.ratio) if row.types else None
    if alike is None or float(alike) == row.value:
        return f"{words.row_value(row)} ({counted})" if always else words.row_value(row)
    by_case = counted if always else f"{words.row_value(row)} {counted}"
    return f"{words.percent(float(alike))} with {row.unit_kind}s weighed alike ({by_case})"
