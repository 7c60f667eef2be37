"""Type counts of many simulated suites as the panels that the product bounds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denotary.measures.bounds import Panel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from validity.tally import Tally

    IntArray = NDArray[np.int64]


def per_suite(found: Tally) -> tuple[IntArray, tuple[IntArray, IntArray, IntArray, IntArray]]:
    """Return the suite of every type that it has, and failures, cases, size and count of that type."""
    suite, kind = np.nonzero(found.count)
    columns = (found.failed[kind], found.counted[kind], found.size[kind], found.count[suite, kind])
    return suite, columns


def panel(found: Tally) -> Panel:
    """Return the panel with a row for every suite."""
    suite, columns = per_suite(found)
    return Panel(suite, *columns, len(found.count))
