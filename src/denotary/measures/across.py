"""Averages and extremes across languages: the macro mean and the worst language of a measure.

Every counted measure has them that is sliced by language and is no diagnostic. The macro mean weighs languages alike
and leaves out those below their evidence floors; of a measure that asks for one it has an interval, a cluster
bootstrap over units (:mod:`denotary.statistics.bootstrap`). The worst language is taken over all languages, and its
bound is the largest of the languages' one-sided bounds, which is a valid bound on the worst of them; a bootstrap of
the maximum is not one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.measures.counts import count_distinct
from denotary.statistics import bootstrap
from denotary.statistics.quotients import quotient

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.measures.records import Measure, Rate, Ratio, Row
    from denotary.measures.rows import RowMaker
    from denotary.measures.table import FloatArray, IntArray

AXIS: Final = "language"
MACRO: Final = f"{AXIS}:macro"
"""Slice name of the macro mean."""
WORST: Final = f"{AXIS}:worst"
"""Slice name of the worst language."""

_TOGETHER: Final = 1 << 25
"""Sums (units times columns) resampled at once."""


@dataclass(frozen=True, slots=True)
class UnitSums:
    """A measure summed by unit and language; arrays of shape (G,), one entry a unit and language.

    Attributes:
        unit: unit of each entry.
        slice: name of the language's slice, by position.
        key: position of the entry's language in ``slice``.
        numerator: events.
        denominator: population.
    """

    unit: IntArray
    slice: tuple[str, ...]
    key: IntArray
    numerator: IntArray
    denominator: IntArray

    def units(self, slices: Sequence[str]) -> int:
        """Return the number of distinct units with a population in any of some languages."""
        inside = np.isin(self.key, [self.slice.index(name) for name in slices]) & (self.denominator > 0)
        return count_distinct(self.unit[inside])

    def matrix(self, units: IntArray, slices: Sequence[str]) -> FloatArray:
        """Return numerators, then denominators, of each unit (ascending) in each language, shape (U, 2 L)."""
        column = np.full(len(self.slice), -1, dtype=np.int64)
        for position, name in enumerate(slices):
            column[self.slice.index(name)] = position
        inside = column[self.key] >= 0
        row, at = np.searchsorted(units, self.unit[inside]), column[self.key[inside]]
        table = np.zeros((len(units), 2 * len(slices)))
        table[row, at] = self.numerator[inside]
        table[row, len(slices) + at] = self.denominator[inside]
        return table


def is_averaged(measure: Rate | Ratio) -> bool:
    """Return whether a measure is averaged over languages and its worst language named."""
    return AXIS in measure.slices and not measure.diagnostic


def across_rows(
    measures: Sequence[Measure],
    rows: Mapping[str, Sequence[Row]],
    sums: Mapping[str, UnitSums],
    *,
    maker: RowMaker,
    resamples: int,
) -> Iterator[Row]:
    """Yield the macro mean and the worst language of each measure that was counted by language.

    Args:
        measures: those to be averaged, each with an entry in ``sums``.
        rows: the rows of each measure.
        sums: each measure by unit and language.
        maker: makes the rows.
        resamples: bootstrap resamples; 0 for no interval.
    """
    languages = {measure.id: [row for row in rows[measure.id] if _is_language(row)] for measure in measures}
    kept = {name: [row for row in found if row.status == "SUFFICIENT"] for name, found in languages.items()}
    averaged = [measure for measure in measures if kept[measure.id]]
    slices = {measure.id: [row.slice for row in kept[measure.id]] for measure in averaged if measure.macro}
    draws = _draws(slices, sums, resamples) if resamples else {}
    for measure in measures:
        everyone, chosen = languages[measure.id], kept[measure.id]
        yield _macro(measure, everyone, chosen, sums[measure.id], draws.get(measure.id), maker=maker)
        yield _worst(measure, everyone, maker)


def _is_language(row: Row) -> bool:
    return row.slice.startswith(f"{AXIS}=")


def _draws(
    slices: Mapping[str, Sequence[str]], sums: Mapping[str, UnitSums], resamples: int
) -> dict[str, FloatArray]:
    """Return resampled macro means of each measure, shape (resamples,); NaN where a language was not drawn."""
    if not slices:
        return {}
    units = np.unique(np.concatenate([sums[name].unit for name in slices]))
    found = {}
    for batch in _batches(slices, len(units)):
        tables = [sums[name].matrix(units, slices[name]) for name in batch]
        drawn = bootstrap.resampled_sums(np.hstack(tables), resamples=resamples)
        ends = np.cumsum([table.shape[1] for table in tables])
        for name, part in zip(batch, np.split(drawn, ends[:-1], axis=1), strict=True):
            top, bottom = np.split(part, 2, axis=1)
            found[name] = quotient(top, bottom).mean(axis=1)
    return found


def _batches(slices: Mapping[str, Sequence[str]], units: int) -> Iterator[list[str]]:
    batch: list[str] = []
    width = 0
    for name, chosen in slices.items():
        if batch and units * (width + 2 * len(chosen)) > _TOGETHER:
            yield batch
            batch, width = [], 0
        batch.append(name)
        width += 2 * len(chosen)
    yield batch


def _macro(
    measure: Measure,
    languages: Sequence[Row],
    kept: Sequence[Row],
    sums: UnitSums,
    draws: FloatArray | None,
    *,
    maker: RowMaker,
) -> Row:
    left_out = len(languages) - len(kept)
    note = f"{left_out} of {len(languages)} languages are left out for want of evidence" if left_out else ""
    if not kept:
        return maker.absent(measure, MACRO, note=note)
    value = float(np.mean([row.value for row in kept if row.value is not None]))
    units = sums.units([row.slice for row in kept])
    return maker.row(measure, MACRO, value=value, units=units, **_interval(value, draws, units, note))


def _interval(value: float, draws: FloatArray | None, units: int, note: str) -> dict[str, Any]:
    if draws is None:
        return {"note": note}
    interval = bootstrap.interval(value, draws, units=units)
    if interval.state is not bootstrap.State.OK:
        why = f"no interval: {interval.state.value.replace('_', ' ')}"
        return {"note": f"{note}; {why}" if note else why}
    method = f"cluster bootstrap 95 %, {len(draws):,} resamples"
    return {"low": interval.low, "high": interval.high, "interval": method, "note": note}


def _worst(measure: Measure, languages: Sequence[Row], maker: RowMaker) -> Row:
    """Return the worst language; without a case of an advertised one, which it may be, it is not known."""
    counted = [row for row in languages if row.value is not None]
    held = {row.slice.partition("=")[2] for row in counted}
    silent = [language for language in maker.advertised if language not in held]
    empty = len(languages) - len(counted)
    notes = [f"{empty} of {len(languages)} languages have no case"] if empty else []
    notes += [f"advertised without a case: {', '.join(silent)}"] if silent else []
    if not counted:
        return maker.absent(measure, WORST, note="; ".join(notes))
    lower = measure.direction == "lower"
    sign = 1.0 if lower else -1.0
    worst = max(counted, key=lambda row: sign * (row.value or 0.0))
    bounds = [row.bound for row in counted if row.bound is not None]
    return maker.row(
        measure,
        WORST,
        numerator=worst.numerator,
        denominator=worst.denominator,
        answered_numerator=worst.answered_numerator,
        answered_denominator=worst.answered_denominator,
        units=worst.units,
        value=worst.value,
        bound=None if silent else max(bounds) if lower else min(bounds),
        bound_method="" if silent else f"worst of the bounds of {len(counted)} languages",
        status="INSUFFICIENT" if silent else "SUFFICIENT",
        note="; ".join([f"worst: {worst.slice}", *notes]),
    )
