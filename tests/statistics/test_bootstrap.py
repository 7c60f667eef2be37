from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from arch.bootstrap import IIDBootstrap
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from denotary.errors import InputError
from denotary.statistics import bootstrap
from denotary.statistics.bootstrap import State
from denotary.statistics.unit_draws import TILE


def every_resample(numerator: list[int], denominator: list[int]) -> Counter[float]:
    """The exact bootstrap distribution of the ratio: all C**C resamples."""
    units = range(len(numerator))
    found: Counter[float] = Counter()
    for draw in itertools.product(units, repeat=len(numerator)):
        bottom = sum(denominator[i] for i in draw)
        found[sum(numerator[i] for i in draw) / bottom if bottom else math.nan] += 1
    return found


def share(draws: np.ndarray, value: float) -> float:
    return float(np.mean(np.isclose(draws, value, rtol=1e-12)))


def test_distribution_is_the_exhaustive_one() -> None:
    """Unit draws (four distinct rows of five: collapsing does not pay) against all 5**5 resamples."""
    numerator, denominator = [1, 0, 0, 2, 1], [2, 3, 3, 2, 1]
    table = np.array([numerator, denominator]).T
    sums = bootstrap.resampled_sums(table, resamples=60_000, seed=4)
    ratios = sums[:, 0] / sums[:, 1]
    exact = every_resample(numerator, denominator)
    for value, count in exact.items():
        chance = count / 5**5
        assert share(ratios, value) == pytest.approx(chance, abs=5 * math.sqrt(chance / 60_000) + 1e-4)


def test_collapsed_path_is_the_exhaustive_distribution_too() -> None:
    sums = bootstrap.resampled_sums([[1, 2], [0, 3]], [2, 8], resamples=60_000)
    assert (sums[:, 1] - 2 * sums[:, 0] == 3 * (10 - sums[:, 0])).all()
    drawn = np.bincount(sums[:, 0].astype(int), minlength=11) / 60_000
    assert drawn == pytest.approx(stats.binom.pmf(np.arange(11), 10, 0.2), abs=5 * np.sqrt(0.3 / 60_000))


@pytest.mark.parametrize("units", [3, 255, 256, 257, 700])
def test_unit_draws_are_uniform_multinomial(units: int) -> None:
    """An identity table shows the counts themselves: means, variances and covariances of a multinomial."""
    resamples = 4_000
    counts = bootstrap.resampled_sums(np.eye(units), resamples=resamples, seed=units)
    assert (counts.sum(axis=1) == units).all()
    variance = 1 - 1 / units
    z = (counts.mean(axis=0) - 1) / math.sqrt(variance / resamples)
    assert np.abs(z).max() < 5.5
    assert counts.var() == pytest.approx(variance, rel=0.03)
    halves = counts[:, : units // 2].sum(axis=1)
    assert halves.var() == pytest.approx(units * (units // 2 / units) * (1 - units // 2 / units), rel=0.12)


def counted_at_once(units: int, resamples: int, seed: int) -> np.ndarray:
    """How often each unit is drawn, the stream read draw by draw: chunks of 256 units, then a byte within each."""
    source = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(0,)))
    rng = np.random.Generator(source)
    whole, rest = divmod(units, 256)
    draws = rng.multinomial(units, np.array([256] * whole + [rest]) / units, size=resamples)
    counts = np.zeros((resamples, units))
    for row, of_chunk in zip(counts, draws, strict=True):
        chunks = np.repeat(np.arange(whole), of_chunk[:-1])
        words = source.random_raw(chunks.size // 8 + 1)
        within = np.frombuffer(words.tobytes(), dtype=np.uint8)[: chunks.size]
        np.add.at(row, chunks * 256 + within, 1)
        if rest:
            np.add.at(row, whole * 256 + rng.integers(rest, size=of_chunk[-1]), 1)
    return counts


@pytest.mark.parametrize("units", [1, 200, 256, 512, 1_000, TILE, TILE + 1, 2 * TILE + 300])
@pytest.mark.parametrize("whole", [True, False])
def test_draws_are_counted_a_tile_at_a_time_and_sums_are_the_same(units: int, whole: bool) -> None:
    rng = np.random.default_rng(units)
    table = rng.integers(0, 9, (units, 3)).astype(float) if whole else rng.random((units, 3))
    table[:, 0] = np.arange(units)  # so that no two units are alike
    table = np.hstack([table, table[:, 1:]])
    sums = bootstrap.resampled_sums(table, resamples=3, seed=5)
    assert np.array_equal(sums[:, 1:3], sums[:, 3:])
    # The order of the units is that of a hash; the first column tells which unit is meant by each count.
    order = bootstrap._collapse(table, np.ones(units, dtype=np.int64))[0]
    if units > 5:
        expected = counted_at_once(units, 3, 5) @ order
        assert sums == pytest.approx(expected, rel=1e-12)
        assert np.array_equal(sums[:, 0], expected[:, 0])


def test_interval_agrees_with_arch() -> None:
    rng = np.random.default_rng(0)
    assigned = rng.binomial(5, 0.8, size=800)
    wrong = rng.binomial(assigned, 0.05)
    ours = bootstrap.ratio(wrong, assigned, resamples=20_000)
    theirs = IIDBootstrap(wrong, assigned, seed=2).conf_int(
        lambda w, a: w.sum() / a.sum(), 20_000, method="percentile"
    )
    width = ours.high - ours.low
    assert ours.value == wrong.sum() / assigned.sum()
    assert ours.low == pytest.approx(theirs[0, 0], abs=0.04 * width)
    assert ours.high == pytest.approx(theirs[1, 0], abs=0.04 * width)
    assert (ours.state, ours.skipped, ours.resamples) == (State.OK, 0, 20_000)
    assert ours.units == (assigned > 0).sum()


def test_types_and_units_give_the_same_numbers() -> None:
    wrong, assigned, counts = [0, 1, 0], [2, 2, 1], [900, 20, 80]
    assert bootstrap.ratio(wrong, assigned, counts) == bootstrap.ratio(
        np.repeat(wrong, counts), np.repeat(assigned, counts)
    )


def test_same_seed_same_numbers_and_blocks_are_streams() -> None:
    table = np.arange(40).reshape(20, 2)
    long = bootstrap.resampled_sums(table, resamples=1_200, seed=9)
    short = bootstrap.resampled_sums(table, resamples=700, seed=9)
    assert np.array_equal(long[:500], short[:500])
    assert np.array_equal(long, bootstrap.resampled_sums(table, resamples=1_200, seed=9))
    assert not np.array_equal(long, bootstrap.resampled_sums(table, resamples=1_200, seed=10))
    assert not np.array_equal(long[:500], long[500:1_000])


def test_panel_columns_share_their_resamples() -> None:
    rng = np.random.default_rng(1)
    den = rng.integers(1, 5, size=(300, 3))
    num = rng.binomial(den, 0.2)
    found = bootstrap.panel(num, den, resamples=2_000)
    assert [i.value for i in found] == list(num.sum(axis=0) / den.sum(axis=0))
    same = bootstrap.panel(num[:, [0, 0]], den[:, [0, 0]], resamples=2_000)
    assert same[0] == same[1]


def test_panel_and_macro_mean_agree_with_arch() -> None:
    rng = np.random.default_rng(6)
    den = rng.integers(0, 4, size=(300, 3))
    num = rng.binomial(den, [0.1, 0.3, 0.6])

    def ratios(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
        found = top.sum(axis=0) / bottom.sum(axis=0)
        return np.append(found, found.mean())

    ours = bootstrap.panel(num, den, resamples=20_000, confidence=0.9)
    ours.append(bootstrap.macro_mean(num, den, resamples=20_000, confidence=0.9))
    theirs = IIDBootstrap(num, den, seed=3).conf_int(ratios, 10_000, method="percentile", size=0.9)
    for found, low, high in zip(ours, *theirs, strict=True):
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.05 * (high - low))
    assert [found.value for found in ours] == pytest.approx(ratios(num, den))
    assert [found.units for found in ours] == [*(den > 0).sum(axis=0), (den > 0).any(axis=1).sum()]


def test_macro_mean_skips_and_counts_resamples_without_a_group() -> None:
    """One of six units holds the second group: it is missing from (5/6)**6 of the resamples."""
    num = np.array([[1, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 1]])
    den = np.array([[2, 0], [2, 0], [2, 0], [2, 0], [2, 0], [0, 2]])
    found = bootstrap.macro_mean(num, den, resamples=20_000)
    missing = (5 / 6) ** 6 + (1 / 6) ** 6
    assert found.value == pytest.approx((0.3 + 0.5) / 2)
    assert found.skipped / 20_000 == pytest.approx(missing, abs=5 * math.sqrt(0.25 / 20_000))
    assert found.units == 6


@pytest.mark.parametrize(
    ("numerator", "denominator", "state"),
    [
        ([0, 0, 0], [1, 2, 1], State.DEGENERATE),
        ([1, 2, 1], [1, 2, 1], State.DEGENERATE),
        ([1, 0], [2, 0], State.FEW_UNITS),
        ([1], [2], State.FEW_UNITS),
        ([0, 0], [0, 0], State.EMPTY),
        ([], [], State.EMPTY),
    ],
)
def test_states_without_a_meaningful_width(
    numerator: list[int], denominator: list[int], state: State
) -> None:
    found = bootstrap.ratio(numerator, denominator, resamples=200)
    assert found.state is state
    if state is State.DEGENERATE:
        assert found.low == found.high == found.value
    else:
        assert math.isnan(found.low)
        assert math.isnan(found.high)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=20), st.integers(0, 5))
def test_rates_stay_in_the_unit_interval(rows: list[tuple[int, int]], seed: int) -> None:
    top = [min(row) for row in rows]
    bottom = [max(row) for row in rows]
    found = bootstrap.ratio(top, bottom, resamples=100, seed=seed)
    if found.state is State.OK:
        assert 0.0 <= found.low <= found.high <= 1.0


def test_fractions_use_double_precision() -> None:
    sums = bootstrap.resampled_sums([[0.1], [0.1 + 1e-12]], [5, 5], resamples=50)
    assert sums == pytest.approx(1.0, abs=2e-11)
    big = bootstrap.resampled_sums([[2.0**30], [1.0]], [10, 10], resamples=50)
    assert (np.mod(big, 2.0**30) == 20 - np.floor(big / 2.0**30)).all()


@pytest.mark.parametrize("scale", [1.0, 1e-290, 1e200])
def test_sums_of_fractions_do_not_depend_on_the_order_of_adding(scale: float) -> None:
    rng = np.random.default_rng(11)
    table, counts = rng.random((500, 7)) * scale, rng.multinomial(500, [1 / 500] * 500, size=50)
    turned = rng.permutation(500)
    grid = bootstrap._on_grid(table, 500)
    assert np.array_equal(counts @ grid, counts[:, turned] @ grid[turned])
    assert not np.array_equal(counts @ table, counts[:, turned] @ table[turned])
    # Against exact sums of the values as they were: each is off by half a step of the grid at most.
    exact = [sum(Fraction(x) * int(c) for x, c in zip(table[:, 0], draw, strict=True)) for draw in counts[:3]]
    assert np.allclose((counts[:3] @ grid)[:, 0], [float(value) for value in exact], rtol=1e-12, atol=0.0)


def test_hash_collisions_fall_back_to_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.repeat(np.array([[0, 1], [2, 1], [1, 1]]), 30, axis=0)
    before = np.sort(bootstrap.resampled_sums(table, resamples=4_000)[:, 0])
    monkeypatch.setattr(bootstrap, "_row_hash", lambda rows: np.zeros(len(rows), dtype=np.uint64))
    after = bootstrap.resampled_sums(table, resamples=4_000)
    assert (after[:, 1] == 90).all()
    assert stats.ks_2samp(before, after[:, 0]).pvalue > 1e-4


def test_quantiles_are_those_of_the_draws_without_skipped_ones() -> None:
    draws = np.concatenate([np.arange(101.0), [np.nan] * 9])
    found = bootstrap.interval(50.0, draws, units=30, confidence=0.9)
    assert (found.low, found.high) == pytest.approx((5.0, 95.0), rel=1e-12)
    assert (found.skipped, found.resamples) == (9, 110)
    assert bootstrap.interval(1.0, [np.nan, np.nan], units=30).state is State.FEW_UNITS


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: bootstrap.ratio([1.0, np.nan], [1, 1]), r"numerator\[1\]"),
        (lambda: bootstrap.ratio([1], [-1]), r"denominator\[0\] is -1"),
        (lambda: bootstrap.ratio([1, 2], [1]), "differ in length"),
        (lambda: bootstrap.ratio([1], [1], [1, 1]), "2 entries for 1 rows"),
        (lambda: bootstrap.panel([[1, 2]], [[1]]), "of shape"),
        (lambda: bootstrap.resampled_sums([[1]], resamples=0), "^resamples is 0; expected at least 1$"),
        (lambda: bootstrap.resampled_sums([1, 2]), "expected 2 axes"),
        (lambda: bootstrap.ratio([1], [1], confidence=1.0), "confidence"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]


def test_different_rows_have_different_hashes() -> None:
    """A shared hash costs the sorting of whole rows, which the hash is there to save."""
    rows = np.array(list(itertools.product((0.0, 1.0, 2.0, 0.5), repeat=4)))
    assert len(np.unique(bootstrap._row_hash(rows))) == len(rows)
