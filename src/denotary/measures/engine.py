"""The engine: declared measures and a table in, rows of one schema out.

Rates and ratios are counted by slice in exact integers; intervals and bounds follow from the counts alone, so
equal tables give equal rows whatever the order of their rows. Statistics go to
:mod:`denotary.measures.statistic`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.measures import counts
from denotary.measures.across import AXIS, UnitSums, across_rows, is_averaged
from denotary.measures.expressions import masks
from denotary.measures.records import Rate, Ratio, Row, Statistic
from denotary.measures.rows import Counted, RowMaker
from denotary.measures.slices import axis
from denotary.measures.statistic import statistic_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from denotary.measures.counts import Groups
    from denotary.measures.records import Measure
    from denotary.measures.slices import Axis
    from denotary.measures.table import BoolArray, IntArray, Table

RESAMPLES = 10_000
"""Bootstrap resamples behind the interval of a statistic."""

_LACKS = {
    "ambiguity": "the system has no way to say that a text is ambiguous",
    "candidates": "the system returned no candidates",
    "confidence": "the system returned no confidence",
    "decisions": "the system returned scores and no decision",
    "kinds": "the system does not say why it refuses",
    "repeats": "no case was asked more than once",
}


def evaluate(
    measures: Sequence[Measure],
    table: Table,
    *,
    instrument: str,
    unit_kind: str,
    resamples: int = RESAMPLES,
    advertised: Sequence[str] = (),
) -> tuple[Row, ...]:
    """Return every measure in every slice, in the order of declaration.

    Args:
        measures: the declared measures, each id once.
        table: the joined table.
        instrument: its name, for the rows.
        unit_kind: what an independent unit is called, for the rows.
        resamples: bootstrap resamples behind the interval of a statistic; 0 for no interval.
        advertised: languages declared before asking; the worst of them is not known where one has no case.

    Raises:
        InputError: a measure's expression, function or slice does not fit the table, or an id stands twice.
    """
    if len({measure.id for measure in measures}) != len(measures):
        raise InputError("two measures have the same id")
    maker = RowMaker(instrument, unit_kind, table.sufficient, tuple(advertised))
    found: dict[str, list[Row]] = {measure.id: [] for measure in measures}
    for name in dict.fromkeys(measure.over for measure in measures):
        own = [measure for measure in measures if measure.over == name]
        for row in _rows(own, table.over(name), maker, resamples):
            found[row.measure].append(row)
    return tuple(row for measure in measures for row in found[measure.id])


def _rows(measures: Sequence[Measure], table: Table, maker: RowMaker, resamples: int) -> Iterator[Row]:
    """Yield every measure of one table in every slice; the rows of a measure come in the order of its slices."""
    axes = {name: axis(table, name) for name in dict.fromkeys(_axes(measures))}
    mask = masks(table, (text for measure in measures for text in _texts(measure)))
    evaluated = _Evaluated(table, mask, axes, _common(measures))
    cells: list[Counted] = []
    statistics = []
    for measure in measures:
        sliced = [axes[name] for name in measure.slices]
        if measure.needs is not None and measure.needs not in table.capabilities:
            yield from _not_applicable(measure, sliced, maker)
        elif isinstance(measure, Statistic):
            statistics.append(measure)
        elif isinstance(measure, (Rate, Ratio)):
            cells += evaluated.count(measure)
    found: dict[str, list[Row]] = {cell.measure.id: [] for cell in cells}
    for row in maker.counted(cells):
        found[row.measure].append(row)
        yield row
    across = [cell.measure for cell in cells if cell.sums is not None]
    sums = {cell.measure.id: cell.sums for cell in cells if cell.sums is not None}
    yield from across_rows(across, found, sums, maker=maker, resamples=resamples)
    yield from statistic_rows(statistics, table, mask, axes, maker=maker, resamples=resamples)


def _common(measures: Sequence[Measure]) -> list[str]:
    """Return the axes that at least a quarter of the counted measures have, in the order of their first use."""
    counted = [measure for measure in measures if isinstance(measure, (Rate, Ratio))]
    times = Counter(name for measure in counted for name in measure.slices)
    return [name for name, count in times.items() if 4 * count >= len(counted)]


def _axes(measures: Iterable[Measure]) -> Iterator[str]:
    for measure in measures:
        yield from measure.slices


def _texts(measure: Measure) -> tuple[str, ...]:
    if isinstance(measure, Rate):
        return measure.event, measure.among, measure.answered
    if isinstance(measure, Ratio):
        return measure.numerator, measure.denominator, measure.among, measure.answered
    if isinstance(measure, Statistic):
        return (measure.among,)
    raise InputError(f"a {type(measure).__name__} cannot be evaluated over a table", record=measure.id)


def _not_applicable(measure: Measure, sliced: Sequence[Axis], maker: RowMaker) -> list[Row]:
    note = _LACKS.get(measure.needs or "", f"the system lacks {measure.needs}")
    return [maker.absent(measure, name, "NOT_APPLICABLE", note) for by in sliced for _, name in by.slices()]


class _Evaluated:
    """The table and where each text holds. What is grouped is kept, since many measures share a population.

    A population is grouped by unit and all axes in common at once, and from there by unit and each of them: most units
    lie within one slice of every axis, so there are hardly more cells than units, and an event is summed over the rows
    once instead of once an axis. An axis that few measures have would part the cells and is grouped by itself.
    """

    def __init__(
        self, table: Table, mask: Mapping[str, BoolArray], axes: Mapping[str, Axis], common: Iterable[str]
    ) -> None:
        self._unit = table.unit
        self._mask = mask
        self._axes = axes
        self._common = tuple(common)
        self._keys = [(axes[name].key, len(axes[name].labels)) for name in self._common]
        self._crossed = counts.crossed(self._keys)
        self._cells: dict[str, tuple[Groups, dict[str, IntArray]]] = {}
        self._groups: dict[tuple[str, str], Groups] = {}

    def _cells_of(self, among: str) -> tuple[Groups, dict[str, IntArray]]:
        """Return a population by unit and all common axes, and the slice value of each cell on each of them."""
        if among not in self._cells:
            cells = counts.group(self._unit, *self._crossed, self._mask[among])
            values = counts.uncrossed(cells.key, self._keys)
            self._cells[among] = cells, dict(zip(self._common, values, strict=True))
        return self._cells[among]

    def _grouped(self, among: str, name: str) -> Groups:
        """Return a population by unit and one axis: its cells if the axis is common, else its rows."""
        if (among, name) not in self._groups:
            size = len(self._axes[name].labels)
            if name in self._common:
                cells, values = self._cells_of(among)
                groups = counts.group(cells.unit, values[name], size)
            else:
                groups = counts.group(self._unit, self._axes[name].key, size, self._mask[among])
            self._groups[among, name] = groups
        return self._groups[among, name]

    def count(self, measure: Rate | Ratio) -> Iterator[Counted]:
        """Yield a measure counted along each of its axes.

        Raises:
            InputError: a ratio counts a row in its numerator and not in its denominator.
        """
        masks_of = list(self._masks(measure))
        cells = self._cells_of(measure.among)[0] if set(measure.slices) & set(self._common) else None
        sums = [cells.fold(mask) for mask in masks_of] if cells else []
        for name in measure.slices:
            groups = self._grouped(measure.among, name)
            size = groups.fold(cells.size) if cells and name in self._common else groups.size
            values = sums if name in self._common else masks_of
            numerator, both, answered, *population = [groups.fold(value) for value in values]
            denominator = population[0] if population else size
            yield Counted(
                measure,
                self._axes[name],
                groups.total(numerator),
                groups.total(denominator),
                groups.total(both),
                groups.total(answered),
                counts.types(groups, size, numerator, denominator),
                _unit_sums(groups, self._axes[name], numerator, denominator)
                if is_averaged(measure)
                else None,
            )

    def _masks(self, measure: Rate | Ratio) -> Iterator[BoolArray]:
        """Yield numerator, answered numerator, answered denominator and, for a ratio, denominator."""
        answered = self._mask[measure.answered]
        if isinstance(measure, Rate):
            event = self._mask[measure.event]
            yield from (event, event & answered, answered)
            return
        event, population = self._mask[measure.numerator], self._mask[measure.denominator]
        if (event & ~population & self._mask[measure.among]).any():
            raise InputError("a row is in the numerator and not in the denominator", record=measure.id)
        yield from (event, event & answered, population & answered, population)


def _unit_sums(groups: Groups, by: Axis, numerator: IntArray, denominator: IntArray) -> UnitSums | None:
    if by.name != AXIS:
        return None
    slices = tuple(f"{AXIS}={label}" for label in by.labels)
    return UnitSums(groups.unit, slices, groups.key, numerator, denominator)
