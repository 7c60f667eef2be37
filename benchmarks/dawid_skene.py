"""Dawid-Skene on 100,000 items with five votes each, 12 classes, 200 annotators, ten steps, against crowd-kit.

Both start from the shares of the votes and take the same steps. crowd-kit reads a data frame and runs on a fifth of the
items; posteriors are compared there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from _harness import Peer, compare, main
from crowdkit.aggregation import DawidSkene

from denotary.statistics import dawid_skene

ITEMS, VOTES, CLASSES, ANNOTATORS, STEPS = 100_000, 5, 12, 200, 10
SLICE = 20_000
RIGHT = 0.7
CLOSE = 1e-6


def votes(items: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return item, annotator and label of each vote."""
    rng = np.random.default_rng(19)
    item = np.repeat(np.arange(items), VOTES)
    truth = np.repeat(rng.integers(0, CLASSES, size=items), VOTES)
    annotator = (rng.integers(0, ANNOTATORS, size=(items, 1)) + np.arange(VOTES) * 37) % ANNOTATORS
    label = np.where(rng.random(item.size) < RIGHT, truth, rng.integers(0, CLASSES, size=item.size))
    return item, annotator.ravel(), label


def fitted(columns: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
    return dawid_skene.fit(*columns, classes=CLASSES, steps=STEPS, tolerance=0.0).posterior


def steps() -> list[dict[str, Any]]:
    whole, part = votes(ITEMS), votes(SLICE)
    frame = pd.DataFrame(dict(zip(("task", "worker", "label"), part, strict=True)))

    def with_crowd_kit() -> np.ndarray:
        model = DawidSkene(n_iter=STEPS, tol=-np.inf).fit(frame)
        assert model.probas_ is not None
        posterior: np.ndarray = model.probas_.loc[range(SLICE), range(CLASSES)].to_numpy()
        return posterior

    def check(_: np.ndarray, name: str, other: np.ndarray) -> None:
        assert np.abs(fitted(part) - other).max() <= CLOSE, name

    peer = Peer("crowd-kit DawidSkene", with_crowd_kit, scale=ITEMS / SLICE, goal=25.0)
    return [compare("Dawid-Skene, 100,000 items x 5 votes, ten steps", lambda: fitted(whole), [peer], check)]


if __name__ == "__main__":
    main(steps)
