"""Rows and measurements of simulated releases, made by the functions that make those of a real one.

Rows come from :class:`denotary.measures.rows.RowMaker`, verdicts from :func:`denotary.verdicts.judge`. The
corpus is a reviewed, sealed one of a certifying role and every fact that a gate reads holds, so that nothing
but the counts can withhold a promotion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from denotary.instruments.identity import INSTRUMENT
from denotary.instruments.identity.measures import MEASURES
from denotary.measures.counts import Types
from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import Fact, Rate, Ratio
from denotary.measures.rows import Counted, RowMaker
from denotary.measures.slices import Axis
from denotary.verdicts import judge, load_policy
from denotary.verdicts.decision import REVIEW_FACT
from validity.evidence import REQUIRED
from validity.tally import flawless, tally
from validity.world import CONCEPTS, LANGUAGES, population

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from denotary.measures.records import Row
    from denotary.verdicts.records import Gate, Policy
    from validity.tally import Draws, Tally
    from validity.world import Design

SLICES: Final = (
    "all",
    *(f"language={language}" for language in LANGUAGES),
    *(f"concept={concept}" for concept in CONCEPTS),
    *(f"answered_code={concept}" for concept in CONCEPTS),
)
"""A code is answered where it is right or beside it, so a slice of answers holds the units of its concept."""

_MAKER: Final = RowMaker(INSTRUMENT.name, INSTRUMENT.unit_kind, {})


@cache
def policy(name: str) -> Policy:
    """Return a shipped policy."""
    return load_policy(name, INSTRUMENT)


@cache
def measure(name: str) -> Rate | Ratio:
    """Return a declared measure that is counted."""
    return next(item for item in MEASURES if item.id == name and isinstance(item, (Rate, Ratio)))


def rows(what: Rate | Ratio, name: str, found: Tally, maker: RowMaker = _MAKER) -> list[Row]:
    """Return the row of a measure in a slice for each simulated suite.

    Where more is better, a failure is the absence of the event.
    """
    return list(maker.counted([_counted(what, name, found, suite) for suite in range(len(found.count))]))


def all_rows(what: Rate | Ratio, draws: Draws) -> list[tuple[Row, ...]]:
    """Return the rows of a measure in every slice for each simulated suite."""
    return list(zip(*(rows(what, name, tally(draws, name)) for name in SLICES), strict=True))


def _counted(what: Rate | Ratio, name: str, found: Tally, suite: int) -> Counted:
    count = found.count[suite]
    held = count > 0
    top = found.failed if what.direction == "lower" else found.counted - found.failed
    order = np.lexsort((found.size[held], top[held], found.counted[held]))
    columns = [column[held][order] for column in (top, found.counted, found.size, count)]
    types = Types(np.zeros(len(order), dtype=np.int64), *columns)
    events, cases = np.asarray([top @ count]), np.asarray([found.counted @ count])
    axis, _, label = name.partition("=")
    by = Axis(axis, np.zeros(0, dtype=np.int64), (label or axis,), (True,))
    return Counted(what, by, events, cases, events, cases, types)


@dataclass(frozen=True, slots=True)
class Release:
    """A release under a policy, of which the rows of single measures can be replaced.

    Attributes:
        policy: the policy.
        measurement: its measurement.
    """

    policy: Policy
    measurement: Measurement

    def decision(self, changed: Iterable[Row] = ()) -> str:
        """Return the decision of the whole policy, with some rows replaced."""
        new = {(row.measure, row.slice): row for row in changed}
        kept = tuple(new.get((row.measure, row.slice), row) for row in self.measurement.rows)
        return judge(replace(self.measurement, rows=kept), self.policy).decision

    def passes(self, gate: Gate, row: Row) -> bool:
        """Return whether a gate passes in the slice of a row, judged under a policy that has no other gate."""
        alone = msgspec.structs.replace(gate, slices=(row.slice,))
        rules = msgspec.structs.replace(self.policy, gates=(alone,))
        return judge(replace(self.measurement, rows=(row,)), rules).decision == "PROMOTE"

    def gates(self, *kinds: str) -> Iterator[Gate]:
        """Yield the gates of some kinds."""
        return (gate for gate in self.policy.gates if gate.kind in kinds)

    def with_facts(self, changed: Mapping[str, bool | None]) -> Release:
        """Return the same release with some facts changed."""
        facts = tuple(
            msgspec.structs.replace(fact, holds=changed.get(fact.name, fact.holds))
            for fact in self.measurement.facts
        )
        return replace(self, measurement=replace(self.measurement, facts=facts))


@cache
def release(rules: Policy, design: Design, scale: int, looks: int) -> Release:
    """Return a release in which nothing fails, with a suite of some design and scale."""
    nothing = flawless(population(design, scale))
    read = dict.fromkeys(gate.measure for gate in rules.gates if gate.measure)
    facts = dict.fromkeys([*(gate.fact for gate in rules.gates if gate.fact), REVIEW_FACT])
    return Release(
        rules,
        Measurement(
            instrument=INSTRUMENT.name,
            unit_kind=INSTRUMENT.unit_kind,
            suite=Corpus("simulated", rules.roles[0], looks, "reviewed", {"sealed": 1}),
            snapshot_id="simulated",
            outcomes={},
            required=REQUIRED,
            rows=tuple(row for name in read for row in all_rows(measure(name), nothing)[0]),
            facts=tuple(Fact(name=name, holds=True, detail="holds in the simulation") for name in facts),
        ),
    )
