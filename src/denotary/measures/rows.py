"""Making rows: one schema for every kind of measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.measures import bounds
from denotary.measures.records import Ratio, Row, UnitType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.measures.across import UnitSums
    from denotary.measures.counts import Types
    from denotary.measures.records import EvidenceStatus, Measure, Rate
    from denotary.measures.slices import Axis
    from denotary.measures.table import IntArray

_BLANK: Final[dict[str, Any]] = {
    "numerator": None,
    "denominator": None,
    "answered_numerator": None,
    "answered_denominator": None,
    "units": 0,
    "value": None,
    "low": None,
    "high": None,
    "interval": "",
    "bound": None,
    "bound_method": "",
    "status": "SUFFICIENT",
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A rate or ratio, counted along one axis; arrays have one entry a slice value."""

    measure: Rate | Ratio
    axis: Axis
    numerator: IntArray
    denominator: IntArray
    answered_numerator: IntArray
    answered_denominator: IntArray
    types: Types
    sums: UnitSums | None = None
    """By unit and language, if the measure is averaged over languages."""


@dataclass(frozen=True, slots=True)
class RowMaker:
    """What every row of a measurement shares.

    Attributes:
        instrument: name of the instrument.
        unit_kind: what an independent unit is called.
        sufficient: by axis, the labels of the slices that meet their evidence floors.
        advertised: languages that were declared before anything was asked.
    """

    instrument: str
    unit_kind: str
    sufficient: Mapping[str, frozenset[str]]
    advertised: tuple[str, ...] = ()

    def absent(
        self, measure: Measure, name: str, status: EvidenceStatus = "INSUFFICIENT", note: str = ""
    ) -> Row:
        """Return the row of a measure without a value."""
        return self.row(
            measure, name, status=status, denominator=0 if status == "INSUFFICIENT" else None, note=note
        )

    def row(self, measure: Measure, name: str, **found: Any) -> Row:
        """Return a row with what was found, and the rest as the measure says.

        A slice below the evidence floors of its axis is INSUFFICIENT, whatever its interval.
        """
        axis, _, label = name.partition("=")
        if found.get("status", "SUFFICIENT") == "SUFFICIENT" and label not in self.sufficient.get(
            axis, {label}
        ):
            found |= {
                "status": "INSUFFICIENT",
                "note": "below the evidence floors" + _after(found.get("note")),
            }
        return Row(
            instrument=self.instrument,
            measure=measure.id,
            slice=name,
            unit_kind=measure.unit_kind or self.unit_kind,
            direction=measure.direction,
            hides=measure.hides,
            panel=measure.panel,
            ratio=isinstance(measure, Ratio),
            **(_BLANK | found),
        )

    def counted(self, cells: Sequence[Counted]) -> Iterator[Row]:
        """Yield the rows of counted measures, by cell and slice value, with intervals and bounds."""
        sizes = [len(cell.axis.labels) for cell in cells]
        panel = bounds.joined([cell.types for cell in cells], sizes)
        low, high = bounds.intervals(panel)
        upper, lower = bounds.upper_bounds(panel), bounds.lower_bounds(panel)
        siblings, units = panel.siblings(), panel.total(np.ones_like(panel.count))
        ends = np.searchsorted(panel.row, np.arange(panel.rows + 1))
        columns = (panel.numerator, panel.denominator, panel.size, panel.count)
        types = [UnitType(*vector) for vector in zip(*(column.tolist() for column in columns), strict=True)]
        for cell, first in zip(cells, np.cumsum([0, *sizes]).tolist(), strict=False):
            for value, name in cell.axis.slices():
                at = first + value
                worse = upper if cell.measure.direction == "lower" else lower
                yield self.row(
                    cell.measure,
                    name,
                    **_numbers(cell, value),
                    units=int(units[at]),
                    low=float(low[at]),
                    high=float(high[at]),
                    interval=bounds.KORN_GRAUBARD if siblings[at] else bounds.WILSON,
                    bound=float(worse[at]),
                    bound_method=bounds.BETTING if siblings[at] else bounds.EXACT,
                    types=tuple(types[ends[at] : ends[at + 1]]),
                )


def _after(note: str | None) -> str:
    return f"; {note}" if note else ""


def _numbers(cell: Counted, value: int) -> dict[str, Any]:
    """Return the counts of one slice; an empty denominator has no value and is INSUFFICIENT, never zero."""
    numerator, denominator = int(cell.numerator[value]), int(cell.denominator[value])
    return {
        "numerator": numerator,
        "denominator": denominator,
        "answered_numerator": int(cell.answered_numerator[value]),
        "answered_denominator": int(cell.answered_denominator[value]),
        "value": numerator / denominator if denominator else None,
        "status": "SUFFICIENT" if denominator else "INSUFFICIENT",
    }
