"""Making comparison rows: tests and bounds of all rows together, then row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.measures.bounds import ALPHA
from denotary.measures.pair_counts import joined
from denotary.measures.records import ComparisonRow, Ratio
from denotary.statistics import paired
from denotary.words import plural, points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.measures.pair_counts import PairCounter, PairPanel, UnitPairs
    from denotary.measures.pairs import Pairs
    from denotary.measures.records import Comparison
    from denotary.measures.slices import Axis
    from denotary.measures.table import BoolArray, FloatArray, IntArray

MCNEMAR: Final = "exact McNemar"
SIGN: Final = "exact sign test over unit means"
SIGN_OF_EVENTS: Final = "exact sign test over events per planned case"
"""Of a ratio: what was answered decides its denominator, so that its value by unit need not exist."""
BETTING: Final = "order-free betting, unit-weighted, paired"

_SUMS: Final = ("base_numerator", "base_denominator", "new_numerator", "new_denominator")
_ABSENT: Final = {"lower_bound": None, "upper_bound": None, "bound_method": "", "p": None, "p_floor": None}


class Cell:
    """A comparison along one axis.

    Attributes:
        declared: the comparison.
        axis: the axis.
        units: events and populations by unit and slice value.
        panel: their types.
        alone: cases without a counterpart by slice value, base and new.
    """

    def __init__(self, declared: Comparison, by: Axis, counter: PairCounter) -> None:
        self.declared: Comparison = declared
        self.axis: Axis = by
        self.units: UnitPairs = counter.count(declared.of, by)
        self.panel: PairPanel = self.units.panel()
        self.alone: tuple[IntArray, IntArray] = counter.alone(declared.of, by)


@dataclass(frozen=True, slots=True)
class _Tests:
    """What holds of each row of a panel, shape (R,) each."""

    worse: IntArray
    better: IntArray
    units: IntArray
    single: BoolArray
    ratio: BoolArray
    p: FloatArray
    floor: FloatArray
    low: FloatArray
    high: FloatArray

    def of(self, at: int) -> dict[str, Any]:
        """Return the fields of one row."""
        worse, better, units = int(self.worse[at]), int(self.better[at]), int(self.units[at])
        return {
            "units": units,
            "worse": worse,
            "better": better,
            "ties": units - worse - better,
            "test": SIGN_OF_EVENTS if self.ratio[at] else MCNEMAR if self.single[at] else SIGN,
            "p": float(self.p[at]),
            "p_floor": float(self.floor[at]),
            "lower_bound": float(self.low[at]),
            "upper_bound": float(self.high[at]),
            "bound_method": BETTING,
        }


def _tests(panel: PairPanel, lower: BoolArray, ratio: BoolArray) -> _Tests:
    """Return tests and bounds of all rows together.

    Args:
        panel: the types of R rows.
        lower: whether lower is better, shape (R,).
        ratio: whether it is a ratio, shape (R,).
    """
    more = np.sign(panel.new_numerator - panel.base_numerator) * np.where(lower, 1, -1)[panel.row]
    worse, better = panel.total(more > 0), panel.total(more < 0)
    single = np.ones(panel.rows, dtype=np.bool_)
    single[panel.row[panel.size > 1]] = False
    low, high = panel.bounds(ratio, ALPHA)
    return _Tests(
        worse,
        better,
        panel.total(np.ones_like(panel.count)),
        single,
        ratio,
        paired.discordant_p(worse, better),
        paired.p_floor(worse + better),
        low,
        high,
    )


@dataclass(frozen=True, slots=True)
class PairRowMaker:
    """What every row of a comparison shares.

    Attributes:
        instrument: name of the instrument.
        unit_kind: what an independent unit is called.
        sufficient: by axis, the labels of the slices that meet their evidence floors.
        capabilities: what both systems showed.
    """

    instrument: str
    unit_kind: str
    sufficient: Mapping[str, frozenset[str]]
    capabilities: frozenset[str]

    @classmethod
    def of(cls, pairs: Pairs, instrument: str, unit_kind: str) -> PairRowMaker:
        """Return the maker for some pairs."""
        shared = pairs.new.capabilities & pairs.base.capabilities
        return cls(instrument, unit_kind, pairs.new.sufficient, shared)

    def rows(self, cells: Sequence[Cell]) -> Iterator[tuple[ComparisonRow, tuple[UnitPairs, int]]]:
        """Yield the rows by cell and slice value, each with the sums it was made from."""
        panel = joined([cell.panel for cell in cells])
        sizes = [cell.panel.rows for cell in cells]
        lower = np.repeat([cell.declared.direction == "lower" for cell in cells], sizes)
        ratio = np.repeat([isinstance(cell.declared.of, Ratio) for cell in cells], sizes)
        tests, types = _tests(panel, lower, ratio), panel.types()
        totals = {name: panel.total(getattr(panel, name)) for name in _SUMS}
        for cell, first in zip(cells, np.cumsum([0, *sizes]).tolist(), strict=False):
            for value, name in cell.axis.slices():
                at = first + value
                facts = tests.of(at) | _values({key: int(total[at]) for key, total in totals.items()})
                facts |= {"types": types[at]}
                facts |= {
                    f"unpaired_{s}": int(n[value]) for s, n in zip(("base", "new"), cell.alone, strict=True)
                }
                yield self._row(cell.declared, name, facts), (cell.units, value)

    def _row(self, declared: Comparison, name: str, facts: dict[str, Any]) -> ComparisonRow:
        facts |= self._state(declared, name, facts)
        if facts["difference"] is None:
            facts |= _ABSENT
        return ComparisonRow(
            instrument=self.instrument,
            measure=declared.id,
            slice=name,
            low=None,
            high=None,
            interval="",
            unit_kind=self.unit_kind,
            p_holm=None,
            family="",
            said=_said(facts, self.unit_kind, lower=declared.direction == "lower"),
            prespecified=name in declared.prespecified,
            direction=declared.direction,
            hides=declared.hides,
            panel=declared.panel,
            ratio=isinstance(declared.of, Ratio),
            **facts,
        )

    def _state(self, declared: Comparison, name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return how much evidence there is; a slice below its floors is INSUFFICIENT, whatever its bound."""
        if declared.needs is not None and declared.needs not in self.capabilities:
            note = f"not both systems gave {declared.needs}"
            return {"status": "NOT_APPLICABLE", "note": note, "difference": None}
        if facts["difference"] is None:
            return {"status": "INSUFFICIENT"}
        by, _, label = name.partition("=")
        if label not in self.sufficient.get(by, {label}):
            return {"status": "INSUFFICIENT", "note": "below the evidence floors"}
        return {"status": "SUFFICIENT"}


def _values(sums: dict[str, int]) -> dict[str, Any]:
    """Return counts and values; a difference of which one side does not exist does not exist."""
    base, new = (
        sums[f"{side}_numerator"] / sums[f"{side}_denominator"] if sums[f"{side}_denominator"] else None
        for side in ("base", "new")
    )
    difference = None if base is None or new is None else new - base
    return sums | {"base_value": base, "new_value": new, "difference": difference}


def _said(facts: Mapping[str, Any], unit_kind: str, *, lower: bool) -> str:
    """Return what these discordant units could show at best, and what the lack of a difference does not show."""
    if facts["difference"] is None:
        return ""
    discordant = plural(facts["worse"] + facts["better"], f"discordant {unit_kind}")
    if facts["p_floor"] > ALPHA:
        said = f"{discordant}: no result here could have been significant (p floor {facts['p_floor']:.3g})"
    else:
        said = f"{discordant}: p could have been as small as {facts['p_floor']:.2g}"
    if facts["p"] <= ALPHA:
        return said
    worst = points(facts["upper_bound"], "up") if lower else points(facts["lower_bound"], "down")
    return f"{said}; p = {facts['p']:.2f} is not equivalence: the difference may be as bad as {worst}"
