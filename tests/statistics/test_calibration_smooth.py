from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.optimize import brentq
from scipy.stats import norm

from denotary.errors import InputError
from denotary.statistics import calibration, calibration_smooth


def test_debiased_error_by_hand() -> None:
    """Two bins of four and one of one: (0.75 - 0.9)**2 - 0.75 x 0.25 / 3 and so on."""
    confidence = [0.9] * 4 + [0.4] * 4 + [0.65]
    correct = [1, 1, 1, 0, 1, 0, 0, 0, 0]
    table = calibration.equal_width(confidence, correct, 10)
    first = (0.75 - 0.9) ** 2 - 0.75 * 0.25 / 3
    second = (0.25 - 0.4) ** 2 - 0.25 * 0.75 / 3
    assert float(calibration_smooth.debiased_root_error(table)[0]) == math.sqrt(
        max(0, 4 / 9 * (first + second))
    )
    far = calibration.equal_width([0.9] * 4, [0, 0, 0, 0], 10)
    assert float(calibration_smooth.debiased_root_error(far)[0]) == pytest.approx(0.9)
    assert np.isnan(calibration_smooth.debiased_root_error(calibration.equal_width([], [])))[0]


@pytest.mark.slow
def test_debiased_square_is_unbiased() -> None:
    """One bin, true gap 0.3: the mean of the debiased squares is 0.09 over many samples."""
    rng = np.random.default_rng(0)
    squares = []
    for _ in range(4_000):
        hits = rng.random(12) < 0.4
        rate = hits.mean()
        table = calibration.equal_width([0.7] * 12, hits, 1)
        debiased = float(calibration_smooth.debiased_root_error(table)[0]) ** 2
        exact = (rate - 0.7) ** 2 - rate * (1 - rate) / 11
        assert debiased == pytest.approx(max(0.0, exact), abs=1e-12)
        squares.append(exact)
    assert np.mean(squares) == pytest.approx(0.09, abs=0.008)


def by_quadrature(confidence: np.ndarray, correct: np.ndarray) -> float:
    """The definition: reflected Gaussian kernel, trapezoid over a fine grid, root by bracketing."""
    t = np.linspace(0, 1, 1_001)

    def error(sigma: float) -> float:
        total = np.zeros(t.size)
        for c, y in zip(confidence, correct, strict=True):
            for shift in range(-3, 4):
                total += (y - c) * (norm.pdf(t, c + 2 * shift, sigma) + norm.pdf(t, -c + 2 * shift, sigma))
        return float(trapezoid(np.abs(total), t)) / len(confidence)

    return float(brentq(lambda sigma: error(sigma) - sigma, 0.01, 1.0))


@pytest.mark.parametrize("seed", range(3))
def test_smooth_error_by_quadrature(seed: int) -> None:
    rng = np.random.default_rng(seed)
    confidence = np.round(rng.beta(3, 1.5, size=25), 3)
    confidence[:2] = [0.0, 1.0]
    correct = rng.random(25) < confidence ** (1 + seed)
    got = calibration_smooth.smooth_error(confidence, correct)
    assert got == pytest.approx(by_quadrature(confidence, correct), rel=1e-6)


def test_smooth_error_of_honest_and_dishonest_confidences() -> None:
    rng = np.random.default_rng(9)
    confidence = rng.random(50_000)
    assert calibration_smooth.smooth_error(confidence, rng.random(50_000) < confidence) < 0.02
    assert calibration_smooth.smooth_error(np.full(1_000, 0.9), np.arange(1_000) % 2) == pytest.approx(
        0.4, abs=0.01
    )
    assert calibration_smooth.smooth_error([0.0, 1.0], [0, 1]) < 1e-6


@pytest.mark.parametrize(
    ("confidence", "correct", "word"),
    [
        ([], [], "^confidence is empty; an error needs at least one case$"),
        ([1.1], [1], r"^confidence\[0\] is 1.1"),
        ([0.5], [1, 0], "^columns differ in length: confidence 1, correct 2$"),
        ([np.nan], [1], r"^confidence\[0\] is nan"),
    ],
)
def test_bad_arguments(confidence: list[float], correct: list[int], word: str) -> None:
    with pytest.raises(InputError, match=word):
        calibration_smooth.smooth_error(confidence, correct)
