"""How many units a claim needs, what it can fail on, and how likely a good system is to pass.

Everything is computed with the p-values of the bounds that gate (:mod:`binomial` for one case a unit,
:mod:`betting` otherwise), so that a plan and a verdict cannot disagree. The p-values: a claim "rate below
limit" passes iff p <= alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from denotary.errors import InputError
from denotary.statistics import betting, binomial, checks, tails

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray

Bound: TypeAlias = Literal["exact", "betting", "paired"]

MOST_UNITS = 2**50
"""No plan is larger."""

_MOST_SIBLINGS = 1000
_MOST_FAILURES = 1000


@dataclass(frozen=True, slots=True)
class Siblings:
    """What the units of a planned suite look like.

    Attributes:
        size: cases a unit, at most 1,000.
        correlation: intra-unit correlation of failures, in [0, 1).
        assigned: expected share of cases the system answers, in (0, 1]; 1 for plain rates.
    """

    size: int
    correlation: float
    assigned: float = 1.0

    def __post_init__(self) -> None:
        """Refuse values outside their range."""
        checks.floats("size", checks.positive("size", self.size), high=_MOST_SIBLINGS, ndim=0)
        checks.floats("correlation", self.correlation, low=0.0, high=1.0 - 1e-9, ndim=0)
        checks.floats("assigned", self.assigned, low=1e-9, high=1.0, ndim=0)


def units_for(limit: float, failures: int = 0, alpha: float = 0.05, bound: Bound = "exact") -> int:
    """Return the fewest units with which ``failures`` failed ones still support "rate below limit".

    Args:
        limit: the rate to be excluded, in (0, 1).
        failures: units that fail entirely.
        alpha: error probability spent on this look.
        bound: ``exact`` for one case a unit, ``betting`` for units with siblings, ``paired`` for a difference:
            the units that fail are then those that became worse, none became better.

    Raises:
        InputError: a bad argument, or more than 2**50 units.
    """
    checks.probability("limit", limit)
    checks.probability("alpha", alpha)
    k = int(checks.counts("failures", failures, ndim=0))

    def enough(units: int) -> bool:
        return _p_value(bound, k, units, limit) <= alpha

    high = max(2 * k, 1)
    while not enough(high):
        high *= 2
        if high > MOST_UNITS:
            raise InputError(f"limit {limit:g} with {k} failures needs more than 2**50 units")
    return _first(enough, k, high)


def failures_allowed(units: int, limit: float, alpha: float = 0.05, bound: Bound = "exact") -> int:
    """Return how many of ``units`` may fail entirely with the claim still supported; -1 if not even 0 may.

    Arguments and errors as :func:`units_for`.
    """
    n = int(checks.counts("units", units, ndim=0))
    checks.probability("limit", limit)
    checks.probability("alpha", alpha)
    return _first(lambda k: _p_value(bound, k, n, limit) > alpha, -1, n + 1) - 1


def best_claim(units: int, alpha: float = 0.05, bound: Bound = "exact") -> float:
    """Return the smallest rate that ``units`` units without a failure exclude; 1 for no units.

    Raises:
        InputError: a negative or fractional number of units, or alpha outside (0, 1).
    """
    if bound == "exact":
        return binomial.upper_bound(0, units, alpha)
    if bound == "paired":
        return betting.upper_difference([0.0], [units], alpha)
    return betting.upper_mean([0.0], [units], alpha)


def power(
    units: int, limit: float, rates: ArrayLike, alpha: float = 0.05, bound: Bound = "exact"
) -> FloatArray:
    """Return the chance that systems of the given true rates pass, one case a unit.

    Args:
        units: number of independent units.
        limit: the rate to be excluded.
        rates: true failure rates, any shape, in [0, 1].
        alpha: error probability spent on this look.
        bound: the bound that gates.

    Returns:
        Probabilities of the shape of ``rates``; all 0 when not even a perfect system passes.

    Raises:
        InputError: a rate outside [0, 1], or as :func:`units_for`.
    """
    true = checks.floats("rates", rates, low=0.0, high=1.0)
    allowed = failures_allowed(units, limit, alpha, bound)
    if allowed < 0:
        return np.zeros(true.shape)
    return tails.at_most(allowed, units, true)


def units_for_power(
    limit: float, rate: float, chance: float = 0.8, alpha: float = 0.05, bound: Bound = "exact"
) -> tuple[int, int] | None:
    """Return the fewest units, and the failures they allow, with which a system of true ``rate`` passes.

    The power rises in steps at the smallest n of each number of failures, so only those n are tried.

    Args:
        limit: the rate to be excluded.
        rate: the true rate, in [0, limit).
        chance: the power asked for.
        alpha: error probability spent on this look.
        bound: the bound that gates.

    Returns:
        (units, failures), or None if a plan would have to allow more than 1,000 failures.

    Raises:
        InputError: a rate outside [0, limit), a chance outside (0, 1), or as :func:`units_for`.
    """
    checks.probability("limit", limit)
    if not 0.0 <= float(checks.floats("rate", rate, ndim=0)) < limit:
        raise InputError(f"rate is {rate:g}; a plan needs a true rate in [0, limit {limit:g})")
    wanted = checks.probability("chance", chance)
    for failures in range(_MOST_FAILURES + 1):
        units = units_for(limit, failures, alpha, bound)
        if float(tails.at_most(failures, units, rate)) >= wanted:
            return units, failures
    return None


def sibling_power(
    units: int,
    limit: float,
    rate: float,
    siblings: Siblings,
    *,
    alpha: float = 0.05,
    repeats: int = 2000,
    seed: int = 0,
) -> float:
    """Return the simulated chance that the betting bound passes a system of true ``rate``.

    Per unit the number of answered cases is binomial and the wrong ones among them beta-binomial; the few
    distinct (answered, wrong) outcomes make the simulation a multinomial draw a repeat.

    Args:
        units: number of independent units.
        limit: the ratio wrong / answered to be excluded.
        rate: the true ratio, in [0, 1).
        siblings: unit size, correlation and answered share.
        alpha: error probability spent on this look.
        repeats: simulated suites; the standard error is at most 0.5 / sqrt(repeats).
        seed: of the simulation.

    Raises:
        InputError: a rate outside [0, 1], no repeat, a bad number of units, limit or alpha.
    """
    units = int(checks.counts("units", units, ndim=0))
    repeats = checks.draws("repeats", repeats, (siblings.size + 1) * (siblings.size + 2) // 2)
    checks.probability("limit", limit)
    checks.probability("alpha", alpha)
    answered, wrong, chances = _unit_outcomes(
        siblings, float(checks.floats("rate", rate, low=0.0, high=1.0, ndim=0))
    )
    mixture = betting.RISK
    logs = betting.log_factors(wrong / siblings.size, answered / siblings.size, limit, mixture=mixture)
    draws = np.random.Generator(np.random.Philox(seed)).multinomial(units, chances, size=repeats)
    ruined = np.isneginf(logs)
    totals = draws @ np.where(ruined, 0.0, logs) + np.log(mixture.weights)
    totals = np.where(draws @ ruined > 0, -np.inf, totals)
    return float(np.mean(np.logaddexp.reduce(totals, axis=1) >= -np.log(alpha)))


def alpha_per_look(alpha: float, looks: int) -> float:
    """Return what each of ``looks`` declared looks at one suite may spend (Bonferroni).

    Raises:
        InputError: no look, or alpha outside (0, 1).
    """
    return checks.probability("alpha", alpha) / checks.positive("looks", looks)


def planned_units(needed: int, share: float, assurance: float = 0.95) -> tuple[int, int]:
    """Return how many units to plan when only a share of them lands in the denominator.

    Args:
        needed: units that must land there (answered cases for an assignment risk).
        share: expected share that does, in (0, 1].
        assurance: chance that at least ``needed`` do.

    Returns:
        The expected requirement ceil(needed / share), and the one that holds with ``assurance``.

    Raises:
        InputError: a negative number, a share outside (0, 1], an assurance outside (0, 1), or more than 2**50 units.
    """
    n = int(checks.counts("needed", needed, ndim=0))
    part = float(checks.floats("share", share, low=1e-9, high=1.0, ndim=0))
    checks.probability("assurance", assurance)
    expected = math.ceil(n / part - 1e-9)
    if n == 0 or part == 1.0:
        return expected, n

    def enough(units: int) -> bool:
        return bool(tails.at_least(n, units, part) >= assurance - 1e-12)

    high = max(expected, n, 1)
    while high <= MOST_UNITS and not enough(high):
        high *= 2
    if high > MOST_UNITS:
        raise InputError(f"{n} units at a share of {part:g} need more than 2**50 planned")
    return expected, _first(enough, n - 1, high)


def _p_value(bound: Bound, failures: int, units: int, limit: float) -> float:
    """Return the p-value of the bound that gates, for units that fail entirely or not at all."""
    if failures > units:
        return 1.0
    if bound == "exact":
        return float(binomial.p_value(failures, units, limit))
    if bound == "paired":
        # Differences of 0 and 1, mapped to [0, 1] as the bound maps them.
        values, counts = [0.5, 1.0], [units - failures, failures]
        ones = [1.0, 1.0]
        return betting.p_value(values, ones, ones, (1.0 + limit) / 2.0, counts, mixture=betting.DIFFERENCE)
    return betting.p_value([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], limit, [units - failures, failures])


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the smallest integer above ``low`` at which a monotone condition holds; it holds at ``high``."""
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def _unit_outcomes(siblings: Siblings, rate: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the (answered, wrong) outcomes of one unit and their chances."""
    from scipy.special import betaln, gammaln, xlog1py, xlogy

    pairs = [(a, w) for a in range(siblings.size + 1) for w in range(a + 1)]
    answered, wrong = np.array(pairs, dtype=np.float64).T
    share, m = siblings.assigned, float(siblings.size)
    log_answered = (
        gammaln(m + 1.0)
        - gammaln(answered + 1.0)
        - gammaln(m - answered + 1.0)
        + xlogy(answered, share)
        + xlog1py(m - answered, -share)
    )
    log_choose = gammaln(answered + 1.0) - gammaln(wrong + 1.0) - gammaln(answered - wrong + 1.0)
    scale = 1.0 / siblings.correlation - 1.0 if siblings.correlation else math.inf
    # A rate so near to 0 or 1 is one; the beta function of what remains of it is not finite.
    if math.isinf(scale) or min(rate, 1.0 - rate) * scale < np.finfo(np.float64).tiny:
        log_wrong = log_choose + xlogy(wrong, rate) + xlog1py(answered - wrong, -rate)
    else:
        a, b = rate * scale, (1.0 - rate) * scale
        log_wrong = log_choose + betaln(wrong + a, answered - wrong + b) - betaln(a, b)
    chances = np.exp(log_answered + log_wrong)
    return answered, wrong, chances / chances.sum()
