"""What the attacks compute anew: labels corrected for noise, overlap by other measures, fitted scores, verdicts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from denotary.instruments.similarity.operating import balanced_accuracy, best_cutoff
from denotary.instruments.similarity.overlap import overlap, words
from denotary.instruments.similarity.results import AxisRow
from denotary.instruments.similarity.verdict import overall, task_reading
from denotary.statistics.clustered_auroc import Separation, separation
from denotary.text.profiles import profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from denotary.instruments.similarity.pairs import Pairs
    from denotary.instruments.similarity.results import Reading
    from denotary.statistics.checks import BoolArray, FloatArray

RESAMPLES = 2_000
PENALTIES = (0.001, 0.01, 0.1, 1.0)
"""Inverse strengths of the ridge; the one is taken that serves best cross-fitted over anchors of the fitted half."""


def directions(pairs: Pairs) -> Iterator[tuple[str, BoolArray, BoolArray]]:
    """Yield both ways between the halves: a name, where to fit and where to judge."""
    for fit, judge in (("A", "B"), ("B", "A")):
        yield f"{fit} to {judge}", pairs.of(half=fit), pairs.of(half=judge)


def decision(pairs: Pairs, scores: FloatArray, at: BoolArray, resamples: int = RESAMPLES) -> Separation:
    """Return the decision axis of the pairs at a mask: AUROC within strata, anchors resampled."""
    chosen = pairs.where(at)
    return separation(scores[at], chosen.same, chosen.stratum, chosen.codes, resamples=resamples)


def reading(pairs: Pairs, scores: FloatArray, resamples: int = RESAMPLES) -> Reading:
    """Return the verdict that both axes of scores of shape (N,) give.

    Lexical baselines are left out: they can but take a verdict of meaning back, and the claim under attack is that of
    the axes alone.
    """
    said = []
    for task in pairs.values("task"):
        at = pairs.of(task=task)
        chosen, values = pairs.where(at), scores[at]
        found = decision(pairs, scores, at, resamples)
        control = separation(
            values, chosen.close, chosen.same.astype(np.int64), chosen.codes, resamples=resamples
        )
        said.append(task_reading(_row("decision", task, found), _row("lexical", task, control), ()))
    return overall(said)


def _row(axis: str, task: str, found: Separation) -> AxisRow:
    return AxisRow(
        axis, task, found.value, found.anchors, found.cases, low=_known(found.low), high=_known(found.high)
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def corrected(seen: float, wrong: float) -> float:
    """Return the true AUROC behind a seen one where each label is wrong with a chance, whatever the score.

    A pair called same is one with chance 1 - x, and one called opposite is none with the same chance, so that the seen
    AUROC is (1 - x)^2 a + x^2 (1 - a) + 2 x (1 - x) / 2 = 1/2 + (1 - 2x)(a - 1/2), where equal numbers of both kinds
    stand beside each other.

    Args:
        seen: AUROC with the labels as they are.
        wrong: share x of wrong labels, in [0, 0.5).
    """
    return 0.5 + (seen - 0.5) / (1.0 - 2.0 * wrong)


def explaining(seen: float, true: float) -> float:
    """Return the share of wrong labels with which a true AUROC is seen as another: the inverse of ``corrected``."""
    return (1.0 - (seen - 0.5) / (true - 0.5)) / 2.0


def _jaccard(first: set[Any], second: set[Any]) -> float:
    return len(first & second) / len(first | second) if first or second else 1.0


def _grams(text: str, size: int) -> set[Any]:
    joined = f" {' '.join(words(text))} "
    return {joined[at : at + size] for at in range(len(joined) - size + 1)}


def _bigrams(text: str) -> set[Any]:
    run = words(text)
    return set(pairwise(run))


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    before = [0] * (len(second) + 1)
    for word in first:
        row = [0]
        for at, other in enumerate(second):
            row.append(before[at] + 1 if word == other else max(before[at + 1], row[at]))
        before = row
    return before[-1]


def _in_order(first: str, second: str) -> float:
    a, b = words(first), words(second)
    return 2 * common_subsequence(a, b) / max(len(a) + len(b), 1)


def _kept(first: str, second: str) -> float:
    a = set(words(first))
    return len(a & set(words(second))) / max(len(a), 1)


OWN = "words, as the corpus was matched"
MATCHED_TOO = ("content words", "character 3-grams")
OVERLAPS: dict[str, Callable[[str, str], float]] = {
    OWN: overlap,
    "content words": lambda a, b: _jaccard(set(profile(a).content), set(profile(b).content)),
    "pairs of words": lambda a, b: _jaccard(_bigrams(a), _bigrams(b)),
    "character 3-grams": lambda a, b: _jaccard(_grams(a, 3), _grams(b, 3)),
    "character 5-grams": lambda a, b: _jaccard(_grams(a, 5), _grams(b, 5)),
    "words in order": _in_order,
    "anchor's words kept": _kept,
}
"""Measures of how much wording two texts share, each in [0, 1]."""


def measured(name: str, pairs: Pairs) -> FloatArray:
    """Return an overlap of every pair, shape (N,)."""
    score = OVERLAPS[name]
    return np.array([score(a, b) for a, b in zip(pairs.first, pairs.second, strict=True)], dtype=np.float64)


def within(pairs: Pairs, values: Sequence[FloatArray], reach: float) -> BoolArray:
    """Return the pairs of anchors at which no value differs by more than ``reach`` between decisions in a stratum."""
    kept = np.ones(len(pairs), dtype=np.bool_)
    codes = pairs.codes
    for value in values:
        for pole in (pairs.close, ~pairs.close):
            sign = np.where(pairs.same, 1.0, -1.0) * pole
            lean = np.bincount(codes, sign * value)
            kept &= (np.abs(lean) <= reach + 1e-12)[codes]
    return kept


MARKS = re.compile(r"[^\w\s]")


def lengths(pairs: Pairs) -> FloatArray:
    """Return seven counts of the second text less those of the first, shape (N, 7)."""

    def counts(text: str) -> list[int]:
        run = words(text)
        return [
            len(text),
            len(run),
            sum(letter.isdigit() for letter in text),
            sum(letter.isupper() for letter in text),
            text.count(","),
            len(MARKS.findall(text)),
            max(map(len, run), default=0),
        ]

    return np.array(
        [np.subtract(counts(b), counts(a)) for a, b in zip(pairs.first, pairs.second, strict=True)],
        dtype=np.float64,
    )


def held_out(
    pairs: Pairs, features: Callable[[BoolArray], Any], *, scaled: bool
) -> Iterator[tuple[str, Separation]]:
    """Yield the decision axis, by direction and task, of a ridge logistic regression that was fitted on the other half.

    Args:
        pairs: shape (N,).
        features: where it is fitted to numbers of shape (N, F), dense or sparse.
        scaled: whether each number is brought to unit variance first.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, GroupKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    for label, fit, judge in directions(pairs):
        steps = [StandardScaler(with_mean=False)] if scaled else []
        made = make_pipeline(*steps, LogisticRegression(max_iter=2_000))
        search = GridSearchCV(
            made, {"logisticregression__C": PENALTIES}, scoring="roc_auc", cv=GroupKFold(n_splits=5)
        )
        rows = features(fit)
        search.fit(rows[fit], pairs.same[fit], groups=pairs.codes[fit])
        odds = search.decision_function(rows)
        for task in pairs.values("task"):
            yield f"{task}, {label}", decision(pairs, odds, judge & pairs.of(task=task))


def second_texts(pairs: Pairs, fit: BoolArray) -> Any:
    """Return which words and pairs of words of the fitted half each second text holds, sparse, shape (N, F)."""
    from sklearn.feature_extraction.text import CountVectorizer

    made = CountVectorizer(analyzer=_one_and_two, binary=True, min_df=3)
    made.fit(pairs.second[fit])
    return made.transform(pairs.second)


def _one_and_two(text: str) -> list[str]:
    run = words(text)
    return [*run, *(" ".join(two) for two in pairwise(run))]


def centred(u: FloatArray, v: FloatArray, basis: FloatArray, directions: int) -> FloatArray:
    """Return cosines after the mean of a basis and its first principal directions are taken from both sides.

    Mu and Viswanath, All-but-the-Top (2018).

    Args:
        u: vectors of the first texts, shape (N, D).
        v: of the second ones.
        basis: vectors that mean and directions are of, shape (M, D).
        directions: how many; 0 takes the mean alone.
    """
    mean = basis.mean(axis=0)
    axes: NDArray[np.float64] = np.linalg.eigh(np.cov((basis - mean).T))[1][:, ::-1][:, :directions]
    left, right = ((side - mean) - (side - mean) @ axes @ axes.T for side in (u, v))
    norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    cosines: FloatArray = np.einsum("nd,nd->n", left, right) / norms
    return cosines


def chosen_cutoff(
    scores: FloatArray, same: BoolArray, fit: BoolArray, judge: BoolArray
) -> tuple[float, float]:
    """Return the balanced accuracy of the best cutoff, either way up, where it was chosen and elsewhere."""
    best = max(
        ((*best_cutoff(sign * scores[fit], same[fit])[::-1], sign) for sign in (1.0, -1.0)),
        key=lambda one: one[0],
    )
    inside, cutoff, sign = best
    return inside, balanced_accuracy(sign * scores[judge] >= cutoff, same[judge])


def published(page: str, verdict: str) -> Iterator[tuple[str, float]]:
    """Yield the upper ends of the decision axis of all configurations with a verdict, from the table of both axes."""
    name, said = "", ""
    for line in page.partition("## Both axes")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        ends = re.match(r"[\d.]+ \[[\d.]+, ([\d.]+)\]", cells[2]) if len(cells) > 3 else None  # noqa: PLR2004
        if ends is None:
            continue
        name, said = cells[0] or name, cells[-1] or said
        if said == verdict:
            yield f"{name}, {cells[1]}", float(ends[1])


def shown(found: Separation) -> str:
    """Return an AUROC with its interval."""
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def spread(values: FloatArray) -> str:
    """Return median, 99th percentile and maximum."""
    return ", ".join(f"{np.quantile(values, share):.2f}" for share in (0.5, 0.99, 1.0))
