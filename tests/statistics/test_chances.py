"""What a caller says of chance is what is computed: confidence, alpha and seed reach every function that takes them."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from public_calls import CALLS, Call, described

from denotary.errors import InputError
from denotary.statistics import auroc, bootstrap, clustered_auroc, paired

RNG = np.random.default_rng(5)
SCORES, LABELS = RNG.normal(size=60), np.arange(60) % 3 == 0
ANCHORED = {"positive": SCORES[:20] + 0.5, "negative": SCORES[20:40]}
SHARES = {"numerator": RNG.integers(0, 3, 60), "denominator": np.full(60, 3)}
PANEL = (np.stack([SHARES["numerator"], LABELS], axis=1), np.full((60, 2), 3))
OTHER = (PANEL[0][::-1], PANEL[1])

RESAMPLED: list[tuple[Any, dict[str, Any]]] = [
    (auroc.anchor_bootstrap, ANCHORED),
    (
        clustered_auroc.separation,
        {"scores": SCORES, "positive": LABELS, "stratum": np.arange(60) // 30, "anchor": np.arange(60) // 2},
    ),
    (bootstrap.ratio, SHARES),
    (bootstrap.panel, {"numerators": PANEL[0], "denominators": PANEL[1]}),
    (paired.ratio_differences, {"first": PANEL, "second": OTHER}),
    (paired.ratio_difference, {"first": (PANEL[0][:, 0], PANEL[1][:, 0]), "second": (OTHER[0][:, 0], OTHER[1][:, 0])}),
]  # fmt: skip


def intervals(answer: Any) -> list[tuple[float, float]]:
    return [(item.low, item.high) for item in (answer if isinstance(answer, list) else [answer])]


@pytest.mark.parametrize(("run", "good"), RESAMPLED, ids=lambda value: getattr(value, "__name__", ""))
def test_an_interval_has_the_confidence_and_the_seed_that_it_was_asked_for(
    run: Any, good: dict[str, Any]
) -> None:
    usual = intervals(run(**good, resamples=999))
    assert usual == intervals(run(**good, resamples=999, confidence=0.95, seed=0))
    assert usual != intervals(run(**good, resamples=999, seed=1))
    assert usual != intervals(run(**good, resamples=500))
    for narrow, wide in zip(intervals(run(**good, resamples=999, confidence=0.5)), usual, strict=True):
        assert wide[0] < narrow[0] < narrow[1] < wide[1]


def flat(answer: Any) -> list[float]:
    fields = [getattr(answer, name) for name in ("low", "high", "bound") if hasattr(answer, name)]
    parts = fields or answer
    return [
        float(value) for part in np.atleast_1d(np.asarray(parts, dtype=float)) for value in np.ravel(part)
    ]


WITH_ALPHA = [call for call in CALLS if "alpha" in inspect.signature(call.run).parameters]
CHANCES = {"units_for", "failures_allowed", "power", "units_for_power", "units_to_certify", "sibling_power"}
"""Their answer is a number of units or a chance, whose change with alpha `test_planning` checks."""


@pytest.mark.parametrize(
    "call", [call for call in WITH_ALPHA if described(call) not in CHANCES], ids=described
)
def test_a_bound_spends_the_alpha_that_it_was_given(call: Call) -> None:
    good = {name: value for name, value in call.good.items() if name != "alpha"}
    if inspect.signature(call.run).parameters["alpha"].default is not inspect.Parameter.empty:
        np.testing.assert_array_equal(flat(call.run(**good)), flat(call.run(**good, alpha=0.05)))
    assert flat(call.run(**good, alpha=0.05)) != flat(call.run(**good, alpha=0.4))


def test_what_cannot_be_compared_has_no_interval() -> None:
    """Every stratum holds one kind of case: there is no AUROC, and so no end of an interval."""
    found = clustered_auroc.separation([0.1, 0.2], [True, False], [0, 1], [0, 1])
    assert np.isnan([found.value, found.low, found.high]).all()
    assert np.isnan(found.by_stratum).all()
    assert found.method == ""
    lone = clustered_auroc.separation([0.1, 0.2], [True, False], [0, 0], [0, 0])
    assert lone.value == 0.0
    assert np.isnan([lone.low, lone.high]).all()


def test_columns_of_two_systems_are_tables_and_their_counts_a_column() -> None:
    with pytest.raises(InputError, match=r"^first numerator: expected 2 axes, got shape \(60,\)$"):
        paired.ratio_differences((PANEL[0][:, 0], PANEL[1]), OTHER)
    with pytest.raises(InputError, match=r"^counts: expected 1 axes, got shape \(60, 2\)$"):
        paired.ratio_differences(PANEL, OTHER, PANEL[1])
    with pytest.raises(InputError, match=r"^second denominator\[\d+.*\] is -1"):
        paired.ratio_differences(PANEL, (OTHER[0], -OTHER[1] // 3))
