"""Filling the report from a judged run: everything on the page comes from here, and nothing is computed there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

import denotary
from denotary.certify.limitations import limitations
from denotary.certify.statement import identity_block, inputs
from denotary.certify.triaging import triage
from denotary.reports.model import Latency, PlanLine, Report, Subject
from denotary.runs.folder import CALLS
from denotary.runs.resuming import logged_calls
from denotary.verdicts.bounds import failure_limit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from denotary.certify.judged import Judged
    from denotary.certify.triaging import Triage
    from denotary.reports.model import CaseView
    from denotary.reports.probed import Probed
    from denotary.statistics.planning import Bound
    from denotary.suites.suite import Suite

CASES: Final = 5_000
"""Most cases that are made into views; the page may hold fewer."""

ILLUSTRATIVE: Final = "illustrative"


def report(judged: Judged, *, set_causes: bool = False, probed: Probed | None = None) -> Report:
    """Return the report of a judged run.

    Args:
        judged: the run.
        set_causes: whether causes that persons set in the run's folder stand in it, beside those that rules
            propose. They come after the verdict, so what is certified is without them.
        probed: what probes of the same system showed.
    """
    run, measurement = judged.run, judged.measurement
    suite, instrument = run.suite, run.suite.instrument
    triaged = triage(run, judged=set_causes)
    return Report(
        tool=f"denotary {denotary.__version__}",
        instrument=measurement.instrument,
        unit_kind=measurement.unit_kind,
        verdict=judged.verdict,
        policy=judged.policy,
        suite=suite_subject(suite),
        registry=registry_subject(suite),
        system={name: _plain(value) for name, value in run.header.system.items()},
        identity={name: _plain(value) for name, value in identity_block(run).items()},
        threshold=run.header.identity.acceptance_threshold,
        outcomes=measurement.outcomes,
        planned=len(suite.cases),
        rows=measurement.rows,
        measures=tuple(instrument.measures(suite)),
        panels=tuple(instrument.panels()),
        cards=tuple(instrument.cards()),
        facts=measurement.facts,
        series=measurement.series,
        standings=judged.standings,
        cases=_cases(judged, triaged),
        cases_total=len(suite.cases),
        plan=tuple(_plan(judged)),
        mechanisms=tuple(instrument.mechanisms(suite)),
        causes=triaged.causes() if triaged.titles else None,
        limitations=tuple(limitations(judged)),
        illustrative=tuple(illustrative(suite)),
        latency=latency(run.root / CALLS),
        probed=probed,
        inputs=dict(sorted(inputs(judged))),
    )


def suite_subject(suite: Suite) -> Subject:
    """Return what a report says of a suite."""
    return Subject(
        name=suite.name,
        version=suite.version,
        hash=suite.hash,
        role=suite.manifest.role,
        review=suite.manifest.review,
        size=len(suite.cases),
        units=len(set(suite.units)),
    )


def registry_subject(suite: Suite) -> Subject:
    """Return what a report says of the registry of a suite."""
    registry = suite.registry
    return Subject(
        name=registry.name,
        version=registry.version,
        hash=registry.hash,
        review=registry.header.review,
        size=len(registry.concepts),
        size_of="concepts",
    )


def _cases(judged: Judged, triaged: Triage) -> tuple[CaseView, ...] | None:
    """Return the cases for the browser; a certification suite shows none, whatever its cases say of themselves."""
    suite = judged.run.suite
    if suite.manifest.role == "sealed-certification":
        return None
    return tuple(triaged.views(suite.instrument.views(suite, judged.run.answers, CASES)))


def _plan(judged: Judged) -> Iterator[PlanLine]:
    """Yield what each open gate with a limit would need if nothing failed."""
    from denotary.statistics.planning import units_for

    for result in judged.verdict.gates:
        if result.limit is None or not result.needed:
            continue
        limit = float(failure_limit(result.limit, result.side))
        bound: Bound = "betting" if "betting" in result.bound_method else "exact"
        alpha = result.alpha if result.alpha is not None else 1.0 - judged.policy.confidence
        need = max(units_for(limit, 0, alpha, bound), result.minimum_units)
        yield PlanLine(
            gate=result.title, slice=result.slice, have=result.units, need=need, note=result.needed
        )


def illustrative(suite: Suite) -> Iterator[str]:
    """Yield why the data behind a result are illustrative; nothing if they are not."""
    if suite.manifest.review == ILLUSTRATIVE:
        yield f"the cases of suite {suite.name} are illustrative: no independent reviewer has read them"
    if suite.registry.header.review == ILLUSTRATIVE:
        yield f"the expressions of registry {suite.registry.name} are illustrative and unreviewed"


def latency(calls: Path) -> Latency | None:
    """Return the times of the calls in a raw log, or None if none was answered; a batch counts for each call."""
    import numpy as np

    seconds: list[float] = []
    retried = reasked = 0
    for record in logged_calls(calls):
        size = len(record.call_ids)
        if record.event == "asked":
            reasked += size * record.reasked
            continue
        retried += size * (record.attempts > 1)
        if record.seconds is not None:
            seconds += [record.seconds] * size
    if not seconds:
        return None
    median, p95, p99 = (float(value) for value in np.quantile(seconds, (0.5, 0.95, 0.99)))
    return Latency(
        calls=len(seconds),
        median=median,
        p95=p95,
        p99=p99,
        maximum=max(seconds),
        retried=retried,
        reasked=reasked,
    )


def _plain(value: object) -> str:
    """Return a declared value as text: a list by its items, an empty one as nothing."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
