"""Coverage of every interval and bound that the product gives, over the named grid.

What gates must cover at its nominal rate, up to three standard errors. What describes is reported as it is.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.measures import bounds
from denotary.statistics import betting, binomial, bootstrap
from validity.cells import RATIOS, SIBLINGS, SINGLE, UNEVEN
from validity.panels import panel, per_suite
from validity.results import ALPHA, Result, chance, significant, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from validity.cells import Cell
    from validity.tally import Tally

    FloatArray = NDArray[np.float64]
    Ends = tuple[FloatArray, FloatArray]

LOOKS: Final = 3
"""Looks among which the second error probability of every bound is divided."""

ROW: Final = "bound of a row, upper"
"""The betting bound as rows and gates have it: never below the observed rate by case."""

TWO_SIDED: Final = 0.95

Method = tuple[str, float, bool, "Callable[[Tally], Ends]"]
"""Name, nominal coverage, whether it gates, and the function: lower and upper ends, shape (R,)."""


def cells() -> Iterator[Cell]:
    """Yield the grid."""
    yield from (*SINGLE, *SIBLINGS, *RATIOS, UNEVEN)


def run(cell: Cell, repeats: int, resampled: int) -> Iterator[Result]:
    """Yield the coverage of each method that applies to a cell.

    Args:
        cell: the cell.
        repeats: data sets.
        resampled: data sets that are bootstrapped, each with as many resamples.
    """
    found = cell.draw(stream("coverage", cell.name), repeats)
    for method in _gating(cell):
        yield _covered(cell, method, found, cell.by_unit)
    few = found.only(np.arange(min(resampled, repeats)))
    for method in _describing(cell, resampled):
        yield _covered(cell, method, few if "bootstrap" in method[0] else found, cell.by_case)


def _gating(cell: Cell) -> Iterator[Method]:
    form = "ratio" if cell.ratio else "mean"
    for alpha in (ALPHA, ALPHA / LOOKS):
        if cell.single:
            yield "exact, upper", 1.0 - alpha, True, partial(_exact, alpha=alpha)
            yield "exact, lower", 1.0 - alpha, True, partial(_exact_lower, alpha=alpha)
        yield f"betting, {form}, upper", 1.0 - alpha, True, partial(_betting, alpha=alpha)
        yield f"betting, {form}, lower", 1.0 - alpha, True, partial(_betting_lower, alpha=alpha)
        if not cell.single:
            yield ROW, 1.0 - alpha, True, partial(_row, alpha=alpha)


def _describing(cell: Cell, resampled: int) -> Iterator[Method]:
    yield "Wilson on cases", TWO_SIDED, False, _wilson
    if not cell.single:
        yield "Korn-Graubard", TWO_SIDED, False, _korn_graubard
        yield "exact on cases, upper", 1.0 - ALPHA, False, partial(_exact, alpha=ALPHA)
    if not math.isclose(cell.by_unit, cell.by_case, rel_tol=1e-6):
        yield f"{ROW}, read by case", 1.0 - ALPHA, False, partial(_row, alpha=ALPHA)
    yield "cluster bootstrap, percentile", TWO_SIDED, False, partial(_bootstrap, resamples=resampled)


def _covered(cell: Cell, method: Method, found: Tally, truth: float) -> Result:
    title, nominal, gates, function = method
    low, high = function(found)
    inside = chance(int(((low <= truth) & (truth <= high)).sum()), len(low))
    facts = {
        "method": title,
        "cell": cell.name,
        "truth": significant(truth),
        "nominal": significant(nominal),
        "gates": gates,
        "covered": inside,
    }
    if "lower" not in title and truth > 0:
        facts["median_over_truth"] = significant(float(np.median(high)) / truth)
    holds = inside.at_least(nominal) if gates else None
    return Result(f"{title} {significant(nominal):g}: {cell.name}", facts, holds)


def _totals(found: Tally) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return failures and cases of each data set, shape (R,) each."""
    return found.count @ found.failed, found.count @ found.counted


def _wilson(found: Tally) -> Ends:
    return binomial.wilson(*_totals(found))


def _korn_graubard(found: Tally) -> Ends:
    return bounds.intervals(panel(found))


def _exact(found: Tally, alpha: float) -> Ends:
    high = binomial.upper(*_totals(found), alpha)
    return np.zeros_like(high), high


def _exact_lower(found: Tally, alpha: float) -> Ends:
    low = binomial.lower(*_totals(found), alpha)
    return low, np.ones_like(low)


def _betting(found: Tally, alpha: float) -> Ends:
    suite, columns = per_suite(found)
    high = betting.upper_ratios(columns, suite, len(found.count), alpha)
    return np.zeros_like(high), high


def _betting_lower(found: Tally, alpha: float) -> Ends:
    suite, (failed, counted, size, count) = per_suite(found)
    low = 1.0 - betting.upper_ratios((counted - failed, counted, size, count), suite, len(found.count), alpha)
    return low, np.ones_like(low)


def _row(found: Tally, alpha: float) -> Ends:
    high = bounds.upper_bounds(panel(found), alpha)
    return np.zeros_like(high), high


def _bootstrap(found: Tally, resamples: int) -> Ends:
    ends = [
        bootstrap.ratio(found.failed, found.counted, count, resamples=resamples, seed=number)
        for number, count in enumerate(found.count)
    ]
    return np.asarray([item.low for item in ends]), np.asarray([item.high for item in ends])
