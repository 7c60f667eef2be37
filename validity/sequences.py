"""Bounds of paired differences, bounds that may be looked at at any time, and the worst of several groups.

An anytime-valid bound is wrong if it lies on the wrong side of the truth after any unit: no stopping rule can
do worse than that. The exact bound, looked at after every unit, stands beside it as what not to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.statistics import betting, binomial, paired, sequential
from validity.outcomes import Risk, draw, outcomes
from validity.results import ALPHA, Chance, Result, chance, significant, stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

_CELLS: Final = 1 << 21
"""Units of all streams simulated together."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Units that arrive one after the other.

    Attributes:
        units: how many arrive.
        size: cases a unit.
        risk: how its cases fail.
    """

    units: int
    size: int
    risk: Risk

    @property
    def name(self) -> str:
        """Of the stream."""
        alike = f", correlation {self.risk.correlation:g}" if self.size > 1 else ""
        return f"{self.units:,} units of {self.size}, {100 * self.risk.rate:g} %{alike}"

    def draw(self, rng: np.random.Generator, streams: int) -> FloatArray:
        """Return the share of failed cases of each unit, stream after stream, shape (streams * units,)."""
        found = outcomes((self.size,), (True,), self.risk)
        way = rng.choice(len(found.chance), p=found.chance, size=streams * self.units)
        shares: FloatArray = found.failed[:, 0][way] / self.size
        return shares


STREAMS: Final = (
    Stream(4000, 1, Risk(0.002)),
    Stream(1000, 1, Risk(0.01)),
    Stream(1000, 5, Risk(0.01, 0.3)),
    Stream(500, 1, Risk(0.1)),
    Stream(500, 3, Risk(0.1, 0.5)),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems on the same units; the first is worse on some cases and better on others.

    Attributes:
        units: how many units.
        size: cases a unit.
        worse: chance that a unit's cases are ones on which only the first system fails.
        better: chance that they are ones on which only the second fails.
        share: chance that such a case does so.
    """

    units: int
    size: int
    worse: float
    better: float
    share: float = 1.0

    @property
    def name(self) -> str:
        """Of the pair."""
        apart = f"worse on {100 * self.worse:g} %, better on {100 * self.better:g} %"
        return f"{self.units:,} units of {self.size}, {apart}"

    @property
    def truth(self) -> float:
        """The true mean difference."""
        return (self.worse - self.better) * self.share

    def draw(self, rng: np.random.Generator, repeats: int) -> tuple[FloatArray, NDArray[np.int32]]:
        """Return the distinct differences, shape (K,), and how many units have each, shape (repeats, K)."""
        ways = outcomes((self.size,), (True,), Risk(self.share))
        shares = ways.failed[:, 0] / self.size
        values = np.concatenate([[0.0], shares, -shares])
        rest = 1.0 - self.worse - self.better
        chances = np.concatenate([[rest], self.worse * ways.chance, self.better * ways.chance])
        return values, draw(rng, self.units, chances, repeats)


PAIRS: Final = (
    Pair(300, 1, 0.02, 0.02),
    Pair(1000, 1, 0.03, 0.01),
    Pair(3000, 1, 0.002, 0.001),
    Pair(500, 4, 0.05, 0.05, 0.6),
    Pair(200, 1, 0.3, 0.25),
)

GROUPS: Final = (("20 alike", (0.01,) * 20, 600), ("1 of 20 worse", (0.02, *(0.005,) * 19), 600))
"""Name, true rates and cases of each group."""


def anytime(plan: Stream, repeats: int) -> Iterator[Result]:
    """Yield how often the truth ever lay beyond each bound of a stream, over all its units."""
    rng = stream("sequences", plan.name)
    missed = dict.fromkeys(("confidence sequence", "e-process at the limit", "exact, looked at always"), 0)
    batch = max(1, _CELLS // plan.units)
    for start in range(0, repeats, batch):
        streams = min(batch, repeats - start)
        values, group = plan.draw(rng, streams), np.repeat(np.arange(streams), plan.units)
        crossed = {
            "confidence sequence": sequential.upper_sequence(values, ALPHA, group) < plan.risk.rate,
            "e-process at the limit": sequential.log_e_process(values, plan.risk.rate, group)
            >= -np.log(ALPHA),
        }
        if plan.size == 1:
            failed = np.cumsum(values.reshape(streams, -1), axis=1).astype(np.int64)
            seen = np.broadcast_to(np.arange(1, plan.units + 1), failed.shape)
            crossed["exact, looked at always"] = binomial.upper(failed, seen, ALPHA) < plan.risk.rate
        for name, flags in crossed.items():
            missed[name] += int(flags.reshape(streams, plan.units).any(axis=1).sum())
    for name, times in missed.items():
        gates = not name.startswith("exact")
        if gates or plan.size == 1:
            yield _result(name, plan.name, plan.risk.rate, chance(repeats - times, repeats), gates=gates)


def difference(pair: Pair, repeats: int) -> Iterator[Result]:
    """Yield how often the bound of a paired difference covers, and a margin test at its margin errs."""
    values, counts = pair.draw(stream("sequences", pair.name), repeats)
    distinct, position = np.unique(counts, axis=0, return_inverse=True)
    high = np.asarray([betting.upper_difference(values, count, ALPHA) for count in distinct])
    covered = chance(int((high >= pair.truth)[position.ravel()].sum()), repeats)
    yield _result("paired difference, upper", pair.name, pair.truth, covered, gates=True)
    if pair.truth > 0.0:
        tests = [paired.margin_test(values, pair.truth, count, ALPHA).verdict for count in distinct]
        beyond = np.asarray([verdict is not paired.MarginVerdict.WITHIN for verdict in tests])
        covered = chance(int(beyond[position.ravel()].sum()), repeats)
        yield _result("margin test at its margin", pair.name, pair.truth, covered, gates=True)


def worst_group(name: str, rates: tuple[float, ...], cases: int, repeats: int) -> Iterator[Result]:
    """Yield how often the largest of the groups' bounds covers the largest of their rates."""
    failed = stream("sequences", name).binomial(cases, rates, size=(repeats, len(rates)))
    high = binomial.upper(failed, np.full_like(failed, cases), ALPHA).max(axis=1)
    covered = chance(int((high >= max(rates)).sum()), repeats)
    yield _result(
        "worst group, largest bound", f"{name}, {cases} cases each", max(rates), covered, gates=True
    )


def _result(method: str, cell: str, truth: float, covered: Chance, *, gates: bool) -> Result:
    facts = {
        "method": method,
        "cell": cell,
        "truth": significant(truth),
        "nominal": 1.0 - ALPHA,
        "gates": gates,
        "covered": covered,
    }
    return Result(f"{method}: {cell}", facts, covered.at_least(1.0 - ALPHA) if gates else None)
