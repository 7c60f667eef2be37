"""The attacks on gates of other libraries: texts exchanged, and restatements beside reversals."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from similarity_attack_records import Outcome

from denotary.encoders import load_encoder
from denotary.instruments.similarity.shipped import installed_gates, open_gate
from denotary.statistics import bootstrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from similarity_attack_runs import Bench

    from denotary.statistics.checks import BoolArray, FloatArray

ASKED = 50
"""Anchors a task that each component is asked about in both orders."""
RULES: dict[str, Callable[[FloatArray], BoolArray]] = {
    "LangChain, cosine > 0.95": lambda cosine: cosine > 0.95,  # noqa: PLR2004
    "LlamaIndex, cosine >= 0.8": lambda cosine: cosine >= 0.8,  # noqa: PLR2004
    "GPTCache, squared distance <= 0.8": lambda cosine: 2.0 - 2.0 * cosine <= 0.8,  # noqa: PLR2004
}
"""The rules that the components were found to decide by, on the page of shipped gates."""


def swapped(bench: Bench) -> Outcome:
    """Ask each installed component about texts in both orders; without all four there is no number."""
    pairs = bench.pairs
    chosen = {
        anchor
        for task in pairs.values("task")
        for anchor in sorted(set(pairs.anchor[pairs.of(task=task)]), key=_lot)[:ASKED]
    }
    asked = pairs.where(np.array([anchor in chosen for anchor in pairs.anchor], dtype=np.bool_))
    known = installed_gates()
    changed, rows = [], []
    for name, version in known.items():
        gate = open_gate(name, load_encoder("minilm"))
        orders = [
            [gate.decide(a, b) for a, b in zip(one, other, strict=True)]
            for one, other in ((asked.first, asked.second), (asked.second, asked.first))
        ]
        differ = sum(a.approved != b.approved for a, b in zip(*orders, strict=True))
        kept = sorted({decision.kept for order in orders for decision in order} - {""})
        changed.append(differ / len(asked))
        keeps = f"; of what it drops it keeps the {' or the '.join(kept)}" if kept else ""
        rows.append((f"{name} {version}", f"{differ} of {len(asked)} decisions change{keeps}"))
    return Outcome(max(changed) if len(known) == len(RULES) + 1 else None, rows)


def as_often(bench: Bench) -> Outcome:
    """Compare approvals of restatements and of reversals in close pairs of the same anchors."""
    pairs, ends, rows = bench.pairs, [], []
    for rule, approves in RULES.items():
        approved = approves(bench.scores["minilm"])
        for task in pairs.values("task"):
            close = pairs.close & pairs.of(task=task)
            same, opposite = (
                approved[at][np.argsort(pairs.codes[at])] for at in (close & pairs.same, close & ~pairs.same)
            )
            value, low, high = difference(same, opposite)
            ends.append(max(abs(low), abs(high)))
            counts = f"{int(same.sum())} and {int(opposite.sum())} of {len(same)}"
            rows.append((f"{rule}, {task}", f"{counts}: {value:+.3f} [{low:+.3f}, {high:+.3f}]"))
    return Outcome(max(ends), rows)


def difference(first: BoolArray, second: BoolArray) -> tuple[float, float, float]:
    """Return the difference of two shares over the same units with a 95 % interval, units resampled.

    Where no unit differs, every resample is 0: the interval then reaches to the exact upper bound of a share of units
    that differ and were never seen.
    """
    moved = first.astype(np.float64) - second
    found = bootstrap.ratio(moved, np.ones(len(moved)))
    if found.state is bootstrap.State.OK:
        return found.value, found.low, found.high
    reach = 1.0 - 0.025 ** (1.0 / len(moved))
    return found.value, -reach, reach


def _lot(anchor: str) -> str:
    return sha256(anchor.encode()).hexdigest()


ATTACKS: dict[str, Callable[[Bench], Outcome]] = {"swapped": swapped, "as-often": as_often}
