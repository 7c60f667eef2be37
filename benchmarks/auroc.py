"""Anchor-paired permutation of AUROC, and AUROC with its variance, against the general tools."""

from __future__ import annotations

from typing import Any

import numpy as np
from _harness import Peer, compare, main
from scipy import stats
from sklearn.metrics import roc_auc_score

from denotary.statistics import auroc

ANCHORS, FLIPS, CASES = 500, 10_000, 100_000
POSITIVE_SHARE = 0.3
ROUNDING = 1e-12


def paired_permutation() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    high, low = rng.normal(0.1, 1.0, size=ANCHORS), rng.normal(size=ANCHORS)

    def statistic(first: Any, second: Any, axis: int = -1) -> Any:
        ranks = stats.rankdata(np.concatenate([first, second], axis=axis), axis=axis)[..., :ANCHORS]
        return (ranks.sum(axis=-1) - ANCHORS * (ANCHORS + 1) / 2) / ANCHORS**2 - 0.5

    def ours() -> float:
        return auroc.anchor_permutation(high, low, flips=FLIPS).p

    def with_scipy() -> float:
        found = stats.permutation_test(
            (high, low),
            statistic,
            permutation_type="samples",
            vectorized=True,
            n_resamples=FLIPS,
            batch=100,
            rng=np.random.default_rng(4),
        )
        return float(found.pvalue)

    def check(answer: float, name: str, other: float) -> None:
        """Two sets of random flips: the p-values agree within their simulation error."""
        assert abs(answer - other) <= 6 * np.sqrt(0.25 / FLIPS), (name, answer, other)

    peers = [Peer("scipy permutation_test (samples)", with_scipy, goal=15.0)]
    return compare("anchor-paired AUROC permutation, 500 anchors, 10,000 flips", ours, peers, check)


def variance() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    positive = rng.random(CASES) < POSITIVE_SHARE
    scores = rng.normal(size=CASES) + positive

    def ours() -> float:
        return auroc.auroc(scores, positive).value

    def with_sklearn() -> float:
        return float(roc_auc_score(positive, scores))

    def check(answer: float, name: str, other: float) -> None:
        assert abs(answer - other) <= ROUNDING, name

    note = "the value alone; ours includes DeLong's variance"
    return compare(
        "AUROC of 100,000 cases", ours, [Peer("scikit-learn roc_auc_score", with_sklearn, note=note)], check
    )


if __name__ == "__main__":
    main(lambda: [paired_permutation(), variance()])
