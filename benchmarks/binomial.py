"""One-sided exact bounds of 100,000 groups against the usual ways to get them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from _harness import Peer, compare, main
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from denotary.statistics import binomial

GROUPS = 100_000
SLICE = 1_000


def groups() -> tuple[Any, Any]:
    """About a third of the groups have no failure, as in a suite by language, concept and family."""
    rng = np.random.default_rng(7)
    trials = rng.integers(20, 2_000, size=GROUPS)
    rate = rng.choice([0.0, 0.0005, 0.005, 0.03], p=[0.1, 0.2, 0.4, 0.3], size=GROUPS)
    return rng.binomial(trials, rate), trials


def exact_upper() -> dict[str, Any]:
    failures, trials = groups()
    frame = pd.DataFrame({"group": np.arange(SLICE), "k": failures[:SLICE], "n": trials[:SLICE]})

    def ours() -> Any:
        return binomial.upper(failures, trials)

    def with_statsmodels() -> Any:
        return proportion_confint(failures, trials, alpha=0.10, method="beta")[1]

    def with_groupby() -> Any:
        def bound(row: Any) -> Any:
            return proportion_confint(row["k"].sum(), row["n"].sum(), alpha=0.10, method="beta")[1]

        return frame.groupby("group")[["k", "n"]].apply(bound).to_numpy()

    def with_binomtest() -> Any:
        return np.array(
            [
                binomtest(int(k), int(n)).proportion_ci(confidence_level=0.90).high
                for k, n in zip(failures[:SLICE], trials[:SLICE], strict=True)
            ]
        )

    def check(answer: Any, name: str, other: Any) -> None:
        """Binomtest finds its root with an absolute tolerance, so it agrees to fewer digits."""
        tolerance = 1e-6 if name.startswith("scipy") else 1e-9
        assert np.allclose(answer[: len(other)], other, rtol=tolerance, atol=0.0), name

    many = GROUPS / SLICE
    peers = [
        Peer("statsmodels proportion_confint", with_statsmodels, note="vectorised, two-sided at twice alpha"),
        Peer("pandas groupby.apply(proportion_confint)", with_groupby, scale=many, goal=450.0),
        Peer("scipy binomtest loop", with_binomtest, scale=many, goal=450.0),
    ]
    return compare("Clopper-Pearson, 100,000 groups", ours, peers, check)


if __name__ == "__main__":
    main(lambda: [exact_upper()])
