"""The chance that policy ``similarity-gate`` promotes a gate that it must not: one claim at its limit, no other risk.

Wrong approvals are drawn anchor by anchor, two opposite pairs each, wrong rejections likewise, and calls without an
answer on all four pairs. The decision axis is drawn as scores: its AUROC is the limit, a tie counting one half, and
every anchor is compared with one partner as the instrument compares it.
Everything else never fails, all facts hold and the corpus may certify, so that any promotion is false.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from scipy.special import ndtri

from denotary.instruments.similarity import INSTRUMENT
from denotary.instruments.similarity.measures import MEASURES
from denotary.measures.bounds import upper_bounds
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import Fact, Rate
from denotary.measures.rows import RowMaker
from denotary.verdicts import load_policy
from denotary.verdicts.decision import REVIEW_FACT, spent
from denotary.verdicts.gates import slices_of
from validity.evidence import tolerated
from validity.judging import batches
from validity.panels import panel
from validity.promotion import AGAIN
from validity.release import Release, rows
from validity.results import ALPHA, Result, chance, significant, stream
from validity.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.measures.records import Row
    from denotary.verdicts.records import Gate, Policy

NAME: Final = "similarity-gate"
REQUIRED: Final = {"task:present": ("constraint", "distinctness"), "mutation:present": ("negation", "scope")}
FAILURES: Final = ("apart", "together")
"""How the pairs of an anchor fail: one by one, or all at once."""
AXES: Final = ("normal", "shared by anchors", "whole anchors lost", "decisions alone")
"""How scores come about whose AUROC is the limit."""
UNITS: Final = {
    "wrong_approval": (30, 61, 128),
    "wrong_rejection": (30, 61, 128),
    "unanswered_share": (61, 93, 181),
    "decision_wins": (15, 30, 90, 172),
}
CASES: Final = {"wrong_approval": 2, "wrong_rejection": 2, "unanswered_share": 4, "decision_wins": 4}
"""Pairs of an anchor that a measure counts, or comparisons of two anchors."""
LOOKS: Final = (1, 3)
_PLENTY: Final = 2_000
"""Units of every slice that is not at its limit."""
_SHARED: Final = 1.5
"""Standard deviation of what all scores of an anchor share, in those of what they do not."""
_BATCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """One gate in one slice at its limit.

    Attributes:
        gate: the gate.
        slice: where the rate is at the limit.
        world: one of ``FAILURES`` or ``AXES``.
        units: anchors, or pairs of them.
        looks: declared looks at the suite.
    """

    gate: Gate
    slice: str
    world: str
    units: int
    looks: int

    @property
    def name(self) -> str:
        """What the stream of random numbers is named by."""
        return f"{self.gate.id}/{self.slice}/{self.world}/{self.units}/{self.looks}"


@cache
def rules() -> Policy:
    """Return the policy."""
    return load_policy(NAME, INSTRUMENT)


def scenarios() -> Iterator[Scenario]:
    """Yield every scenario; tasks are alike, and mutation classes: the first stands for each."""
    for gate in rules().gates:
        worlds = AXES if gate.measure == "decision_wins" else FAILURES
        for selector in gate.slices if gate.measure in UNITS else ():
            where = next(slices_of(msgspec.structs.replace(gate, slices=(selector,)), REQUIRED))
            for world in worlds:
                for units in UNITS[gate.measure]:
                    yield from (Scenario(gate, where, world, units, looks) for looks in LOOKS)


def lost(rng: np.random.Generator, world: str, units: int, auroc: float, repeats: int) -> NDArray[np.int64]:
    """Return how many of the four comparisons each pair of anchors loses, shape (repeats, units).

    Args:
        rng: the stream.
        world: one of ``AXES``.
        units: pairs of anchors.
        auroc: the true AUROC in each of the two strata, a tie counting one half.
        repeats: number of suites.
    """
    # Repeats, pairs, the two anchors of a pair, poles, and (same, opposite).
    shape = (repeats, units, 2, 2, 2)
    if world == "whole anchors lost":
        bad = rng.random(shape[:3]) < 1.0 - auroc
        return np.asarray(2 * bad.sum(axis=2), dtype=np.int64)
    if world == "decisions alone":
        # Two cutoffs alike in error: half of the difference of both shares above chance is the AUROC.
        rates = np.array([auroc, 1.0 - auroc])
        scores = (rng.random(shape) < rates).astype(np.float64)
    else:
        spread = _SHARED if world == "shared by anchors" else 0.0
        ahead = np.array([float(ndtri(auroc)) * sqrt(2.0 * (1.0 + spread**2)), 0.0])
        scores = rng.standard_normal(shape) + ahead
        if spread:
            scores += spread * rng.standard_normal((*shape[:3], 1, 1))
    same, opposite = scores[..., 0], scores[..., ::-1, :, 1]
    found: NDArray[np.int64] = (same <= opposite).sum(axis=(2, 3))
    return found


def failed(
    rng: np.random.Generator, world: str, shape: tuple[int, int, int], rate: float
) -> NDArray[np.int64]:
    """Return how many pairs of each anchor fail.

    Args:
        rng: the stream.
        world: one of ``FAILURES``.
        shape: repeats, anchors, pairs of an anchor.
        rate: share of pairs that fail.

    Returns:
        Shape (repeats, anchors).
    """
    if world == "together":
        return shape[2] * (rng.random(shape[:2]) < rate).astype(np.int64)
    found: NDArray[np.int64] = (rng.random(shape) < rate).sum(axis=2)
    return found


def tallied(failed: NDArray[np.int64], size: int) -> Tally:
    """Return failures per unit, shape (R, U), as counts of types."""
    kinds = np.arange(size + 1)
    count = np.stack([(failed == kind).sum(axis=1) for kind in kinds], axis=1)
    return Tally(kinds, np.full(size + 1, size), np.full(size + 1, size), count)


@cache
def base(looks: int) -> Release:
    """Return a release in which nothing fails and every slice has plenty of evidence."""
    return flawless(looks, lambda _: (_PLENTY, 1))


def flawless(looks: int, units_of: Callable[[Gate], tuple[int, int]]) -> Release:
    """Return a release in which nothing fails.

    Args:
        looks: declared looks at the suite.
        units_of: how many units a gate reads in each of its slices, and how many cases each of them has.
    """
    facts = [gate.fact for gate in rules().gates if gate.fact] + [REVIEW_FACT]
    found = [
        row_of(gate, name, [0] * units, size)
        for gate in rules().gates
        if gate.measure
        for units, size in [units_of(gate)]
        for name in slices_of(gate, REQUIRED)
    ]
    return Release(
        rules(),
        Measurement(
            instrument=INSTRUMENT.name,
            unit_kind=INSTRUMENT.unit_kind,
            suite=Corpus("simulated", rules().roles[0], looks, "reviewed", {"sealed": 1}),
            snapshot_id="simulated",
            outcomes={},
            required=REQUIRED,
            rows=tuple({(row.measure, row.slice): row for row in found}.values()),
            facts=tuple(Fact(name=name, holds=True, detail="holds in the simulation") for name in facts),
        ),
    )


def row_of(gate: Gate, name: str, failures: Sequence[int], size: int) -> Row:
    """Return the row that a gate reads in a slice, from the failures of each unit of so many cases."""
    found = tallied(np.array([failures], dtype=np.int64), size)
    return rows(_measure(gate.measure), name, found, _MAKER)[0]


def run(scenario: Scenario, repeats: int) -> Result:
    """Return how often the policy promoted; one that falls short is asked again with ten times the repeats."""
    found = _asked(scenario, repeats, "once")
    return found if found.holds else _asked(scenario, AGAIN * repeats, "again")


def _asked(scenario: Scenario, repeats: int, stage: str) -> Result:
    gate, looks = scenario.gate, scenario.looks
    rng = stream("pair_gates", scenario.name, stage)
    if base(looks).decision() != "PROMOTE":
        raise RuntimeError(f"{scenario.name}: a gate without a failure is not promoted")
    promotions = 0
    for many in batches(repeats, _BATCH):
        drawn, position = _draw(scenario, rng, many * looks).distinct()
        promotions += int(_promoted(scenario, drawn)[position].reshape(many, looks).any(axis=1).sum())
    verdict = chance(promotions, repeats)
    facts: dict[str, Any] = {
        "policy": NAME,
        "gate": gate.id,
        "measure": gate.measure,
        "slice": scenario.slice,
        "limit": gate.limit,
        "world": scenario.world,
        "looks": looks,
        "alpha": significant(spent(rules(), looks)),
        "units": scenario.units,
        "promoted": verdict,
    }
    return Result(scenario.name, facts, verdict.at_most(ALPHA))


def _draw(scenario: Scenario, rng: np.random.Generator, repeats: int) -> Tally:
    limit, size = scenario.gate.limit or 0.0, CASES[scenario.gate.measure]
    if scenario.world in AXES:
        return tallied(lost(rng, scenario.world, scenario.units, limit, repeats), size)
    return tallied(failed(rng, scenario.world, (repeats, scenario.units, size), limit), size)


def _promoted(scenario: Scenario, drawn: Tally) -> NDArray[np.bool_]:
    """Return which draws the policy promotes, shape (R,); the first that its bound bars is judged to make sure."""
    gate, release = scenario.gate, base(scenario.looks)
    bounds = upper_bounds(panel(drawn), spent(rules(), scenario.looks))
    within = bounds <= tolerated(gate) * (1.0 + 1e-9)
    found = np.zeros(len(within), dtype=np.bool_)
    barred = np.flatnonzero(~within)[:1]
    for at in (*np.flatnonzero(within).tolist(), *barred.tolist()):
        row = rows(_measure(gate.measure), scenario.slice, drawn.only(np.array([at])), _MAKER)[0]
        found[at] = release.decision([row]) == "PROMOTE"
    if found[barred].any():
        raise RuntimeError(f"{scenario.name}: the policy promotes although the bound is beyond the limit")
    return found


@cache
def _measure(name: str) -> Rate:
    return next(item for item in MEASURES if item.id == name and isinstance(item, Rate))


_MAKER: Final = RowMaker(INSTRUMENT.name, INSTRUMENT.unit_kind, {})
