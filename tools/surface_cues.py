"""Can the disposition of a case be guessed without reading it? A cue-only audit of identity suites.

python tools/surface_cues.py                          # audits bundled:first-thousand
python tools/surface_cues.py FOLDER --margin 0.10     # exit code 1 if a bound exceeds chance + margin

A guesser sees four sorts of cue and no word that means anything: length, negation words, punctuation marks,
language and script. It is trained on some units (semantic families) and judged on others, so it cannot
remember a text. The figure is balanced accuracy, the mean of the recalls of the classes, whose chance level
is one over their number whatever the class sizes. Of several guessers the best counts. Its upper bound is the
one-sided 95 % percentile of a bootstrap that draws units, over predictions made on units not trained on.

INVALID_INPUT is left out, since it is the surface that makes an input invalid, and EXACT_MISS, since it
claims nothing about meaning. Needs scikit-learn (dependency group ``oracles``).
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from denotary.instruments.identity.cases import IdentityCase
from denotary.suites import load_suite
from denotary.text.negation import negations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from denotary.suites import Suite

MEANINGS = ("SINGLE", "AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED")
FOLDS = 5
RESAMPLES = 4000
LEVEL = 0.95
RARE = 5
"""A language with fewer cases than this has no column of its own."""
TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
MARKS: dict[str, str] = TABLES["marks"]


@dataclass(frozen=True, slots=True)
class Sample:
    """What the guesser is given.

    Attributes:
        texts: the inputs.
        languages: subtag and script of each.
        classes: the disposition, or assign against refuse.
        units: the independent unit of each case.
    """

    texts: tuple[str, ...]
    languages: tuple[str, ...]
    classes: NDArray[np.str_]
    units: NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Finding:
    """Balanced accuracy in [0, 1] of one guesser on one set of cues, with its upper bound."""

    guesser: str
    cues: str
    value: float
    upper: float
    recalls: Mapping[str, float]


def sample(suite: Suite, *, two_way: bool, exact: bool) -> Sample:
    """Return the cases of a suite that have a meaning to guess.

    Args:
        suite: an identity suite.
        two_way: assign against refuse, instead of the five dispositions.
        exact: whether the reviewed expressions themselves are among the cases.
    """
    rows = [
        (case.input.text, f"{case.language_slice}-{case.input.script}", case.gold.disposition, unit)
        for case, unit in zip(suite.cases, suite.units, strict=True)
        if isinstance(case, IdentityCase)
        and case.input.text is not None
        and case.gold.disposition in MEANINGS
        and (exact or case.construction.primary_family != "reviewed_exact")
    ]
    texts, languages, gold, units = zip(*rows, strict=True)
    classes = [("assign" if name == "SINGLE" else "refuse") if two_way else name for name in gold]
    return Sample(texts, languages, np.array(classes), np.array(units))


def lengths(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return characters, words, their logarithms and the mean word length, one row a text."""
    rows = []
    for text in texts:
        words = text.split()
        rows.append((len(text), len(words), np.log(len(text)), np.log(len(words)), len(text) / len(words)))
    return np.array(rows, dtype=np.float64)


def negation_cues(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the number of negation words, and whether there is one."""
    counts = np.array([_negation_words(text) for text in texts], dtype=np.float64)
    return np.column_stack((counts, counts > 0))


def _negation_words(text: str) -> int:
    folded, known = text.casefold(), negations()
    whole = sum(word in known.all for word in re.findall(r"\w+", folded))
    return whole + sum(folded.count(part) for part in known.parts)


def punctuation(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return how often each sort of mark occurs, whether it does, and whether the text ends in a stop."""
    counts = np.array(
        [[sum(map(text.count, marks)) for marks in MARKS.values()] for text in texts], dtype=np.float64
    )
    ends = np.array([text.rstrip()[-1:] in ".。।" for text in texts], dtype=np.float64)
    return np.column_stack((counts, counts > 0, ends))


def languages(names: Sequence[str]) -> NDArray[np.float64]:
    """Return one column a language and script that is common enough, and one for the others."""
    counts = Counter(names)
    common = sorted(name for name, count in counts.items() if count >= RARE)
    return np.array(
        [[name == each for each in common] + [name not in common] for name in names], dtype=np.float64
    )


def cue_sets(found: Sample) -> dict[str, NDArray[np.float64]]:
    """Return every sort of cue by itself, and all of them together."""
    single = {
        "length": lengths(found.texts),
        "negation": negation_cues(found.texts),
        "punctuation": punctuation(found.texts),
        "language": languages(found.languages),
    }
    return {**single, "all cues": np.column_stack(list(single.values()))}


def guessers(seed: int) -> dict[str, Callable[[], Any]]:
    """Return the ways of guessing, each of which weighs the classes alike."""
    return {
        "logistic": lambda: make_pipeline(
            StandardScaler(), LogisticRegression(class_weight="balanced", max_iter=2000, C=0.3)
        ),
        "forest": lambda: RandomForestClassifier(
            n_estimators=100, min_samples_leaf=5, class_weight="balanced_subsample", random_state=seed
        ),
    }


def held_out_hits(
    found: Sample, cues: NDArray[np.float64], guesser: str, repeats: int
) -> NDArray[np.float64]:
    """Return, for each case, the share of repeats in which it was guessed rightly while its unit was held out."""
    hits = np.zeros(len(found.texts))
    for seed in range(repeats):
        folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
        for train, test in folds.split(cues, found.classes, found.units):
            model = guessers(seed)[guesser]().fit(cues[train], found.classes[train])
            hits[test] += model.predict(cues[test]) == found.classes[test]
    return hits / repeats


def judge(found: Sample, cues: str, matrix: NDArray[np.float64], guesser: str, repeats: int) -> Finding:
    """Return the balanced accuracy of a guesser with its upper bound."""
    hits = held_out_hits(found, matrix, guesser, repeats)
    names = sorted(set(found.classes))
    member = np.column_stack([found.classes == name for name in names]).astype(np.float64)
    unit_names, index = np.unique(found.units, return_inverse=True)
    right, size = (np.zeros((len(unit_names), len(names))) for _ in range(2))
    np.add.at(right, index, member * hits[:, None])
    np.add.at(size, index, member)
    recalls = right.sum(0) / size.sum(0)
    drawn = np.random.default_rng(0).multinomial(
        len(unit_names), np.full(len(unit_names), 1 / len(unit_names)), RESAMPLES
    )
    resampled = (drawn @ right / np.maximum(drawn @ size, 1)).mean(1)
    upper = float(np.quantile(resampled, LEVEL))
    return Finding(
        guesser, cues, float(recalls.mean()), upper, dict(zip(names, recalls.tolist(), strict=True))
    )


def audit(found: Sample, repeats: int) -> list[Finding]:
    """Return what each sort of cue achieves by itself, and what every guesser achieves with all of them."""
    sets = cue_sets(found)
    asked = [(name, "forest" if name == "length" else "logistic") for name in sets]
    asked.append(("all cues", "forest"))
    return [judge(found, name, sets[name], guesser, repeats) for name, guesser in asked]


def report(title: str, found: Sample, findings: Sequence[Finding], margin: float) -> bool:
    """Print the findings of one audit and return whether the best guess stays within the margin of chance."""
    chance = 1 / len(set(found.classes))
    counts = ", ".join(f"{name} {count}" for name, count in Counter(found.classes.tolist()).most_common())
    print(f"{title}: {len(found.texts)} cases in {len(set(found.units))} units ({counts})")
    for item in findings:
        recalls = " ".join(f"{name}={value:.2f}" for name, value in item.recalls.items())
        print(
            f"  {item.cues:12} {item.guesser:9} {100 * item.value:5.1f} %  upper {100 * item.upper:5.1f} %   {recalls}"
        )
    best = max(findings, key=lambda item: item.upper)
    within = best.upper <= chance + margin
    print(
        f"  best guess {100 * best.value:.1f} %, one-sided 95 % upper bound {100 * best.upper:.1f} %, chance "
        f"{100 * chance:.1f} %, limit {100 * (chance + margin):.1f} %: {'within' if within else 'EXCEEDED'}"
    )
    return within


def main() -> int:
    """Audit a suite and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("suite", nargs="?", default="bundled:first-thousand")
    parser.add_argument(
        "--margin", type=float, default=0.10, help="allowed distance from chance (default 0.10)"
    )
    parser.add_argument("--repeats", type=int, default=3, help="shuffles of the folds (default 3)")
    options = parser.parse_args()
    suite = load_suite(options.suite)
    results = []
    for two_way in (False, True):
        for exact in (True, False):
            title = "assign or refuse" if two_way else "five dispositions"
            found = sample(suite, two_way=two_way, exact=exact)
            title += "" if exact else ", without the reviewed expressions"
            results.append(report(title, found, audit(found, options.repeats), options.margin))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
