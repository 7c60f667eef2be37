"""Choosing an abstention threshold with a guarantee among 100,000 records.

Ours computes the exact p-value at every distinct confidence and walks from a label-free start. MAPIE computes it at the
1,000 thresholds of a grid, none of them empty; both use fixed-sequence testing. Its p-value rounds the number of wrong
records up, which adds one about half of the time, so that each of its p-values must be ours or that of one more wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from _harness import Peer, compare, main
from mapie.risk_control import BinaryClassificationController, precision
from scipy.stats import binom

from denotary.statistics import threshold
from denotary.statistics.threshold import Risk

RECORDS, LIMIT, DELTA, GRID = 100_000, 0.02, 0.05, 1_000
ROUNDING = 1e-9


def risk_control() -> list[dict[str, Any]]:
    rng = np.random.default_rng(11)
    confidence = rng.random(RECORDS)
    wrong = rng.random(RECORDS) < 0.12 * (1 - confidence) ** 2
    everyone = np.ones(RECORDS, dtype=np.bool_)
    risk = Risk("assignment_risk", wrong, everyone, LIMIT)
    grid = np.linspace(0.0, 0.98, GRID)
    columns = np.column_stack([1.0 - confidence, confidence])

    def ours() -> threshold.Choice:
        return threshold.choose_threshold(confidence, [risk], delta=DELTA)

    def with_mapie() -> BinaryClassificationController:
        controller = BinaryClassificationController(
            predict_function=lambda rows: rows,
            risk=precision,
            target_level=1.0 - LIMIT,
            confidence_level=1.0 - DELTA,
            list_predict_params=grid,
            fwer_method="fixed_sequence",
        )
        return controller.calibrate(columns, (~wrong).astype(np.int64))

    def check(answer: threshold.Choice, name: str, other: BinaryClassificationController) -> None:
        thresholds, p_values = threshold.threshold_p_values(confidence, risk)
        for level, theirs in zip(grid, np.ravel(other.p_values), strict=True):
            at = int(np.searchsorted(-thresholds, -level, side="right")) - 1
            accepted = confidence >= level
            k, n = int(wrong[accepted].sum()), int(accepted.sum())
            assert abs(p_values[at] - binom.cdf(k, n, LIMIT)) <= ROUNDING, (name, level)
            assert p_values[at] - ROUNDING <= theirs <= binom.cdf(k + 1, n, LIMIT) + ROUNDING, (name, level)
        assert answer.threshold is not None
        assert answer.p_values["assignment_risk"] <= DELTA

    peers = [
        Peer("MAPIE, 1,000 thresholds", with_mapie, goal=100.0, note="ours tries every distinct confidence")
    ]
    return [compare("abstention threshold with guarantee, 100,000 records", ours, peers, check)]


if __name__ == "__main__":
    main(risk_control)
