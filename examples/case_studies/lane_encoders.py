"""Which encoder for the semantic lane, by the training split of CLINC150 alone.

    python lane_encoders.py CLINC150 CACHE

Four folds over 20 training texts an intent and the 100 unknown ones (seed 7). Needs the extras ``encoders`` and
``multilingual``; prints a table in two minutes of one core.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from semantic_lane import Scored, clinc, oracle

from denotary.encoders import load_encoder
from denotary.resolver.semantic.features import WEIGHT, NGrams
from denotary.resolver.semantic.fitting import PENALTY
from denotary.resolver.semantic.head import fit_head, probabilities

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FOLDS, TEXTS, CLASSES = 4, 20, 150


def unit(rows: Floats) -> Floats:
    """Return rows at unit length."""
    found: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def kept(name: str, texts: list[str], path: Path) -> Floats:
    """Return the unit vectors of texts, kept in a file."""
    if not path.exists():
        np.save(path, load_encoder(name).encode(texts))
    return unit(np.load(path).astype(np.float64))


def main(arguments: list[str]) -> None:
    """Print the table."""
    data, draw = clinc(Path(arguments[0])), np.random.default_rng(7)
    rows: list[int] = []
    for code in range(-1, CLASSES):
        own, other = (
            np.flatnonzero((data.role == r) & (data.intent == code)) for r in ("fit", "calibration")
        )
        rows += [int(at) for at in (own if code < 0 else draw.permutation(own)[:TEXTS])]
        if code >= 0:
            draw.permutation(
                other
            )  # a second sample was drawn from these beside the first; it is not used here
    texts, intent = [data.texts[at] for at in rows], data.intent[rows]
    fold = np.zeros(len(rows), dtype=np.int64)
    for code in range(-1, CLASSES):
        fold[intent == code] = np.arange(int((intent == code).sum())) % FOLDS
    dense = {name: kept(name, texts, Path(arguments[1]) / f"sub-{name}.npy") for name in ("minilm", "e5")}
    lexical = [
        NGrams.learn([t for t, f in zip(texts, fold, strict=True) if f != k]).transform(texts)
        for k in range(FOLDS)
    ]
    for names, centred in ((["minilm"], False), (["e5"], False), (["e5"], True), (["minilm", "e5"], True)):
        confidence, answer = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int64)
        for k in range(FOLDS):
            fit = fold != k
            blocks = [unit(dense[n] - dense[n][fit].mean(axis=0)) if centred else dense[n] for n in names]
            made = np.hstack([*blocks, WEIGHT * lexical[k], np.ones((len(rows), 1))])
            weights = fit_head(made[fit], np.where(intent < 0, CLASSES, intent)[fit], CLASSES + 1, PENALTY)
            found = probabilities(made[~fit], weights)[:, :CLASSES]
            confidence[~fit], answer[~fit] = found.max(axis=1), found.argmax(axis=1)
        scored = Scored(confidence, answer == intent, intent < 0, answer)
        figures = " | ".join(f"{oracle(scored, limit):.3f}" for limit in (0.01, 0.005))
        right = float(scored.right[intent >= 0].mean())
        print(f"| {'+'.join(names)}{', mean removed' if centred else ''} | {right:.3f} | {figures} |")


if __name__ == "__main__":
    main(sys.argv[1:])
