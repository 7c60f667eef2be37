"""Statistics of two systems side by side, over the cases that both show what it takes: description, never a gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from denotary.measures.estimators import parse
from denotary.measures.expressions import masks
from denotary.measures.records import Series, Statistic
from denotary.measures.separating import interval_of_difference
from denotary.measures.slices import axis
from denotary.measures.statistic import FINER

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from denotary.measures.pairs import Pairs
    from denotary.measures.records import Measure

STATISTICS: Final = "statistics"
"""Name of the series."""
AUROC: Final = "stratified_auroc"
"""The function whose difference has an interval."""
_COLUMNS: Final = ("measure", "slice", "cases", "base", "new", "difference", "low", "high", "interval")

Line = tuple[str | int | float | None, ...]


def compared_statistics(
    measures: Iterable[Measure],
    pairs: Pairs,
    *,
    instrument: str,
    without: Container[str] = (),
    resamples: int = FINER,
) -> Series:
    """Return every statistic that is no diagnostic of both systems, with the difference, new less base.

    Each is of the cases that belong to its population with both systems. An AUROC has a 95 % interval of the difference
    in which units are resampled in pairs; of no other statistic is one given.

    Args:
        measures: declared measures; rates and ratios are passed over.
        pairs: both systems' answers to the same cases.
        instrument: its name.
        without: axes along which the answers decide the slice of a case.
        resamples: bootstrap resamples behind an interval.
    """
    lines: list[Line] = []
    for measure in measures:
        if isinstance(measure, Statistic) and not measure.diagnostic:
            lines += _lines(measure, pairs, without, resamples)
    return Series(instrument=instrument, series=STATISTICS, slice="all", columns=_COLUMNS, rows=tuple(lines))


def _lines(measure: Statistic, pairs: Pairs, without: Container[str], resamples: int) -> Iterator[Line]:
    call = parse(measure.function, measure.options, pairs.new)
    among, held = [measure.among], (pairs.base, pairs.new)
    both = np.logical_and(*(masks(table, among)[measure.among] for table in held))
    for name in measure.slices:
        if name in without:
            continue
        by = axis(pairs.new, name)
        order, ends = by.sorted()
        for value, label in by.slices():
            rows = order[ends[value] : ends[value + 1]]
            rows = np.sort(rows[both[rows]])
            base, new = (
                {column: table.plain[column][rows].astype(np.float64) for column in call.columns}
                for table in held
            )
            before, now = call(base), call(new)
            if before.value is None or now.value is None:
                continue
            reach: tuple[float | None, float | None, str] = (None, None, "")
            if call.name == AUROC:
                before_columns, now_columns = ([side[item] for item in call.columns] for side in (base, new))
                reach = interval_of_difference(before_columns, now_columns, pairs.new.unit[rows], resamples)
            step = now.value - before.value
            yield (measure.id, label, now.rows, before.value, now.value, step, *reach)
