from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from denotary.errors import InputError
from denotary.statistics import selective

cases = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.integers(0, 1)), min_size=1, max_size=40)


def columns(rows: list[tuple[float, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)


@given(cases)
def test_curve_is_the_definition_at_every_distinct_threshold(rows: list[tuple[float, int]]) -> None:
    confidence, loss = columns(rows)
    curve = selective.risk_coverage(confidence, loss)
    assert curve.thresholds.tolist() == sorted(set(confidence.tolist()), reverse=True)
    for i, threshold in enumerate(curve.thresholds):
        accepted = confidence >= threshold
        assert curve.accepted[i] == accepted.sum()
        assert curve.coverage[i] == accepted.mean()
        assert curve.risk[i] == pytest.approx(loss[accepted].mean())


@given(cases)
def test_augrc_identity_with_auroc(rows: list[tuple[float, int]]) -> None:
    confidence, loss = columns(rows)
    accuracy = 1 - loss.mean()
    auroc = roc_auc_score(1 - loss, confidence) if 0 < accuracy < 1 else 0.5
    expected = (1 - auroc) * accuracy * (1 - accuracy) + (1 - accuracy) ** 2 / 2
    assert selective.augrc(confidence, loss) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("confidence", [[0.9, 0.5, 0.5, 0.5, 0.1], [0.7] * 5, [0.9, 0.9, 0.3, 0.3, 0.1]])
def test_aurc_is_the_mean_over_all_orders_of_tied_cases(confidence: list[float]) -> None:
    loss = np.array([0.0, 1.0, 0.0, 1.0, 0.25])
    areas = []
    for order in itertools.permutations(range(5)):
        ranked = np.array(confidence)[list(order)]
        if (np.diff(ranked) <= 0).all():
            areas.append(np.mean(np.cumsum(loss[list(order)]) / np.arange(1, 6)))
    assert selective.aurc(confidence, loss) == pytest.approx(np.mean(areas), rel=1e-12)


@given(cases, st.randoms(use_true_random=False))
def test_row_order_changes_nothing(rows: list[tuple[float, int]], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for area in (selective.aurc, selective.augrc):
        assert area(*columns(rows)) == pytest.approx(area(*columns(shuffled)), abs=1e-14)


def test_perfect_and_worst_ranking_by_hand() -> None:
    assert selective.augrc([4, 3, 2, 1], [0, 0, 1, 1]) == pytest.approx(0.125)
    assert selective.augrc([4, 3, 2, 1], [1, 1, 0, 0]) == pytest.approx(0.375)
    assert selective.aurc([4, 3, 2, 1], [0, 0, 1, 1]) == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)


def test_no_cases_no_area() -> None:
    assert math.isnan(selective.aurc([], []))
    assert math.isnan(selective.augrc([], []))
    assert selective.risk_coverage([], []).risk.size == 0


@pytest.mark.parametrize(
    ("confidence", "loss", "word"),
    [
        ([0.1, np.nan], [0, 1], r"confidence\[1\]"),
        ([0.1], [1.5], r"loss\[0\] is 1.5"),
        ([0.1], [0, 1], "differ"),
    ],
)
def test_bad_arguments_say_what_and_where(confidence: list[float], loss: list[float], word: str) -> None:
    with pytest.raises(InputError, match=word):
        selective.risk_coverage(confidence, loss)
