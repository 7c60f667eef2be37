from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from denotary.errors import InputError
from denotary.statistics import checks


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: checks.floats("x", [0.0, np.nan]), "x[1] is nan; expected a finite number"),
        (lambda: checks.floats("x", [[0.0, -np.inf]]), "x[0, 1] is -inf; expected a finite number"),
        (lambda: checks.floats("x", np.nan), "x is nan; expected a finite number"),
        (lambda: checks.floats("x", [np.inf, np.nan], infinite=True), "x[1] is nan; expected a number"),
        (lambda: checks.floats("x", [0.5, 2.0], low=0, high=1), "x[1] is 2.0; expected a value in [0, 1]"),
        (lambda: checks.floats("x", [[1.0]], ndim=1), "x: expected 1 axes, got shape (1, 1)"),
        (lambda: checks.floats("x", ["1"]), "x: expected numbers, got dtype <U1"),
        (lambda: checks.floats("x", [1j]), "x: expected numbers, got dtype complex128"),
        (lambda: checks.counts("k", [1, -2]), "k[1] is -2; expected a count of 0 or more"),
        (lambda: checks.counts("k", [0.5]), "k[0] is 0.5; expected a whole number"),
        (lambda: checks.counts("k", 2.0**60), f"k is {2.0**60}; expected a count of at most 2**53"),
        (lambda: checks.counts("k", [10**30]), "k: expected numbers, got dtype object"),
        (lambda: checks.flags("f", [0, 1, 3]), "f[2] is 3; expected a 0 or 1"),
        (lambda: checks.flags("f", [np.nan]), "f[0] is nan; expected a 0 or 1"),
        (lambda: checks.codes("g", [0, 4], 3), "g: code 4 is not below the number of groups, 3"),
        (lambda: checks.probability("alpha", 1.0), "alpha is 1; expected a number strictly between 0 and 1"),
        (
            lambda: checks.same_length({"a": np.zeros(2), "b": np.zeros(3)}),
            "columns differ in length: a 2, b 3",
        ),
    ],
)
def test_messages_name_the_place_and_what_was_expected(call: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()  # type: ignore[operator]
    assert str(caught.value) == message


def test_ragged_lists_are_refused() -> None:
    with pytest.raises(InputError, match="x: not an array of numbers"):
        checks.floats("x", [[1.0], [1.0, 2.0]])


def test_what_passes() -> None:
    assert checks.floats("x", [True, False]).tolist() == [1.0, 0.0]
    assert checks.floats("x", []).dtype == np.float64
    assert checks.floats("x", [np.inf], infinite=True)[0] == np.inf
    assert checks.counts("k", np.array([3.0])).dtype == np.int64
    assert checks.counts("k", np.array([7], dtype=np.uint8)).tolist() == [7]
    assert checks.flags("f", [0.0, 1.0]).tolist() == [False, True]
    assert checks.codes("g", [0, 2])[1] == 3
    assert checks.codes("g", [], 4)[1] == 4


def test_the_room_imports_nothing_heavy() -> None:
    code = "import sys, denotary.statistics; print(any(m.split('.')[0] in ('numpy', 'scipy') for m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_gates_do_not_need_scipy_stats() -> None:
    code = (
        "import sys; from denotary.statistics import binomial, betting, planning, paired, bootstrap, threshold;"
        "binomial.upper_bound(1, 100); betting.upper_mean([0.0], [9]); planning.units_for(0.1);"
        "print('scipy.stats' in sys.modules or 'scipy.sparse' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_nothing_at_all_is_an_array_of_numbers_and_keeps_the_kind_that_it_has() -> None:
    assert checks.numeric("x", np.array([], dtype=object)).dtype == np.float64
    assert checks.numeric("x", np.array([], dtype=str)).dtype == np.float64
    assert checks.numeric("x", np.array([], dtype=np.int64)).dtype == np.int64
    assert checks.numeric("x", np.array([], dtype=bool)).dtype == np.bool_
