"""Cluster bootstrap: one ratio, and a panel of 300 columns, over 20,000 units with 10,000 resamples.

Why the panel falls short of arch's goal. arch gets the columns as float32 too, which is fastest for it, and adds up the
rows that it drew: its time is that of moving memory, and fell to a third on a quiet machine. Ours is one matrix product
of counts and columns, 120 thousand million operations; at some 120 a nanosecond on one core, which is what this
machine's BLAS reaches, the product alone is most of our time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from _harness import Peer, compare, main
from arch.bootstrap import IIDBootstrap
from scipy import stats

from denotary.statistics import bootstrap

UNITS, RESAMPLES, COLUMNS = 20_000, 10_000, 300


def one_ratio() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    assigned = rng.binomial(5, 0.85, size=UNITS)
    wrong = rng.binomial(assigned, 0.01)
    frame = pd.DataFrame({"wrong": wrong, "assigned": assigned})

    def ours() -> tuple[float, float]:
        found = bootstrap.ratio(wrong, assigned, resamples=RESAMPLES)
        return found.low, found.high

    def with_arch() -> tuple[float, float]:
        ends = IIDBootstrap(wrong, assigned, seed=1).conf_int(
            lambda w, a: w.sum() / a.sum(), RESAMPLES, method="percentile"
        )
        return float(ends[0, 0]), float(ends[1, 0])

    def with_scipy() -> tuple[float, float]:
        found = stats.bootstrap(
            (wrong, assigned),
            lambda w, a, axis: w.sum(axis=axis) / a.sum(axis=axis),
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            batch=50,
            method="percentile",
            rng=np.random.default_rng(1),
        ).confidence_interval
        return float(found.low), float(found.high)

    def with_pandas() -> tuple[float, float]:
        draws = []
        for seed in range(RESAMPLES // 100):
            sums = frame.sample(frac=1.0, replace=True, random_state=seed).sum()
            draws.append(sums["wrong"] / sums["assigned"])
        low, high = np.quantile(draws, [0.025, 0.975])
        return float(low), float(high)

    def check(answer: tuple[float, float], name: str, other: tuple[float, float]) -> None:
        """Two sets of resamples: the ends agree within their simulation error."""
        width = answer[1] - answer[0]
        tolerance = 0.05 if name != "pandas sample" else 0.3
        assert np.allclose(answer, other, atol=tolerance * width), (name, answer, other)

    peers = [
        Peer("arch IIDBootstrap", with_arch, goal=40.0),
        Peer("scipy.stats.bootstrap", with_scipy, goal=60.0),
        Peer("pandas sample", with_pandas, scale=100.0, note="100 resamples, scaled"),
    ]
    return compare("cluster bootstrap of one ratio", ours, peers, check)


def whole_panel() -> dict[str, Any]:
    """Whole-number columns; the peer gets the narrow dtype that is fastest for it."""
    rng = np.random.default_rng(2)
    table = rng.binomial(5, rng.uniform(0.01, 0.9, size=COLUMNS), size=(UNITS, COLUMNS))
    narrow = table.astype(np.float32)

    def ours() -> Any:
        return bootstrap.resampled_sums(table, resamples=RESAMPLES)

    def with_arch() -> Any:
        return IIDBootstrap(narrow, seed=1).apply(lambda x: x.sum(axis=0), 100)

    def with_pandas() -> Any:
        frame = pd.DataFrame(narrow)
        return np.array([frame.sample(frac=1.0, replace=True, random_state=s).sum() for s in range(20)])

    def check(answer: Any, name: str, other: Any) -> None:
        """Means and spreads of the resampled sums agree within their simulation error."""
        exact = table.std(axis=0) * np.sqrt(UNITS)
        assert np.all(np.abs(answer.mean(axis=0) - table.sum(axis=0)) <= 5 * exact / np.sqrt(RESAMPLES)), name
        assert np.all(np.abs(other.mean(axis=0) - table.sum(axis=0)) <= 5 * exact / np.sqrt(len(other))), name
        assert np.allclose(answer.std(axis=0), exact, rtol=0.05), name

    peers = [
        Peer("arch IIDBootstrap", with_arch, scale=100.0, goal=35.0, note="100 resamples, scaled"),
        Peer("pandas sample", with_pandas, scale=500.0, goal=35.0, note="20 resamples, scaled"),
    ]
    return compare("cluster bootstrap of a panel of 300 columns", ours, peers, check)


if __name__ == "__main__":
    main(lambda: [one_ratio(), whole_panel()])
