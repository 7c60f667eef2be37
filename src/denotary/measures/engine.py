"""The engine: declared measures and a table in, rows of one schema out.

Rates and ratios are counted by slice in exact integers; intervals and bounds follow from the counts alone, so
equal tables give equal rows whatever the order of their rows. Statistics go to
:mod:`denotary.measures.statistic`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from denotary.errors import InputError
from denotary.measures import counts
from denotary.measures.expressions import masks
from denotary.measures.records import Rate, Ratio, Row, Statistic
from denotary.measures.rows import Counted, RowMaker
from denotary.measures.slices import axis
from denotary.measures.statistic import statistic_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.measures.counts import Groups
    from denotary.measures.records import Measure
    from denotary.measures.slices import Axis
    from denotary.measures.table import BoolArray, Table

RESAMPLES = 10_000
"""Bootstrap resamples behind the interval of a statistic."""

_LACKS = {
    "candidates": "the system returned no candidates",
    "confidence": "the system returned no confidence",
    "kinds": "the system does not say why it refuses",
    "repeats": "no case was asked more than once",
}


def evaluate(
    measures: Sequence[Measure], table: Table, *, instrument: str, unit_kind: str, resamples: int = RESAMPLES
) -> tuple[Row, ...]:
    """Return every measure in every slice, in the order of declaration.

    Args:
        measures: the declared measures, each id once.
        table: the joined table.
        instrument: its name, for the rows.
        unit_kind: what an independent unit is called, for the rows.
        resamples: bootstrap resamples behind the interval of a statistic; 0 for no interval.

    Raises:
        InputError: a measure's expression, function or slice does not fit the table, or an id stands twice.
    """
    if len({measure.id for measure in measures}) != len(measures):
        raise InputError("two measures have the same id")
    axes = {name: axis(table, name) for measure in measures for name in measure.slices}
    evaluated = _Evaluated(table, masks(table, (text for measure in measures for text in _texts(measure))))
    maker = RowMaker(instrument, unit_kind, table.sufficient)
    found: dict[str, list[Row]] = {measure.id: [] for measure in measures}
    cells = []
    statistics = []
    for measure in measures:
        sliced = [axes[name] for name in measure.slices]
        if measure.needs is not None and measure.needs not in table.capabilities:
            found[measure.id] = _not_applicable(measure, sliced, maker)
        elif isinstance(measure, Statistic):
            statistics.append(measure)
        elif isinstance(measure, (Rate, Ratio)):
            cells += [evaluated.count(measure, by) for by in sliced]
    for row in maker.counted(cells):
        found[row.measure].append(row)
    for row in statistic_rows(statistics, table, evaluated.mask, axes, maker=maker, resamples=resamples):
        found[row.measure].append(row)
    return tuple(row for measure in measures for row in found[measure.id])


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


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """The table and where each text holds. Groupings are kept, since many measures share a population."""

    table: Table
    mask: Mapping[str, BoolArray]
    groups: dict[tuple[str, str], Groups] = field(default_factory=dict)

    def count(self, measure: Rate | Ratio, by: Axis) -> Counted:
        """Return a measure counted along one axis.

        Raises:
            InputError: a ratio counts a row in its numerator and not in its denominator.
        """
        groups = self._grouped(measure.among, by)
        answered = self.mask[measure.answered]
        if isinstance(measure, Rate):
            event = self.mask[measure.event]
            numerator, denominator = groups.fold(event), groups.size
            both = groups.fold(event & answered), groups.fold(answered)
        else:
            event, population = self.mask[measure.numerator], self.mask[measure.denominator]
            if (event & ~population & self.mask[measure.among]).any():
                raise InputError("a row is in the numerator and not in the denominator", record=measure.id)
            numerator, denominator = groups.fold(event), groups.fold(population)
            both = groups.fold(event & answered), groups.fold(population & answered)
        return Counted(
            measure,
            by,
            groups.total(numerator),
            groups.total(denominator),
            groups.total(both[0]),
            groups.total(both[1]),
            counts.types(groups, numerator, denominator),
        )

    def _grouped(self, among: str, by: Axis) -> Groups:
        known = self.groups.get((among, by.name))
        if known is None:
            known = counts.group(self.table.unit, by.key, len(by.labels), self.mask[among])
            self.groups[among, by.name] = known
        return known
