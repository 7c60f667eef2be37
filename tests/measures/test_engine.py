"""The engine: declared measures and a table in, rows out."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.errors import InputError
from denotary.measures.engine import evaluate
from denotary.measures.records import Measure, Rate, Ratio, Statistic
from denotary.measures.table import Table
from denotary.statistics import betting, binomial

Make = Callable[..., Table]
COMMON: Any = {"title": "t", "panel": "p", "direction": "lower", "hides": "h", "slices": ("all", "group")}
BAD = Rate(id="bad", event="bad", among="TRUE", **COMMON)
RISK = Ratio(id="risk", numerator="bad AND given", denominator="given", **COMMON)


def run(table: Table, *measures: Measure, resamples: int = 0) -> dict[tuple[str, str], Any]:
    found = evaluate(measures, table, instrument="i", unit_kind="seed", resamples=resamples)
    return {(row.measure, row.slice): row for row in found}


def test_a_rate_with_single_case_units_is_exact(table: Make) -> None:
    row = run(table(bad=[True] + [False] * 99, group=["g"] * 100), BAD)["bad", "all"]
    assert (row.numerator, row.denominator, row.units, row.value) == (1, 100, 100, 0.01)
    assert row.bound == binomial.upper_bound(1, 100)
    assert row.bound_method == "exact binomial"
    assert row.interval == "Wilson 95 %"
    assert (row.low, row.high) == pytest.approx(tuple(map(float, binomial.wilson(1, 100))))
    assert (row.instrument, row.unit_kind, row.panel, row.hides, row.direction) == (
        "i",
        "seed",
        "p",
        "h",
        "lower",
    )


def test_a_rate_with_siblings_is_bounded_by_betting(table: Make) -> None:
    unit = np.repeat(np.arange(50), 2)
    row = run(table(bad=[True] + [False] * 99, group=["g"] * 100, unit=unit), BAD)["bad", "all"]
    assert row.units == 50
    assert row.bound == betting.upper_ratio([1, 0], [2, 2], [2, 2], [1, 49])
    assert row.bound_method.startswith("order-free betting")
    assert row.interval == "Korn-Graubard 95 %"
    assert sorted((t.numerator, t.denominator, t.size, t.count) for t in row.types) == [
        (0, 2, 2, 49),
        (1, 2, 2, 1),
    ]


def test_units_whose_population_is_one_case_are_single_whatever_their_other_cases(table: Make) -> None:
    """Of each unit of two, one case is in the population: the exact bound is valid and is used."""
    only = Rate(id="only", event="bad", among="given", **COMMON)
    unit = np.repeat(np.arange(50), 2)
    row = run(table(bad=[False] * 100, given=[True, False] * 50, group=["g"] * 100, unit=unit), only)[
        "only", "all"
    ]
    assert row.bound == binomial.upper_bound(0, 50)


def test_a_ratio_keeps_the_planned_size_of_its_units(table: Make) -> None:
    unit = np.repeat(np.arange(2), 3)
    given_ = [True, True, False, True, False, False]
    row = run(table(bad=[True] + [False] * 5, given=given_, group=["g"] * 6, unit=unit), RISK)["risk", "all"]
    assert (row.numerator, row.denominator, row.units, row.ratio) == (1, 3, 2, True)
    assert sorted((t.numerator, t.denominator, t.size, t.count) for t in row.types) == [
        (0, 1, 3, 1),
        (1, 2, 3, 1),
    ]
    assert row.bound == max(betting.upper_ratio([1, 0], [2, 1], [3, 3]), 1 / 3)


def test_a_unit_without_anything_in_the_denominator_is_no_unit_of_the_ratio(table: Make) -> None:
    row = run(table(bad=[False] * 3, given=[True, True, False], group=["g"] * 3), RISK)["risk", "all"]
    assert (row.denominator, row.units) == (2, 2)


def test_nothing_to_count_is_insufficient_and_never_zero(table: Make) -> None:
    none = Rate(id="none", event="bad", among="FALSE", **COMMON)
    better = Rate(id="better", event="bad", among="FALSE", **(COMMON | {"direction": "higher"}))
    found = run(table(bad=[True], group=["g"]), none, better)
    for measure, bound in (("none", 1.0), ("better", 0.0)):
        row = found[measure, "group=g"]
        assert (row.numerator, row.denominator, row.units, row.value) == (0, 0, 0, None)
        assert (row.low, row.high, row.bound, row.status, row.types) == (0.0, 1.0, bound, "INSUFFICIENT", ())


def test_slices_are_the_labels_that_hold_a_case(table: Make) -> None:
    from denotary.measures.table import Coded

    groups = Coded.of(["b", "", "a", None], ["a", "b", "unused", ""])
    found = run(table(bad=[True, True, False, True], group=groups), BAD)
    assert [name for _, name in found] == ["all", "group=a", "group=b"]
    assert found["bad", "all"].denominator == 4
    assert found["bad", "group=b"].numerator == 1


def test_answered_counts_leave_failures_out(table: Make) -> None:
    harm = Rate(id="harm", event="bad OR NOT answered", among="TRUE", **COMMON)
    found = run(table(bad=[True, False, False], answered=[True, True, False], group=["g"] * 3), harm)[
        "harm", "all"
    ]
    assert (found.numerator, found.denominator) == (2, 3)
    assert (found.answered_numerator, found.answered_denominator) == (1, 2)


def test_a_measure_may_say_which_of_its_rows_are_answered(table: Make) -> None:
    own = Rate(id="own", event="bad", among="TRUE", answered="given", **COMMON)
    row = run(table(bad=[True, True], given=[True, False], group=["g"] * 2), own)["own", "all"]
    assert (row.answered_numerator, row.answered_denominator) == (1, 1)


def test_needs_that_are_not_met(table: Make) -> None:
    needy = Rate(id="needy", event="bad", among="TRUE", needs="candidates", **COMMON)
    data: dict[str, Any] = {"bad": [True], "group": ["g"]}
    found = run(table(**data), needy)
    assert {row.status for row in found.values()} == {"NOT_APPLICABLE"}
    assert found["needy", "group=g"].note == "the system returned no candidates"
    assert run(table(**data, capabilities=("candidates",)), needy)["needy", "all"].status == "SUFFICIENT"


def test_a_slice_below_its_floors_is_insufficient(table: Make) -> None:
    found = run(table(bad=[True, False], group=["a", "b"], sufficient={"group": frozenset("a")}), BAD)
    assert found["bad", "group=a"].status == "SUFFICIENT"
    assert (found["bad", "group=b"].status, found["bad", "group=b"].note) == (
        "INSUFFICIENT",
        "below the evidence floors",
    )
    assert found["bad", "all"].status == "SUFFICIENT"


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (
            Ratio(id="r", numerator="bad", denominator="given", **COMMON),
            "r: a row is in the numerator and not",
        ),
        (
            Rate(id="r", event="bad", among="TRUE", **(COMMON | {"slices": ("size",)})),
            "cannot slice by 'size'",
        ),
        (Rate(id="r", event="nonsense", among="TRUE", **COMMON), "'nonsense' is not a column"),
        (Rate(id="r", event="bad", among="group = 'z'", **COMMON), "'z' is not a label of column 'group'"),
        (Statistic(id="r", function="median(size)", among="TRUE", **COMMON), "not a function of columns"),
        (Measure(id="r", **COMMON), "r: a Measure cannot be evaluated"),
    ],
)
def test_a_measure_that_does_not_fit_the_table_is_refused(
    measure: Measure, message: str, table: Make
) -> None:
    data = table(bad=[True], given=[False], size=[1.0], group=["g"])
    with pytest.raises(InputError, match=message):
        run(data, measure)


def test_an_id_may_stand_once(table: Make) -> None:
    with pytest.raises(InputError, match="two measures have the same id"):
        run(table(bad=[True], group=["g"]), BAD, BAD)


ROW = st.tuples(
    st.integers(0, 3), st.sampled_from("abc"), st.sampled_from("xy"), st.booleans(), st.booleans()
)


@given(st.lists(ROW, min_size=1, max_size=25), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_do_not_depend_on_the_order_of_the_table(table: Make, rows: list[Any], chance: Any) -> None:
    sliced = COMMON | {"slices": ("all", "group", "other")}
    bad = Rate(id="bad", event="bad", among="given", **sliced)
    risk = Ratio(id="risk", numerator="bad AND given", denominator="given", **sliced)

    def found(data: list[Any]) -> dict[tuple[str, str], Any]:
        columns = ([row[i] for row in data] for i in range(5))
        names = ("unit", "group", "other", "bad", "given")
        return run(table(**dict(zip(names, columns, strict=True))), bad, risk)

    mixed = rows.copy()
    chance.shuffle(mixed)
    expected = found(rows)
    assert found(mixed) == expected
    for (measure, name), row in expected.items():
        axis, _, value = name.partition("=")
        inside = [r for r in rows if axis == "all" or value == r[1 if axis == "group" else 2]]
        assert row.numerator == sum(r[3] and r[4] for r in inside), measure
        assert row.denominator == sum(r[4] for r in inside), measure
        assert row.units == len({r[0] for r in inside if r[4]}), measure
