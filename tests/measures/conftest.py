"""Small tables for the tests of the engine."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from denotary.measures.table import Coded, Table


def make_table(**columns: Any) -> Table:
    """Make a table; lists of text become text columns; ``unit``, ``answered`` and ``outcome`` have defaults."""
    capabilities = columns.pop("capabilities", ())
    sufficient = columns.pop("sufficient", {})
    size = len(next(iter(columns.values())))
    unit = np.asarray(columns.pop("unit", range(size)), dtype=np.int64)
    usual: dict[str, Any] = {"answered": [True] * size, "outcome": ["right"] * size}
    plain: dict[str, Any] = {}
    coded: dict[str, Coded] = {}
    for name, values in (usual | columns).items():
        if isinstance(values, Coded):
            coded[name] = values
        elif any(isinstance(value, str) for value in values):
            coded[name] = Coded.of(list(values))
        else:
            numbers = [np.nan if value is None else value for value in values]
            plain[name] = np.asarray(numbers, dtype=float if None in values else None)
    return Table(unit, plain, coded, frozenset(capabilities), sufficient)


@pytest.fixture
def table() -> Callable[..., Table]:
    """See :func:`make_table`."""
    return make_table
