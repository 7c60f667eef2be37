"""What a report is made of. It is filled by whoever certifies; the room only sets it in type.

Series that the page can draw, by name, with their columns in this order (a series of another name, or one whose
columns differ, is printed as a table):

``risk_coverage``   threshold, coverage, risk, bound                   one row a threshold, coverage rising
``operating_point`` threshold, coverage, risk, bound                   one row: the threshold in production
``reliability``     low, high, cases, confidence, accuracy, accuracy_low, accuracy_high      one row a bin
``error_confidence``low, high, wrong, right                            one row a bin of confidence
``margin``          low, high, wrong, right, refused                   one row a bin of score margin
``confusion``       expected, answered, kind, cases, units             kind: code, refusal or unanswered
``neighbours``      target, neighbour, type, cases, confused           one row a declared ordered pair
``floors``          axis, group, floor, have, need                     one row a floor of a language or concept
``scorecard``       item, value                                        slice ``axis=group``: facts of one group
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denotary.measures.records import Fact, Measure, Row, Series
    from denotary.reports.probed import Probed
    from denotary.verdicts.records import Policy, Standing, Verdict


@dataclass(frozen=True, slots=True)
class Subject:
    """A suite or a registry: which, and how far it may be trusted.

    Attributes:
        name: as in its manifest.
        version: as in its manifest.
        hash: SHA-256 of the frozen folder, hexadecimal.
        role: corpus role of a suite; empty for a registry.
        review: review state of the content.
        size: number of cases or concepts.
        size_of: what ``size`` counts, in the plural.
        units: number of independent units; 0 for a registry.
    """

    name: str
    version: str
    hash: str
    role: str = ""
    review: str = ""
    size: int = 0
    size_of: str = "cases"
    units: int = 0


@dataclass(frozen=True, slots=True)
class Panel:
    """A group of measures that stands by itself and is never merged with another into one number.

    Attributes:
        id: the ``panel`` of the measures.
        title: its heading.
        question: what its measures answer, one sentence.
    """

    id: str
    title: str
    question: str


@dataclass(frozen=True, slots=True)
class Card:
    """What the scorecard of each group of an axis says first.

    Attributes:
        axis: the axis of the groups, such as ``concept``.
        measures: ids of the measures, in their order; the others of the group follow.
        shared: further axes whose slices of the same name belong to the group, with what they are slices of.
        pairs: an axis of pairs ``group → other``, which belong to the first of them; empty if there is none.
    """

    axis: str
    measures: tuple[str, ...]
    shared: tuple[tuple[str, str], ...] = ()
    pairs: str = ""


@dataclass(frozen=True, slots=True)
class PlanLine:
    """How much more evidence one gate would need, from ``plan``.

    Attributes:
        gate: title of the gate.
        slice: ``all`` or ``axis=value``.
        have: independent units in hand.
        need: independent units that the limit needs with no event at all.
        note: what kind of units, at what cost.
    """

    gate: str
    slice: str
    have: int
    need: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A failure mechanism, how many cases exercise it, and why none does if that is so."""

    code: str
    title: str
    cases: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Latency:
    """Times of the calls, in seconds, from the raw log. Never part of the certificate."""

    calls: int
    median: float
    p95: float
    p99: float
    maximum: float
    retried: int = 0
    reasked: int = 0


@dataclass(frozen=True, slots=True)
class CauseLine:
    """How many cases went wrong for one root cause.

    Attributes:
        code: the root-cause code; empty where nobody named a cause.
        title: what it means.
        set: failed cases for which a person set it.
        proposed: failed cases for which a rule proposes it and no person set another.
        cases: failed cases in all, ``set + proposed``, or those without a cause.
        units: independent units among them.
        languages: languages among them.
        refusals: further cases, which were refused where a code was due or with another kind than the gold's.
        outside: the cause lies with suite, registry or harness: cases leave the rates only by the correction ledger.
    """

    code: str
    title: str
    set: int
    proposed: int
    cases: int
    units: int
    languages: int
    refusals: int
    outside: bool


@dataclass(frozen=True, slots=True)
class Causes:
    """Root causes over all cases that went wrong.

    Attributes:
        failed: failed cases: a wrong code, no answer, a reviewed expression that does not resolve, an unstable
            decision, another registry version.
        refusals: cases that were refused and are no failure.
        set: failed cases whose cause a person set.
        proposed: failed cases whose cause a rule proposes alone.
        untriaged: failed cases without a cause.
        lines: one a cause, in the order of the codes; cases without a cause last.
    """

    failed: int
    refusals: int
    set: int
    proposed: int
    untriaged: int
    lines: tuple[CauseLine, ...]


@dataclass(frozen=True, slots=True)
class CaseView:
    """One case as the browser shows it. Only public and regression cases may be made into one.

    Attributes:
        record_id: id of the case.
        unit: id of its independent unit.
        text: what the system was asked, any characters whatever.
        language: language slice.
        family: primary family.
        expected: disposition, the gold.
        codes: gold codes.
        outcome: outcome class.
        answer: decision as given: a code, or a refusal with its reason; empty if unanswered.
        answer_kind: ``concept``, a kind of refusal, or the problem of an unanswered case.
        confidence: as given by the system.
        candidates: (code, score) in the system's order.
        neighbours: (code, type, why it is not this meaning).
        tags: tags of the case.
        mechanisms: failure mechanisms that it exercises.
        root_causes: (code, evidence) of the causes that rules propose, the most specific first.
        cause: the root-cause code that a person set; empty if nobody did.
        cause_note: who set it, and why.
        parent: id of the case it was made from.
        relation: meaning relation to the parent.
        lineage: (operator, detail) of each transformation.
        contrast: contrast set and role, as text.
        review: review state of its annotation.
        change: ``regressed``, ``changed``, ``improved`` or ``unchanged`` against another system; empty for one system.
        before: outcome class with the other system.
        before_answer: its decision as given.
        before_confidence: as given by it.
    """

    record_id: str
    unit: str
    text: str
    language: str
    family: str
    expected: str
    outcome: str
    codes: tuple[str, ...] = ()
    answer: str = ""
    answer_kind: str = ""
    confidence: float | None = None
    candidates: tuple[tuple[str, float | None], ...] = ()
    neighbours: tuple[tuple[str, str, str], ...] = ()
    tags: tuple[str, ...] = ()
    mechanisms: tuple[str, ...] = ()
    root_causes: tuple[tuple[str, str], ...] = ()
    cause: str = ""
    cause_note: str = ""
    parent: str = ""
    relation: str = ""
    lineage: tuple[tuple[str, str], ...] = ()
    contrast: str = ""
    review: str = ""
    change: str = ""
    before: str = ""
    before_answer: str = ""
    before_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says.

    Attributes:
        tool: name and version of denotary.
        instrument: name of the instrument.
        unit_kind: what an independent unit is called.
        verdict: the decision and every gate.
        policy: the policy that was judged.
        suite: which suite, and its role.
        registry: which registry.
        system: the evaluator's description of the system, key to text.
        identity: what the owner declared, component to text; empty text is undeclared.
        threshold: the acceptance threshold in production, as declared; empty if undeclared.
        outcomes: outcome class to number of cases, in the order of the classes; they sum to ``planned``.
        planned: number of planned cases.
        rows: every measure in every slice.
        measures: the declared measures: titles and definitions.
        panels: the panels in the order of the page.
        cards: what scorecards say first, by axis.
        facts: yes or no statements that gates read.
        series: curves and confusions for figures.
        standings: what each group may be claimed for, by the tiers of the instrument.
        cases: cases for the browser; None where the suite is sealed.
        cases_total: how many there are, where ``cases`` holds only a part.
        plan: how much more evidence each open gate needs.
        mechanisms: failure mechanisms, exercised or not.
        causes: root causes of what went wrong; None where the instrument has none.
        limitations: what this result does not show.
        illustrative: why the data are illustrative, one sentence each; empty if they are not.
        latency: times from the raw log.
        probed: what probes of the same system showed, where it was probed; no gate reads it.
        inputs: name and SHA-256 of every input file.
    """

    tool: str
    instrument: str
    unit_kind: str
    verdict: Verdict
    policy: Policy
    suite: Subject
    registry: Subject
    system: Mapping[str, str]
    identity: Mapping[str, str]
    threshold: str
    outcomes: Mapping[str, int]
    planned: int
    rows: tuple[Row, ...]
    measures: tuple[Measure, ...] = ()
    panels: tuple[Panel, ...] = ()
    cards: tuple[Card, ...] = ()
    facts: tuple[Fact, ...] = ()
    series: tuple[Series, ...] = ()
    standings: tuple[Standing, ...] = ()
    cases: tuple[CaseView, ...] | None = None
    cases_total: int | None = None
    plan: tuple[PlanLine, ...] = ()
    mechanisms: tuple[Mechanism, ...] = ()
    causes: Causes | None = None
    limitations: tuple[str, ...] = ()
    illustrative: tuple[str, ...] = ()
    latency: Latency | None = None
    probed: Probed | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
