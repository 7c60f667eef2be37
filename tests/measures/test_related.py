"""Measures over a related table: its rows are counted, the capabilities and floors of the cases hold."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.measures.engine import evaluate
from denotary.measures.records import Rate
from denotary.measures.table import Coded, Table

Make = Callable[..., Table]
COMMON: Any = {"panel": "p", "hides": "h", "direction": "lower", "among": "TRUE"}
CASES = Rate(id="cases", title="t", event="bad", slices=("all",), **COMMON)
PAIRS = Rate(id="pairs", title="t", event="bad", over="pairs", slices=("pair",), **COMMON)


def table(*, capabilities: tuple[str, ...] = (), sufficient: Any = None) -> Table:
    def made(unit: list[int], bad: list[int], **coded: Coded) -> Table:
        outcome = Coded(np.zeros(len(unit), dtype=np.int32), ("right",))
        plain = {"answered": np.ones(len(unit), dtype=np.bool_), "bad": np.asarray(bad, dtype=np.bool_)}
        return Table(np.asarray(unit), plain, {"outcome": outcome, **coded})

    pairs = made([0, 0, 1, 1, 2], [1, 0, 1, 1, 0], pair=Coded.of(["x", "y", "x", "x", "y"]))
    return replace(
        made([0, 1, 2], [0, 0, 1]),
        related={"pairs": pairs},
        capabilities=frozenset(capabilities),
        sufficient=sufficient or {},
    )


def found(data: Table, *measures: Any) -> dict[tuple[str, str], Any]:
    rows = evaluate(measures, data, instrument="i", unit_kind="u", resamples=0)
    return {(row.measure, row.slice): row for row in rows}


def test_the_rows_of_the_related_table_are_counted_by_its_own_units() -> None:
    rows = found(table(), PAIRS, CASES)
    assert [*rows] == [("pairs", "pair=x"), ("pairs", "pair=y"), ("cases", "all")]
    x, y = rows["pairs", "pair=x"], rows["pairs", "pair=y"]
    assert (x.numerator, x.denominator, x.units, y.numerator, y.denominator, y.units) == (3, 3, 2, 0, 2, 2)
    assert (rows["cases", "all"].numerator, rows["cases", "all"].denominator) == (1, 3)


def test_what_the_system_showed_and_the_floors_are_those_of_the_cases() -> None:
    from msgspec.structs import replace as changed

    needy = changed(PAIRS, needs="confidence")
    assert {row.status for row in found(table(), needy).values()} == {"NOT_APPLICABLE"}
    assert found(table(capabilities=("confidence",)), needy)["pairs", "pair=x"].value == 1.0
    rows = found(table(sufficient={"pair": frozenset("x")}), PAIRS)
    assert [row.status for row in rows.values()] == ["SUFFICIENT", "INSUFFICIENT"]


def test_a_table_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="no related table 'pairs'"):
        found(replace(table(), related={}), PAIRS)
