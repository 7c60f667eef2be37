"""The logistic model against closed forms, and its invariances."""

import numpy as np
import pytest

from denotary.instruments.similarity.repairs import linear


def test_one_binary_number_without_penalty_gives_the_log_odds_of_its_counts() -> None:
    rows = [{"x": 1.0}] * 8 + [{}] * 10
    same = np.array([True] * 6 + [False] * 2 + [True] * 3 + [False] * 7)
    weights = linear.fit(rows, same, 0.0)
    assert weights["intercept"] == pytest.approx(np.log(3 / 7), abs=1e-3)
    assert weights["intercept"] + weights["x"] == pytest.approx(np.log(6 / 2), abs=1e-3)


def test_a_number_that_never_varies_has_no_weight_and_a_penalty_shrinks() -> None:
    rows = [{"x": float(at % 2), "y": 1.0} for at in range(20)]
    same = np.array([at % 2 == 0 or at == 5 for at in range(20)])
    loose, tight = (linear.fit(rows, same, penalty) for penalty in (0.1, 100.0))
    assert "y" not in loose
    assert abs(tight["x"]) < abs(loose["x"])


def test_scale_of_a_number_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    same = x + rng.normal(size=60) > 0
    one = linear.fit([{"x": v} for v in x], same, 3.0)
    other = linear.fit([{"x": 10 * v} for v in x], same, 3.0)
    assert one["x"] == pytest.approx(10 * other["x"], rel=1e-3)
    assert linear.fit([{"x": v} for v in x], same, 3.0) == one


def test_probabilities_do_not_overflow() -> None:
    assert linear.sigmoid(np.array([-1e4, 0.0, 1e4])).tolist() == [0.0, 0.5, 1.0]
    assert linear.log_odds({"intercept": 1.0}, [{"unknown": 9.0}]).tolist() == [1.0]
