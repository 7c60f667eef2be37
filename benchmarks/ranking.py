"""Recall, reciprocal rank and hard-negative intrusion of 100,000 queries with 100 candidates each.

Ours reads the matrices of candidate codes and scores that a retriever returns. The peers read dictionaries, and making
those of the same matrices is part of their work; the second row leaves it out. They know neither intrusion nor ties:
scores here are distinct, so that all agree on every rank.

Why it falls short of pytrec_eval's goal. Ten million places are compared with the right code, its score (twice) and
each of three negatives, and checked for NaN and bad codes: eight passes of numpy over them, which are most of the
time. Measured on a shared machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytrec_eval
import ranx
from _harness import Peer, compare, main

from denotary.statistics import ranking

QUERIES, DEPTH, CODES, NEGATIVES = 100_000, 100, 100_000, 3
SLICE = 10_000
LISTED = 0.8
CUTS = (1, 5, 10, 100)
ROUNDING = 1e-9
MEASURES = {f"recall_{k}" for k in CUTS} | {"recip_rank"}


def data() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return candidate codes, distinct scores, right codes (a fifth of them not listed) and hard negatives."""
    rng = np.random.default_rng(7)
    candidates = (rng.integers(0, CODES, size=(QUERIES, 1)) + np.arange(DEPTH) * 997) % CODES
    scores = rng.permuted(np.tile(np.arange(DEPTH, dtype=np.float32), (QUERIES, 1)), axis=1)
    place = rng.integers(0, DEPTH, size=QUERIES)
    listed = candidates[np.arange(QUERIES), place]
    gold = np.where(rng.random(QUERIES) < LISTED, listed, (candidates[:, 0] + 1) % CODES)
    negatives = candidates[:, :NEGATIVES].copy()
    negatives[negatives == gold[:, np.newaxis]] = ranking.NO_CANDIDATE
    return candidates.astype(np.int32), scores, gold.astype(np.int32), negatives.astype(np.int32)


def dictionaries(
    candidates: np.ndarray, scores: np.ndarray, gold: np.ndarray
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return what the peers read of the first queries."""
    names = [str(code) for code in range(CODES)]
    qrels = {str(i): {names[code]: 1} for i, code in enumerate(gold[:SLICE].tolist())}
    rows = zip(candidates[:SLICE].tolist(), scores[:SLICE].tolist(), strict=True)
    run = {
        str(i): dict(zip([names[c] for c in codes], row, strict=True)) for i, (codes, row) in enumerate(rows)
    }
    return qrels, run


def figures() -> list[dict[str, Any]]:
    candidates, scores, gold, negatives = data()
    qrels, run = dictionaries(candidates, scores, gold)

    def ours() -> dict[str, np.ndarray]:
        found = ranking.ranks(candidates, scores, gold)
        values = {f"recall_{k}": found.recall(k) for k in CUTS}
        intruded = ranking.intrusion(candidates, scores, gold, negatives)
        return values | {"recip_rank": found.reciprocal(), "intrusion": intruded}

    def evaluated(qrels: Any, run: Any) -> dict[str, float]:
        per_query = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
        return {name: float(np.mean([row[name] for row in per_query.values()])) for name in MEASURES}

    def with_pytrec() -> dict[str, float]:
        return evaluated(*dictionaries(candidates, scores, gold))

    def with_ranx() -> dict[str, float]:
        qrels, run = dictionaries(candidates, scores, gold)
        names = [f"recall@{k}" for k in CUTS] + ["mrr"]
        found = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names, make_comparable=True)
        return {
            name.replace("recall@", "recall_").replace("mrr", "recip_rank"): found[name] for name in names
        }

    def check(answer: dict[str, np.ndarray], name: str, other: dict[str, float]) -> None:
        for measure, value in other.items():
            assert abs(float(answer[measure][:SLICE].mean()) - value) <= ROUNDING, (name, measure)

    with_ranx()  # compiles
    share = QUERIES / SLICE
    whole = [
        Peer("pytrec_eval, dictionaries made", with_pytrec, scale=share, goal=300.0),
        Peer("ranx, dictionaries made", with_ranx, scale=share, goal=300.0),
    ]
    alone = [Peer("pytrec_eval", lambda: evaluated(qrels, run), scale=share)]
    return [
        compare("recall at four cuts, MRR, intrusion, 100,000 x 100", ours, whole, check),
        compare("the same, dictionaries made beforehand", ours, alone, check),
    ]


if __name__ == "__main__":
    main(figures)
