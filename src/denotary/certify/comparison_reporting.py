"""Filling the report on two systems: everything on the page comes from here, and nothing is computed there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

import denotary
from denotary.certify.comparing import SEALED
from denotary.certify.comparison_cases import views
from denotary.certify.comparison_limits import limitations
from denotary.certify.comparison_statement import inputs
from denotary.certify.recertification import sentence
from denotary.certify.reporting import illustrative, registry_subject, suite_subject
from denotary.certify.statement import system_name
from denotary.reports.comparison_model import ComparisonReport, ComponentLine, LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denotary.certify.comparing import Compared
    from denotary.registry.records import Migration

_LISTED: Final = 200
"""Most ids of a kind on the page; all of them are in comparison.json."""


def report(compared: Compared) -> ComparisonReport:
    """Return the report of a comparison."""
    base, new = compared.base.suite, compared.new.suite
    instrument, measurement = new.instrument, compared.measurement
    suites = (suite_subject(base), suite_subject(new))
    registries = (registry_subject(base), registry_subject(new))
    return ComparisonReport(
        tool=f"denotary {denotary.__version__}",
        instrument=measurement.instrument,
        unit_kind=measurement.unit_kind,
        base=system_name(compared.base.header),
        new=system_name(compared.new.header),
        verdict=compared.verdict,
        policy=compared.policy,
        suites=suites if suites[0] != suites[1] else suites[1:],
        registries=registries if registries[0] != registries[1] else registries[1:],
        pairs=len(compared.pairs),
        units=len(set(compared.alignment.unit.tolist())),
        left_out=tuple(_left_out(compared)),
        components=tuple(ComponentLine(**msgspec.structs.asdict(item)) for item in compared.components),
        recertification=sentence(compared.components),
        rows=measurement.comparisons,
        events=measurement.rows,
        measures=(*instrument.measures(new), *instrument.regressions(new)),
        panels=tuple(instrument.panels()),
        facts=measurement.facts,
        series=measurement.series,
        cases=views(compared),
        cases_total=len(compared.pairs),
        migration=tuple(_migration(compared)),
        limitations=tuple(limitations(compared)),
        illustrative=tuple(illustrative(new)),
        inputs=dict(sorted(inputs(compared))),
    )


def _left_out(compared: Compared) -> Iterator[LeftOut]:
    found = compared.alignment
    sealed = SEALED in {run.suite.manifest.role for run in (compared.base, compared.new)}
    for ids, why in (
        (found.changed, "have other content in the two suites and are not compared"),
        (found.unmapped, "name a concept whose meaning was not carried over and are not compared"),
        (found.base_alone, "stand in the base's suite alone and are not compared"),
        (found.new_alone, "stand in the release's suite alone and are not compared"),
    ):
        if ids:
            yield LeftOut(why, len(ids), () if sealed else ids[:_LISTED])


def _migration(compared: Compared) -> Iterator[str]:
    mapped = compared.alignment.migration
    if mapped is None:
        return
    for step in mapped.steps.values():
        if step.change != "unchanged":
            yield _step(step)
    yield from (f"{code}: new in the later registry" for code in mapped.added)


def _step(step: Migration) -> str:
    to = f" to {', '.join(step.to_codes)}" if step.to_codes else ""
    why = f" ({step.reason})" if step.reason else ""
    return f"{step.from_code}: {step.change.replace('_', ' ')}{to}{why}"
