from __future__ import annotations

import itertools
import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from denotary.errors import InputError
from denotary.statistics import agreement
from denotary.statistics.bootstrap import State

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units,
# missing votes marked 0; nominal alpha 0.743.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
]


def counts_of(matrix: list[list[int]]) -> np.ndarray:
    votes = [(unit, value - 1) for row in matrix for unit, value in enumerate(row) if value]
    return agreement.vote_counts([v[0] for v in votes], [v[1] for v in votes])


def test_published_nominal_alpha() -> None:
    assert agreement.krippendorff_alpha(counts_of(KRIPPENDORFF)) == pytest.approx(0.743, abs=5e-4)


tables = st.integers(2, 4).flatmap(
    lambda labels: st.lists(
        st.lists(st.integers(0, 3), min_size=labels, max_size=labels), min_size=1, max_size=12
    )
)


def coincidences(table: list[list[int]]) -> np.ndarray:
    """The coincidence matrix, pair by pair."""
    labels = len(table[0])
    found = np.zeros((labels, labels))
    for row in table:
        votes = [label for label, count in enumerate(row) for _ in range(count)]
        for a, b in itertools.permutations(range(len(votes)), 2):
            found[votes[a], votes[b]] += 1 / (len(votes) - 1)
    return found


@given(tables)
def test_alpha_from_the_coincidence_matrix(table: list[list[int]]) -> None:
    found = coincidences(table)
    total = found.sum(axis=1)
    n = total.sum()
    labels = len(total)
    delta = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))) ** 2.0
    for distance in (None, delta):
        d = 1.0 - np.eye(labels) if distance is None else distance
        expected_pairs = (np.outer(total, total) - np.diag(total)) / max(n - 1, 1)
        bottom = (expected_pairs * d).sum()
        got = agreement.krippendorff_alpha(table, distance)
        if bottom > 0:
            assert got == pytest.approx(1 - (found * d).sum() / bottom, abs=1e-10)
        else:
            assert math.isnan(got)


@given(tables.filter(lambda table: sum(any(column) for column in zip(*table, strict=True)) > 1))
def test_alpha_agrees_with_the_krippendorff_package(table: list[list[int]]) -> None:
    ranks = np.arange(len(table[0]), dtype=float)
    nominal = agreement.krippendorff_alpha(table)
    interval = agreement.krippendorff_alpha(table, np.subtract.outer(ranks, ranks) ** 2)
    if math.isnan(nominal):
        assert math.isnan(interval)
        assert sum(any(column) for column in zip(*pairable(table), strict=True)) <= 1
        return
    counts = np.array(table)
    assert nominal == pytest.approx(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    assert interval == pytest.approx(krippendorff.alpha(value_counts=counts, level_of_measurement="interval"))


def pairable(table: list[list[int]]) -> list[list[int]]:
    """The items with at least two votes, the only ones that count; one without a vote stands for none."""
    return [row for row in table if sum(row) > 1] or [[0] * len(table[0])]


@given(tables)
def test_percent_and_ac1_by_pairs_of_votes(table: list[list[int]]) -> None:
    agree, shares = [], []
    for row in table:
        votes = [label for label, count in enumerate(row) for _ in range(count)]
        if len(votes) >= 2:
            pairs = list(itertools.combinations(votes, 2))
            agree.append(np.mean([a == b for a, b in pairs]))
        if votes:
            shares.append(np.array(row) / len(votes))
    percent = agreement.percent_agreement(table)
    if not agree:
        assert math.isnan(percent)
        return
    assert percent == pytest.approx(np.mean(agree))
    pi = np.mean(shares, axis=0)
    chance = (pi * (1 - pi)).sum() / (len(pi) - 1)
    assert agreement.gwet_ac1(table) == pytest.approx((percent - chance) / (1 - chance))


def test_ac1_does_not_collapse_under_prevalence() -> None:
    """118 + 5 agreements in 125: Cohen-type chance terms fall to near 0 here, AC1 does not (hand computation)."""
    table = [[2, 0]] * 118 + [[1, 1]] * 7
    share = (118 * 2 + 7) / 250
    chance = 2 * share * (1 - share)
    assert agreement.gwet_ac1(table) == pytest.approx((118 / 125 - chance) / (1 - chance))
    assert agreement.gwet_ac1(table) > 0.9
    assert agreement.krippendorff_alpha(table) < 0.1


def test_masi_distance_by_hand() -> None:
    sets = [{"a"}, {"a", "b"}, {"b", "c"}, {"d"}, set()]
    d = agreement.masi_distance(sets)
    assert d[0, 1] == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert d[1, 2] == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert d[0, 3] == 1.0
    assert d[0, 4] == 1.0
    assert np.array_equal(d, d.T)
    assert not np.diag(d).any()


@given(tables)
def test_entropy_agrees_with_scipy(table: list[list[int]]) -> None:
    voted = [row for row in table if any(row)]
    expected = [entropy(row, base=2) for row in voted]
    got = agreement.vote_entropy(table)
    assert got[~np.isnan(got)] == pytest.approx(expected, abs=1e-12)
    assert np.isnan(got).sum() == len(table) - len(voted)


def test_entropy_in_bits() -> None:
    got = agreement.vote_entropy([[4, 0, 0], [2, 2, 0], [1, 1, 2], [0, 0, 0]])
    assert got[:3] == pytest.approx([0.0, 1.0, 1.5])
    assert np.isnan(got[3])


@pytest.mark.parametrize("coefficient", ["percent", "alpha", "ac1"])
def test_interval_resamples_items(coefficient: str) -> None:
    """Against resampling whole items one by one."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, size=150)
    votes = np.where(rng.random((150, 4)) < 0.8, truth[:, np.newaxis], rng.integers(0, 3, size=(150, 4)))
    table = agreement.vote_counts(np.repeat(np.arange(150), 4), votes.ravel())
    function = {
        "percent": agreement.percent_agreement,
        "alpha": agreement.krippendorff_alpha,
        "ac1": agreement.gwet_ac1,
    }[coefficient]
    found = agreement.agreement_interval(table, coefficient, resamples=4_000)
    draws = [function(table[rng.integers(0, 150, size=150)]) for _ in range(1_500)]
    low, high = np.quantile(draws, [0.025, 0.975])
    assert found.value == pytest.approx(function(table))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.12 * (high - low))
    assert (found.units, found.state) == (150, State.OK)
    assert agreement.agreement_interval(table, coefficient).resamples == 2_000


@pytest.mark.parametrize("coefficient", ["percent", "alpha", "ac1"])
def test_interval_resamples_whole_units(coefficient: str) -> None:
    """Against drawing units one by one: the items of a unit stay together, which widens the interval."""
    rng = np.random.default_rng(1)
    unit = np.repeat(np.arange(50), rng.integers(1, 8, size=50))
    agrees = np.repeat(rng.random(50) < 0.7, np.bincount(unit))  # a unit agrees or does not, as a whole
    first = rng.integers(0, 3, size=unit.size)
    table = agreement.vote_counts(
        np.repeat(np.arange(unit.size), 2),
        np.stack([first, np.where(agrees, first, (first + 1) % 3)], 1).ravel(),
    )
    function = {
        "percent": agreement.percent_agreement,
        "alpha": agreement.krippendorff_alpha,
        "ac1": agreement.gwet_ac1,
    }[coefficient]
    found = agreement.agreement_interval(table, coefficient, unit=unit, resamples=4_000)
    rows = [np.flatnonzero(unit == u) for u in range(50)]
    draws = [
        function(table[np.concatenate([rows[u] for u in rng.integers(0, 50, size=50)])]) for _ in range(1_500)
    ]
    low, high = np.quantile(draws, [0.025, 0.975])
    assert found.value == pytest.approx(function(table))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.12 * (high - low))
    assert (found.units, found.state) == (50, State.OK)
    by_item = agreement.agreement_interval(table, coefficient, resamples=4_000)
    assert found.high - found.low > 1.3 * (by_item.high - by_item.low)


def test_a_unit_without_a_pair_of_votes_is_not_counted() -> None:
    table = [[2, 0], [1, 1], [1, 0], [0, 2]]
    assert agreement.agreement_interval(table, "percent", unit=[0, 0, 1, 2], resamples=50).units == 2


def test_interval_of_perfect_agreement_is_flagged() -> None:
    found = agreement.agreement_interval([[3, 0], [0, 3], [3, 0]], "alpha", resamples=300)
    assert found.state is State.DEGENERATE
    assert found.skipped > 0  # resamples of one label alone have no alpha
    assert agreement.agreement_interval([[1, 0], [0, 1]], "percent", resamples=50).state is State.EMPTY


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: agreement.percent_agreement([[1, -1]]), r"votes\[0, 1\]"),
        (lambda: agreement.gwet_ac1([[2]]), "1 labels"),
        (lambda: agreement.agreement_interval([[2, 1]], "kappa"), "'kappa'"),
        (lambda: agreement.agreement_interval([[2, 1]], unit=[0, 1]), "differ in length"),
        (lambda: agreement.krippendorff_alpha([[1, 1]], [[0, 1]]), "shape"),
        (lambda: agreement.krippendorff_alpha([[1, 1]], [[0, 1], [2, 0]]), "symmetric"),
        (lambda: agreement.krippendorff_alpha([[1, 1]], [[1, 1], [1, 1]]), "zero diagonal"),
        (lambda: agreement.vote_counts([0, 1], [0]), "differ in length"),
        (lambda: agreement.vote_counts([0], [3], labels=2), "code 3"),
    ],
)
def test_bad_arguments_say_what_and_where(call: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        call()  # type: ignore[operator]
