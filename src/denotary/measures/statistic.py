"""Rows of statistics: a value in every slice, and a cluster bootstrap interval where it is read.

Units are resampled, never cases (:mod:`denotary.statistics.bootstrap`), and statistics share the resamples. Intervals
are given for all cases and for each language; in finer slices there is the value alone, unless the estimator makes an
interval of its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.measures.counts import count_distinct
from denotary.measures.estimators import parse
from denotary.measures.slices import ALL
from denotary.statistics import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.measures.estimators import Call, Estimate
    from denotary.measures.records import Row, Statistic
    from denotary.measures.rows import RowMaker
    from denotary.measures.slices import Axis
    from denotary.measures.table import BoolArray, FloatArray, IntArray, Table

WITH_INTERVAL: Final = (ALL, "language")
"""Axes along which a statistic has an interval."""

FINER: Final = 2_000
"""Most resamples behind an interval that an estimator makes of its own in a slice: each costs a pass over the rows."""

_TOGETHER: Final = 1 << 22
"""Sums (units times columns) up to which all slices are resampled together; more are resampled slice by slice."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A statistic in one slice.

    Attributes:
        measure: the statistic.
        slice: name of the slice.
        unit: unit of each row behind the value, shape (n,).
        units: number of distinct units among them.
        estimate: the value and what resampling it takes.
        resampled: whether it is to have an interval.
    """

    measure: Statistic
    slice: str
    unit: IntArray
    units: int
    estimate: Estimate
    resampled: bool

    def sums(self, units: IntArray) -> FloatArray:
        """Return the sums of each of the given units (ascending), shape (U, M)."""
        if self.estimate.sums is None:
            return np.zeros((len(units), 0))
        return self.estimate.sums(np.searchsorted(units, self.unit), len(units))


def statistic_rows(
    measures: Sequence[Statistic],
    table: Table,
    mask: Mapping[str, BoolArray],
    axes: Mapping[str, Axis],
    *,
    maker: RowMaker,
    resamples: int,
) -> Iterator[Row]:
    """Yield the rows of all statistics, measure by measure and axis by axis.

    Args:
        measures: the statistics.
        table: the joined table.
        mask: where each population holds, by its text.
        axes: the axes by name.
        maker: makes the rows.
        resamples: bootstrap resamples; 0 for no interval.

    Raises:
        InputError: a function or one of its columns does not exist.
    """
    calls = {measure.id: parse(measure.function, measure.options, table) for measure in measures}
    found = [item for by in axes.values() for item in _evaluated(measures, calls, table, mask, by)]
    intervals = _intervals(found, resamples) if resamples else {}
    rows: dict[str, list[Row]] = defaultdict(list)
    for item in found:
        facts = intervals.get((item.measure.id, item.slice), {})
        if resamples and item.estimate.interval is not None and item.estimate.value is not None:
            whole = item.slice == ALL
            facts = item.estimate.interval(item.unit, resamples if whole else min(resamples, FINER))
        rows[item.measure.id].append(_row(item, facts, maker))
    for measure in measures:
        yield from rows[measure.id]


def _row(item: Evaluated, facts: dict[str, Any], maker: RowMaker) -> Row:
    if item.estimate.value is None:
        return maker.absent(item.measure, item.slice)
    return maker.row(
        item.measure,
        item.slice,
        denominator=item.estimate.rows,
        units=item.units,
        value=item.estimate.value,
        **facts,
    )


def _evaluated(
    measures: Sequence[Statistic],
    calls: Mapping[str, Call],
    table: Table,
    mask: Mapping[str, BoolArray],
    by: Axis,
) -> Iterator[Evaluated]:
    """Yield every statistic in every slice of one axis."""
    wanted = [measure for measure in measures if by.name in measure.slices]
    if not wanted:
        return
    amongs = {
        among: [measure for measure in wanted if measure.among == among]
        for among in dict.fromkeys(measure.among for measure in wanted)
    }
    order, ends = by.sorted()
    for value, name in by.slices():
        chosen = order[ends[value] : ends[value + 1]]
        # Statistics of one population share its rows, their columns and the count of their units.
        populations = {
            among: _Population.of(table, chosen[mask[among][chosen]], calls, sharing)
            for among, sharing in amongs.items()
        }
        for measure in wanted:
            found = populations[measure.among]
            estimate = calls[measure.id](found.columns)
            unit, units = found.unit, found.units
            if estimate.used is not None:
                unit = unit[estimate.used]
                units = count_distinct(unit)
            resampled = by.name in WITH_INTERVAL and estimate.width > 0
            yield Evaluated(measure, name, unit, units, estimate, resampled)


@dataclass(frozen=True, slots=True)
class _Population:
    """The rows of one population in one slice: their units, how many, and the columns that statistics read."""

    unit: IntArray
    units: int
    columns: Mapping[str, FloatArray]

    @classmethod
    def of(
        cls, table: Table, rows: IntArray, calls: Mapping[str, Call], measures: Sequence[Statistic]
    ) -> _Population:
        unit = table.unit[rows]
        names = {name for measure in measures for name in calls[measure.id].columns}
        columns = {name: table.plain[name][rows].astype(np.float64) for name in sorted(names)}
        return cls(unit, count_distinct(unit), columns)


def _intervals(found: Sequence[Evaluated], resamples: int) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what resampling says of each statistic, by measure and slice."""
    resampled = [item for item in found if item.resampled]
    if not resampled:
        return {}
    units = np.unique(np.concatenate([item.unit for item in resampled]))
    columns = sum(item.estimate.width for item in resampled)
    batches: dict[str, list[Evaluated]] = defaultdict(list)
    for item in resampled:
        batches["" if len(units) * columns <= _TOGETHER else item.slice].append(item)
    return {key: facts for batch in batches.values() for key, facts in _resampled(batch, resamples)}


def _resampled(
    batch: Sequence[Evaluated], resamples: int
) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    units = np.unique(np.concatenate([item.unit for item in batch]))
    sums = [item.sums(units) for item in batch]
    draws = bootstrap.resampled_sums(np.hstack(sums), resamples=resamples)
    ends = np.cumsum([0, *(item.estimate.width for item in batch)])
    for item, start, end in zip(batch, ends, ends[1:], strict=False):
        if item.estimate.combine is not None and item.estimate.value is not None:
            values = item.estimate.combine(draws[:, start:end])
            yield (item.measure.id, item.slice), _interval(item, values, resamples)


def _interval(item: Evaluated, values: FloatArray, resamples: int) -> dict[str, Any]:
    value = item.estimate.value
    interval = bootstrap.interval(np.nan if value is None else value, values, units=item.units)
    if interval.state is not bootstrap.State.OK:
        return {"note": f"no interval: {interval.state.value.replace('_', ' ')}"}
    method = f"cluster bootstrap 95 %, {resamples:,} resamples"
    return {"low": interval.low, "high": interval.high, "interval": method}
