"""Measures as data, and the one schema of their results.

A measure is an event among a population. Expressions are SQL boolean expressions over the columns of the
joined table of cases and answers; they are data, written once, readable by an auditor, and never taken from a
user's file.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from denotary.records import Record

Direction = Literal["lower", "higher"]
EvidenceStatus = Literal["SUFFICIENT", "INSUFFICIENT", "NOT_APPLICABLE", "EXPLORATORY"]


class Measure(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag=True
):
    """What all kinds of measure have.

    ``hides`` is the sentence that every report prints beside the figure: what it cannot show.
    """

    id: str
    title: str
    panel: str
    direction: Direction
    hides: str
    slices: tuple[str, ...] = ("all", "language", "concept", "family")
    diagnostic: bool = False
    """A diagnostic is never read by a gate."""
    macro: bool = False
    """Also averaged over the languages that meet their evidence floors, and its worst language named."""
    needs: str | None = None
    """A capability the system must have, or the measure is NOT_APPLICABLE: ``candidates``, ``confidence``,
    ``kinds``, ``repeats``."""
    answered: str = "answered"
    """Which rows were answered, for the description without failures. A row that stands for a pair or a set
    of cases is answered where all of its members are."""


class Rate(Measure, frozen=True, kw_only=True):
    """Share of ``among`` in which ``event`` holds.

    ``among`` depends on the case alone, never on the answer.
    """

    event: str
    among: str


class Ratio(Measure, frozen=True, kw_only=True):
    """Rows with ``numerator`` over rows with ``denominator``; the first implies the second.

    Both may depend on the answer. ``among`` selects the cases and depends on the case alone.
    """

    numerator: str
    denominator: str
    among: str = "TRUE"


class Statistic(Measure, frozen=True, kw_only=True):
    """A named function of the rows in ``among``: calibration error, mean reciprocal rank and the like."""

    function: str
    """Name and columns, such as ``brier(confidence, right_assignment)``; see
    :mod:`denotary.measures.statistic`."""
    among: str
    options: dict[str, float] = msgspec.field(default_factory=dict)


class UnitType(Record, array_like=True, frozen=True):
    """How many units have this many events, this population, and this planned size.

    The planned size counts the unit's cases in ``among`` within the slice, answered or not: for a Rate it is
    the population itself, for a Ratio the most that the population could have been.
    """

    numerator: int
    denominator: int
    size: int
    count: int


class Row(Record, frozen=True):
    """One evaluated measure in one slice. ``types`` is the sufficient statistic for every bound."""

    instrument: str
    measure: str
    slice: str
    """``all``, ``axis=value``, or across languages ``language:macro`` and ``language:worst``."""
    numerator: int | None
    denominator: int | None
    answered_numerator: int | None
    """The same without invalid output, errors, timeouts and calls not run: for description, never for a
    gate."""
    answered_denominator: int | None
    units: int
    unit_kind: str
    value: float | None
    """None where the denominator is zero: three-valued evidence."""
    low: float | None
    high: float | None
    interval: str
    """Method of the two-sided 95 % interval."""
    bound: float | None
    """One-sided 95 % bound on the bad side: upper where lower is better, lower where higher is better."""
    bound_method: str
    status: EvidenceStatus
    direction: Direction
    hides: str
    panel: str
    ratio: bool = False
    types: tuple[UnitType, ...] = ()
    note: str = ""


class Series(Record, frozen=True):
    """A curve, confusion or scan for a figure, in long form; never read by a gate."""

    instrument: str
    series: str
    slice: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]


class Fact(Record, frozen=True):
    """A yes or no that a gate reads and that is no rate.

    Such as: a suite is complete, versions agree, an audit was declared.
    """

    name: str
    holds: bool | None
    """None: nothing is known, which never passes."""
    detail: str
    """One plain sentence with the counts behind it."""
