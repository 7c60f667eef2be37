from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, permutation_test
from sklearn.metrics import roc_auc_score

from denotary.errors import InputError
from denotary.statistics import auroc
from denotary.statistics.bootstrap import State

cases = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.9]), st.booleans()), min_size=2, max_size=30)


def comparisons(scores: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """1 where the positive wins, 1/2 for a tie."""
    high, low = scores[positive], scores[~positive]
    wins: np.ndarray = np.greater.outer(high, low) + 0.5 * np.equal.outer(high, low)
    return wins


def delong_variance(scores: np.ndarray, positive: np.ndarray) -> float:
    """From the full comparison matrix."""
    wins = comparisons(scores, positive)
    m, n = wins.shape
    return float(wins.mean(axis=1).var(ddof=1) / m + wins.mean(axis=0).var(ddof=1) / n)


@given(cases)
def test_agrees_with_sklearn_and_the_comparison_matrix(rows: list[tuple[float, bool]]) -> None:
    scores = np.array([row[0] for row in rows])
    positive = np.array([row[1] for row in rows])
    got = auroc.auroc(scores, positive)
    assert (got.positives, got.negatives) == (positive.sum(), (~positive).sum())
    if min(got.positives, got.negatives) == 0:
        assert math.isnan(got.value)
        return
    assert got.value == pytest.approx(roc_auc_score(positive, scores))
    if min(got.positives, got.negatives) > 1:
        assert got.variance == pytest.approx(delong_variance(scores, positive), abs=1e-14)
    else:
        assert math.isnan(got.variance)


def test_interval_collapses_to_nothing_rather_than_to_zero_width() -> None:
    assert np.isnan(auroc.delong_interval(auroc.auroc([1, 2, 3, 4], [0, 0, 1, 1]))).all()
    rng = np.random.default_rng(0)
    positive = rng.random(400) < 0.5
    found = auroc.auroc(rng.normal(size=400) + positive, positive)
    low, high = auroc.delong_interval(found)
    assert high - low == pytest.approx(2 * 1.959963984540054 * math.sqrt(found.variance))


@pytest.mark.slow
def test_delong_variance_is_that_of_repeated_sampling() -> None:
    rng = np.random.default_rng(1)
    positive = np.arange(200) < 80
    found = [auroc.auroc(rng.normal(size=200) + 0.8 * positive, positive) for _ in range(3_000)]
    assert np.mean([f.variance for f in found]) == pytest.approx(np.var([f.value for f in found]), rel=0.1)


def test_strata_are_the_same_as_one_at_a_time() -> None:
    rng = np.random.default_rng(2)
    stratum = rng.integers(0, 12, size=600)
    scores = rng.integers(0, 15, size=600) / 7
    positive = rng.random(600) < 0.3
    positive[stratum == 5] = True
    got = auroc.stratified_auroc(scores, positive, stratum, 14)
    for code in range(14):
        mask = stratum == code
        if mask.any() and 0 < positive[mask].sum() < mask.sum():
            assert got[code] == pytest.approx(roc_auc_score(positive[mask], scores[mask]))
        else:
            assert np.isnan(got[code])
    assert auroc.stratified_auroc([], [], []).size == 0


def doubled_wins(positive: np.ndarray, negative: np.ndarray, flips: tuple[int, ...]) -> int:
    """Twice the wins after exchanging the scores of the flipped anchors, over all strata: a whole number."""
    s = np.array(flips, dtype=bool)
    total = 0
    for h, v in zip(positive, negative, strict=True):
        high, low = np.where(s, v, h), np.where(s, h, v)
        total += int((2 * (high[:, None] > low) + (high[:, None] == low)).sum())
    return total


def flipped(positive: np.ndarray, negative: np.ndarray, flips: tuple[int, ...]) -> float:
    """AUROC after exchanging the scores of the flipped anchors, averaged over strata."""
    return doubled_wins(positive, negative, flips) / float(2 * positive.size * positive.shape[1])


@pytest.mark.parametrize(("strata", "anchors"), [(1, 6), (3, 5)])
def test_anchor_permutation_by_rebuilding_every_flip(strata: int, anchors: int) -> None:
    rng = np.random.default_rng(strata)
    for _ in range(5):
        high, low = rng.integers(0, 5, size=(2, strata, anchors)).astype(float)
        high = high + 1.0
        got = auroc.anchor_permutation(high, low)
        half = strata * anchors**2
        observed = doubled_wins(high, low, (0,) * anchors)
        reached = sum(
            abs(doubled_wins(high, low, f) - half) >= abs(observed - half)
            for f in itertools.product([0, 1], repeat=anchors)
        )
        assert (got.value, got.p) == (observed / (2 * half), reached / 2**anchors)
        assert (got.exact, got.arrangements) == (True, 2**anchors)


@pytest.mark.parametrize("strata", [1, 2, 3, 7])
def test_arrangements_as_far_as_the_observed_one_are_counted_whatever_the_rounding(strata: int) -> None:
    """Exchanging all anchors mirrors every arrangement, so the count is even; odd strata make thirds and sevenths."""
    rng = np.random.default_rng(strata)
    for anchors in (3, 5, 9):
        high, low = rng.normal(size=(2, strata, anchors))
        reached = auroc.anchor_permutation(high, low).p * 2**anchors
        assert reached % 2 == 0
        assert auroc.anchor_permutation(low, high).p * 2**anchors == reached


def test_anchor_permutation_agrees_with_scipy() -> None:
    rng = np.random.default_rng(8)
    high, low = rng.integers(0, 6, size=(2, 8)) + np.array([[1], [0]])

    def statistic(first: np.ndarray, second: np.ndarray) -> float:
        return float(roc_auc_score(np.repeat([1, 0], 8), np.concatenate([first, second]))) - 0.5

    found = permutation_test((high, low), statistic, permutation_type="samples", n_resamples=np.inf)
    assert auroc.anchor_permutation(high, low).p == pytest.approx(found.pvalue, rel=1e-12)


def test_random_flips_have_the_floor_that_they_can_reach() -> None:
    got = auroc.anchor_permutation(np.arange(100.0) + 1000, np.arange(100.0), flips=999)
    assert got.p == got.floor == 1 / 1000


def test_ten_perfect_anchors_reach_the_floor() -> None:
    """Golden of the research note: 1.953e-3, two-sided."""
    got = auroc.anchor_permutation(np.arange(10) + 20.0, np.arange(10.0))
    assert got.p == got.floor == 0.001953125
    assert got.value == 1.0


def test_random_flips_agree_with_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    high, low = rng.normal(0.5, 1, size=12), rng.normal(size=12)
    exact = auroc.anchor_permutation(high, low)
    monkeypatch.setattr(auroc, "_ENUMERATE", 5)
    drawn = auroc.anchor_permutation(high, low, flips=20_000)
    assert (drawn.exact, drawn.arrangements) == (False, 20_000)
    assert drawn.p == pytest.approx(exact.p, abs=5 * math.sqrt(exact.p / 20_000))
    assert auroc.anchor_permutation(high, low, flips=20_000, seed=0) == drawn
    others = {auroc.anchor_permutation(high, low, flips=20_000, seed=seed).p for seed in (0, 1, 2)}
    assert len(others) == 3
    assert auroc.anchor_permutation(high + 99, low, flips=99, seed=1).p == pytest.approx(1 / 100)


def test_anchor_bootstrap_against_repeating_anchors() -> None:
    rng = np.random.default_rng(5)
    high, low = rng.normal(0.7, 1, size=(2, 12)), rng.normal(size=(2, 12))
    found = auroc.anchor_bootstrap(high, low, resamples=4_000)
    draws = []
    for _ in range(2_000):
        pick = rng.integers(0, 12, size=12)
        draws.append(flipped(high[:, pick], low[:, pick], (0,) * 12))
    low_end, high_end = np.quantile(draws, [0.025, 0.975])
    width = high_end - low_end
    assert found.value == pytest.approx(flipped(high, low, (0,) * 12))
    assert (found.low, found.high) == pytest.approx((low_end, high_end), abs=0.1 * width)
    assert auroc.anchor_bootstrap([2.0, 3.0], [0.0, 1.0], resamples=50).state is State.DEGENERATE


@pytest.mark.parametrize(
    ("m", "n", "floor"), [(10, 10, 1.082508822446903e-05), (8, 8, 1.554001554001554e-04)]
)
def test_golden_permutation_floors(m: int, n: int, floor: float) -> None:
    assert auroc.permutation_floor(m, n) == pytest.approx(floor, rel=1e-13)
    perfect = auroc.exact_permutation(np.arange(m + n), np.arange(m + n) >= m)
    assert perfect.p == pytest.approx(floor, rel=1e-13)
    assert perfect.floor == auroc.permutation_floor(m, n)


@given(st.lists(st.tuples(st.sampled_from([1.0, 2.0, 3.0, 4.0]), st.booleans()), min_size=2, max_size=9))
def test_exact_permutation_by_enumeration(rows: list[tuple[float, bool]]) -> None:
    scores = np.array([row[0] for row in rows])
    positive = np.array([row[1] for row in rows])
    m = int(positive.sum())
    if not 0 < m < len(rows):
        return
    observed = comparisons(scores, positive).mean()
    values = []
    for chosen in itertools.combinations(range(len(rows)), m):
        mask = np.isin(np.arange(len(rows)), chosen)
        values.append(comparisons(scores, mask).mean())
    expected = np.mean(np.abs(np.array(values) - 0.5) >= abs(observed - 0.5) - 1e-12)
    got = auroc.exact_permutation(scores, positive)
    assert got.p == pytest.approx(expected)
    assert got.value == pytest.approx(observed)


def test_exact_permutation_without_ties_agrees_with_scipy() -> None:
    rng = np.random.default_rng(6)
    scores, positive = rng.normal(size=40), np.arange(40) < 15
    scores[positive] += 0.7
    expected = mannwhitneyu(scores[positive], scores[~positive], method="exact").pvalue
    assert auroc.exact_permutation(scores, positive).p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: auroc.auroc([np.nan], [1]), "finite"),
        (lambda: auroc.auroc([1.0], [1, 0]), "differ in length"),
        (lambda: auroc.stratified_auroc([1.0], [1], [-1]), "stratum"),
        (
            lambda: auroc.stratified_auroc([1.0], [1], [0, 0]),
            "^columns differ in length: scores 1, stratum 2$",
        ),
        (lambda: auroc.anchor_permutation([1.0], [1.0, 2.0]), "expected one shape"),
        (lambda: auroc.anchor_bootstrap([], []), "expected one shape"),
        (lambda: auroc.exact_permutation([1.0, 2.0], [1, 1]), "needs both kinds"),
        (lambda: auroc.exact_permutation(np.arange(201), np.arange(201) % 2), "at most 200"),
        (lambda: auroc.permutation_floor(-1, 2), "positives"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]
