"""Division where a denominator may be empty: the quotient does not exist there, and is neither 0 nor an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from denotary.statistics.checks import FloatArray


def quotient(top: NDArray[Any], bottom: NDArray[Any]) -> FloatArray:
    """Return top / bottom, of two arrays of one shape; NaN where bottom is not above 0."""
    found: FloatArray = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return found
