"""A demonstration report on a release against its base: two simulated resolvers, judged by the real gate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sample import PANELS
from sample_cases import cases

from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import ComparisonRow, Fact, PairType, Rate, Series
from denotary.reports.browser import CHANGES
from denotary.reports.comparison_model import ComparisonReport, ComponentLine, LeftOut
from denotary.reports.model import CaseView, Subject
from denotary.verdicts.decision import judge
from denotary.verdicts.records import Gate, Policy


def _rate(name: str, title: str, panel: str, direction: Any = "lower") -> Rate:
    return Rate(
        id=name, title=title, panel=panel, direction=direction, hides="which codes", event="TRUE", among="TRUE",
        macro=True,
    )  # fmt: skip


MEASURES = (
    _rate("assignment_risk", "Authoritative risk", "identity"),
    _rate("coverage", "Coverage", "selective", "higher"),
    _rate("unknown_far", "Codes on unknown meanings", "open_world"),
)
GATES = (
    Gate(
        id="risk",
        title="No increase in risk",
        kind="paired",
        measure="assignment_risk",
        limit=0.01,
        why="it acts",
    ),
    Gate(
        id="unknown",
        title="No increase on unknown",
        kind="paired",
        measure="unknown_far",
        limit=0.01,
        why="no code",
    ),
    Gate(
        id="alignment",
        title="Every case is asked",
        kind="evidence",
        fact="cases_aligned",
        why="it may be worse",
    ),
)
POLICY = Policy(
    schema="denotary.policy/1", id="regression", title="Regression against the approved version", instrument="identity",
    track="non-regression", design="paired", roles=("regression",), gates=GATES, instead=("keep the base",),
)  # fmt: skip
FACTS = (
    Fact(name="cases_aligned", holds=False, detail="2 cases of the base are not asked of the release"),
    Fact(name="review_sufficient", holds=True, detail="reviewed"),
)


def row(measure: str, where: str, base: int, both: int, new: int, alike: int, **more: Any) -> ComparisonRow:
    """Return a comparison of one case a unit: events with the base alone, both, the release alone, none."""
    units = base + both + new + alike
    types = tuple(
        PairType(b, 1, n, 1, 1, count)
        for b, n, count in ((1, 0, base), (1, 1, both), (0, 1, new), (0, 0, alike))
        if count
    )
    found = next(item for item in MEASURES if item.id == measure)
    worse, better = (new, base) if found.direction == "lower" else (base, new)
    facts: dict[str, Any] = {
        "instrument": "identity", "measure": measure, "slice": where, "base_numerator": base + both,
        "base_denominator": units, "new_numerator": new + both, "new_denominator": units,
        "base_value": (base + both) / units if units else None, "new_value": (new + both) / units if units else None,
        "difference": (new - base) / units if units else None, "low": (new - base) / units - 0.004 if units else None,
        "high": (new - base) / units + 0.004 if units else None, "interval": "bootstrap", "units": units,
        "unit_kind": "seed", "worse": worse, "better": better, "ties": both + alike, "test": "exact McNemar",
        "p": 1.0, "p_floor": 2.0 ** (1 - worse - better) if worse + better else 1.0, "p_holm": None, "family": "",
        "lower_bound": (new - base) / units - 0.006 if units else None,
        "upper_bound": (new - base) / units + 0.006 if units else None, "bound_method": "betting",
        "said": f"{worse + better} discordant units", "prespecified": True, "unpaired_base": 2, "unpaired_new": 0,
        "status": "SUFFICIENT" if units else "INSUFFICIENT", "direction": found.direction, "hides": found.hides,
        "panel": found.panel, "types": types, "note": "" if units else "no case in the denominator",
    }  # fmt: skip
    return ComparisonRow(**facts | more)


ROWS = (
    row("assignment_risk", "all", 1, 4, 60, 935),
    row("coverage", "all", 30, 800, 2, 168),
    row("unknown_far", "all", 0, 0, 0, 140),
    row("assignment_risk", "language=en", 1, 2, 2, 555, p_holm=1.0, family="language"),
    row("assignment_risk", "language=sw", 0, 1, 58, 200, p=1e-9, p_holm=2e-9, family="language"),
    row("assignment_risk", "language=ja", 0, 0, 0, 0),
)
TRANSITIONS = Series(
    instrument="identity", series="transitions", slice="all", columns=("base", "new", "cases"),
    rows=(("right", "right", 900), ("right", "wrong", 60), ("wrong", "right", 1), ("refused_rightly", "error", 39)),
)  # fmt: skip
COMPONENTS = (
    ComponentLine("semantic_model", "meridian-large-3", "meridian-large-4", "changed", demands=True),
    ComponentLine("tokenizer", "", "", "undeclared", demands=True),
    ComponentLine("prompt", "ab" * 32, "ab" * 32, "unchanged", demands=False),
    ComponentLine("system_version", "2.4.1", "2.5.0", "changed", demands=False),
)
SENTENCE = "recertification is needed: semantic model changed; tokenizer is undeclared"


def pairs(count: int) -> tuple[CaseView, ...]:
    """Return cases with what two simulated resolvers made of them."""
    good = ("right", "refused_rightly")

    def one(before: CaseView, now: CaseView) -> CaseView:
        moved = (now.outcome in good) - (before.outcome in good)
        change = {-1: CHANGES[0], 1: CHANGES[2]}.get(moved, CHANGES[3 if before.answer == now.answer else 1])
        return replace(
            now, change=change, before=before.outcome, before_answer=before.answer,
            before_confidence=before.confidence,
        )  # fmt: skip

    return tuple(map(one, cases(count, seed=8), cases(count)))


def build(count: int = 200, **changes: Any) -> ComparisonReport:
    """Return the demonstration report with so many cases; ``changes`` replace its fields."""
    measurement = Measurement(
        instrument="identity", unit_kind="seed", suite=Corpus("s 1.0.0", "regression", 1, "reviewed", {}),
        snapshot_id="r", outcomes={}, facts=FACTS, comparisons=ROWS, series=(TRANSITIONS,),
    )  # fmt: skip
    report = ComparisonReport(
        tool="denotary 0.1.0", instrument="identity", unit_kind="seed", base="meridian 2.4.1", new="meridian 2.5.0",
        verdict=judge(measurement, POLICY), policy=POLICY,
        suites=(Subject("s", "1.0.0", "7c1d" * 16, "regression", "reviewed", 1000, units=1000),),
        registries=(
            Subject("r", "1.0.0", "b3a0" * 16, size=11, size_of="concepts"),
            Subject("r", "2.0.0", "b3a1" * 16, size=12, size_of="concepts"),
        ),
        pairs=1000, units=1000, left_out=(LeftOut("stand in the base's suite alone", 2, ("c-1", "c-2")),),
        components=COMPONENTS, recertification=SENTENCE, rows=ROWS, events=(), measures=MEASURES, panels=PANELS,
        facts=FACTS, series=(TRANSITIONS,), cases=pairs(count), cases_total=count,
        migration=("x.old: renamed to x.new",), limitations=("it says nothing of other texts",), illustrative=(),
        inputs={"base/answers.jsonl": "ab" * 32, "new/answers.jsonl": "cd" * 32},
    )  # fmt: skip
    return replace(report, **changes)
