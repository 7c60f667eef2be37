"""Rows that are there and do not hold what their claim takes: no policy may promote on one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from denotary.errors import IntegrityError
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from validity.evidence import units_needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.measures.records import Row
    from denotary.verdicts.records import Gate
    from validity.release import Release
    from validity.world import Design


def incomplete(base: Release) -> Iterator[str]:
    """Yield the decisions with one row that is there and does not hold what its claim takes.

    It has no counts of units, or lost some of them and not the totals, or one unit less than the limit takes, or the
    measuring said that the evidence is insufficient or that the measure does not apply.
    """
    alpha = spent(base.policy, base.measurement.suite.looks)
    for gate in base.gates("bound", "zero"):
        for name in slices_of(gate, base.measurement.required):
            row = next(
                row for row in base.measurement.rows if (row.measure, row.slice) == (gate.measure, name)
            )
            change = partial(msgspec.structs.replace, row)
            least = _least(gate, row, alpha)
            yield base.decision([change(types=())])
            yield _refused(base, change(types=_cut(row, row.units // 2).types))
            if least > 1:
                yield base.decision([_cut(row, least - 1)])
            # Where no rate has to be excluded, one case is evidence enough.
            if gate.limit is not None:
                yield base.decision([change(status="INSUFFICIENT")])
            if not gate.allow_not_expressible:
                yield base.decision([change(status="NOT_APPLICABLE")])


def _refused(base: Release, row: Row) -> str:
    """Return the decision with a row whose units are not its totals, which is refused."""
    try:
        return base.decision([row])
    except IntegrityError:
        return "REFUSED"


def _least(gate: Gate, row: Row, alpha: float) -> int:
    """Return the fewest units of a row without a failure with which a gate passes, by the functions that plan."""
    if gate.limit is None:
        return gate.minimum_units
    design: Design = "single" if all(kind.size == 1 for kind in row.types) else "siblings"
    return units_needed(gate, alpha, design, 0)


def _cut(row: Row, units: int) -> Row:
    """Return a row of so many of its units, large ones first, with the totals of those."""
    types, left = [], units
    # Where small ones alone were left, the exact bound would hold, and fewer units would do.
    for kind in reversed(row.types):
        taken = min(kind.count, left)
        left -= taken
        types += [msgspec.structs.replace(kind, count=taken)] if taken else []
    events = sum(kind.numerator * kind.count for kind in types)
    cases = sum(kind.denominator * kind.count for kind in types)
    return msgspec.structs.replace(
        row, numerator=events, denominator=cases, units=units - left, types=tuple(types)
    )
