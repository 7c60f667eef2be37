"""Statistics: values against other libraries and closed forms, intervals against resampling by hand."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from denotary.errors import InputError
from denotary.measures import statistic
from denotary.measures.engine import evaluate
from denotary.measures.estimators import ESTIMATORS, parse
from denotary.measures.records import Statistic
from denotary.measures.table import Table
from denotary.statistics import bootstrap, calibration

Make = Callable[..., Table]
COMMON: Any = {"title": "t", "panel": "p", "direction": "lower", "hides": "h"}


def statistic_of(
    function: str, slices: tuple[str, ...] = ("all",), among: str = "TRUE", **options: float
) -> Statistic:
    return Statistic(id="s", function=function, among=among, slices=slices, options=options, **COMMON)


def run(table: Table, measure: Statistic, resamples: int = 0) -> dict[str, Any]:
    found = evaluate([measure], table, instrument="i", unit_kind="seed", resamples=resamples)
    return {row.slice: row for row in found}


@pytest.fixture
def sample() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    confidence = rng.random(400).round(2)
    return {
        "confidence": confidence.tolist(),
        "right": (rng.random(400) < confidence**2).tolist(),
        "unit": np.repeat(np.arange(100), 4),
        "language": np.repeat(["aa", "bb"], 200).tolist(),
        "group": ["x", "y"] * 200,
    }


@pytest.mark.parametrize(
    ("function", "options", "expected"),
    [
        ("brier", {}, lambda c, r: brier_score_loss(r, c)),
        ("nll", {"floor": 1e-6}, lambda c, r: log_loss(r, np.clip(c, 1e-6, 1 - 1e-6))),
        ("nll", {"floor": 1e-6}, lambda c, r: calibration.negative_log_likelihood(c, r, 1e-6)),
        ("ece_equal_width", {"bins": 10}, lambda c, r: ece(c, r, np.arange(1, 11) / 10)),
        ("ece_equal_width", {}, lambda c, r: ece(c, r, np.arange(1, 16) / 15)),
        ("mce", {"bins": 10}, lambda c, r: max(gaps(c, r, np.arange(1, 11) / 10)[1])),
        ("ece_equal_mass", {"bins": 4}, lambda c, r: ece(c, r, np.unique(np.sort(c)[[99, 199, 299, 399]]))),
    ],
)
def test_calibration(function: str, options: Any, expected: Any, sample: Any, table: Make) -> None:
    row = run(table(**sample), statistic_of(f"{function}(confidence, right)", **options))["all"]
    assert row.value == pytest.approx(
        float(expected(np.asarray(sample["confidence"]), np.asarray(sample["right"])))
    )
    assert (row.denominator, row.units, row.numerator, row.bound) == (400, 100, None, None)


def gaps(confidence: Any, right: Any, edges: Any) -> tuple[list[int], list[float]]:
    sizes, found, low = [], [], -1.0
    for high in edges:
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            sizes.append(int(inside.sum()))
            found.append(abs(float(right[inside].mean() - confidence[inside].mean())))
        low = high
    return sizes, found


def ece(confidence: Any, right: Any, edges: Any) -> float:
    sizes, found = gaps(confidence, right, edges)
    return float(np.average(found, weights=sizes))


def test_areas_by_brute_force_over_orders_of_ties(table: Make) -> None:
    """With one block of ties, every prefix has the overall risk: AURC is that risk, AUGRC half of it."""
    tied = table(confidence=[0.5] * 4, right=[True, False, False, True])
    assert run(tied, statistic_of("aurc(confidence, right)"))["all"].value == pytest.approx(0.5)
    assert run(tied, statistic_of("augrc(confidence, right)"))["all"].value == pytest.approx(0.25)
    ranked = table(confidence=[0.9, 0.8, 0.7], right=[True, False, True])
    assert run(ranked, statistic_of("aurc(confidence, right)"))["all"].value == pytest.approx(
        (0 + 1 / 2 + 1 / 3) / 3
    )


def test_means_leave_missing_values_out_and_reciprocals_count_them_as_zero(table: Make) -> None:
    data = table(x=[1.0, None, 4.0], unit=[0, 1, 1])
    mean, reciprocal = (
        run(data, statistic_of("mean(x)"))["all"],
        run(data, statistic_of("mean_reciprocal(x)"))["all"],
    )
    assert (mean.value, mean.denominator, mean.units) == (2.5, 2, 2)
    assert (reciprocal.value, reciprocal.denominator, reciprocal.units) == (pytest.approx(1.25 / 3), 3, 2)


@pytest.mark.parametrize("function", sorted(ESTIMATORS))
def test_no_rows_is_insufficient_without_an_interval(function: str, table: Make) -> None:
    data = table(x=[0.5], y=[True], z=[0.0])
    columns = ", ".join(("x", "y", "z")[: ESTIMATORS[function][0]])
    row = run(data, statistic_of(f"{function}({columns})", among="FALSE"), resamples=10)["all"]
    assert (row.status, row.value, row.low, row.high, row.denominator) == (
        "INSUFFICIENT",
        None,
        None,
        None,
        0,
    )


def test_a_value_that_is_not_finite_is_none(table: Make) -> None:
    row = run(table(x=[1e308, 1e308]), statistic_of("mean(x)"), resamples=10)["all"]
    assert (row.value, row.status) == (None, "INSUFFICIENT")


def test_slices(sample: Any, table: Make) -> None:
    found = run(table(**sample), statistic_of("brier(confidence, right)", ("all", "group")))
    assert set(found) == {"all", "group=x", "group=y"}
    parts = [found["group=x"], found["group=y"]]
    assert found["all"].value == pytest.approx(sum(row.value * row.denominator for row in parts) / 400)


def test_an_interval_resamples_units(sample: Any, table: Make) -> None:
    row = run(table(**sample), statistic_of("brier(confidence, right)"), resamples=4000)["all"]
    loss = (np.asarray(sample["confidence"]) - np.asarray(sample["right"])) ** 2
    per_unit = loss.reshape(100, 4).sum(axis=1)
    rng = np.random.default_rng(9)
    draws = per_unit[rng.integers(0, 100, (4000, 100))].sum(axis=1) / 400
    low, high = np.quantile(draws, [0.025, 0.975])
    width = high - low
    assert row.interval == "cluster bootstrap 95 %, 4,000 resamples"
    assert row.low == pytest.approx(low, abs=0.08 * width)
    assert row.high == pytest.approx(high, abs=0.08 * width)
    assert row.bound is None


def test_resampled_errors_are_those_of_a_resampled_table(sample: Any, table: Make) -> None:
    """The sums behind a calibration error, weighted, give the error of the repeated rows."""
    data = table(**sample)
    call = parse("ece_equal_width(confidence, right)", {}, data)
    columns = {name: data.plain[name].astype(float) for name in ("confidence", "right")}
    found = call(columns)
    assert found.sums is not None
    assert found.combine is not None
    counts = np.random.default_rng(5).multinomial(100, np.full(100, 0.01), size=20)
    values = found.combine(counts @ found.sums(data.unit, 100))
    for count, value in zip(counts, values, strict=True):
        again = np.repeat(np.arange(100), count)
        repeated = (again[:, None] * 4 + np.arange(4)).ravel()
        assert value == pytest.approx(
            call({name: column[repeated] for name, column in columns.items()}).value
        )


def test_resampling_together_or_slice_by_slice(
    sample: Any, table: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = statistic_of("brier(confidence, right)", ("all", "language", "group"))
    together = run(table(**sample), measure, resamples=2000)
    monkeypatch.setattr(statistic, "_TOGETHER", 0)
    apart = run(table(**sample), measure, resamples=2000)
    for name, row in together.items():
        other = apart[name]
        assert (row.value, row.interval) == (other.value, other.interval)
        if name.startswith("group="):
            assert row.low is row.high is None
        else:
            width = row.high - row.low
            assert (row.low, row.high) == pytest.approx((other.low, other.high), abs=0.12 * width)


def test_the_same_table_gives_the_same_interval(sample: Any, table: Make) -> None:
    measure = statistic_of("mce(confidence, right)", ("all", "language"))
    assert run(table(**sample), measure, resamples=500) == run(table(**sample), measure, resamples=500)


def test_one_unit_has_no_interval(table: Make) -> None:
    row = run(table(x=[1.0, 2.0], unit=[0, 0]), statistic_of("mean(x)"), resamples=100)["all"]
    assert (row.low, row.high, row.note) == (None, None, "no interval: few units")


def test_equal_units_have_no_interval_of_width_zero(table: Make) -> None:
    row = run(table(x=[1.0, 1.0, 1.0]), statistic_of("mean(x)"), resamples=100)["all"]
    assert (row.low, row.high, row.note) == (None, None, "no interval: degenerate")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("mean", "not a function of columns"),
        ("mean(x", "not a function of columns"),
        ("median(x)", "expected one of augrc, aurc"),
        ("mean(x, y)", "mean takes 1 columns, not 2"),
        ("brier(x)", "brier takes 2 columns, not 1"),
        ("mean(z)", "'z' is not a numeric column"),
        ("mean(outcome)", "'outcome' is not a numeric column"),
    ],
)
def test_a_function_that_does_not_exist_is_refused(function: str, message: str, table: Make) -> None:
    with pytest.raises(InputError, match=message):
        parse(function, {}, table(x=[1.0], y=[2.0]))


def test_the_default_number_of_resamples_is_the_published_one() -> None:
    from denotary.measures.engine import RESAMPLES

    assert RESAMPLES == bootstrap.RESAMPLES == 10_000
