"""Stratified AUROC with resampled anchors against scikit-learn, the paired form, and closed forms."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from denotary.errors import InputError
from denotary.statistics.auroc import anchor_bootstrap
from denotary.statistics.clustered_auroc import separation


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
