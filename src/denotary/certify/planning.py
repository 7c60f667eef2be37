"""What a policy costs, and what a suite can claim at best: known before a single call is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from denotary.errors import InfeasibleError, InputError
from denotary.measures.records import Rate, Ratio
from denotary.measures.required import advertised
from denotary.records import Record
from denotary.runs import plan as plan_calls
from denotary.runs.records import Answer
from denotary.runs.replies import not_run
from denotary.suites.instrument import instrument as find_instrument
from denotary.verdicts import load_policy, policy_path, prospect
from denotary.verdicts.bounds import Failures, failures
from denotary.verdicts.decision import spent
from denotary.verdicts.gates import slices_of
from denotary.verdicts.policies import refuse_unfit_measures, supports
from denotary.verdicts.prospects import PLANNED_FAILURES, Prospect, suite_figures
from denotary.words import NOTHING, bound, percent, plural, points, slice_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from denotary.measures.records import Measure, Row
    from denotary.measures.table import Table
    from denotary.runs.records import Call
    from denotary.suites.instrument import Instrument
    from denotary.suites.suite import Suite
    from denotary.verdicts.bounds import Side
    from denotary.verdicts.records import Gate, Policy

HEADS = (
    "gate",
    "slice",
    "limit",
    "units, 0 failures",
    "1",
    "2",
    "3",
    "4",
    "5",
    "power at limit/3",
    "power at limit/10",
    "judgements",
    "suite has",
    "claims at best",
    "feasible",
)


class Plan(Record, frozen=True):
    """What every gate of a policy needs.

    ``supports`` is False where the role of the suite cannot support the policy however many cases it holds.
    ``claims`` says for each shipped policy of the same track whether a system without a failure could pass it
    here, as far as counts decide; it is empty without a suite.
    """

    policy: str
    title: str
    confidence: float
    looks: int
    alpha: float
    prospects: tuple[Prospect, ...]
    suite: str | None = None
    role: str | None = None
    supports: bool | None = None
    claims: dict[str, bool] = msgspec.field(default_factory=dict)

    @property
    def infeasible(self) -> tuple[Prospect, ...]:
        """Gates and slices in which not even a system without a failure would pass."""
        return tuple(item for item in self.prospects if item.feasible is False)

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return heads and rows of a table for people: one row a gate and slice."""
        return HEADS, [tuple(_cells(item)) for item in self.prospects]

    def sentences(self) -> Iterator[str]:
        """Yield what cannot be claimed, and why, one sentence each."""
        if self.supports is False:
            yield f"a {self.role} corpus does not support policy {self.policy}; it can only block a release"
        for item in self.infeasible:
            where = "" if item.slice == "all" else f" in {slice_name(item.slice)}"
            needed = item.needs[0].units if item.needs else item.minimum_units
            best = "" if item.at_best is None else f"; at best it shows {_claim(item, item.at_best)}"
            yield (
                f"{item.title}{where}: the suite has {plural(item.have or 0, 'unit')} "
                f"where {needed:,} are needed without a failure{best}"
            )


def plan(
    policy: str | Path,
    suite: Suite | None = None,
    *,
    instrument: str = "identity",
    languages: Sequence[str] = (),
    assigned_share: float | None = None,
    repeats: int = 2,
    repeat_core: int | Literal["all"] | None = None,
) -> Plan:
    """Return what a policy needs, and what a suite can claim at best.

    Args:
        policy: name of a shipped policy, or a path.
        suite: the suite that is meant to support the claim.
        instrument: whose policy it is, where no suite says so.
        languages: languages that will be advertised.
        assigned_share: expected share of cases that are given a code; by default what a perfect system would
            do on the suite, and 1 without a suite.
        repeats: how often the cases of the core will be asked.
        repeat_core: how many cases that will be; by default as many as the policy says.

    Raises:
        InputError: the policy cannot be read, or the share is not in (0, 1].
    """
    if assigned_share is not None and not 0.0 < assigned_share <= 1.0:
        raise InputError(f"assigned share is {assigned_share}; expected a number above 0 and at most 1")
    owner = suite.instrument if suite is not None else find_instrument(instrument)
    loaded = load_policy(policy, owner)
    if suite is None:
        return _plan(loaded, loaded.looks, _general(loaded, assigned_share or 1.0))
    regressions = owner.regressions(suite)
    refuse_unfit_measures(loaded, owner.measures(suite), policy_path(policy, owner), regressions=regressions)
    core = repeat_core if repeat_core is not None else default_core(loaded, suite)
    population = _Population(suite, languages, assigned_share, repeats, core, loaded.design)
    kin = (load_policy(path.stem, owner) for path in sorted(owner.policies.glob("*.toml")))
    return _plan(
        loaded,
        max(loaded.looks, suite.manifest.looks),
        population.prospects(loaded),
        suite=f"{suite.name} {suite.version}",
        role=suite.manifest.role,
        supports=supports(suite.manifest.role, loaded),
        claims={other.id: population.supports(other) for other in kin if other.track == loaded.track},
    )


def default_core(policy: Policy, suite: Suite) -> int | Literal["all"]:
    """Return how many cases of a suite a policy wants asked more than once; all if it has fewer."""
    core = policy.repeat_core
    return core if core == "all" else min(core, len(suite.cases))


def require_feasible(made: Plan) -> None:
    """Stop where a suite cannot support the claim even if the system makes no mistake.

    Raises:
        InfeasibleError: the sentences of the plan say what is missing.
    """
    reasons = ";\n  ".join(made.sentences())
    if reasons:
        raise InfeasibleError(
            f"policy {made.policy} cannot be shown with this suite: {reasons}",
            hint="more cases, a lower tier, or the exact lane only; never a looser limit",
        )


def _plan(policy: Policy, looks: int, prospects: Iterable[Prospect], **more: Any) -> Plan:
    return Plan(
        policy=policy.id,
        title=policy.title,
        confidence=policy.confidence,
        looks=looks,
        alpha=spent(policy, looks),
        prospects=tuple(prospects),
        **more,
    )


def _general(policy: Policy, assigned_share: float) -> Iterator[Prospect]:
    """Yield what each gate needs in any slice of its kind, no suite being given."""
    alpha = spent(policy, policy.looks)
    for gate in policy.gates:
        for name in gate.slices:
            share = assigned_share if gate.at_best else 1.0
            yield prospect(gate, name, alpha=alpha, assigned_share=share)


@dataclass(frozen=True)
class _Population:
    """The cases of a suite, counted by measure and slice before one is asked."""

    suite: Suite
    languages: Sequence[str]
    assigned_share: float | None
    repeats: int
    core: int | Literal["all"]
    design: str

    @cached_property
    def asked(self) -> Mapping[tuple[str, str], Row]:
        """The rows of a run in which nothing was answered: their populations are those of the suite."""
        return _rows(self.suite, self.calls, not_run, self.design)

    @cached_property
    def answered(self) -> Mapping[tuple[str, str], Row]:
        """The rows of a run in which nothing failed, for slices that the answers decide."""
        cases = {case.record_id: case for case in self.suite.cases}
        instrument = self.suite.instrument

        def answer(call: Call) -> Answer:
            body = instrument.perfect(cases[call.case_id], self.suite)
            return Answer(
                call_id=call.call_id, case_id=call.case_id, repeat=call.repeat, status="answered", body=body
            )

        return _rows(self.suite, self.calls, answer, self.design)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        return plan_calls(self.suite, repeats=self.repeats, repeat_core=self.core)

    def prospects(self, policy: Policy) -> Iterator[Prospect]:
        """Yield what each gate of a policy needs and has, in each of its slices."""
        for gate, name, alpha in self._asked(policy):
            units, share = self._units(gate.measure, name, gate.side), self._share(gate, name)
            yield prospect(gate, name, alpha=alpha, population=units, assigned_share=share)

    def supports(self, policy: Policy) -> bool:
        """Return whether a system without a failure would pass every gate that counts decide."""
        return all(
            suite_figures(
                gate, alpha, self._units(gate.measure, name, gate.side), self._share(gate, name)
            ).get("feasible")
            is not False
            for gate, name, alpha in self._asked(policy)
        )

    def _asked(self, policy: Policy) -> Iterator[tuple[Gate, str, float]]:
        alpha = spent(policy, max(policy.looks, self.suite.manifest.looks))
        groups = {**self.suite.instrument.required_slices(self.suite), **advertised(self.languages)}
        for gate in policy.gates:
            for name in slices_of(gate, groups):
                if ":" not in name or name not in groups:
                    yield gate, name, alpha

    def _units(self, measure: str, name: str, side: Side) -> Failures:
        row = self.asked.get((measure, name)) or self.answered.get((measure, name))
        return Failures((), ratio=False) if row is None else failures(row, side)

    def _share(self, gate: Gate, name: str) -> float:
        """Return the share of cases that will enter the denominator of a gate."""
        if not gate.at_best:
            return 1.0
        told = self.assigned_share
        if (gate.measure, name) in self.asked:
            return told or self._justified(gate, name) or 1.0
        # The slice is what a perfect system answers; one that answers less has less in it.
        whole = self._justified(gate, "all")
        return min(1.0, told / whole) if told and whole else 1.0

    def _justified(self, gate: Gate, name: str) -> float:
        """Return the share that a perfect system puts into the denominator; 0 where there is no case."""
        asked = self._units(gate.measure, name, "upper").cases
        return self._units(gate.at_best, name, "upper").cases / asked if asked else 0.0


def _rows(
    suite: Suite, calls: Sequence[Call], answer: Callable[[Call], Answer], design: str
) -> dict[tuple[str, str], Row]:
    """Return the counted rows of a run that was answered in some way.

    A policy on two runs reads events over pairs as well: every case makes one.
    """
    import numpy as np

    from denotary.measures.pairs import pair

    instrument = suite.instrument
    table = instrument.table(suite, map(answer, calls))
    rows = _evaluated(instrument, instrument.measures(suite), table)
    if design == "paired":
        at = np.arange(len(table))
        joined = pair(table, table, at, at, table.unit).joined()
        rows |= _evaluated(instrument, instrument.regressions(suite), joined)
    return rows


def _evaluated(
    instrument: Instrument, measures: Sequence[Measure], table: Table
) -> dict[tuple[str, str], Row]:
    from denotary.measures.engine import evaluate

    # A measure that needs a capability is planned for as if the system had it.
    counted = [
        msgspec.structs.replace(measure, needs=None)
        for measure in measures
        if isinstance(measure, (Rate, Ratio))
    ]
    rows = evaluate(counted, table, instrument=instrument.name, unit_kind=instrument.unit_kind, resamples=0)
    return {(row.measure, row.slice): row for row in rows}


def _claim(item: Prospect, value: float | None) -> str:
    """Return a limit, or what can be shown at best: a rate, or of two systems a difference."""
    if item.kind == "paired" and value is not None:
        return f"≤ {points(value, 'up')}"
    return bound(value, upper=item.side == "upper")


def _cells(item: Prospect) -> Iterator[str]:
    yield item.title
    yield item.slice
    tolerated = "a fact" if item.kind in {"evidence", "systematic"} else "none tolerated"
    yield tolerated if item.limit is None else _claim(item, item.limit)
    units = [f"{need.units:,}" for need in item.needs]
    yield from units or [f"{item.minimum_units:,}", *[NOTHING] * (len(PLANNED_FAILURES) - 1)]
    first = item.needs[0] if item.needs else None
    yield percent(first.power_third if first else None)
    yield percent(first.power_tenth if first else None)
    yield NOTHING if item.judgements is None else _span(*item.judgements)
    yield NOTHING if item.have is None else f"{item.have:,}"
    yield _claim(item, item.at_best)
    yield NOTHING if item.feasible is None else "yes" if item.feasible else "no"


def _span(fewest: int, most: int) -> str:
    return f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
