"""How the polarity-aware gate may do in another style, told from half A alone.

    python similarity_repairs_style.py [KNOWN ...]

Each row is cross-fitted over the anchors of half A. ``anchors``, ``registers`` and ``classes`` leave out a fifth of the
anchors, a register, a class of change. ``known S`` leaves out a fifth of the anchors and reads what is left out with a
share S of the phrases of profiles, drawn by a digest: lists that were made with half A in view know its phrases, and
know fewer of another writer's. Weights and the band of abstention are of the full lists, as in use.
"""

# ruff: noqa: SLF001 - it takes the gate apart on purpose

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING

import numpy as np

from denotary.instruments.similarity.configurations import named
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.operating import balanced_accuracy
from denotary.instruments.similarity.repairs import polarity
from denotary.instruments.similarity.repairs.linear import sigmoid
from denotary.instruments.similarity.repairs.signs import order
from denotary.statistics.auroc import stratified_auroc
from denotary.text.profiles import lists, profile

if TYPE_CHECKING:
    from collections.abc import Callable

    from denotary.instruments.similarity.pairs import Pairs
    from denotary.statistics.checks import BoolArray, FloatArray, IntArray

    Labels = Callable[[str], dict[tuple[str, ...], str]]

KNOWN = ("0.6", "0.4")


def knowing(share: float, of: Labels) -> Labels:
    """Return the lists with a share of their phrases."""
    kept: dict[str, dict[tuple[str, ...], str]] = {}

    def labels(table: str) -> dict[tuple[str, ...], str]:
        if table not in kept:
            kept[table] = {
                words: label
                for words, label in of(table).items()
                if zlib.crc32(f"{table} {' '.join(words)}".encode()) % 1000 < 1000 * share
            }
        return kept[table]

    return labels


def row(name: str, pairs: Pairs, odds: FloatArray, unclear: BoolArray, band: float) -> str:
    """Return a row of the table."""
    told = (np.abs(odds) >= band) & ~(unclear & (odds > 0))
    scores = np.where(told, sigmoid(odds), 0.5)
    found = []
    for at in (np.ones(len(odds), dtype=np.bool_), pairs.close, ~pairs.close):
        values = stratified_auroc(scores[at], pairs.same[at], pairs.stratum[at])
        weights = np.bincount(pairs.stratum[at], minlength=len(values)) * ~np.isnan(values)
        found.append(f"{np.average(np.nan_to_num(values), weights=weights):.3f}")
    accuracy = balanced_accuracy(odds[told] > 0, pairs.same[told])
    return f"| {name} | {' | '.join(found)} | {accuracy:.3f} | {told.mean():.3f} |"


def crossed(fitted: polarity._Pairs, read: polarity._Pairs, same: BoolArray, folds: IntArray) -> FloatArray:
    """Return the log-odds of pairs as they are read, by models that were fitted on the other folds."""
    odds = np.zeros(len(same))
    for fold in np.unique(folds):
        here = folds == fold
        odds[here] = polarity._odds(polarity._weights(fitted, same, ~here), read)[here]
    return odds


def classes(pairs: Pairs, odds: FloatArray, unclear: BoolArray, band: float) -> None:
    """Print what is caught and approved by class and pole."""
    told = (np.abs(odds) >= band) & ~(unclear & (odds > 0))
    print(
        "\n| class | pole | caught | approved | same kept | same refused |\n| --- | --- | --- | --- | --- | --- |"
    )
    for mutation in pairs.values("mutation"):
        for pole, near in (("close", pairs.close), ("distant", ~pairs.close)):
            at = pairs.of(mutation=mutation) & near
            counts = [
                int((at & told & (pairs.same == same) & ((odds > 0) == approved)).sum())
                for same, approved in ((False, False), (False, True), (True, True), (True, False))
            ]
            total = int((at & pairs.same).sum())
            print(f"| {mutation} | {pole} | {' | '.join(f'{count}/{total}' for count in counts)} |")


def main(known: tuple[str, ...]) -> None:
    """Print the tables."""
    half = load_corpus().half("A")
    pairs, same, gate = half.pairs, half.pairs.same, polarity.Polarity(named("minilm"))
    first, second = list(pairs.first), list(pairs.second)
    full, every = gate._read(first, second), lists.labels
    anchors = pairs.codes % gate.folds
    odds = crossed(full, full, same, anchors)
    band = polarity._band(odds, same)
    print(
        "| left out | AUROC | close | distant | balanced accuracy | decided |\n| --- | --- | --- | --- | --- | --- |"
    )
    print(row("anchors", pairs, odds, full.unclear, band), flush=True)
    for name, field in (("registers", "register"), ("classes", "mutation")):
        folds = sum(at * pairs.of(**{field: value}) for at, value in enumerate(pairs.values(field)))
        found = crossed(full, full, same, np.asarray(folds))
        print(row(name, pairs, found, full.unclear, band), flush=True)
    for share in known:
        lists.labels = knowing(float(share), every)  # type: ignore[assignment]
        profile.cache_clear()
        order.cache_clear()
        less = gate._read(first, second)
        found = crossed(full, less, same, anchors)
        print(row(f"anchors, known {share}", pairs, found, less.unclear, band), flush=True)
    classes(pairs, odds, full.unclear, band)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or KNOWN)
