"""Dense candidates: exact int8 search against float32 cosines in numpy, over 100,000 concepts of 384 dimensions.

Vectors are drawn from a seed around 2,000 centres, so that neighbours are close; a query is a vector of the index with
noise. Both return the 50 best. The peer multiplies float32 matrices, whose last bits depend on block and batch; ours
gets the same integers in any block, batch and thread, and keeps a quarter of the memory. One text and a batch of 200
are asked. How many of the peer's 50 are among ours is told, and how often the vector that the query was made of comes
first.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from _harness import Peer, compare, main

from denotary.resolver.candidates import DenseIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

CONCEPTS, DIMENSION, CENTRES, QUERIES, FOUND = (
    int(os.environ.get("DENOTARY_BENCH_CONCEPTS", "100000")), 384, 2_000, 200, 50,
)  # fmt: skip


def unit(rows: Any) -> Vectors:
    found: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


def ours(index: DenseIndex, asked: Vectors) -> list[list[int]]:
    return [[int(hit.code) for hit in hits] for hits in index.search_batch(asked, FOUND)]


def cosines(known: Vectors, asked: Vectors) -> list[list[int]]:
    scores = asked @ known.T
    best = np.argpartition(-scores, FOUND, axis=1)[:, :FOUND]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    found: list[list[int]] = np.take_along_axis(best, order, axis=1).tolist()
    return found


def build() -> list[dict[str, Any]]:
    draw = np.random.default_rng(20260601)
    centres = draw.normal(size=(CENTRES, DIMENSION))
    known = unit(centres[draw.integers(CENTRES, size=CONCEPTS)] + draw.normal(size=(CONCEPTS, DIMENSION)))
    targets = draw.integers(CONCEPTS, size=QUERIES)
    asked = unit(known[targets] + 0.04 * draw.normal(size=(QUERIES, DIMENSION)))
    index = DenseIndex.build([f"{at:06}" for at in range(CONCEPTS)], known, registry="bench", encoder="bench")
    records = []
    for count in (1, QUERIES):
        some = asked[:count]
        shares: dict[str, float] = {}

        def alike(
            answer: list[list[int]], _: str, other: list[list[int]], into: dict[str, float] = shares
        ) -> None:
            into["shared"] = float(
                np.mean([len({*a} & {*b}) / FOUND for a, b in zip(answer, other, strict=True)])
            )
            for name, found in (("ours", answer), ("theirs", other)):
                into[name] = float(np.mean([row[0] == at for row, at in zip(found, targets, strict=False)]))
            assert into["shared"] > 0.9  # noqa: PLR2004 - else one of them searches something else

        peer = Peer("numpy, float32 cosines", partial(cosines, known, some))
        name = f"{count} texts among {CONCEPTS:,} concepts, exact"
        record = compare(name, partial(ours, index, some), [peer], alike)
        record["answers"] = [
            {
                "of the peer's 50 among ours": shares["shared"],
                "made of the first: ours": shares["ours"],
                "the peer": shares["theirs"],
                "MiB ours": index.rows.nbytes / 2**20,
                "MiB the peer": known.nbytes / 2**20,
            }
        ]
        print(" ", record["answers"][0])
        records.append(record)
    return records


if __name__ == "__main__":
    main(build)
