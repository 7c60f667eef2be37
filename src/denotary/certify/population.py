"""The cases of a suite, counted by measure and slice before one is asked, as if a system without a failure were."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec

from denotary.certify.soundness import soundness
from denotary.measures.records import Rate, Ratio
from denotary.measures.required import advertised
from denotary.runs import plan as plan_calls
from denotary.runs.records import Answer
from denotary.runs.replies import not_run
from denotary.verdicts import prospect
from denotary.verdicts.bounds import Failures, failures
from denotary.verdicts.decision import qualify, spent
from denotary.verdicts.gates import slices_of
from denotary.verdicts.policy_problems import supports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from denotary.measures.records import Fact, Floor, Measure, Row
    from denotary.measures.table import Table
    from denotary.runs.records import Call, Identity
    from denotary.suites.suite import Suite
    from denotary.verdicts.bounds import Side
    from denotary.verdicts.prospects import Prospect
    from denotary.verdicts.records import Gate, Policy


@dataclass(frozen=True)
class Population:
    """A suite that is to be asked.

    Attributes:
        suite: the suite.
        identity: what the system's owner declares, languages included.
        assigned_share: expected share of cases that are given a code; None for what a perfect system gives.
        repeats: how often the cases of the core will be asked.
        core: how many cases that are.
        design: of the policy: one on two runs reads events over pairs as well.
    """

    suite: Suite
    identity: Identity
    assigned_share: float | None
    repeats: int
    core: int | Literal["all"]
    design: str

    def prospects(self, policy: Policy) -> Iterator[Prospect]:
        """Yield what each gate of a policy needs and has, in each of its slices."""
        alpha = spent(policy, max(policy.looks, self.suite.manifest.looks))
        groups = {**self.suite.instrument.required_slices(self.suite), **advertised(self.identity.languages)}
        for gate in policy.gates:
            for name in slices_of(gate, groups):
                if ":" not in name or name not in groups:
                    yield self._prospect(gate, name, alpha)

    def qualification(self, policy: Policy) -> str:
        """Return why the corpus cannot certify under a policy, whatever its cases; empty if it can."""
        role = self.suite.manifest.role
        sound = (self.sound,) if supports(role, policy) else ()
        return qualify(role, (*self.facts.values(), *sound), policy)

    def supports(self, policy: Policy) -> bool:
        """Return whether a system without a failure would be promoted, as far as the suite decides."""
        return not self.qualification(policy) and all(
            item.feasible is not False for item in self.prospects(policy)
        )

    @cached_property
    def facts(self) -> Mapping[str, Fact]:
        """The facts of a run in which nothing was answered; what only answers can show is not known yet."""
        found = self.suite.instrument.facts(self.suite, self._unasked, self.identity)
        return {fact.name: fact for fact in found}

    @property
    def floors(self) -> tuple[Floor, ...]:
        """How many cases of each kind each concept and language has and needs."""
        return tuple(self.suite.instrument.floors(self._unasked))

    @cached_property
    def sound(self) -> Fact:
        """Whether the suite keeps the rules of this version; it is checked once, when this is first asked."""
        return soundness(self.suite)

    def _prospect(self, gate: Gate, name: str, alpha: float) -> Prospect:
        found = prospect(
            gate,
            name,
            alpha=alpha,
            population=self._units(gate.measure, name, gate.side),
            assigned_share=self._share(gate, name),
        )
        barred = self._unproven(gate) or ("" if found.feasible is False else self._below_floors(gate, name))
        return msgspec.structs.replace(found, feasible=False, barred=barred) if barred else found

    def _unproven(self, gate: Gate) -> str:
        """Return what is known not to hold of what a gate asks to be proven."""
        fact = self.facts.get(gate.fact)
        asked = gate.kind in {"zero", "evidence"} and fact is not None and fact.holds is False
        return fact.detail if fact is not None and asked else ""

    def _below_floors(self, gate: Gate, name: str) -> str:
        row = self._asked.get((gate.measure, name))
        bounded = gate.kind in {"bound", "zero"} and gate.limit is not None
        below = bounded and row is not None and row.status == "INSUFFICIENT"
        return row.note if row is not None and below else ""

    def _units(self, measure: str, name: str, side: Side) -> Failures:
        row = self._asked.get((measure, name)) or self._answered.get((measure, name))
        return Failures((), ratio=False) if row is None else failures(row, side)

    def _share(self, gate: Gate, name: str) -> float:
        """Return the share of cases that will enter the denominator of a gate."""
        if not gate.at_best:
            return 1.0
        told = self.assigned_share
        if (gate.measure, name) in self._asked:
            return told or self._justified(gate, name) or 1.0
        # The slice is what a perfect system answers; one that answers less has less in it.
        whole = self._justified(gate, "all")
        return min(1.0, told / whole) if told and whole else 1.0

    def _justified(self, gate: Gate, name: str) -> float:
        """Return the share that a perfect system puts into the denominator; 0 where there is no case."""
        asked = self._units(gate.measure, name, "upper").cases
        return self._units(gate.at_best, name, "upper").cases / asked if asked else 0.0

    @cached_property
    def _calls(self) -> tuple[Call, ...]:
        return plan_calls(self.suite, repeats=self.repeats, repeat_core=self.core)

    @cached_property
    def _unasked(self) -> Table:
        return self._table(not_run)

    @cached_property
    def _asked(self) -> Mapping[tuple[str, str], Row]:
        """The rows of a run in which nothing was answered: their populations are those of the suite."""
        return self._rows(self._unasked)

    @cached_property
    def _answered(self) -> Mapping[tuple[str, str], Row]:
        """The rows of a run in which nothing failed, for slices that the answers decide."""
        cases = {case.record_id: case for case in self.suite.cases}
        instrument = self.suite.instrument

        def answer(call: Call) -> Answer:
            body = instrument.perfect(cases[call.case_id], self.suite)
            return Answer(
                call_id=call.call_id, case_id=call.case_id, repeat=call.repeat, status="answered", body=body
            )

        return self._rows(self._table(answer))

    def _table(self, answer: Callable[[Call], Answer]) -> Table:
        table: Table = self.suite.instrument.table(self.suite, map(answer, self._calls), self.identity)
        return table

    def _rows(self, table: Table) -> dict[tuple[str, str], Row]:
        """Return the counted rows of a table; for a policy on two runs every case makes a pair too."""
        import numpy as np

        from denotary.measures.pairs import pair

        instrument = self.suite.instrument
        rows = self._evaluated(instrument.measures(self.suite), table)
        if self.design == "paired":
            at = np.arange(len(table))
            joined = pair(table, table, at, at, table.unit).joined()
            rows |= self._evaluated(instrument.regressions(self.suite), joined)
        return rows

    def _evaluated(self, measures: Sequence[Measure], table: Table) -> dict[tuple[str, str], Row]:
        from denotary.measures.engine import evaluate

        instrument = self.suite.instrument
        # A measure that needs a capability is planned for as if the system had it.
        counted = [
            msgspec.structs.replace(measure, needs=None)
            for measure in measures
            if isinstance(measure, (Rate, Ratio))
        ]
        rows = evaluate(
            counted, table, instrument=instrument.name, unit_kind=instrument.unit_kind, resamples=0
        )
        return {(row.measure, row.slice): row for row in rows}
