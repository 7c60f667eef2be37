"""The anytime-valid upper bound after each of 100,000 units, against the one package that offers betting sequences.

The bets differ, so the bounds do: both are valid and neither is compared. That each covers the true rate at its last
unit is checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from _harness import Peer, compare, main
from rag_eval_gate.sequential import ConfidenceSequence

from denotary.statistics import sequential

UNITS, RATE, ALPHA = 100_000, 0.002, 0.05
SLICE = 2_000


def bounds() -> list[dict[str, Any]]:
    values = (np.random.default_rng(17).random(UNITS) < RATE).astype(np.float64)

    def ours() -> np.ndarray:
        return sequential.upper_sequence(values, ALPHA)

    def with_rag_eval_gate() -> np.ndarray:
        process = ConfidenceSequence(alpha=ALPHA)
        return np.array([process.update(value)[1] for value in values[:SLICE].tolist()])

    def check(answer: np.ndarray, name: str, other: np.ndarray) -> None:
        assert answer[-1] >= RATE, name
        assert other[-1] >= RATE, name

    peer = Peer(
        "retrieval-eval-gate ConfidenceSequence",
        with_rag_eval_gate,
        scale=UNITS / SLICE,
        goal=100.0,
        note="its bets differ from ours, its bound is read off a grid of 200",
    )
    return [compare("anytime-valid bound at 100,000 prefixes", ours, [peer], check)]


if __name__ == "__main__":
    main(bounds)
