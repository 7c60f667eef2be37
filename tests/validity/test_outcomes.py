"""What can come out of one unit: chances against scipy's beta-binomial, moments against their definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from validity.outcomes import Risk, draw, outcomes

rates = st.floats(0.001, 0.9)
correlations = st.floats(0.0, 1.0)


@pytest.mark.parametrize(("size", "rate", "correlation"), [(1, 0.01, 0.3), (4, 0.02, 0.3), (7, 0.4, 0.9)])
def test_failures_of_siblings_are_beta_binomial(size: int, rate: float, correlation: float) -> None:
    found = outcomes((size,), (True,), Risk(rate, correlation))
    scale = 1.0 / correlation - 1.0
    expected = stats.betabinom.pmf(found.failed[:, 0], size, rate * scale, (1.0 - rate) * scale)
    np.testing.assert_allclose(found.chance, expected, rtol=1e-9)


def test_without_correlation_they_are_binomial_and_with_all_of_it_they_fail_together() -> None:
    found = outcomes((5,), (True,), Risk(0.2))
    np.testing.assert_allclose(found.chance, stats.binom.pmf(found.failed[:, 0], 5, 0.2))
    together = outcomes((3, 1), (True, True), Risk(0.2, 1.0))
    assert dict(zip(map(tuple, together.failed.tolist()), together.chance, strict=True)) == pytest.approx(
        {(0, 0): 0.8, (3, 1): 0.2}
    )


@given(rate=rates, correlation=correlations, share=st.sampled_from([0.3, 0.8, 1.0]))
def test_rate_and_correlation_are_what_they_are_called(rate: float, correlation: float, share: float) -> None:
    found = outcomes((2, 1), (True, True), Risk(rate, correlation, share))
    counted, failed = found.counted.sum(axis=1), found.failed.sum(axis=1)
    assert found.chance.sum() == pytest.approx(1.0)
    assert found.chance @ counted == pytest.approx(3 * share)
    assert found.chance @ failed == pytest.approx(3 * share * rate)
    pairs = found.chance @ (failed * (failed - 1)) / (found.chance @ (counted * (counted - 1)))
    assert (pairs - rate**2) / (rate * (1 - rate)) == pytest.approx(correlation, abs=1e-6)


@given(rate=rates, correlation=correlations)
def test_cases_that_are_not_at_risk_never_fail(rate: float, correlation: float) -> None:
    found = outcomes((2, 3), (False, True), Risk(rate, correlation))
    assert not found.failed[:, 0].any()
    assert found.chance @ found.failed[:, 1] == pytest.approx(3 * rate)


def test_draws_hold_every_unit() -> None:
    found = outcomes((2,), (True,), Risk(0.3, 0.2))
    counts = draw(np.random.default_rng(1), 50, found.chance, 7)
    assert counts.shape == (7, 3)
    assert set(counts.sum(axis=1)) == {50}
