"""Choosing an acceptance threshold with a guarantee: fixed-sequence testing from a label-free start.

Thresholds are tried from strict to lax with the gate's own p-values; the walk stops at the first that fails,
so the chance that the chosen threshold violates a limit is at most delta (fixed-sequence testing, as in
Angelopoulos et al., Learn then Test, arXiv 2110.01052). It starts where the scores alone, without labels,
show that at least twice the zero-failure number of units are covered: from the strictest threshold nothing
can pass. Several risks are controlled jointly by requiring all of them at every threshold, which needs no
correction (intersection-union). With several starts each walk spends its share of delta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.errors import InputError
from denotary.statistics import checks, planning
from denotary.statistics.risk_path import Risk, RiskPath, order_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray

__all__ = [
    "Choice",
    "Risk",
    "choose_threshold",
    "fixed_sequence",
    "refuse_shared_records",
    "risk_at_share",
    "threshold_p_values",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """The threshold chosen, or that none qualifies.

    Attributes:
        threshold: accept iff confidence is at least this; None if no threshold qualifies.
        coverage: share of all cases that are answered and accepted there; 0 if none qualifies.
        p_values: per risk, at the threshold (at the first start if none qualifies; 1 without a start).
        starts: the thresholds at which the walks began; empty if too few units are covered anywhere.
        needed: covered units a start needs.
        delta: chance, over calibration suites, that the chosen threshold violates any limit.
    """

    threshold: float | None
    coverage: float
    p_values: Mapping[str, float]
    starts: tuple[float, ...]
    needed: int
    delta: float


def choose_threshold(
    confidence: ArrayLike,
    risks: Sequence[Risk],
    unit: ArrayLike | None = None,
    *,
    delta: float = 0.05,
    starts: int = 1,
) -> Choice:
    """Return the laxest threshold that fixed-sequence testing certifies for all risks.

    Args:
        confidence: one score a case, shape (N,); +inf for a case that counts whatever the threshold
            (unanswered), -inf for one that is never accepted (refused).
        risks: the harm rates to control jointly.
        unit: code of the case's independent unit, shape (N,); each case its own by default.
        delta: error probability.
        starts: number of walks; each spends delta / starts.

    Raises:
        InputError: NaN, no risk, a bad flag, limit or delta, or columns of unequal length.
    """
    walk = order_cases(confidence)
    if not risks:
        raise InputError("risks is empty; a threshold is chosen to keep at least one risk below its limit")
    n = walk.order.size
    unanswered = int(np.count_nonzero(np.isposinf(np.asarray(confidence, dtype=np.float64))))
    units = np.arange(n) if unit is None else checks.members("unit", unit)
    share = planning.alpha_per_look(delta, starts)
    paths = [RiskPath.follow(risk, units, walk) for risk in risks]
    passes = np.all([path.passes(share) for path in paths], axis=0)
    begin, needed = _starts(paths, share, starts, walk.ends.size)
    reached = [fixed_sequence(passes, at) for at in begin]
    best = max((at for at in reached if at is not None), default=None)
    shown = best if best is not None else begin[0] if begin else None
    names = [risk.name for risk in risks]
    return Choice(
        threshold=None if best is None else float(walk.thresholds[best]),
        coverage=0.0 if best is None else float(walk.ends[best] + 1 - unanswered) / n,
        p_values={
            name: 1.0 if shown is None else path.p_value_at(shown)
            for name, path in zip(names, paths, strict=True)
        },
        starts=tuple(float(walk.thresholds[at]) for at in begin),
        needed=needed,
        delta=delta,
    )


def threshold_p_values(
    confidence: ArrayLike, risk: Risk, unit: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return every distinct threshold, from strict to lax, and the p-value of the risk there.

    The exact binomial p-value where each unit holds one case of the population, else the betting one.
    Arguments and errors as :func:`choose_threshold`.
    """
    walk = order_cases(confidence)
    units = np.arange(walk.order.size) if unit is None else checks.members("unit", unit)
    return walk.thresholds, RiskPath.follow(risk, units, walk).p_values()


def fixed_sequence(passes: ArrayLike, start: int) -> int | None:
    """Return the last index of the unbroken run of passes that begins at ``start``; None if it fails there.

    Args:
        passes: one verdict a threshold, in testing order, shape (T,).
        start: index chosen without labels.

    Raises:
        InputError: a verdict other than 0 and 1, or a start that is no index.
    """
    start = int(checks.counts("start", start, ndim=0))
    verdicts = checks.flags("passes", passes, ndim=1)[start:]
    if verdicts.size == 0 or not verdicts[0]:
        return None
    return start + (verdicts.size if verdicts.all() else int(np.argmin(verdicts))) - 1


def risk_at_share(
    wrong_known: ArrayLike, accepted_known: ArrayLike, accepted_unknown: ArrayLike, share: float
) -> FloatArray:
    """Return the assignment risk at a declared share of unknown inputs, from rates per stratum.

    Rising in the first and third argument and falling in the second, so upper, lower and upper bounds, each
    at a third of delta, give an upper bound at delta.

    Args:
        wrong_known: P(accepted and wrong | known), in [0, 1].
        accepted_known: P(accepted | known), at least ``wrong_known``.
        accepted_unknown: P(accepted | unknown), in [0, 1]; every such acceptance is wrong.
        share: declared share of unknown inputs, in (0, 1).

    Returns:
        The risk among accepted cases, capped at 1; 1 where nothing is surely accepted.

    Raises:
        InputError: a rate outside [0, 1], or a share outside (0, 1).
    """
    wrong = checks.floats("wrong_known", wrong_known, low=0.0, high=1.0)
    right_or_wrong = checks.floats("accepted_known", accepted_known, low=0.0, high=1.0)
    false = checks.floats("accepted_unknown", accepted_unknown, low=0.0, high=1.0)
    part = checks.probability("share", share)
    bad = (1.0 - part) * wrong + part * false
    accepted = (1.0 - part) * right_or_wrong + part * false
    return np.where(accepted > bad, bad / np.where(accepted > 0.0, accepted, 1.0), 1.0)


def refuse_shared_records(**roles: Iterable[str]) -> None:
    """Refuse a record id that serves two roles, such as fit, threshold and sealed.

    Args:
        roles: record ids by role.

    Raises:
        InputError: naming the first shared id in sorted order and both roles.
    """
    seen: dict[str, str] = {}
    for role, ids in roles.items():
        for record in sorted(set(ids)):
            if record in seen:
                raise InputError(
                    f"serves both {seen[record]} and {role}; each role needs records of its own",
                    record=record,
                )
            seen[record] = role


def _starts(paths: Sequence[RiskPath], alpha: float, starts: int, thresholds: int) -> tuple[list[int], int]:
    """Return the indices at which the walks begin, chosen from scores alone, and the units a start needs."""
    needed, first = 0, 0
    counted = [path for path in paths if path.risk.among_accepted]
    for path in counted:
        bound: planning.Bound = "exact" if path.single else "betting"
        wanted = 2 * planning.units_for(path.risk.limit, 0, alpha, bound)
        needed = max(needed, wanted)
        first = max(first, int(np.searchsorted(path.covered_units(), wanted)))
    if first >= thresholds:
        return [], needed
    return sorted({first + (thresholds - first) * walk // starts for walk in range(starts)}), needed
