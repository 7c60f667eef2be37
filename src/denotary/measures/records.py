"""Measures as data, and the one schema of their results.

A measure is an event among a population. Expressions are SQL boolean expressions over the columns of the
joined table of cases and answers; they are data, written once, readable by an auditor, and never taken from a
user's file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from denotary.records import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

Direction = Literal["lower", "higher"]
EvidenceStatus = Literal["SUFFICIENT", "INSUFFICIENT", "NOT_APPLICABLE"]


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
    neutral: bool = False
    """Whether less is better under some policies alone: no comparison tells it as better or worse in its headlines."""
    macro: bool = False
    """Whether its average over languages has an interval; see :mod:`denotary.measures.across`."""
    needs: str | None = None
    """A capability the system must have, or the measure is NOT_APPLICABLE: ``ambiguity``, ``candidates``,
    ``confidence``, ``kinds``, ``repeats``."""
    over: str = ""
    """Name of the related table whose rows are counted, such as pairs of cases; by default the cases themselves."""
    unit_kind: str = ""
    """What an independent unit of it is called, where it is not what one of the cases is."""
    beside: tuple[str, ...] = ()
    """Measures that every report prints beside this one, since without them it hides what is dangerous."""
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


class Comparison(Measure, frozen=True, kw_only=True):
    """Two systems on the same cases, by one rate or ratio: always paired, never as two samples."""

    of: Rate | Ratio
    families: tuple[str, ...] = ("language",)
    """Axes whose slices form one family of claims each ("which language regressed"): Holm within it."""
    prespecified: tuple[str, ...] = ()
    """Slices that were to be compared before anything was asked; any other is post hoc."""


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


class PairType(Record, array_like=True, frozen=True):
    """How many units have these events and populations with the base and with the new system, at this planned size.

    For a Rate both populations are the planned size.
    """

    base_numerator: int
    base_denominator: int
    new_numerator: int
    new_denominator: int
    size: int
    count: int


class ComparisonRow(Record, frozen=True):
    """One measure of two systems in one slice, over the cases that both were asked.

    ``difference`` is new less base. ``worse`` and ``better`` count units by the direction of the measure; of a ratio,
    units with more and fewer of its events, whatever its denominator did.
    """

    instrument: str
    measure: str
    slice: str
    """``all``, ``axis=value``, or across languages ``language:worst``."""
    base_numerator: int | None
    base_denominator: int | None
    new_numerator: int | None
    new_denominator: int | None
    base_value: float | None
    new_value: float | None
    difference: float | None
    """None where a denominator is zero: three-valued evidence."""
    low: float | None
    high: float | None
    interval: str
    """Method of the two-sided 95 % interval: description, never a gate."""
    units: int
    unit_kind: str
    worse: int
    better: int
    ties: int
    test: str
    """Exact McNemar with one case a unit; else the exact two-sided sign test over the units' means, of a ratio over
    their events per planned case."""
    p: float | None
    p_floor: float | None
    """The smallest p that so many discordant units could have given."""
    p_holm: float | None
    """Adjusted within ``family``; None outside of any."""
    family: str
    lower_bound: float | None
    """One-sided 95 % bound of the unit-weighted difference, valid at any number of units."""
    upper_bound: float | None
    bound_method: str
    said: str
    """What so many discordant units could show at best, and that no difference is not equivalence."""
    prespecified: bool
    unpaired_base: int
    """Cases of the base system's suite in this slice that have no counterpart: counted, never dropped."""
    unpaired_new: int
    status: EvidenceStatus
    direction: Direction
    hides: str
    panel: str
    ratio: bool = False
    types: tuple[PairType, ...] = ()
    """The sufficient statistic for every test and bound."""
    note: str = ""


class Series(Record, frozen=True):
    """A curve, confusion or scan for a figure, in long form; never read by a gate."""

    instrument: str
    series: str
    slice: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]


class Floor(Record, frozen=True):
    """How many cases of one kind a group has, and how many it needs before anything is said of it."""

    axis: str
    """The axis of the group's slice, such as ``concept`` or ``language``."""
    group: str
    floor: str
    """The kind of case."""
    have: int
    need: int


class Fact(Record, frozen=True):
    """A yes or no that a gate reads and that is no rate.

    Such as: a suite is complete, versions agree, an audit was declared.
    """

    name: str
    holds: bool | None
    """None: nothing is known, which never passes."""
    detail: str
    """One plain sentence with the counts behind it."""
    needed: str = ""
    """What to do so that it is known; empty where it is, or where its instrument does not say."""

    def told_by(self, needed: Mapping[str, str]) -> Fact:
        """Return it with what to do where nothing is known, from an instrument's table by name."""
        return msgspec.structs.replace(self, needed=needed.get(self.name, "")) if self.holds is None else self
