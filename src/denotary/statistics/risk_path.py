"""Harm rates followed along falling thresholds: the p-value of every threshold in one pass.

Used by :mod:`denotary.statistics.threshold`. Accepting one more case changes the state of its own unit only,
so counts, covered units and the log capital of each bet are running sums over the cases, from sure to unsure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.statistics import betting, binomial, checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Risk:
    """One harm rate that a threshold must keep below a limit.

    Attributes:
        name: of the measure.
        event: whether accepting the case is the bad event, shape (N,).
        population: whether the case belongs to the slice, shape (N,).
        limit: the rate to be excluded, in (0, 1).
        among_accepted: the denominator is the accepted cases (assignment risk) rather than the whole
            population (false acceptance of unknowns).
    """

    name: str
    event: ArrayLike
    population: ArrayLike
    limit: float
    among_accepted: bool = True


@dataclass(frozen=True, slots=True)
class Walk:
    """Cases from sure to unsure; ``ends`` are the last positions of the distinct finite confidences."""

    order: IntArray
    thresholds: FloatArray
    ends: IntArray


@dataclass(frozen=True, slots=True)
class RiskPath:
    """A risk along the walk: per accepted position of its population, the state of the case's unit.

    Attributes:
        risk: the risk followed.
        size: population cases of each unit, by unit code.
        unit: unit of each accepted population case, in walking order.
        event: whether that case is a bad event.
        accepted: accepted population cases of its unit so far, itself included.
        bad: bad events of its unit so far, itself included.
        upto: for each threshold, how many accepted population cases there are.
    """

    risk: Risk
    size: IntArray
    unit: IntArray
    event: BoolArray
    accepted: IntArray
    bad: IntArray
    upto: IntArray

    @classmethod
    def follow(cls, risk: Risk, units: IntArray, walk: Walk) -> RiskPath:
        """Follow ``risk`` along ``walk``; ``units`` holds one code a case."""
        event = checks.flags("event", risk.event, ndim=1)
        population = checks.flags("population", risk.population, ndim=1)
        checks.same_length(
            {"confidence": walk.order, "event": event, "population": population, "unit": units}
        )
        checks.probability("limit", risk.limit)
        size = np.bincount(units[population], minlength=int(units.max(initial=-1)) + 1)
        member = population[walk.order]
        upto: IntArray = np.cumsum(member, dtype=np.int64)[walk.ends]
        rows = walk.order[member][: upto[-1] if upto.size else 0]
        if size.max(initial=0) <= 1:  # a unit's first case is its only one
            accepted, bad = np.ones_like(rows), event[rows].astype(np.int64)
        else:
            accepted, bad = _running(units[rows], event[rows])
        return cls(risk, size, units[rows], event[rows], accepted, bad, upto)

    @property
    def single(self) -> bool:
        """Whether every unit holds at most one case of the population."""
        return bool(self.size.max(initial=0) <= 1)

    def covered_units(self) -> IntArray:
        """Return the number of units with an accepted case, at each threshold."""
        return np.append(0, np.cumsum(self.accepted == 1))[self.upto]

    def p_values(self) -> FloatArray:
        """Return the p-value at each threshold."""
        if self.single:
            return binomial.p_value(*self._counts(), self.risk.limit)
        return self._betting_p_values()

    def p_value_at(self, threshold: int) -> float:
        """Return the p-value at one threshold, by its position, from the units as the gate would see them."""
        upto = int(self.upto[threshold])
        if self.single:
            trials = upto if self.risk.among_accepted else int(self.size.sum())
            return float(binomial.p_value(int(self.event[:upto].sum()), trials, self.risk.limit))
        held, units = self.size > 0, self.size.size
        bad = np.bincount(self.unit[:upto], self.event[:upto], units)[held]
        accepted = np.bincount(self.unit[:upto], minlength=units)[held]
        among = accepted if self.risk.among_accepted else self.size[held]
        return betting.p_value(bad, among, self.size[held], self.risk.limit)

    def passes(self, alpha: float) -> BoolArray:
        """Return at which thresholds the p-value is at most ``alpha``.

        Between two events the exact p-value only falls, so most such runs pass or fail as a whole; the others are
        halved until their first pass is found. That takes about two p-values a run, not one a threshold.
        """
        if not self.single:
            return self.p_values() <= alpha
        events, trials = self._counts()
        if not events.size:
            return np.zeros(0, dtype=np.bool_)
        starts = np.flatnonzero(np.append(True, events[1:] != events[:-1]))
        ends = np.append(starts[1:], events.size)

        def passed(at: IntArray) -> BoolArray:
            return binomial.p_value(events[at], trials[at], self.risk.limit) <= alpha

        whole = passed(starts)
        some = ~whole & passed(ends - 1)
        low, high = np.where(whole, starts, np.where(some, starts + 1, ends)), ends - 1
        while (searched := np.flatnonzero(some & (low < high))).size:
            middle = (low[searched] + high[searched]) // 2
            found = passed(middle)
            high[searched[found]] = middle[found]
            low[searched[~found]] = middle[~found] + 1
        return np.arange(events.size) >= np.repeat(low, ends - starts)

    def _counts(self) -> tuple[IntArray, IntArray]:
        """Return events and trials at each threshold, one case a unit."""
        events = np.append(0, np.cumsum(self.event))[self.upto]
        trials = self.upto if self.risk.among_accepted else np.full_like(self.upto, self.size.sum())
        return events, trials

    def _betting_p_values(self) -> FloatArray:
        """Return the reciprocal capital at each threshold, updated case by case.

        A case changes the factor of its own unit only, so the log capital of each bet is a running sum of
        changes; factors of zero are counted apart.
        """
        size = self.size[self.unit]
        after = self._logs(self.bad, self.accepted, size)
        before = self._logs(self.bad - self.event, self.accepted - 1, size)
        dead = np.cumsum(np.isneginf(after).astype(np.int64) - np.isneginf(before), axis=0)
        change = np.where(np.isneginf(after), 0.0, after) - np.where(np.isneginf(before), 0.0, before)
        logs = np.cumsum(change, axis=0) + self._initial()
        logs = np.where(dead > 0, -np.inf, logs) + np.log(betting.RISK.weights)
        first = self._initial() + np.log(betting.RISK.weights)
        totals = np.logaddexp.reduce(np.vstack([first, logs])[self.upto], axis=1)
        p: FloatArray = np.exp(-np.maximum(totals, 0.0))
        return p

    def _logs(self, bad: IntArray, accepted: IntArray, size: IntArray) -> FloatArray:
        """Return the log factors of units in the given states, one column a bet."""
        u = bad / size
        a = accepted / size if self.risk.among_accepted else np.ones(size.shape)
        return betting.log_factors(u, a, self.risk.limit)

    def _initial(self) -> FloatArray:
        """Return the log capital of each bet before anything is accepted."""
        if self.risk.among_accepted:
            return np.zeros(len(betting.RISK.fractions))
        untouched = betting.log_factors(np.zeros(1), np.ones(1), self.risk.limit)[0]
        total: FloatArray = float(np.sum(self.size > 0)) * untouched
        return total


def order_cases(confidence: ArrayLike) -> Walk:
    """Return the walk through the cases from sure to unsure; cases of -inf are never reached."""
    scores = checks.floats("confidence", confidence, ndim=1, infinite=True)
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.append(ranked[1:] != ranked[:-1], True) if ranked.size else np.zeros(0, dtype=np.bool_)
    ends = np.flatnonzero(last & np.isfinite(ranked))
    return Walk(order, ranked[ends], ends)


def _running(unit: IntArray, event: BoolArray) -> tuple[IntArray, IntArray]:
    """Return, at each position, how many cases and events its unit has had so far."""
    order = np.argsort(unit, kind="stable")
    grouped, events = unit[order], np.cumsum(event[order])
    fresh = np.append(True, grouped[1:] != grouped[:-1])[: grouped.size]
    start = np.maximum.accumulate(np.where(fresh, np.arange(grouped.size), 0))
    before = np.append(0, events)[start]
    cases, bad = np.empty_like(order), np.empty_like(order)
    cases[order] = np.arange(grouped.size) - start + 1
    bad[order] = events - before
    return cases, bad
