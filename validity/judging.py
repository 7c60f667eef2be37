"""Judging many simulated suites: every verdict is that of the product, and few have to be asked for.

Most suites are out of reach of a gate; their bounds are computed together and only the rest is judged one by
one. Shortcuts are audited: some of the suites that they decide are judged after all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.measures.bounds import upper_bounds
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from validity.evidence import REQUIRED, tolerated
from validity.panels import panel
from validity.release import all_rows, measure, rows
from validity.tally import tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from denotary.verdicts.records import Gate
    from validity.release import Release
    from validity.tally import Draws, Tally

_AUDITED: Final = 3
"""Suites of each sort whose shortcut is checked by judging them after all."""


def falsely(
    base: Release, gate: Gate, name: str, draws: Draws, *, screened: bool = True
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return in which suites a gate passes in a slice, and which of them the policy promotes, shape (R,).

    A decision is a conjunction: gates on other measures pass as they did, and those on this one are judged
    slice by slice in the suites that are left. The whole policy judges a few suites to make sure.
    """
    passed = gate_passes(base, gate, name, tally(draws, name), screened=screened)
    left = np.flatnonzero(passed)
    for other, where in _others(base, gate, name):
        found = tally(draws.only(left), where)
        left = left[gate_passes(base, other, where, found, screened=screened)]
    promoted = np.zeros_like(passed)
    promoted[left] = True
    _audit(base, gate, draws, promoted, passed)
    return passed, promoted


def _others(base: Release, gate: Gate, name: str) -> Iterator[tuple[Gate, str]]:
    """Yield every gate on the same measure and slice of it, but the one that was judged."""
    for other in base.policy.gates:
        if other.measure == gate.measure:
            yield from (
                (other, where) for where in slices_of(other, REQUIRED) if (other, where) != (gate, name)
            )


def _audit(
    base: Release, gate: Gate, draws: Draws, promoted: NDArray[np.bool_], passed: NDArray[np.bool_]
) -> None:
    """Let the whole policy judge a few suites, promoted ones and ones that only passed the first gate."""
    for expected, group in ((True, promoted), (False, passed & ~promoted)):
        for rows_of_suite in all_rows(measure(gate.measure), draws.only(np.flatnonzero(group)[:_AUDITED])):
            if (base.decision(rows_of_suite) == "PROMOTE") != expected:
                raise RuntimeError(f"the whole policy and its gates on {gate.measure} disagree")


def batches(repeats: int, most: int = 10_000) -> Iterator[int]:
    """Yield the sizes of batches that fit the memory."""
    for start in range(0, repeats, most):
        yield min(most, repeats - start)


def gate_passes(
    base: Release, gate: Gate, name: str, found: Tally, *, screened: bool = True
) -> NDArray[np.bool_]:
    """Return in which suites a gate passes in a slice, shape (R,).

    Screened, suites whose bound, by the function that makes the bounds of rows, is beyond the limit are not
    judged one by one; a few of them are, to make sure that none would pass.
    """
    what, (distinct, position) = measure(gate.measure), found.distinct()
    within = np.ones(len(distinct.count), dtype=np.bool_)
    if screened and gate.kind == "bound":
        alpha = spent(base.policy, base.measurement.suite.looks)
        within = upper_bounds(panel(distinct), alpha) <= tolerated(gate) * (1.0 + 1e-9)
    beyond = np.flatnonzero(~within)[:_AUDITED]
    if any(base.passes(gate, row) for row in rows(what, name, distinct.only(beyond))):
        raise RuntimeError(f"gate {gate.id!r} passes although its bound is beyond the limit")
    passed = np.zeros(len(within), dtype=np.bool_)
    passed[within] = [base.passes(gate, row) for row in rows(what, name, distinct.only(within))]
    return passed[position]
