"""One gate in one slice: PASS, FAIL or INSUFFICIENT, and why.

Nothing passes by absence: no case, no row, no fact, no declared slice each yield INSUFFICIENT.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.errors import IntegrityError
from denotary.verdicts.bounds import Failures, failure_limit, failures, observed, upper_bound
from denotary.verdicts.feasibility import least_units, more_units
from denotary.verdicts.paired_gates import paired_result
from denotary.verdicts.records import GateResult
from denotary.words import percent, plural, slice_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from denotary.measures.measurement import Measurement
    from denotary.measures.records import ComparisonRow, Fact, Row
    from denotary.verdicts.records import Gate, GateVerdict


@dataclass(frozen=True)
class Evidence:
    """A measurement, looked up by name.

    Attributes:
        measurement: rows, facts and required slices.
        alpha: what each gate may spend: (1 - confidence) / looks.
    """

    measurement: Measurement
    alpha: float

    @cached_property
    def rows(self) -> dict[tuple[str, str], Row]:
        """Rows by measure and slice."""
        return {(row.measure, row.slice): row for row in self.measurement.rows}

    @cached_property
    def comparisons(self) -> dict[tuple[str, str], ComparisonRow]:
        """Comparisons with another system by measure and slice."""
        return {(row.measure, row.slice): row for row in self.measurement.comparisons}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Facts by name."""
        return {fact.name: fact for fact in self.measurement.facts}


def judge_gate(gate: Gate, evidence: Evidence) -> Iterator[GateResult]:
    """Yield the result of a gate in each of its slices.

    Raises:
        IntegrityError: a row's counts are not those of its units.
    """
    for name in slices_of(gate, evidence.measurement.required):
        judged = _Slice(gate, name, evidence)
        yield judged.without_slices() if ":" in name else judged.judge()


def slices_of(gate: Gate, required: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the slices of a gate; a selector that selects none, or is not declared, stands for itself."""
    for selector in gate.slices:
        values = required.get(selector)
        if values:
            axis = selector.partition(":")[0]
            yield from (f"{axis}={value}" for value in values)
        else:
            yield selector


@dataclass(frozen=True)
class _Slice:
    """A gate in one slice."""

    gate: Gate
    name: str
    evidence: Evidence

    @cached_property
    def row(self) -> Row | None:
        return self.evidence.rows.get((self.gate.measure, self.name))

    @cached_property
    def fact(self) -> Fact | None:
        return self.evidence.facts.get(self.gate.fact)

    @cached_property
    def units(self) -> Failures:
        """The row's units, checked against the row's own counts."""
        row = self.row
        if row is None:
            return Failures((), ratio=False)
        events = failures(row, "upper")
        if row.types and (events.failures, events.cases) != (row.numerator, row.denominator):
            raise IntegrityError(
                f"the row says {row.numerator} of {row.denominator}, "
                f"its units {events.failures} of {events.cases}",
                record=f"{row.measure} [{row.slice}]",
                hint="measure the run again; rows are not to be edited",
            )
        return failures(row, self.gate.side)

    def judge(self) -> GateResult:
        """Return the verdict by the gate's kind."""
        kinds: dict[str, Callable[[], GateResult]] = {
            "bound": self._bound,
            "zero": self._zero,
            "systematic": self._systematic,
            "evidence": self._evidence,
            "paired": self._paired,
        }
        return kinds[self.gate.kind]()

    def without_slices(self) -> GateResult:
        """Return the verdict of a selector that selects no slice: nobody declared one, or there is none."""
        axis, _, group = self.name.partition(":")
        if self.name in self.evidence.measurement.required:
            return self.result("NOT_APPLICABLE", f"no {axis} is {group}")
        return self.result(
            "INSUFFICIENT",
            f"no {axis} is declared as {group}, so there is no slice for the claim to hold in",
            needed=f"declare each {axis} that is {group} before asking",
        )

    @cached_property
    def least(self) -> int:
        """The units below which nothing passes."""
        return least_units(self.gate, self.evidence.alpha, single=self.units.single)

    def _bound(self) -> GateResult:
        missing = self._without_population()
        if missing:
            return missing
        limit = self.gate.limit if self.gate.limit is not None else 0.0
        if observed(self.units) > failure_limit(limit, self.gate.side):
            return self.result("FAIL", self._beyond(limit), needed=self._needed(mend=True), **self._figures())
        return self._compared(limit)

    def _figures(self) -> dict[str, Any]:
        alpha = self.evidence.alpha
        upper, method = upper_bound(self.units, alpha)
        bound = upper if self.gate.side == "upper" else 1.0 - upper
        return {"bound": bound, "bound_method": method, "alpha": alpha}

    def _compared(self, limit: float) -> GateResult:
        """Return the verdict where the value observed is within the limit: whether the bound is too."""
        gate, units, facts = self.gate, self.units, self._figures()
        bound = facts["bound"]
        within = bound <= limit if gate.side == "upper" else bound >= limit
        if units.units < gate.minimum_units:
            reason = f"{self._counted(units.units)} where at least {self.least:,} are required"
            return self.result("INSUFFICIENT", reason, needed=self._needed(), **facts)
        if self.row is not None and self.row.status == "INSUFFICIENT":
            # A group below its evidence floors can fail a gate and never pass one, whatever its bound.
            reason = self.row.note or "the evidence for this slice is insufficient"
            return self.result("INSUFFICIENT", reason, needed="cases up to the evidence floors", **facts)
        said = f"{gate.side} bound {percent(bound, 'up' if gate.side == 'upper' else 'down')}"
        if within:
            return self.result(
                "PASS", f"{said} is within the limit {percent(limit)} ({self._tally()})", **facts
            )
        reason = f"{said} is not within the limit {percent(limit)} ({self._tally()})"
        return self.result("INSUFFICIENT", reason, needed=self._needed(), **facts)

    def _zero(self) -> GateResult:
        missing = self._without_population()
        if missing:
            return missing
        if self.units.failures:
            return self.result(
                "FAIL",
                f"{self._tally()}, and not one is tolerated",
                needed="mend the cause of each, then ask again",
            )
        if self.gate.fact and not (self.fact and self.fact.holds):
            return self._unproven()
        if self.gate.limit is not None:
            return self._compared(self.gate.limit)
        if self.units.units < self.gate.minimum_units:
            reason = (
                f"{self._counted(self.units.units)} where at least {self.gate.minimum_units:,} are required"
            )
            more = self._counted(self.gate.minimum_units - self.units.units, "more ")
            return self.result("INSUFFICIENT", reason, needed=f"{more} without a failure")
        return self.result("PASS", f"no failure in {plural(self.units.cases, 'case')}")

    def _systematic(self) -> GateResult:
        if self.fact is not None and self.fact.holds is False:
            return self.result("FAIL", self.fact.detail, needed="mend the cause of each pair, then ask again")
        missing = self._without_population() if self.gate.measure else None
        return missing or self._evidence()

    def _evidence(self) -> GateResult:
        if self.fact is None or self.fact.holds is None:
            return self._unproven()
        if self.fact.holds:
            return self.result("PASS", self.fact.detail)
        # The contrary was seen, which no further evidence mends.
        return self.result("FAIL", self.fact.detail, needed="mend the cause, then ask again")

    def _paired(self) -> GateResult:
        row = self.evidence.comparisons.get((self.gate.measure, self.name))
        found = paired_result(self.gate, row, self.evidence.alpha)
        status = row.status if row else ""
        return self.result(found.verdict, found.reason, needed=found.needed, evidence=status, **found.fields)

    def _unproven(self) -> GateResult:
        name = self.gate.fact.replace("_", " ")
        reason = self.fact.detail if self.fact else f"nothing is known of {name!r}"
        told = self.fact.needed if self.fact is not None and self.fact.holds is None else ""
        return self.result("INSUFFICIENT", reason, needed=told or f"evidence that {name!r} holds")

    def _without_population(self) -> GateResult | None:
        """Return the verdict where there is no case to judge on, else None."""
        row = self.row
        if row is not None and row.status == "NOT_APPLICABLE":
            why = row.note or "the measure does not apply to this system"
            if self.gate.allow_not_expressible:
                return self.result("NOT_EXPRESSIBLE", why)
            return self.result("INSUFFICIENT", why, needed="a system that expresses what the measure needs")
        if self.units.cases:
            return None
        if row is not None and row.types == () and row.denominator:
            return self.result("INSUFFICIENT", "the measure has no counts of units, so no bound can be given")
        # Only a row that was counted and found empty says that there is nothing to ask.
        if row is not None and self.gate.allow_not_expressible and self.fact is not None and self.fact.holds:
            return self.result("NOT_APPLICABLE", f"there is no case to ask: {self.fact.detail}")
        return self.result("INSUFFICIENT", "the suite has no case for this claim here", needed=self._needed())

    def _beyond(self, limit: float) -> str:
        seen = observed(self.units)
        alike = seen * self.units.cases != self.units.failures
        how = f", {self._unit_kind}s weighed alike," if alike else ""
        rate = float(seen if self.gate.side == "upper" else 1 - seen)
        return f"observed {percent(rate)}{how} is beyond the limit {percent(limit)} ({self._tally()})"

    def _tally(self) -> str:
        units = self.units
        return f"{units.failures:,} of {plural(units.cases, 'case')} failed, {self._counted(units.units)}"

    def _counted(self, number: int, word: str = "") -> str:
        return plural(number, word + self._unit_kind)

    @cached_property
    def _unit_kind(self) -> str:
        return self.row.unit_kind if self.row is not None else self.evidence.measurement.unit_kind

    def _needed(self, *, mend: bool = False) -> str:
        gate = self.gate
        limit = failure_limit(gate.limit, gate.side) if gate.limit is not None else None
        more = more_units(self.units, limit, self.evidence.alpha, gate.minimum_units)
        where = "" if self.name == "all" else f" in {slice_name(self.name)}"
        drawn = " that enter the denominator" if self.units.ratio else ""
        text = f"{self._counted(more, 'more ')}{where}{drawn}, none failing"
        if not mend:
            return text
        return f"mend the cause and ask again; with the present failures it would take {text}"

    def result(self, verdict: GateVerdict, reason: str, **more: Any) -> GateResult:
        """Return the record of this gate in this slice."""
        gate, row, units = self.gate, self.row, self.units
        counted = row is not None and bool(units.types)
        result = GateResult(
            gate=gate.id,
            title=gate.title,
            measure=gate.measure or gate.fact,
            slice=self.name,
            verdict=verdict,
            reason=reason,
            numerator=row.numerator if row else None,
            denominator=row.denominator if row else None,
            units=units.units if counted else 0,
            unit_kind="" if self._unit_kind == self.evidence.measurement.unit_kind else self._unit_kind,
            value=row.value if row else None,
            low=row.low if row else None,
            high=row.high if row else None,
            limit=gate.limit,
            side=gate.side,
            minimum_units=self.least,
            none_tolerated=gate.kind == "zero",
            paired=gate.kind == "paired",
            corpus=self.evidence.measurement.suite.identifier,
            evidence=row.status if row else "",
        )
        return msgspec.structs.replace(result, **more)
