from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from sklearn.metrics import brier_score_loss, log_loss

from denotary.errors import InputError
from denotary.statistics import calibration

TOY = [0.55, 0.62, 0.68, 0.71, 0.77, 0.83, 0.88, 0.91, 0.95, 0.98]
TOY_CORRECT = [0, 1, 1, 0, 1, 1, 1, 1, 1, 1]


def ece(confidence: object, correct: object, bins: int = 15) -> float:
    table = calibration.equal_width(confidence, correct, bins)  # type: ignore[arg-type]
    return float(calibration.expected_calibration_error(table)[0])


def by_masks(confidence: np.ndarray, correct: np.ndarray, bins: int) -> tuple[float, float]:
    """The textbook loop over masks."""
    error, worst = 0.0, 0.0
    for i in range(bins):
        low, high = i / bins, (i + 1) / bins
        mask = (confidence > low) & (confidence <= high) if i else confidence <= high
        if mask.any():
            gap = abs(correct[mask].mean() - confidence[mask].mean())
            error += mask.mean() * gap
            worst = max(worst, gap)
    return error, worst


def test_toy_goldens() -> None:
    """Worked by hand in the source text: 0.122 with five bins; 0.218 with ten."""
    assert ece(TOY, TOY_CORRECT, 5) == pytest.approx(0.122, abs=1e-12)
    assert ece(TOY, TOY_CORRECT, 10) == pytest.approx(0.218, abs=1e-12)


@given(
    st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=1, max_size=60),
    st.sampled_from([1, 3, 10, 15, 20, 100]),
)
def test_agrees_with_the_mask_loop_on_a_grid_of_edges(rows: list[tuple[int, bool]], bins: int) -> None:
    confidence = np.array([row[0] / 100 for row in rows])
    correct = np.array([row[1] for row in rows])
    table = calibration.equal_width(confidence, correct, bins)
    error, worst = by_masks(confidence, correct, bins)
    assert float(calibration.expected_calibration_error(table)[0]) == pytest.approx(error, abs=1e-12)
    assert float(calibration.maximum_calibration_error(table)[0]) == pytest.approx(worst, abs=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_decimal_confidences_lie_on_the_edge_they_name(dtype: type) -> None:
    hundredths = np.arange(101)
    for bins in (10, 20, 50, 100):
        table = calibration.equal_width((hundredths / 100).astype(dtype), hundredths % 2, bins)
        expected = [max(0, math.ceil(Fraction(int(i), 100) * bins) - 1) for i in hundredths]
        assert table.count[0].tolist() == np.bincount(expected, minlength=bins).tolist()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.integers(1, 40))
def test_every_confidence_is_in_the_bin_of_its_edges(values: list[float], bins: int) -> None:
    table = calibration.equal_width(values, np.zeros(len(values)), bins)
    assert (
        table.count[0].tolist()
        == np.bincount(np.searchsorted(np.arange(1, bins) / bins, values), minlength=bins).tolist()
    )


@pytest.mark.parametrize(
    ("bins", "error", "worst"),
    [
        (5, 0.1499063382672535, 0.22082060080279597),
        (10, 0.1499063382672537, 0.23025034303223976),
        (15, 0.15429045639949193, 0.29027997436217995),
    ],
)
def test_figures_that_netcal_gave(bins: int, error: float, worst: float) -> None:
    """ECE and MCE of netcal 1.4.0 in double precision; it brings 6 GB, so its figures are kept and not it."""
    rng = np.random.default_rng(0)
    confidence = rng.random(1000)
    table = calibration.equal_width(confidence, rng.random(1000) < confidence**2, bins)
    assert float(calibration.expected_calibration_error(table)[0]) == pytest.approx(error, abs=1e-12)
    assert float(calibration.maximum_calibration_error(table)[0]) == pytest.approx(worst, abs=1e-12)


def test_agrees_with_netcal() -> None:
    metrics = pytest.importorskip(
        "netcal.metrics", reason="netcal needs 6 GB: install --group oracles-heavy to compare with it"
    )
    rng = np.random.default_rng(1)
    for _ in range(20):
        confidence, bins = rng.beta(4, 2, size=300), int(rng.integers(2, 30))
        correct = rng.random(300) < confidence**1.5
        table = calibration.equal_width(confidence, correct, bins)
        error = metrics.ECE(bins).measure(confidence, correct.astype(int))
        worst = metrics.MCE(bins).measure(confidence, correct.astype(int))
        assert float(calibration.expected_calibration_error(table)[0]) == pytest.approx(error, abs=1e-12)
        assert float(calibration.maximum_calibration_error(table)[0]) == pytest.approx(worst, abs=1e-12)


def test_a_confidence_of_one_shares_the_last_bin() -> None:
    assert ece([0.95, 1.0], [1, 0], 10) == pytest.approx(0.475)
    assert ece([0.0], [0], 10) == 0.0


def test_groups_are_the_same_as_one_at_a_time() -> None:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 30, size=3_000)
    confidence = rng.random(3_000)
    correct = rng.random(3_000) < confidence**2
    table = calibration.equal_width(confidence, correct, 15, group, 32)
    errors = calibration.expected_calibration_error(table)
    for code in range(30):
        mask = group == code
        assert errors[code] == pytest.approx(ece(confidence[mask], correct[mask]), abs=1e-12)
    assert np.isnan(errors[30:]).all()
    assert np.isnan(calibration.maximum_calibration_error(table)[30:]).all()


def test_equal_mass_bins_are_equal_without_ties_and_whole_with_them() -> None:
    rng = np.random.default_rng(1)
    table = calibration.equal_mass(rng.permutation(60) / 60, np.ones(60), 15)
    assert table.count.tolist() == [[4] * 15]
    tied = calibration.equal_mass([0.9] * 50 + [0.2] * 7 + [1.0] * 3, np.ones(60), 15)
    assert tied.count.tolist() == [[7, 50, 3]]
    assert tied.edges.tolist() == [0.2, 0.9, 1.0]
    error = float(calibration.expected_calibration_error(tied)[0])
    assert error == pytest.approx((50 * 0.1 + 7 * 0.8) / 60)
    assert calibration.equal_mass([], []).count.sum() == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60), st.integers(1, 20))
def test_brier_decomposition_is_exact(rows: list[tuple[float, bool]], bins: int) -> None:
    confidence = np.array([row[0] for row in rows])
    correct = np.array([row[1] for row in rows])
    got = calibration.brier(calibration.equal_width(confidence, correct, bins))
    assert got.score == pytest.approx(np.mean((confidence - correct) ** 2), abs=1e-12)
    total = got.reliability - got.resolution + got.uncertainty + got.within
    assert got.score == pytest.approx(total, abs=1e-12)


def test_brier_of_distinct_confidences_is_murphys() -> None:
    confidence = np.repeat([0.1, 0.5, 0.9], [10, 20, 30])
    correct = np.random.default_rng(2).random(60) < confidence
    got = calibration.brier(calibration.equal_width(confidence, correct, 10))
    assert got.score == pytest.approx(brier_score_loss(correct, confidence))
    assert got.within == pytest.approx(0.0, abs=1e-14)
    assert calibration.brier(calibration.equal_mass(confidence, correct, 3)).score == pytest.approx(got.score)
    assert math.isnan(calibration.brier(calibration.equal_width([], [])).score)
    with pytest.raises(InputError, match=r"by groups \(2\)"):
        calibration.brier(calibration.equal_width([0.1, 0.2], [0, 1], 10, [0, 1]))


def test_log_likelihood_agrees_with_sklearn_and_says_infinite() -> None:
    got = calibration.negative_log_likelihood(TOY, TOY_CORRECT)
    assert got == pytest.approx(log_loss(TOY_CORRECT, TOY))
    assert calibration.negative_log_likelihood([0.0, 1.0], [0, 1]) == 0.0
    assert calibration.negative_log_likelihood([0.0], [1]) == math.inf
    assert calibration.negative_log_likelihood([1.0], [0]) == math.inf
    assert calibration.negative_log_likelihood([0.0], [1], floor=1e-3) == pytest.approx(-math.log(1e-3))
    assert math.isnan(calibration.negative_log_likelihood([], []))


def test_accuracy_intervals_are_exact() -> None:
    table = calibration.equal_width(TOY, TOY_CORRECT, 5)
    low, high = calibration.accuracy_intervals(table)
    for i, (k, n) in enumerate(zip(table.correct[0], table.count[0], strict=True)):
        expected = binomtest(int(k), int(n)).proportion_ci(0.95) if n else (0.0, 1.0)
        assert (low[0, i], high[0, i]) == pytest.approx(tuple(expected), abs=1e-6)
    assert table.accuracy()[0, 2:] == pytest.approx([0.0, 0.75, 1.0])
    assert np.isnan(table.accuracy()[0, 0])
    assert table.mean_confidence()[0, 4] == pytest.approx(np.mean(TOY[5:]))


def test_null_expectation_is_the_mean_absolute_deviation() -> None:
    """All confidences 0.7 in one bin: E|X - 0.7 n| / n with X binomial, in closed form."""
    n = 40
    k = np.arange(n + 1)
    exact = float(binom.pmf(k, n, 0.7) @ np.abs(k - 0.7 * n)) / n
    got = calibration.null_error([0.7] * n, [1] * 35 + [0] * 5, repeats=20_000)
    assert got.expected == pytest.approx(exact, rel=0.03)
    assert got.observed == pytest.approx(35 / n - 0.7)
    tail = float(binom.pmf(k, n, 0.7) @ (np.abs(k - 28) >= 7 - 1e-9))
    assert got.p == pytest.approx(tail, abs=0.005)


def test_null_expectation_over_bins_is_the_exact_poisson_binomial() -> None:
    confidence = np.random.default_rng(7).beta(4, 1.5, size=60)
    exact = 0.0
    for i in range(10):
        inside = confidence[(confidence > i / 10) & (confidence <= (i + 1) / 10)]
        chances = np.ones(1)
        for c in inside:
            chances = np.convolve(chances, [1 - c, c])
        exact += float(chances @ np.abs(np.arange(chances.size) - inside.sum())) / 60
    got = calibration.null_error(confidence, np.ones(60), 10, repeats=20_000)
    assert got.expected == pytest.approx(exact, rel=0.02)


def test_null_errors_are_those_of_data_redrawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same stream, read case by case from the least sure on, in blocks of any size."""
    confidence = np.random.default_rng(8).beta(3, 2, size=23)
    correct = np.arange(23) % 3 > 0
    ranked, rng = np.sort(confidence), np.random.Generator(np.random.Philox(5))
    errors = []
    for _ in range(50):
        drawn = np.array([rng.random() < c for c in ranked])
        errors.append(ece(ranked, drawn, 7))
    observed = ece(confidence, correct, 7)
    for block in (1, 100, 2**22):
        monkeypatch.setattr(calibration, "_BLOCK", block)
        got = calibration.null_error(confidence, correct, 7, repeats=50, seed=5)
        assert got.observed == pytest.approx(observed)
        assert got.expected == pytest.approx(np.mean(errors), rel=1e-12)
        assert got.p == (1 + sum(error >= observed - 1e-12 for error in errors)) / 51


def test_p_value_of_calibrated_data_is_uniform_enough() -> None:
    rng = np.random.default_rng(3)
    p = []
    for _ in range(200):
        confidence = rng.random(80)
        p.append(calibration.null_error(confidence, rng.random(80) < confidence, repeats=99).p)
    assert np.mean(np.array(p) <= 0.1) == pytest.approx(0.1, abs=4 * math.sqrt(0.09 / 200))


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: ece([0.5, np.nan], [1, 0]), r"confidence\[1\] is nan"),
        (lambda: ece([1.0000001], [1]), r"confidence\[0\] is 1.0000001"),
        (lambda: ece(np.array([1.0000001], dtype=np.float32), [1]), "confidence"),
        (lambda: ece([-1e-9], [1]), "confidence"),
        (lambda: ece([0.5], [2]), r"correct\[0\] is 2"),
        (lambda: ece([0.5], [1, 0]), "differ in length"),
        (lambda: ece([0.5], [1], 0), "bins is 0"),
        (lambda: ece([[0.5]], [[1]]), "expected 1 axes"),
        (lambda: calibration.equal_width([0.5], [1], 10, [3], 2), "code 3"),
        (lambda: calibration.equal_width([0.5], [1], 10, [0, 1]), "differ in length"),
        (lambda: calibration.negative_log_likelihood([0.5], [1], floor=0.5), "floor"),
        (lambda: calibration.null_error([], []), "empty"),
        (lambda: ece(np.array([0.5, None]), [1, 0]), "dtype object"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]
