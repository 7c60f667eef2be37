"""A gate on two systems: is the increase in harm within the tolerance?

PASS iff the one-sided upper bound of the increase, units weighed alike, is within the tolerance; FAIL iff an increase
is supported, its lower bound being above 0; else INSUFFICIENT. Neither bound stands on the wrong side of the increase
observed by case. No difference, and p = 1, pass nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from denotary.errors import IntegrityError
from denotary.verdicts.feasibility import least_units
from denotary.words import moved, plural, points

if TYPE_CHECKING:
    from denotary.measures.pair_counts import PairPanel
    from denotary.measures.records import ComparisonRow
    from denotary.verdicts.records import Gate, GateVerdict


@dataclass(frozen=True, slots=True)
class PairedResult:
    """What a comparison says of a gate.

    Attributes:
        verdict: PASS, FAIL or INSUFFICIENT.
        reason: why, one sentence.
        needed: what a PASS would take; empty for a PASS.
        fields: the figures, by field of ``GateResult``.
    """

    verdict: GateVerdict
    reason: str
    needed: str
    fields: dict[str, Any]


def paired_result(gate: Gate, row: ComparisonRow | None, alpha: float) -> PairedResult:
    """Return the verdict on one gate in one slice.

    Args:
        gate: of kind ``paired``.
        row: the comparison in that slice, or None if there is none.
        alpha: what each bound may spend.

    Raises:
        IntegrityError: the row's counts are not those of its units.
    """
    if row is None:
        return PairedResult("INSUFFICIENT", "the systems were not compared here", "cases for this claim", {})
    if row.difference is None:
        why = row.note or "one of the systems has no case in the denominator here"
        return PairedResult(
            "INSUFFICIENT", why, f"{row.unit_kind}s that both systems can be judged on", _counts(row)
        )
    low, high = increase(row, alpha)
    facts = _counts(row) | {
        "value": row.difference if row.direction == "lower" else -row.difference,
        **_interval(row),
        "bound": high,
        "bound_method": row.bound_method,
        "alpha": alpha,
    }
    return PairedResult(*_verdict(gate, row, low, high, alpha), facts)


def increase(row: ComparisonRow, alpha: float) -> tuple[float, float]:
    """Return the one-sided bounds of the increase in harm, from below and from above.

    Args:
        row: a comparison with a difference.
        alpha: chance, per bound, that the true increase lies beyond it.

    Raises:
        IntegrityError: the row's counts are not those of its units.
    """
    from denotary.measures.pair_counts import panel_of

    panel = panel_of(row.types)
    _check(row, panel)
    low, high = (float(end[0]) for end in panel.bounds([row.ratio], alpha))
    return (low, high) if row.direction == "lower" else (-high, -low)


def _check(row: ComparisonRow, panel: PairPanel) -> None:
    names = ("base_numerator", "base_denominator", "new_numerator", "new_denominator")
    found = [int(panel.total(getattr(panel, name))[0]) for name in names]
    if found != [getattr(row, name) for name in names]:
        raise IntegrityError(
            "the counts of a comparison are not those of its units",
            record=f"{row.measure} [{row.slice}]",
            hint="compare the runs again; rows are not to be edited",
        )


def _counts(row: ComparisonRow) -> dict[str, Any]:
    return {
        "numerator": row.new_numerator,
        "denominator": row.new_denominator,
        "base_numerator": row.base_numerator,
        "base_denominator": row.base_denominator,
        "units": row.units,
    }


def _interval(row: ComparisonRow) -> dict[str, float | None]:
    """Return the two-sided interval of the increase in harm, by field of ``GateResult``."""
    if row.direction == "lower" or row.low is None or row.high is None:
        return {"low": row.low, "high": row.high}
    return {"low": -row.high, "high": -row.low}


def _verdict(
    gate: Gate, row: ComparisonRow, low: float, high: float, alpha: float
) -> tuple[GateVerdict, str, str]:
    limit = gate.limit if gate.limit is not None else 0.0
    tolerance, units = f"the tolerance {points(limit)}", plural(row.units, row.unit_kind)
    tally = f"{units}: {moved(row)}, {row.ties:,} alike"
    if high > limit and low > 0.0:
        said = f"an increase of at least {points(low, 'down')} is supported ({tally})"
        return "FAIL", said, "mend what became worse, then ask again"
    more = f"more {row.unit_kind}s that both systems are asked"
    if row.units < gate.minimum_units:
        said = f"{units} where at least {least_units(gate, alpha, single=True):,} are required"
        return "INSUFFICIENT", said, more
    if row.status == "INSUFFICIENT":
        return "INSUFFICIENT", row.note, "cases up to the evidence floors"
    if high <= limit:
        said = f"the increase is at most {points(high, 'up')}, within {tolerance} ({tally})"
        return "PASS", said, ""
    said = f"the increase may be as large as {points(high, 'up')}, which is not within {tolerance} ({tally})"
    return "INSUFFICIENT", said, more
