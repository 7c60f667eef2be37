"""The joined table refuses columns that do not fit together."""

from typing import Any

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.measures.table import Coded, Table

PLAIN = {"answered": np.ones(2, dtype=bool)}
CODED = {"outcome": Coded.of(["right", "wrong"])}
UNIT = np.arange(2)


def make(**changes: Any) -> Table:
    parts: dict[str, Any] = {"unit": UNIT, "plain": PLAIN, "coded": CODED}
    return Table(**(parts | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"plain": PLAIN | {"x": np.ones(3)}}, "'x' has 3 rows; the table has 2"),
        ({"coded": CODED | {"x": Coded.of(["a"])}}, "'x' has 1 rows; the table has 2"),
        ({"plain": PLAIN | {"outcome": np.ones(2)}}, "'outcome' is both plain and coded"),
        ({"plain": {}}, "needs the boolean column 'answered'"),
        ({"plain": {"answered": np.ones(2)}}, "needs the boolean column 'answered'"),
        ({"coded": {}}, "needs the boolean column 'answered' and the text column 'outcome'"),
        ({"plain": PLAIN | {"x": np.asarray(["a", "b"])}}, "expected bool, int or float"),
        ({"coded": CODED | {"x": Coded(np.asarray([0, 1]), ("a",))}}, "'x' holds a code without a label"),
        ({"coded": CODED | {"x": Coded(np.asarray([0, -2]), ("a",))}}, "'x' holds a code without a label"),
        ({"coded": CODED | {"x": Coded(np.asarray([0, 0]), ("a", "a"))}}, "'x' has a label twice"),
        ({"unit": np.asarray([0, -1])}, "unit holds a negative number"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make(**changes)


def test_coding_keeps_order_nulls_and_unused_labels() -> None:
    column = Coded.of(iter(["b", None, "a", "b"]))
    assert (column.codes.tolist(), column.labels) == ([1, -1, 0, 1], ("a", "b"))
    fixed = Coded.of(["b"], ["z", "b"])
    assert (fixed.codes.tolist(), fixed.labels) == ([1], ("z", "b"))
    with pytest.raises(InputError, match="'c' is not among the column's labels"):
        Coded.of(["b", "c"], ["z", "b"])


def test_outcomes_sum_to_the_rows_and_a_case_without_one_is_refused() -> None:
    assert make().outcomes() == {"right": 1, "wrong": 1}
    with pytest.raises(InputError, match="1 of 2 planned cases are in no outcome class"):
        make(coded={"outcome": Coded.of(["right", None])}).outcomes()


def test_labels_and_flags() -> None:
    table = make()
    assert table.is_label("outcome", "wrong").tolist() == [False, True]
    assert table.is_label("outcome", "unknown").tolist() == [False, False]
    assert table.flag("answered").dtype == bool
    assert table.names == {"answered", "outcome"}
    assert (
        len(make(unit=UNIT[:0], plain={"answered": PLAIN["answered"][:0]}, coded={"outcome": Coded.of([])}))
        == 0
    )
