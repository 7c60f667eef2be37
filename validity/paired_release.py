"""A simulated release against its base under a policy on two systems: everything holds but what is put in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from denotary.instruments import identity, similarity
from denotary.instruments.identity.measures import MEASURES as OF_IDENTITY
from denotary.instruments.identity.regression import REGRESSIONS as EVENTS_OF_IDENTITY
from denotary.instruments.similarity.measures import MEASURES as OF_SIMILARITY
from denotary.instruments.similarity.regression import REGRESSIONS as EVENTS_OF_SIMILARITY
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import ComparisonRow, Fact, PairType, Rate, Ratio
from denotary.measures.rows import RowMaker
from denotary.verdicts import judge, load_policy
from denotary.verdicts.decision import REVIEW_FACT
from denotary.verdicts.gates import slices_of
from validity.evidence import REQUIRED
from validity.pair_gates import REQUIRED as OF_PAIRS
from validity.release import rows
from validity.tally import flawless, tally
from validity.world import population

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.measures.records import Measure
    from denotary.suites.instrument import Instrument
    from denotary.verdicts.records import Policy

ALIKE: Final = (PairType(0, 1, 0, 1, 1, 5000),)
"""Units of a comparison at ease: enough for every tolerance and number of looks."""

NAMES: Final = ("regression", "similarity-regression")


@dataclass(frozen=True, slots=True)
class Rules:
    """A policy on two systems, with what it reads.

    Attributes:
        policy: the policy.
        instrument: the instrument of its cases.
        measures: the measures that are compared, by id.
        events: events over pairs of cases.
        required: slices that a gate must find, by selector.
    """

    policy: Policy
    instrument: Instrument
    measures: Mapping[str, Rate | Ratio]
    events: tuple[Rate, ...]
    required: Mapping[str, tuple[str, ...]]


@cache
def rules(name: str) -> Rules:
    """Return a shipped policy on two systems, one of ``NAMES``."""
    if name == NAMES[0]:
        return _rules(name, identity.INSTRUMENT, OF_IDENTITY, EVENTS_OF_IDENTITY, REQUIRED)
    return _rules(name, similarity.INSTRUMENT, OF_SIMILARITY, EVENTS_OF_SIMILARITY, OF_PAIRS)


def _rules(
    name: str,
    instrument: Instrument,
    measures: Sequence[Measure],
    events: tuple[Rate, ...],
    required: Mapping[str, tuple[str, ...]],
) -> Rules:
    counted = {item.id: item for item in measures if isinstance(item, (Rate, Ratio))}
    return Rules(load_policy(name, instrument), instrument, counted, events, required)


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


@cache
def paired_release(name: str, looks: int) -> PairedRelease:
    """Return a release that answers as its base does, without an event, on a suite of so many looks.

    Args:
        name: the policy, one of ``NAMES``.
        looks: declared looks at the suite.
    """
    found = rules(name)
    instrument, gates = found.instrument, found.policy.gates
    nothing = tally(flawless(population("single", 100)), "all")
    maker = RowMaker(instrument.name, instrument.unit_kind, {})
    facts = dict.fromkeys([*(gate.fact for gate in gates if gate.fact), REVIEW_FACT])
    read = [
        (gate.measure, where)
        for gate in gates
        if gate.kind == "paired"
        for where in slices_of(gate, found.required)
    ]
    return PairedRelease(
        found.policy,
        Measurement(
            instrument=instrument.name,
            unit_kind=instrument.unit_kind,
            suite=Corpus("simulated", found.policy.roles[0], looks, "reviewed", {"public": 1}),
            snapshot_id="simulated",
            outcomes={},
            required=found.required,
            rows=tuple(rows(item, "all", nothing, maker)[0] for item in found.events),
            facts=tuple(Fact(name=fact, holds=True, detail="holds in the simulation") for fact in facts),
            comparisons=tuple(comparison(name, measure, where, ALIKE) for measure, where in read),
        ),
    )


def comparison(policy: str, measure: str, where: str, types: Sequence[PairType]) -> ComparisonRow:
    """Return the comparison of a measure in a slice from its units; a gate recomputes every bound from them."""
    found = rules(policy)
    what = found.measures[measure]
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
        instrument=found.instrument.name,
        measure=measure,
        slice=where,
        base_value=base,
        new_value=new,
        difference=None if base is None or new is None else new - base,
        units=units,
        unit_kind=found.instrument.unit_kind,
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
