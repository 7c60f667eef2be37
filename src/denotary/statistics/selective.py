"""Risk against coverage when a system may refuse: curves and their areas, ties treated as ties.

Cases of one confidence are accepted together: only the ends of tie blocks are points of a curve, and areas
are those expected over random orders within the blocks, so that the order of the rows changes nothing.
Curves and areas describe; a threshold with a guarantee is chosen in :mod:`denotary.statistics.threshold`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denotary.statistics import checks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from denotary.statistics.checks import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """One point a distinct confidence, from the strictest threshold to the laxest; arrays of shape (T,).

    Attributes:
        thresholds: distinct confidences, falling; a case is accepted iff its confidence is at least this.
        accepted: number of accepted cases.
        losses: sum of losses among the accepted.
        coverage: accepted / all cases.
        risk: losses / accepted.
    """

    thresholds: FloatArray
    accepted: IntArray
    losses: FloatArray
    coverage: FloatArray
    risk: FloatArray


def risk_coverage(confidence: ArrayLike, loss: ArrayLike) -> RiskCoverage:
    """Return selective risk and coverage at every distinct confidence.

    Args:
        confidence: one finite score a case, shape (N,); higher is surer.
        loss: loss of accepting the case, in [0, 1], shape (N,); 1 for a wrong answer.

    Raises:
        InputError: not finite, a loss outside [0, 1], or unequal length.
    """
    scores = checks.floats("confidence", confidence, ndim=1)
    losses = checks.floats("loss", loss, low=0.0, high=1.0, ndim=1)
    n = checks.same_length({"confidence": scores, "loss": losses})
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) if n else np.zeros(0, dtype=np.int64)
    accepted = ends + 1
    total = np.cumsum(losses[order])[ends]
    return RiskCoverage(ranked[ends], accepted, total, accepted / max(n, 1), total / accepted)


def aurc(confidence: ArrayLike, loss: ArrayLike) -> float:
    """Return the area under the risk-coverage curve: the mean over k of the risk of the k surest cases.

    Geifman, Uziel and El-Yaniv, ICLR 2019; with ties its expectation over random orders within tie blocks.
    Arguments and errors as :func:`risk_coverage`; NaN without cases.
    """
    curve = risk_coverage(confidence, loss)
    if curve.accepted.size == 0:
        return math.nan
    k = np.arange(1, int(curve.accepted[-1]) + 1)
    expected = np.interp(k, np.append(0, curve.accepted), np.append(0.0, curve.losses))
    return float(np.mean(expected / k))


def augrc(confidence: ArrayLike, loss: ArrayLike) -> float:
    """Return the area under the generalised risk-coverage curve: losses / all cases against coverage.

    Traub et al., NeurIPS 2024. The trapezoid from (0, 0) through the ends of tie blocks; for 0/1 losses it
    equals (1 - AUROC) acc (1 - acc) + (1 - acc)**2 / 2 exactly. Arguments and errors as
    :func:`risk_coverage`; NaN without cases.
    """
    curve = risk_coverage(confidence, loss)
    if curve.accepted.size == 0:
        return math.nan
    n = float(curve.accepted[-1])
    joint = np.append(0.0, curve.losses) / n
    widths = np.diff(np.append(0.0, curve.coverage))
    return float(np.sum(widths * (joint[1:] + joint[:-1]) / 2.0))
