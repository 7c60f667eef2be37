"""Policy ``similarity-gate`` where it tolerates nothing, and what may be absent: no gate may be promoted, ever.

Every claim has just as many units as it takes without a failure, so that one unit less must be noticed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from validity.evidence import units_needed
from validity.pair_gates import CASES, NAME, REQUIRED, flawless, row_of, rules
from validity.tolerance import lacking, results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.verdicts.records import Gate
    from validity.release import Release
    from validity.results import Result
    from validity.world import Design

_REPEATED: Final = 4
"""Pairs of an anchor that are asked again."""


def run(design: Design) -> Iterator[Result]:
    """Yield how many of the gates of each sort were promoted: none may be.

    Args:
        design: ``single``, one pair or comparison a unit, or ``siblings``, all that an anchor has.
    """
    base = flawless(1, lambda gate: _units(gate, design))
    if base.decision() != "PROMOTE":
        raise RuntimeError(f"{NAME}: a gate without a failure is not promoted")
    yield from results(NAME, design, {"one failure": _one_failure(base, design), **lacking(base)})


def _one_failure(base: Release, design: Design) -> Iterator[str]:
    """Yield the decisions with one anchor that failed, in one of its pairs or more, where none may."""
    for gate in base.gates("zero"):
        units, size = _units(gate, design)
        for name in slices_of(gate, REQUIRED):
            for failed in range(1, size + 1):
                yield base.decision([row_of(gate, name, [failed] + [0] * (units - 1), size)])


def _units(gate: Gate, design: Design) -> tuple[int, int]:
    """Return the fewest units with which a gate passes without a failure, and the cases of each."""
    size = CASES.get(gate.measure, _REPEATED) if design == "siblings" else 1
    return units_needed(gate, spent(rules(), 1), design, 0), size
