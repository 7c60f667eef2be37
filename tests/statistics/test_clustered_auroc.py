"""Stratified AUROC with resampled anchors against scikit-learn, the paired form, and closed forms."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from denotary.errors import InputError
from denotary.statistics import clustered_auroc
from denotary.statistics.auroc import anchor_bootstrap
from denotary.statistics.clustered_auroc import separation, separation_difference


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
    other = anchor_bootstrap(high, low, resamples=resamples)
    found = separation(
        np.concatenate([high.ravel(), low.ravel()]),
        np.repeat([True, False], 80),
        np.tile(np.repeat([0, 1], 40), 2),
        np.tile(np.arange(40), 4),
        resamples=resamples,
    )
    # Both draw on their own. A quantile at q has standard error sqrt(q (1 - q) / B) / f; f is that of a normal law
    # with the spread that the interval shows. Four of them, for a difference of two.
    spread = (other.high - other.low) / (2 * norm.ppf(0.975))
    error = np.sqrt(2 * 0.025 * 0.975 / resamples) / (norm.pdf(norm.ppf(0.975)) / spread)
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
    ends = np.nanquantile(draws, [0.025, 0.975])
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
    assert "30 disjoint pairs" in found.method


def test_interval_covers() -> None:
    rng = np.random.default_rng(3)
    truth, hits = 0.7602499389065233, 0  # P(N(1, 1) > N(0, 1))
    for _ in range(200):
        shared = rng.normal(0, 0.0, 40)
        scores = np.concatenate([rng.normal(1, 1, 40) + shared, rng.normal(0, 1, 40) + shared])
        found = separation(
            scores, np.repeat([True, False], 40), np.zeros(80, int), np.tile(np.arange(40), 2), resamples=500
        )
        hits += found.low <= truth <= found.high
    assert 0.89 <= hits / 200 <= 0.99


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
    low, high = np.quantile(drawn, [0.025, 0.975])
    error = np.sqrt(2 * 0.025 * 0.975 / resamples) / (norm.pdf(norm.ppf(0.975)) / np.std(drawn))
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
