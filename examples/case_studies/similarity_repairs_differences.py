"""Differences between frozen repairs on the same pairs, with intervals that resample units: after the run, not planned.

    python similarity_repairs_differences.py CACHE        # CACHE of similarity_repairs.py, with half A fitted

AUROC is that of the report: within overlap strata, abstentions at 0.5, failures at the wrong end. Both repairs of a
difference are resampled together, 1,000 times by a seed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from similarity_repairs import judge

from denotary.instruments.similarity.repairs.fitting import load_frozen
from denotary.instruments.similarity.repairs.judging import open_corpus
from denotary.instruments.similarity.repairs.records import PlannedCorpus
from denotary.statistics.auroc import stratified_auroc

if TYPE_CHECKING:
    from denotary.instruments.similarity.pairs import Pairs

CORPORA = {"half B": ("shipped", "B"), "negation_nli": ("negation-nli:$DENOTARY_DATA/negation_nli", "")}
DIFFERENCES = (("polarity", "encoder"), ("polarity-judge", "judge"), ("polarity-judge", "polarity"))
RESAMPLES = 1_000


def auroc(order: np.ndarray, pairs: Pairs, rows: np.ndarray) -> float:
    """Return the mean over the strata of some rows, weighted by their pairs."""
    stratum = pairs.stratum[rows]
    values = stratified_auroc(order[rows], pairs.same[rows], stratum)
    weights = np.bincount(stratum, minlength=len(values)) * ~np.isnan(values)
    return float(np.average(np.nan_to_num(values), weights=weights))


def differences(pairs: Pairs, orders: dict[str, np.ndarray], chosen: np.ndarray) -> None:
    """Print each difference on the chosen pairs with its 95 % interval over units."""
    unit = np.unique(pairs.codes[chosen], return_inverse=True)[1]
    by_unit = np.split(chosen[np.argsort(unit, kind="stable")], np.cumsum(np.bincount(unit))[:-1])
    rng = np.random.Generator(np.random.Philox(0))
    drawn: list[dict[str, float]] = []
    for _ in range(RESAMPLES):
        rows = np.concatenate([by_unit[at] for at in rng.integers(0, len(by_unit), len(by_unit))])
        drawn.append({name: auroc(order, pairs, rows) for name, order in orders.items()})
    for one, other in DIFFERENCES:
        seen = auroc(orders[one], pairs, chosen) - auroc(orders[other], pairs, chosen)
        low, high = np.quantile([draw[one] - draw[other] for draw in drawn], [0.025, 0.975])
        print(f"  {one} less {other}: {seen:+.3f} [{low:+.3f}, {high:+.3f}]", flush=True)


def main(cache: Path) -> None:
    """Print the differences on half B and on the other authors' pairs, all and close ones."""
    heard = judge(cache)
    voice = heard[0] if heard else None
    names = dict.fromkeys(name for pair in DIFFERENCES for name in pair)
    frozen = {name: load_frozen(cache / f"A-{name}.json", judge=voice) for name in names}
    for corpus, (source, half) in CORPORA.items():
        planned = PlannedCorpus(name=corpus, source=source, half=half, role="other author")
        pairs = open_corpus(planned).pairs
        said = {name: one.score(list(pairs.first), list(pairs.second)) for name, one in frozen.items()}
        wrong = np.where(pairs.same, 0.0, 1.0)
        orders = {name: np.where(found.failed, wrong, found.scores) for name, found in said.items()}
        for where, chosen in (("all", np.arange(len(pairs))), ("close", np.flatnonzero(pairs.close))):
            print(f"{corpus}, {where} pairs")
            differences(pairs, orders, chosen)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
