"""An exact p-value for the assignment risk at a declared share of unknown inputs, from two samples.

Known and unknown inputs are samples of their own, so what is observed is not the risk but its parts. The statistic
is the estimate of P(accepted and bad) at the declared share, and the p-value is its exact tail, maximised over all
ways in which the risk at the limit may be divided between the strata (the nuisance parameter), as stratified
election audits do (Ottoboni, Stark, Lindeman and McBurnett, arXiv 1809.04235).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks

if TYPE_CHECKING:
    from denotary.statistics.checks import FloatArray, IntArray

CELLS: Final = 64
"""Cells of the nuisance parameter. Each is answered by its worst corner, so that more of them only sharpen."""
MOST: Final = 1_000_000
"""Most inputs of a stratum: the work grows with the product of their number and the cells."""
_BLOCK: Final = 10_000
"""Counts of false acceptances whose terms are in memory at once."""
_SLACK: Final = 1e-9
"""Outcomes as bad as the observed one belong to the tail, whatever the last bits of the statistic are."""


def share_p_value(
    wrong: int,
    known: int,
    false: int,
    unknown: int,
    *,
    coverage: float,
    limit: float,
    share: float,
) -> float:
    """Return the p-value of "the assignment risk at the declared share is ``limit`` or more".

    With f = P(accepted | unknown), a = P(accepted | known) and c = share (1 - limit) / (1 - share), the risk reaches
    the limit iff P(accepted and wrong | known) is limit a - c f or more. For every f both counts are binomial then,
    and the tail of (1 - share) wrong / known + share false / unknown falls in both rates.

    Args:
        wrong: accepted known inputs with another answer than the right one.
        known: known inputs asked.
        false: accepted unknown inputs.
        unknown: unknown inputs asked.
        coverage: lower bound on P(accepted | known); its own error probability comes on top.
        limit: the risk to be excluded, in (0, 1).
        share: of unknown inputs that the risk is stated at, in (0, 1).

    Returns:
        A number in [0, 1]; 1 where nothing is surely accepted.

    Raises:
        InputError: a bad count, limit or share, a part that is larger than its whole, or more than a million inputs.
    """
    from scipy.special import bdtr

    counts = {"wrong": wrong, "known": known, "false": false, "unknown": unknown}
    bad, n, k, m = (checks.counts(name, value, ndim=0) for name, value in counts.items())
    checks.at_most("wrong", bad, "known", n)
    checks.at_most("false", k, "unknown", m)
    if max(n, m) > MOST:
        raise InputError(f"known {n:,}, unknown {m:,}; expected at most {MOST:,} each")
    least = float(checks.floats("coverage", coverage, ndim=0, low=0.0, high=1.0))
    most, part = checks.probability("limit", limit), checks.probability("share", share)
    if least <= 0.0 or n == 0 or m == 0:
        return 1.0
    rate = part * (1.0 - most) / (1.0 - part)
    edges = np.linspace(0.0, min(most * least / rate, 1.0), CELLS + 1)
    # Cell i holds f from edges[i] to the next edge; where f is beyond the last one, nothing is left for known inputs.
    rest = np.append(np.maximum(most * least - rate * edges[1:], 0.0), 0.0)
    seen = (1.0 - part) * bad / n + part * k / m
    others = np.arange(min(int(seen * m / part + _SLACK), int(m)) + 1)
    left = np.minimum(np.floor((seen - part * others / m) * n / (1.0 - part) + _SLACK), n)
    tails = np.zeros(len(edges))
    for start in range(0, len(others), _BLOCK):
        part_of = slice(start, start + _BLOCK)
        mass = _mass(others[part_of], int(m), edges[:, None])
        tails += (mass * bdtr(left[part_of].clip(0.0), int(n), rest[:, None])).sum(axis=1)
    return float(min(tails.max(), 1.0))


def _mass(k: IntArray, n: int, p: FloatArray) -> FloatArray:
    """Return the binomial P(X = k), of the broadcast shape; scipy.stats has it too, but takes a second to import."""
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    mass: FloatArray = np.exp(ways + xlogy(k, p) + xlog1py(n - k, -p))
    return mass
