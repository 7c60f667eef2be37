"""Two systems compared: one row a measure and slice, every figure over the cases that both were asked.

Tests are exact and two-sided, on units: McNemar's where a unit is one case, the sign test over the units' means
otherwise; for a ratio they count events among the planned cases, which do not depend on what was answered. One-sided
bounds of the difference are those that gate (:mod:`denotary.statistics.paired_ratios`); the paired cluster bootstrap
describes. Where several slices make up one claim, such as "which language regressed", p is adjusted after Holm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from denotary.measures.across import WORST
from denotary.measures.comparison_rows import Cell, PairRowMaker
from denotary.measures.pair_counts import PairCounter
from denotary.measures.pair_intervals import intervals
from denotary.measures.records import Comparison, ComparisonRow, Rate, Ratio
from denotary.measures.slices import ALL, axis
from denotary.statistics import paired
from denotary.statistics.bootstrap import RESAMPLES
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from denotary.measures.pair_counts import UnitPairs
    from denotary.measures.pairs import Pairs
    from denotary.measures.records import Measure

LANGUAGE: Final = "language="
"""What the slice of a language begins with."""


def comparison(
    of: Rate | Ratio,
    *,
    families: Iterable[str] = ("language",),
    prespecified: Iterable[str] = (),
    without: Container[str] = (),
) -> Comparison:
    """Return the comparison of two systems by a rate or a ratio, in the measure's own slices.

    Args:
        of: the measure.
        families: axes whose slices form one family of claims each.
        prespecified: slices that were to be compared before anything was asked.
        without: axes along which the answers decide the slice of a case, so that two systems cannot be paired.
    """
    shared = {name: getattr(of, name) for name in ("id", "title", "panel", "direction", "hides")}
    shared |= {name: getattr(of, name) for name in ("diagnostic", "neutral", "macro", "needs")}
    axes = tuple(name for name in of.slices if name not in without)
    kept = tuple(name for name in families if name in axes)
    return Comparison(**shared, slices=axes, of=of, families=kept, prespecified=tuple(prespecified))


def comparisons(
    measures: Iterable[Measure], read: Iterable[tuple[str, str]], *, without: Container[str] = ()
) -> tuple[Comparison, ...]:
    """Return the comparison of every rate and ratio, in their order.

    Args:
        measures: declared measures. Statistics are compared by none of these tests, and measures over a related
            table have no row a case; both are left out.
        read: (measure, slice) of every comparison that was declared beforehand.
        without: axes along which the answers decide the slice of a case.
    """
    declared: dict[str, list[str]] = {}
    for measure, name in read:
        declared.setdefault(measure, []).append(name)
    return tuple(
        comparison(item, prespecified=declared.get(item.id, ()), without=without)
        for item in measures
        if isinstance(item, (Rate, Ratio)) and not item.over
    )


def compare(
    declared: Sequence[Comparison],
    pairs: Pairs,
    *,
    instrument: str,
    unit_kind: str,
    resamples: int = RESAMPLES,
) -> tuple[ComparisonRow, ...]:
    """Return every comparison in every slice, in the order of declaration.

    Args:
        declared: what is compared, each id once.
        pairs: both systems' answers to the same cases.
        instrument: its name, for the rows.
        unit_kind: what an independent unit is called, for the rows.
        resamples: bootstrap resamples behind the intervals; 0 for none.

    Raises:
        InputError: a measure does not fit the tables.
    """
    if not declared:
        return ()
    axes = {
        name: axis(pairs.new, name) for name in dict.fromkeys(n for item in declared for n in item.slices)
    }
    counter = PairCounter(pairs, declared)
    cells = [Cell(item, axes[name], counter) for item in declared for name in item.slices]
    made = PairRowMaker.of(pairs, instrument, unit_kind).rows(cells)
    found = _with_intervals(made, frozenset(item.id for item in declared if item.macro), resamples)
    rows: dict[str, list[ComparisonRow]] = {item.id: [] for item in declared}
    for row in _adjusted(found, {item.id: item.families for item in declared}):
        rows[row.measure].append(row)
    return tuple(row for item in declared for row in (*rows[item.id], *_worst(item, rows[item.id])))


def _with_intervals(
    found: Iterable[tuple[ComparisonRow, tuple[UnitPairs, int]]], macro: frozenset[str], resamples: int
) -> list[ComparisonRow]:
    """Return the rows, with intervals for all cases, for declared slices, and for headline measures by language."""
    rows, sums = zip(*found, strict=True)
    chosen = [
        place
        for place, row in enumerate(rows)
        if row.difference is not None
        and (
            row.slice == ALL or row.prespecified or (row.measure in macro and row.slice.startswith(LANGUAGE))
        )
    ]
    facts = intervals([sums[place] for place in chosen], resamples) if resamples else []
    held = list(rows)
    for place, fields in zip(chosen, facts, strict=False):
        notes = filter(None, (held[place].note, fields.pop("note", "")))
        held[place] = msgspec.structs.replace(held[place], note="; ".join(notes), **fields)
    return held


def _adjusted(
    rows: Iterable[ComparisonRow], families: Mapping[str, Sequence[str]]
) -> Iterator[ComparisonRow]:
    """Yield the rows, with p adjusted within each family of slices of one measure."""
    held = list(rows)
    members: dict[str, list[int]] = {}
    for place, row in enumerate(held):
        by = row.slice.partition("=")[0]
        if row.slice != ALL and by in families[row.measure] and row.p is not None:
            members.setdefault(f"{row.measure} by {by}", []).append(place)
    for name, places in members.items():
        adjusted = paired.holm([held[place].p or 0.0 for place in places])
        for place, p in zip(places, adjusted.tolist(), strict=True):
            held[place] = msgspec.structs.replace(held[place], p_holm=p, family=name)
    yield from held


def _worst(declared: Comparison, rows: Sequence[ComparisonRow]) -> Iterator[ComparisonRow]:
    """Yield the language with the largest increase in harm; the largest of the bounds is a bound on it."""
    languages = [row for row in rows if row.slice.startswith(LANGUAGE) and row.difference is not None]
    if not declared.macro or not languages:
        return
    lower = declared.direction == "lower"
    worst = (max if lower else min)(languages, key=lambda row: row.difference or 0.0)
    sides = ("upper_bound", "lower_bound") if lower else ("lower_bound", "upper_bound")
    ends = [end for row in languages if (end := getattr(row, sides[0])) is not None]
    yield msgspec.structs.replace(
        worst,
        slice=WORST,
        types=(),
        low=None,
        high=None,
        interval="",
        p_holm=None,
        family="",
        said="",
        prespecified=False,
        bound_method=f"worst of the bounds of {plural(len(languages), 'language')}",
        note=f"worst: {worst.slice}",
        **{sides[0]: max(ends) if lower else min(ends), sides[1]: None},
    )
