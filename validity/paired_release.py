"""A simulated release against its base under a policy on two systems: everything holds but what is put in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments.identity import INSTRUMENT
from denotary.instruments.identity.regression import REGRESSIONS
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import ComparisonRow, Fact, PairType, Ratio
from denotary.verdicts import judge
from denotary.verdicts.decision import REVIEW_FACT
from denotary.verdicts.gates import slices_of
from validity.evidence import REQUIRED
from validity.release import measure, policy, rows
from validity.tally import flawless, tally
from validity.world import population

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.verdicts.records import Policy

ALIKE: Final = (PairType(0, 1, 0, 1, 1, 5000),)
"""Units of a comparison at ease: enough for every tolerance and number of looks."""

NAME: Final = "regression"


@dataclass(frozen=True, slots=True)
class PairedRelease:
    """A release and its base, of which single comparisons can be replaced.

    Attributes:
        policy: the policy.
        measurement: comparisons, events over pairs and facts.
    """

    policy: Policy
    measurement: Measurement

    def decision(self, changed: Sequence[ComparisonRow] = ()) -> str:
        """Return the decision of the whole policy, with some comparisons replaced."""
        new = {(row.measure, row.slice): row for row in changed}
        kept = tuple(new.get((row.measure, row.slice), row) for row in self.measurement.comparisons)
        return judge(replace(self.measurement, comparisons=kept), self.policy).decision


def paired_release(looks: int) -> PairedRelease:
    """Return a release that answers as its base does, without an event, on a suite of so many looks."""
    rules = policy(NAME)
    nothing = tally(flawless(population("single", 100)), "all")
    facts = dict.fromkeys([*(gate.fact for gate in rules.gates if gate.fact), REVIEW_FACT])
    read = [
        (gate.measure, where)
        for gate in rules.gates
        if gate.kind == "paired"
        for where in slices_of(gate, REQUIRED)
    ]
    return PairedRelease(
        rules,
        Measurement(
            instrument=INSTRUMENT.name,
            unit_kind=INSTRUMENT.unit_kind,
            suite=Corpus("simulated", rules.roles[0], looks, "reviewed", {"public": 1}),
            snapshot_id="simulated",
            outcomes={},
            required=REQUIRED,
            rows=tuple(rows(item, "all", nothing)[0] for item in REGRESSIONS),
            facts=tuple(Fact(name=name, holds=True, detail="holds in the simulation") for name in facts),
            comparisons=tuple(comparison(name, where, ALIKE) for name, where in read),
        ),
    )


def comparison(name: str, where: str, types: Sequence[PairType]) -> ComparisonRow:
    """Return the comparison of a measure in a slice from its units; a gate recomputes every bound from them."""
    what = measure(name)
    columns = ("base_numerator", "base_denominator", "new_numerator", "new_denominator")
    sums = {column: sum(getattr(item, column) * item.count for item in types) for column in columns}
    base, new = (
        sums[f"{side}_numerator"] / sums[f"{side}_denominator"] if sums[f"{side}_denominator"] else None
        for side in ("base", "new")
    )
    moved = [(item.new_numerator - item.base_numerator, item.count) for item in types]
    units, worse = sum(item.count for item in types), sum(count for by, count in moved if by > 0)
    better = sum(count for by, count in moved if by < 0)
    facts: dict[str, Any] = dict.fromkeys(
        ("low", "high", "p", "p_floor", "p_holm", "lower_bound", "upper_bound")
    ) | dict.fromkeys(("interval", "test", "family", "bound_method", "said"), "")
    return ComparisonRow(
        instrument=INSTRUMENT.name,
        measure=name,
        slice=where,
        base_value=base,
        new_value=new,
        difference=None if base is None or new is None else new - base,
        units=units,
        unit_kind=INSTRUMENT.unit_kind,
        worse=worse,
        better=better,
        ties=units - worse - better,
        prespecified=True,
        unpaired_base=0,
        unpaired_new=0,
        status="SUFFICIENT",
        direction=what.direction,
        hides=what.hides,
        panel=what.panel,
        ratio=isinstance(what, Ratio),
        types=tuple(types),
        **sums,
        **facts,
    )
