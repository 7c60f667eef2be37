"""Stratified AUROC with resampled anchors against scikit-learn, the paired form, and closed forms."""

import itertools

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.stats import norm, t
from sklearn.metrics import roc_auc_score

from denotary.errors import InputError
from denotary.statistics import clustered_auroc
from denotary.statistics.auroc import anchor_bootstrap
from denotary.statistics.clustered_auroc import Separation, separation, separation_difference


def expanded(anchors: int) -> float:
    """Return the tail that the percentiles of a two-sided 95 % interval leave, by the anchors of the rarer kind."""
    return float(norm.cdf(np.sqrt(anchors / (anchors - 1)) * t.ppf(0.025, anchors - 1)))


def test_value_is_the_size_weighted_mean_of_the_strata() -> None:
    rng = np.random.default_rng(1)
    stratum = rng.integers(0, 3, 200)
    positive = rng.random(200) < 0.4
    scores = rng.integers(0, 9, 200).astype(float) + positive
    found = separation(scores, positive, stratum, np.arange(200), resamples=50)
    parts = [roc_auc_score(positive[stratum == s], scores[stratum == s]) for s in range(3)]
    assert found.by_stratum == pytest.approx(parts)
    assert found.value == pytest.approx(np.average(parts, weights=np.bincount(stratum)))
    assert found.anchors == found.cases == 200


def test_a_stratum_of_one_kind_is_left_out() -> None:
    found = separation([1, 0, 5, 6], [True, False, True, True], [0, 0, 1, 1], [0, 1, 2, 3], resamples=50)
    assert found.value == 1.0
    assert np.isnan(found.by_stratum[1])
    assert (found.cases, found.anchors) == (2, 2)


def test_paired_design_gives_the_interval_of_the_quadratic_form() -> None:
    rng = np.random.default_rng(2)
    high, low = rng.normal(0.6, 1, (2, 40)), rng.normal(0, 1, (2, 40))
    resamples = 40_000
    tail = expanded(40)
    other = anchor_bootstrap(high, low, resamples=resamples, confidence=1 - 2 * tail)
    found = separation(
        np.concatenate([high.ravel(), low.ravel()]),
        np.repeat([True, False], 80),
        np.tile(np.repeat([0, 1], 40), 2),
        np.tile(np.arange(40), 4),
        resamples=resamples,
    )
    # Both draw on their own. A quantile at q has standard error sqrt(q (1 - q) / B) / f; f is that of a normal law
    # with the spread that the interval shows. Four of them, for a difference of two.
    spread = (other.high - other.low) / (2 * norm.ppf(1 - tail))
    error = np.sqrt(2 * tail * (1 - tail) / resamples) / (norm.pdf(norm.ppf(tail)) / spread)
    assert found.value == pytest.approx(other.value, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=4 * error)


def test_interval_is_that_of_every_resample_rebuilt_case_by_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties, anchors with several cases of a kind or none, resamples without a kind, more of them than go at once."""
    rng = np.random.default_rng(7)
    stratum, anchor = rng.integers(0, 2, 20), np.append(np.arange(6), rng.integers(0, 6, 14))
    positive = rng.random(20) < 0.4
    scores = rng.integers(0, 5, 20) + positive.astype(float)
    weight = np.bincount(stratum) / 20
    times = np.random.Generator(np.random.Philox(3)).multinomial(6, np.full(6, 1 / 6), size=600)

    def auroc(drawn: np.ndarray) -> float:
        if len({*positive[drawn > 0]}) < 2:
            return np.nan
        return float(roc_auc_score(positive[drawn > 0], scores[drawn > 0], sample_weight=drawn[drawn > 0]))

    draws = np.array(
        [sum(w * auroc(drawn[anchor] * (stratum == s)) for s, w in enumerate(weight)) for drawn in times]
    )
    assert 0 < np.isnan(draws).sum() < 100
    # Within a stratum two comparisons have no anchor in common.
    tail = expanded(min(len(set(anchor[positive])), len(set(anchor[~positive]))))
    reach = 0.025 ** (1 / 2)
    ends = np.nanquantile(draws, [tail, 1 - tail])
    ends = min(ends[0], reach), max(ends[1], 1 - reach)
    for kept in (2**23, 0):
        monkeypatch.setattr(clustered_auroc, "_KEPT_CELLS", kept)
        for _ in range(2):
            found = separation(scores, positive, stratum, anchor, resamples=600, seed=3)
            assert (found.low, found.high) == pytest.approx(tuple(ends), abs=1e-12)


@pytest.mark.parametrize("won", [True, False])
def test_without_a_miss_the_interval_is_that_of_disjoint_pairs(won: bool) -> None:
    positive = np.repeat([won, not won], 60)
    found = separation(np.repeat([1.0, 0.0], 60), positive, np.zeros(120, int), np.tile(np.arange(60), 2))
    reach = 0.025 ** (1 / 30)
    assert (found.low, found.high) == pytest.approx((reach, 1.0) if won else (0.0, 1 - reach))
    assert "30 disjoint comparisons" in found.method


def together(scores: ArrayLike, positive: ArrayLike, stratum: ArrayLike, anchor: ArrayLike) -> Separation:
    return separation(scores, positive, stratum, anchor, resamples=300)


def test_without_a_miss_the_rarer_kind_says_how_many_comparisons_there_are() -> None:
    positive = np.arange(100) < 3
    found = together(positive.astype(float), positive, np.zeros(100, int), np.arange(100))
    assert (found.low, found.high) == pytest.approx((0.025 ** (1 / 3), 1.0))


@pytest.mark.parametrize(("positives", "negatives"), [(40, 40), (5, 200)])
def test_a_lost_comparison_never_makes_the_lower_end_higher(positives: int, negatives: int) -> None:
    positive = np.arange(positives + negatives) < positives
    design = positive, np.zeros(len(positive), int), np.arange(len(positive))
    ends = []
    for lost in (0, 1, 2, 5, 20, 100):
        scores = positive.astype(float)
        # The lowest positive lies below so many of the negatives.
        scores[0] = 0.5
        scores[positives : positives + lost] = 0.6
        ends.append((together(scores, *design).low, -together(-scores, *design).high))
    assert ends == sorted(ends, reverse=True)
    assert ends[0][0] == pytest.approx(0.025 ** (1 / positives))


def most_disjoint(kinds: list[tuple[bool, bool]]) -> int:
    """Return the largest number of comparisons without a common anchor, by trying all: (has positive, has negative)."""
    if not kinds:
        return 0
    (ahead, behind), rest = kinds[0], kinds[1:]
    found = most_disjoint(rest)
    for at, (other_ahead, other_behind) in enumerate(rest):
        if (ahead and other_behind) or (behind and other_ahead):
            found = max(found, 1 + most_disjoint(rest[:at] + rest[at + 1 :]))
    return found


def test_disjoint_comparisons_are_as_many_as_there_can_be() -> None:
    kinds = [(True, True), (True, False), (False, True)]
    for pick in itertools.product(range(4), repeat=3):
        held = [kind for kind, times in zip(kinds, pick, strict=True) for _ in range(times)]
        rows = [(at, side) for at, kind in enumerate(held) for side in (True, False) if kind[not side]]
        anchor = np.array([at for at, _ in rows], dtype=int)
        positive = np.array([side for _, side in rows], dtype=bool)
        most = most_disjoint(held)
        if not most or len(held) < 2:
            continue
        found = together(positive.astype(float), positive, np.zeros(len(rows), int), anchor)
        assert found.low == pytest.approx(0.025 ** (1 / most)), held


def test_a_small_stratum_takes_little_from_what_the_others_say() -> None:
    positive = np.tile([True, False], 101)
    stratum = (np.arange(202) >= 200).astype(int)
    found = together(positive.astype(float), positive, stratum, np.arange(202))
    assert found.low == pytest.approx(200 / 202 * 0.025 ** (1 / 100))


@pytest.mark.parametrize("anchors", [10, 30, 300])
@pytest.mark.parametrize("truth", [0.7, 0.97, 0.99])
def test_each_end_covers(truth: float, anchors: int) -> None:
    """Half of the variance is common to an anchor's cases of a stratum; an end may miss 1.5 times 2.5 %."""
    rng = np.random.default_rng([anchors, round(100 * truth)])
    repeats, beyond = 200, np.zeros(2)
    design = np.repeat([True, False], 2 * anchors), np.tile(np.repeat([0, 1], anchors), 2)
    widths = []
    for _ in range(repeats):
        shared = np.tile(rng.normal(0, np.sqrt(0.5), 2 * anchors), 2)
        scores = shared + rng.normal(0, np.sqrt(0.5), 4 * anchors) + design[0] * np.sqrt(2) * norm.ppf(truth)
        found = together(scores, *design, np.tile(np.arange(anchors), 4))
        beyond += found.low > truth, found.high < truth
        widths.append(found.high - found.low)
    allowed = 1.5 * 0.025
    assert (beyond / repeats <= allowed + 3 * np.sqrt(allowed * (1 - allowed) / repeats)).all()
    if anchors == 300 and truth == 0.7:
        assert beyond.sum() > 0
        assert np.mean(widths) < 0.05  # as wide as a normal law of the estimate makes it, 0.046


def test_nothing_to_compare_has_no_value() -> None:
    found = separation([1.0, 2.0], [True, True], [0, 0], [0, 1])
    assert np.isnan(found.value)
    assert found.method == ""


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError):
        separation([1.0, 2.0], [True, False], [0, 0], [0])


def test_a_difference_is_that_of_anchors_repeated_one_by_one() -> None:
    rng = np.random.default_rng(4)
    anchor, stratum = np.repeat(np.arange(30), 4), np.tile([0, 0, 1, 1], 30)
    positive = np.tile([True, False], 60)
    shared = rng.normal(0, 1, 120) + positive
    one, other = shared + rng.normal(0, 0.5, 120), shared + rng.normal(0, 1.5, 120)
    resamples = 4_000

    def auroc(scores: np.ndarray, rows: np.ndarray) -> float:
        # Both strata have as many cases in every resample, since every anchor has two of each.
        parts = [rows[stratum[rows] == s] for s in (0, 1)]
        return float(np.mean([roc_auc_score(positive[part], scores[part]) for part in parts]))

    drawn = []
    for _ in range(resamples):
        rows = (4 * rng.integers(0, 30, 30)[:, None] + np.arange(4)).ravel()
        drawn.append(auroc(one, rows) - auroc(other, rows))
    found = separation_difference(one, other, positive, stratum, anchor, resamples=resamples)
    tail = expanded(30)
    low, high = np.quantile(drawn, [tail, 1 - tail])
    error = np.sqrt(2 * tail * (1 - tail) / resamples) / (norm.pdf(norm.ppf(tail)) / np.std(drawn))
    every = np.arange(120)
    assert found.value == pytest.approx(auroc(one, every) - auroc(other, every))
    assert (found.low, found.high) == pytest.approx((low, high), abs=4 * error)
    assert (found.anchors, found.cases) == (30, 120)
    # Pairing is what makes it narrow: two intervals of their own would be this wide.
    first, second = (
        separation(scores, positive, stratum, anchor, resamples=resamples) for scores in (one, other)
    )
    assert found.high - found.low < 0.8 * np.hypot(first.high - first.low, second.high - second.low)


def test_a_difference_turns_its_sign_with_its_sides_and_has_no_interval_where_nothing_differs() -> None:
    rng = np.random.default_rng(5)
    design = np.tile([True, False], 20), np.zeros(40, int), np.repeat(np.arange(20), 2)
    one, other = rng.normal(0, 1, (2, 40)) + design[0]
    there, back = (separation_difference(*of, *design, resamples=200) for of in ((one, other), (other, one)))
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low))
    alike = separation_difference(one, 3 * one + 1, *design, resamples=200)
    assert alike.value == 0.0
    assert np.isnan([alike.low, alike.high]).all()
    nothing = separation_difference([1.0, 2.0], [2.0, 1.0], [True, True], [0, 0], [0, 1])
    assert np.isnan(nothing.value)
    assert nothing.anchors == 0


def test_interval_of_a_difference_covers() -> None:
    rng = np.random.default_rng(6)
    # P(N(1, 1) > N(0, 1)) less one half: the other score is noise.
    truth, hits = 0.2602499389065233, 0
    for _ in range(200):
        positive = np.repeat([True, False], 40)
        one, other = rng.normal(0, 1, 80) + positive, rng.normal(0, 1, 80)
        found = separation_difference(
            one, other, positive, np.zeros(80, int), np.tile(np.arange(40), 2), resamples=500
        )
        hits += found.low <= truth <= found.high
    assert 0.89 <= hits / 200 <= 0.99
