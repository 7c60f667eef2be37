from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from arch.bootstrap import IIDBootstrap
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from denotary.errors import InputError
from denotary.statistics import betting, paired
from denotary.statistics.bootstrap import State
from denotary.statistics.paired import MarginVerdict


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [  # goldens of the research note, section 6; all are multiples of powers of two
        (10, 0, 0.001953125),
        (9, 1, 0.021484375),
        (12, 2, 0.012939453125),
        (12, 3, 0.03515625),
        (0, 0, 1.0),
        (5, 5, 1.0),
    ],
)
def test_golden_p_values(b: int, c: int, p: float) -> None:
    assert float(paired.discordant_p(b, c)) == pytest.approx(p, rel=1e-14)
    assert float(paired.discordant_p(c, b)) == pytest.approx(p, rel=1e-14)
    assert float(paired.discordant_p(20, 14)) == pytest.approx(0.391528305, rel=1e-8)


@given(st.integers(0, 200), st.integers(0, 200))
def test_agrees_with_binomtest_and_statsmodels(b: int, c: int) -> None:
    got = float(paired.discordant_p(b, c))
    assert got == pytest.approx(statsmodels_mcnemar([[7, b], [c, 9]]).pvalue, rel=1e-10)
    if b + c:
        assert got == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9)


def test_p_values_are_exact_by_enumeration() -> None:
    """All 2**8 sign patterns: the share at least as extreme as the observed one."""
    for b in range(9):
        extreme = min(b, 8 - b)
        patterns = itertools.product([0, 1], repeat=8)
        count = sum(min(sum(p), 8 - sum(p)) <= extreme for p in patterns)
        assert float(paired.discordant_p(b, 8 - b)) == pytest.approx(count / 2**8, rel=1e-13)


@pytest.mark.parametrize(("n", "floor"), [(0, 1.0), (1, 1.0), (2, 0.5), (6, 0.03125), (10, 0.001953125)])
def test_floor_is_the_p_of_a_clean_sweep(n: int, floor: float) -> None:
    assert float(paired.p_floor(n)) == floor == float(paired.discordant_p(n, 0))


def test_sign_test_counts_ties_and_knows_what_it_could_show() -> None:
    result = paired.sign_test([0.5, -0.25, 0.0, 0.1 + 0.2 - 0.3, 1.0, 0.125])
    assert (result.positive, result.negative, result.ties) == (3, 1, 2)
    assert result.p == pytest.approx(binomtest(3, 4).pvalue)
    assert result.floor == 0.125
    assert not result.could_reject()
    assert result.could_reject(0.125)
    assert paired.sign_test([]).p == 1.0


def test_mcnemar_counts_the_discordant_cells() -> None:
    a = np.array([1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1], dtype=bool)
    b = np.array([1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=bool)
    result = paired.mcnemar(a, b)
    assert (result.positive, result.negative, result.ties) == (9, 1, 2)
    assert result.p == pytest.approx(0.021484375)


@given(st.lists(st.integers(0, 1000).map(lambda i: i / 1000), min_size=1, max_size=40))
def test_holm_agrees_with_statsmodels(p: list[float]) -> None:
    assert paired.holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12)


def test_holm_of_nothing_and_by_hand() -> None:
    assert paired.holm([]).size == 0
    assert paired.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_ratio_difference_agrees_with_arch() -> None:
    rng = np.random.default_rng(3)
    den = rng.integers(1, 4, size=600)
    first, second = rng.binomial(den, 0.3), rng.binomial(den, 0.25)
    ours = paired.ratio_difference((first, den), (second, den), resamples=20_000)
    theirs = IIDBootstrap(first, second, den, seed=5).conf_int(
        lambda a, b, d: (a.sum() - b.sum()) / d.sum(), 20_000, method="percentile"
    )
    width = ours.high - ours.low
    assert ours.value == pytest.approx((first.sum() - second.sum()) / den.sum())
    assert (ours.low, ours.high) == pytest.approx((theirs[0, 0], theirs[1, 0]), abs=0.04 * width)


def test_ratio_differences_of_many_columns_agree_with_arch() -> None:
    rng = np.random.default_rng(12)
    den = rng.integers(1, 4, size=(500, 2))
    first, second = rng.binomial(den, [0.3, 0.1]), rng.binomial(den, [0.25, 0.2])
    ours = paired.ratio_differences((first, den), (second, den), resamples=20_000, confidence=0.9)
    theirs = IIDBootstrap(first, second, den, seed=7).conf_int(
        lambda a, b, d: (a - b).sum(axis=0) / d.sum(axis=0), 10_000, method="percentile", size=0.9
    )
    for column, (found, low, high) in enumerate(zip(ours, *theirs, strict=True)):
        assert found.value == pytest.approx((first - second)[:, column].sum() / den[:, column].sum())
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.05 * (high - low))
        assert (found.units, found.state) == (500, State.OK)


def test_types_and_units_give_the_same_ratio_difference() -> None:
    first, second, counts = ([0, 1, 0], [2, 2, 0]), ([1, 0, 0], [2, 1, 1]), [900, 20, 80]
    one, other = ((np.repeat(top, counts), np.repeat(bottom, counts)) for top, bottom in (first, second))
    found = paired.ratio_difference(first, second, counts, resamples=600)
    assert found == paired.ratio_difference(one, other, resamples=600)
    assert found == paired.ratio_difference(first, second, counts, resamples=600, seed=0)
    assert found.units == 1_000
    assert found.value == pytest.approx(20 / 1_840 - 900 / 1_900)


def test_ratio_difference_is_paired() -> None:
    """Identical systems differ by exactly 0 in every resample; shuffled ones do not."""
    rng = np.random.default_rng(4)
    den = rng.integers(1, 5, size=200)
    num = rng.binomial(den, 0.3)
    same = paired.ratio_difference((num, den), (num, den), resamples=500)
    assert (same.value, same.low, same.high, same.state) == (0.0, 0.0, 0.0, State.DEGENERATE)
    order = rng.permutation(200)
    other = paired.ratio_difference((num, den), (num[order], den[order]), resamples=500)
    assert other.high > 0.01


def test_ratio_difference_without_a_denominator_on_one_side_is_empty() -> None:
    found = paired.ratio_difference(([1, 0], [1, 1]), ([0, 0], [0, 0]), resamples=50)
    assert found.state is State.EMPTY
    assert found.skipped == 50


@pytest.mark.parametrize(
    ("differences", "counts", "verdict"),
    [
        ([0.0, 1.0, -1.0], [4_000, 2, 2], MarginVerdict.WITHIN),
        ([0.0, 1.0, -1.0], [40, 2, 2], MarginVerdict.UNDECIDED),
        ([0.0, 1.0], [100, 400], MarginVerdict.BEYOND),
        ([], [], MarginVerdict.UNDECIDED),
    ],
)
def test_margin_verdicts(differences: list[float], counts: list[int], verdict: MarginVerdict) -> None:
    found = paired.margin_test(differences, 0.01, counts)
    assert found.verdict is verdict
    assert found.low <= found.high
    assert found.high == betting.upper_difference(differences, counts)
    if counts:
        assert found.difference == pytest.approx(np.average(differences, weights=counts))
        assert found.low <= found.difference <= found.high
    else:
        assert math.isnan(found.difference)
        assert (found.low, found.high) == (-1.0, 1.0)


def test_a_difference_surely_at_the_margin_is_not_beyond_it() -> None:
    low = paired.margin_test([0.0, 1.0], 0.0, [100, 400]).low
    assert paired.margin_test([0.0, 1.0], low, [100, 400]).verdict is MarginVerdict.UNDECIDED
    assert paired.margin_test([0.0, 1.0], low - 1e-9, [100, 400]).verdict is MarginVerdict.BEYOND
    high = paired.margin_test([0.0, 1.0], 0.0, [400, 1]).high
    assert paired.margin_test([0.0, 1.0], high, [400, 1]).verdict is MarginVerdict.WITHIN


def test_margin_test_spends_alpha_on_each_bound() -> None:
    d, counts = np.array([0.0, 0.5, -1.0]), [900, 30, 10]
    for alpha in (0.01, 0.2):
        found = paired.margin_test(d, 0.1, counts, alpha)
        assert found.high == betting.upper_difference(d, counts, alpha)
        assert found.low == -betting.upper_difference(-d, counts, alpha)


def test_margin_test_mirrors() -> None:
    forward = paired.margin_test([0.0, 0.5, -1.0], 0.1, [900, 30, 10])
    backward = paired.margin_test([0.0, -0.5, 1.0], 0.1, [900, 30, 10])
    assert (forward.low, forward.high) == (-backward.high, -backward.low)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: paired.discordant_p(-1, 2), "first is -1"),
        (lambda: paired.discordant_p([1, 2], [1, 2, 3]), "does not fit"),
        (lambda: paired.sign_test([np.nan]), "finite"),
        (lambda: paired.mcnemar([1, 0], [2, 0]), r"second\[0\] is 2"),
        (lambda: paired.mcnemar([1], [1, 0]), "differ in length"),
        (lambda: paired.holm([0.2, 1.2]), r"p_values\[1\]"),
        (lambda: paired.ratio_difference(([1], [1]), ([1, 2], [1, 2])), "differ in length"),
        (lambda: paired.ratio_difference(([[1]], [1]), ([1], [1])), "^first numerator: expected 1 axes"),
        (lambda: paired.ratio_difference(([1], [[1]]), ([1], [1])), "^first denominator: expected 1 axes"),
        (lambda: paired.ratio_difference(([1], [1]), ([[1]], [1])), "^second numerator: expected 1 axes"),
        (lambda: paired.ratio_difference(([1], [1]), ([1], [[1]])), "^second denominator: expected 1 axes"),
        (lambda: paired.ratio_difference(([1], [-1]), ([1], [1])), r"^first denominator\[0, 0\] is -1.0"),
        (lambda: paired.ratio_difference(([1], [1]), ([1], [-1])), r"^second denominator\[0, 0\] is -1.0"),
        (
            lambda: paired.ratio_difference(([1, 2], [1]), ([1], [1])),
            "^columns differ in length: first numerator 2, first denominator 1, second numerator 1, second ",
        ),
        (lambda: paired.margin_test([1.5], 0.1), "differences"),
        (lambda: paired.margin_test([0.5], 1.0), "margin is 1"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize("discordance", [0.002, 0.05, 0.3])
def test_margin_bound_covers_the_true_difference(discordance: float) -> None:
    rng = np.random.default_rng(6)
    repeats, units = 2_000, 1_000
    chances = np.array([1 - discordance, 0.6 * discordance, 0.4 * discordance])
    counts = rng.multinomial(units, chances, size=repeats)
    bounds = np.array([betting.upper_difference([0.0, 1.0, -1.0], c) for c in counts])
    floor = 0.95 - 3 * math.sqrt(0.05 * 0.95 / repeats)
    assert np.mean(bounds >= 0.2 * discordance) >= floor
