"""Gates that tolerate nothing, and everything that may be absent: no release may be promoted, ever.

There is no rate at the limit of such a gate, so nothing is drawn: every place for a single failure, every fact
that is false or unknown, every row, slice, selector or role that is missing, every row that is incomplete is tried
once, in every shipped policy on one system. Those on identity are tried here, that on similarity gates in
:mod:`validity.tolerance_of_pairs`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, get_args

import msgspec
import numpy as np

from denotary.measures.records import Fact
from denotary.suites.records import Role
from denotary.verdicts.decision import REVIEW_FACT, SOUND_FACT
from denotary.verdicts.gates import slices_of
from denotary.verdicts.policy_problems import supports
from validity.evidence import least_scale
from validity.incomplete import incomplete
from validity.outcomes import Risk, outcomes
from validity.promotion import POLICIES
from validity.release import Release, all_rows, measure, policy, release
from validity.results import Result, chance
from validity.tally import Draws
from validity.world import population

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from denotary.measures.records import Row
    from validity.world import Design

NAMES: Final = ("registry-exact", *POLICIES)
DESIGNS: Final[tuple[Design, ...]] = ("single", "siblings")


def run(name: str) -> Iterator[Result]:
    """Yield, for one policy, how many of the releases of each sort were promoted: none may be."""
    for design in DESIGNS:
        base = release(policy(name), design, least_scale(policy(name), 1, design), 1)
        if base.decision() != "PROMOTE":
            raise RuntimeError(f"{name}: a release without a failure is not promoted")
        tried = {
            "one failure": _one_failure(base, design),
            **lacking(base),
        }
        yield from results(name, design, tried)


def lacking(base: Release) -> dict[str, Iterator[str]]:
    """Return the decisions on a release without a failure of which something is wrong or absent, by what it is."""
    return {
        "a fact is false": _facts(base, known=True),
        "a fact is unknown or absent": _facts(base, known=False),
        "a row is absent or empty": _rows(base),
        "a row is incomplete, or its evidence is insufficient": incomplete(base),
        "slices were not declared": _undeclared(base),
        "the corpus or its review does not support it": _corpora(base),
    }


def results(name: str, design: Design, tried: Mapping[str, Iterable[str]]) -> Iterator[Result]:
    """Yield how many releases of each sort a policy promoted and blocked."""
    for sort, decisions in tried.items():
        yield _result(f"{name}/{design}/{sort}", name, sort, design, list(decisions))


def _result(title: str, name: str, sort: str, design: Design, decisions: list[str]) -> Result:
    promoted = chance(decisions.count("PROMOTE"), len(decisions))
    facts = {
        "policy": name,
        "tried": sort,
        "design": design,
        "blocked": chance(decisions.count("BLOCK"), len(decisions)),
        "promoted": promoted,
    }
    return Result(title, facts, promoted.times == 0)


def _one_failure(base: Release, design: Design) -> Iterator[str]:
    """Yield the decisions with one failed case in a gate that tolerates none, wherever it may fall."""
    scale = least_scale(base.policy, base.measurement.suite.looks, design)
    for gate in base.gates("zero"):
        for rows in all_rows(measure(gate.measure), one_failure(design, scale)):
            yield base.decision(rows)


def one_failure(design: Design, scale: int) -> Draws:
    """Return one suite for every place that a single failed case may have."""
    kinds = population(design, scale)
    ways = tuple(outcomes(kind.sizes, (True,) * len(kind.sizes), Risk(0.5)) for kind in kinds)
    failed = np.concatenate([way.failed.sum(axis=1) for way in ways])
    owner = np.repeat(np.arange(len(kinds)), [len(way.chance) for way in ways])
    units = np.asarray([kind.units for kind in kinds])
    places = np.flatnonzero(failed == 1)
    counts = np.tile(np.where(failed == 0, units[owner], 0), (len(places), 1))
    counts[np.arange(len(places)), places] = 1
    counts -= (failed == 0) & (owner == owner[places][:, np.newaxis])
    return Draws(kinds, ways, counts.astype(np.int32))


def _facts(base: Release, *, known: bool) -> Iterator[str]:
    """Yield the decisions with one fact false, or with one that is unknown or absent."""
    for name in dict.fromkeys(gate.fact for gate in base.policy.gates if gate.fact):
        yield base.with_facts({name: False if known else None}).decision()
        if not known:
            facts = tuple(fact for fact in base.measurement.facts if fact.name != name)
            yield replace(base, measurement=replace(base.measurement, facts=facts)).decision()


def _rows(base: Release) -> Iterator[str]:
    """Yield the decisions with one row that a gate reads absent, or with nothing in its denominator.

    A gate may say that an empty row sets it aside (a registry that declares no ambiguity): that is no absence.
    """
    rows = base.measurement.rows
    for gate in base.gates("bound", "zero"):
        for name in slices_of(gate, base.measurement.required):
            kept = tuple(row for row in rows if (row.measure, row.slice) != (gate.measure, name))
            yield replace(base, measurement=replace(base.measurement, rows=kept)).decision()
            if not gate.allow_not_expressible:
                empty = tuple(_emptied(row) for row in rows if row not in kept)
                yield replace(base, measurement=replace(base.measurement, rows=(*kept, *empty))).decision()


def _emptied(row: Row) -> Row:
    return msgspec.structs.replace(
        row, numerator=0, denominator=0, units=0, value=None, status="INSUFFICIENT", types=()
    )


def _undeclared(base: Release) -> Iterator[str]:
    """Yield the decisions with one selector of slices that nobody declared."""
    required = base.measurement.required
    for name in sorted({name for gate in base.policy.gates for name in gate.slices if ":" in name}):
        rest = {key: values for key, values in required.items() if key != name}
        yield replace(base, measurement=replace(base.measurement, required=rest)).decision()


def _corpora(base: Release) -> Iterator[str]:
    """Yield the decisions with a corpus of every other role, and with cases that are not reviewed."""
    for role in get_args(Role):
        if not supports(role, base.policy):
            suite = replace(base.measurement.suite, role=role)
            yield replace(base, measurement=replace(base.measurement, suite=suite)).decision()
    yield base.with_facts({REVIEW_FACT: False}).decision()
    yield base.with_facts({REVIEW_FACT: None}).decision()
    for holds in (False, None):
        unsound = Fact(name=SOUND_FACT, holds=holds, detail="does not hold in the simulation")
        facts = (*base.measurement.facts, unsound)
        yield replace(base, measurement=replace(base.measurement, facts=facts)).decision()
