"""Expected calibration error of a million confidences, as a whole and in 1,000 groups, against netcal.

netcal takes one group at a time. Both compute in double precision, with 15 bins of equal width.

Why it falls short of its goal. On a shared machine, of 7.5 ms for a million rows, naming each row's cell takes 2.7 and
two counts of the 30,000 cells, of rows and of confidences, 2.8; each is a few passes of numpy, and the goal leaves 5 ms
for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from _harness import Peer, compare, main
from netcal.metrics import ECE

from denotary.statistics import calibration

ROWS, GROUPS, BINS = 1_000_000, 1_000, 15
ROUNDING = 1e-12


def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return confidences, correctness and group codes."""
    rng = np.random.default_rng(13)
    confidence = rng.beta(4.0, 1.5, size=ROWS)
    return confidence, rng.random(ROWS) < confidence**1.3, rng.integers(0, GROUPS, size=ROWS)


def check(answer: np.ndarray, name: str, other: np.ndarray) -> None:
    assert np.abs(answer - other).max() <= ROUNDING, name


def as_a_whole() -> dict[str, Any]:
    confidence, correct, _ = data()
    labels = correct.astype(np.int64)

    def ours() -> np.ndarray:
        return calibration.expected_calibration_error(calibration.equal_width(confidence, correct, BINS))

    def with_netcal() -> np.ndarray:
        return np.array([ECE(BINS).measure(confidence, labels)])

    return compare("ECE of 1,000,000 rows", ours, [Peer("netcal ECE", with_netcal)], check)


def by_groups() -> dict[str, Any]:
    confidence, correct, group = data()

    def ours() -> np.ndarray:
        table = calibration.equal_width(confidence, correct, BINS, group, GROUPS)
        return calibration.expected_calibration_error(table)

    def with_netcal() -> np.ndarray:
        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(1, GROUPS))
        scores, labels = (
            np.split(confidence[order], starts),
            np.split(correct[order].astype(np.int64), starts),
        )
        return np.array([ECE(BINS).measure(c, y) for c, y in zip(scores, labels, strict=True)])

    return compare(
        "ECE by 1,000 groups over 1,000,000 rows",
        ours,
        [Peer("netcal ECE a group", with_netcal, goal=80.0)],
        check,
    )


if __name__ == "__main__":
    main(lambda: [as_a_whole(), by_groups()])
