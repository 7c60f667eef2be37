from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, log_softmax, softmax
from sklearn.isotonic import IsotonicRegression

from denotary.errors import InputError
from denotary.statistics import calibration_fit as fit


def synthetic(rng: np.random.Generator, n: int, classes: int, true: float) -> tuple[np.ndarray, np.ndarray]:
    """Labels drawn from the softmax of logits / true."""
    logits = rng.normal(0, 3, size=(n, classes))
    chances = softmax(logits / true, axis=1)
    label = (rng.random((n, 1)) > np.cumsum(chances, axis=1)).sum(axis=1)
    return logits, np.minimum(label, classes - 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("classes", [2, 10, 100])
def test_temperature_is_the_optimum_in_any_precision(classes: int, dtype: type) -> None:
    logits, label = synthetic(np.random.default_rng(classes), 6_000, classes, 1.7)
    found = fit.temperature(logits.astype(dtype), label)

    def loss(beta: float) -> float:
        return -float(
            np.mean(log_softmax(beta * logits.astype(dtype).astype(float), axis=1)[np.arange(6_000), label])
        )

    best = minimize_scalar(loss, bounds=(0.05, 5.0), method="bounded", options={"xatol": 1e-10}).x
    assert found.finite
    assert abs(found.gradient) < 1e-8
    assert 1 / found.value == pytest.approx(best, rel=1e-5)
    assert found.value == pytest.approx(1.7, rel=0.1)
    assert found.steps < 20
    assert (np.argmax(logits / found.value, axis=1) == np.argmax(logits, axis=1)).all()


@pytest.mark.parametrize("true", [0.02, 60.0])
def test_temperature_far_from_one(true: float) -> None:
    logits, label = synthetic(np.random.default_rng(1), 20_000, 3, true)
    found = fit.temperature(logits, label)
    assert found.finite
    assert found.value == pytest.approx(true, rel=0.35)


def test_temperature_without_an_optimum_says_so() -> None:
    right = fit.temperature([[2.0, 0.0], [0.0, 1.0]], [0, 1])
    wrong = fit.temperature([[2.0, 0.0], [0.0, 1.0]], [1, 0])
    assert (right.value, right.finite, right.steps) == (1e-6, False, 0)
    assert (wrong.value, wrong.finite, wrong.steps) == (1e6, False, 1)
    assert wrong.gradient > 0.0


def test_platt_is_the_optimum_of_its_loss() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(50, 12, size=500)
    correct = rng.random(500) < expit((scores - 45) / 6)
    found = fit.platt(scores, correct)
    hits, misses = correct.sum(), (~correct).sum()
    wanted = np.where(correct, (hits + 1) / (hits + 2), 1 / (misses + 2))

    def loss(weights: np.ndarray) -> float:
        linear = weights[0] * (scores - 50) + weights[1]
        return float(np.sum(np.logaddexp(0, linear) - wanted * linear))

    best = minimize(loss, [0.0, 0.0], method="BFGS", options={"gtol": 1e-8}).x
    assert found.slope == pytest.approx(best[0], rel=1e-4)
    assert found.intercept == pytest.approx(best[1] - 50 * best[0], rel=1e-4)
    assert found(scores[:3]) == pytest.approx(expit(found.slope * scores[:3] + found.intercept))


@pytest.mark.parametrize("correct", [[1, 1, 1], [0, 0, 0], [0, 0, 1]])
def test_platt_of_separable_or_one_sided_data_stays_finite(correct: list[int]) -> None:
    found = fit.platt([0.1, 0.2, 0.9], correct)
    assert np.isfinite([found.slope, found.intercept]).all()
    assert np.isfinite(fit.platt([0.5, 0.5, 0.5], correct).intercept)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.8, 0.9]), st.booleans()), min_size=1, max_size=40
    )
)
def test_isotonic_agrees_with_sklearn(rows: list[tuple[float, bool]]) -> None:
    scores = np.array([row[0] for row in rows])
    correct = np.array([row[1] for row in rows], dtype=float)
    found = fit.isotonic(scores, correct)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, correct)
    where = np.linspace(0, 1, 41)
    assert found(where) == pytest.approx(theirs.predict(where), abs=1e-12)
    assert (np.diff(found.values) >= 0).all()


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: fit.temperature([[np.inf, 0.0]], [0]), "finite"),
        (lambda: fit.temperature([[1.0, 0.0]], [2]), "code 2"),
        (lambda: fit.temperature([[1.0, 0.0]], [0, 1]), "differ in length"),
        (lambda: fit.temperature(np.zeros((0, 2)), []), "empty"),
        (lambda: fit.platt([], []), "^scores is empty; a map needs at least one case$"),
        (lambda: fit.isotonic([0.1, np.nan], [0, 1]), "finite"),
        (lambda: fit.isotonic([0.1], [0, 1]), "differ in length"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]
