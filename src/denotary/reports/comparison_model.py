"""What the report on two systems is made of. It is filled by whoever compares; the room only sets it in type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.measures.records import ComparisonRow, Fact, Measure, Row, Series
    from denotary.reports.model import CaseView, Panel, Subject
    from denotary.verdicts.records import Policy, Verdict


@dataclass(frozen=True, slots=True)
class ComponentLine:
    """One component of the identity block with both systems.

    Attributes:
        component: its name.
        base: as declared for the base; empty if undeclared.
        new: as declared for the release; empty if undeclared.
        state: ``unchanged``, ``changed`` or ``undeclared``.
        demands: whether this demands recertification.
    """

    component: str
    base: str
    new: str
    state: str
    demands: bool


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Cases that are not compared, and why.

    Attributes:
        why: the reason, to be read after their number: ``cases with other content``.
        count: how many.
        ids: their ids; empty where the suite is sealed.
    """

    why: str
    count: int
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """All that a report on a release against its base says.

    Attributes:
        tool: name and version of denotary.
        instrument: name of the instrument.
        unit_kind: what an independent unit is called.
        base: name of the approved system.
        new: name of the release.
        verdict: the decision and every gate.
        policy: the policy that was judged.
        suites: the suite; two of them where the systems were asked two versions, the base's first.
        registries: the registry; two of them where they differ, the base's first.
        pairs: number of cases that are compared.
        units: number of independent units among them.
        left_out: cases that are not compared.
        components: the identity blocks side by side.
        recertification: what demands recertification, one sentence; empty if nothing does.
        rows: every comparison in every slice.
        events: events over pairs in every slice.
        measures: the declared measures of both: titles and definitions.
        panels: the panels in the order of the page.
        facts: yes or no statements that gates read.
        series: the outcomes before and now, and statistics of both.
        cases: cases for the browser, what became worse first; None where the suite is sealed.
        cases_total: how many pairs there are, where ``cases`` holds only a part.
        migration: what became of each concept that is not unchanged, one sentence each.
        limitations: what this result does not show.
        illustrative: why the data are illustrative; empty if they are not.
        inputs: name and SHA-256 of every input.
    """

    tool: str
    instrument: str
    unit_kind: str
    base: str
    new: str
    verdict: Verdict
    policy: Policy
    suites: tuple[Subject, ...]
    registries: tuple[Subject, ...]
    pairs: int
    units: int
    left_out: tuple[LeftOut, ...]
    components: tuple[ComponentLine, ...]
    recertification: str
    rows: tuple[ComparisonRow, ...]
    events: tuple[Row, ...]
    measures: tuple[Measure, ...]
    panels: tuple[Panel, ...]
    facts: tuple[Fact, ...]
    series: tuple[Series, ...]
    cases: tuple[CaseView, ...] | None
    cases_total: int | None
    migration: tuple[str, ...]
    limitations: tuple[str, ...]
    illustrative: tuple[str, ...]
    inputs: Mapping[str, str]
