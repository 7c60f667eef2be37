"""A demonstration report: a simulated resolver over 1,000 invented cases, counted and judged by the real rooms."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sample_cases import CODES, FAMILIES, LANGUAGES, LOST, MECHANISMS, THRESHOLD, cases
from sample_rows import measures, rows
from sample_series import series

from denotary.measures.measurement import Corpus, Measurement
from denotary.measures.records import Fact
from denotary.reports.model import (
    Card,
    CauseLine,
    Causes,
    Latency,
    Mechanism,
    Panel,
    PlanLine,
    Report,
    Subject,
)
from denotary.verdicts.decision import judge
from denotary.verdicts.records import Gate, Policy, Waiver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.reports.model import CaseView

__all__ = ["CODES", "FAMILIES", "GATES", "LANGUAGES", "Waiver", "build"]

PANELS = (
    Panel("retrieval", "Candidate retrieval", "Was the right code within reach of the decision?"),
    Panel("identity", "Final identity", "Were the codes that the system asserted the right ones?"),
    Panel("selective", "Selective answering and abstention", "When does it answer, and when does it refuse?"),
    Panel("open_world", "Open world and ambiguity", "Does it refuse to invent certainty?"),
    Panel("robustness", "Robustness", "Does the decision follow the meaning when the wording changes?"),
    Panel("calibration", "Calibration", "Does a stated confidence mean what it says?"),
)


CARDS = (
    Card("language", ("known", "assignment_risk", "unknown_far")),
    Card(
        "concept",
        ("hncr", "assignment_risk"),
        shared=(("answered_code", "of what got this code"),),
        pairs="pair",
    ),
)


def bounded(id_: str, title: str, measure: str, why: str, **more: Any) -> Gate:
    """Return a gate that compares a bound with 0.1 %."""
    usual: dict[str, Any] = {"kind": "bound", "limit": 0.001, "minimum_units": 2995}
    return Gate(id=id_, title=title, measure=measure, why=why, **usual | more)


ADVERTISED = ("language:advertised",)
GATES = (
    bounded(
        *("retrieval", "Retrieval: Recall@5", "recall_at_5", "what is not found cannot be chosen"),
        side="lower",
        limit=0.995,
        minimum_units=598,
    ),
    bounded(
        "risk", "Authoritative risk", "assignment_risk", "a wrong code acts with the authority of a right one"
    ),
    bounded(
        "language",
        "Risk in each language",
        "assignment_risk",
        "an average hides a language",
        slices=ADVERTISED,
    ),
    bounded(
        "unknown", "Unknown meanings", "unknown_far", "no code must be given", slices=("all", *ADVERTISED)
    ),
    bounded("ambiguity", "Ambiguity", "ambiguity_forced", "a text that cannot choose must not be chosen for"),
    bounded("mixed", "Mixed concepts", "mixed_collapse", "two concepts must not collapse into one"),
    bounded(
        "neighbour",
        "Hard neighbours",
        "hncr",
        "a neighbour is the likeliest mistake",
        slices=("all", "concept:critical"),
    ),
    Gate(
        id="systematic",
        title="No systematic confusion",
        kind="systematic",
        fact="no_cluster",
        why="it is no accident",
    ),
    Gate(
        id="exact", title="Exact non-regression", kind="zero", measure="exact_errors", fact="exact_complete"
    ),
    Gate(
        id="version",
        title="Version provenance",
        kind="evidence",
        fact="versions_agree",
        why="it must be repeatable",
    ),
    Gate(
        id="leakage",
        title="Leakage audit",
        kind="evidence",
        fact="leakage_audited",
        why="memory is not meaning",
    ),
)
POLICY = Policy(
    schema="denotary.policy/1",
    id="c3",
    title="Semantic generalization, tier C3: reversible authoritative assignment",
    instrument="identity",
    track="semantic-generalization",
    tier="C3",
    roles=("sealed-certification",),
    gates=GATES,
    instead=("act through the registry-exact lane only", "have a human confirm every assignment (tier C1)"),
)
FACTS = (
    Fact(name="no_cluster", holds=True, detail="no ordered pair is confused in two or more seeds"),
    Fact(name="exact_complete", holds=True, detail="60 of 60 reviewed expressions and misses were asked"),
    Fact(
        name="versions_agree",
        holds=True,
        detail="993 of 993 answers name the snapshot they were asked against",
    ),
    Fact(name="leakage_audited", holds=None, detail="no leakage audit is declared for this suite"),
    Fact(name="review_sufficient", holds=False, detail="no native reviewer has read the cases"),
)
IDENTITY = {
    "system": "meridian-resolver",
    "system_version": "2.4.1",
    "semantic_model": "meridian-large-3",
    "reranker": "",
    "prompt": "prompt-17",
    "acceptance_threshold": f"{THRESHOLD}",
    "languages": "en, de, hi, ar, ja, es",
    "test_date": "2026-08-14",
}


def causes(found: Sequence[CaseView]) -> Causes:
    """Return the root causes of the wrong cases, counted here."""
    wrong = [case for case in found if case.outcome == "wrong"]
    lines = []
    for code, title in (("E01", "wrong sibling"), ("E04", "related"), ("E11", "unknown snap")):
        own = [case for case in wrong if (case.cause or case.root_causes[0][0]) == code]
        chosen = sum(bool(case.cause) for case in own)
        units, languages = len({case.unit for case in own}), len({case.language for case in own})
        line = CauseLine(
            code, title, chosen, len(own) - chosen, len(own), units, languages, 0, outside=code == "E11"
        )
        lines.append(line)
    chosen = sum(line.set for line in lines)
    return Causes(len(wrong), 12, chosen, len(wrong) - chosen, 0, tuple(lines))


def build(count: int = 1000, *, waivers: Sequence[Waiver] = (), **changes: Any) -> Report:
    """Return the demonstration report over so many cases; ``changes`` replace its fields."""
    found = cases(count)
    measured = rows(found)
    tally = Counter(case.outcome for case in found)
    outcomes = {
        name: tally[name] for name in ("right", "wrong", "refused_rightly", "refused_otherwise", *LOST)
    }
    measurement = Measurement(
        instrument="identity",
        unit_kind="seed",
        suite=Corpus("first-thousand 0.1.0", "public-diagnostic", 1, "illustrative", {"public": count}),
        snapshot_id="bootstrap 0.1.0",
        outcomes=outcomes,
        required={
            "language:advertised": ("en", "de", "hi", "ar", "ja", "es"),
            "concept:critical": (CODES[0], CODES[4]),
        },
        rows=measured,
        facts=FACTS,
        series=series(found, next(row for row in measured if row.measure == "assignment_risk")),
    )
    review = {"role": "public-diagnostic", "review": "illustrative"}
    units = len({case.unit for case in found})
    report = Report(
        tool="denotary 0.1.0",
        instrument="identity",
        unit_kind="seed",
        verdict=judge(measurement, POLICY, waivers=waivers, today="2026-08-14"),
        policy=POLICY,
        suite=Subject("first-thousand", "0.1.0", "7c1d" * 16, **review, size=count, units=units),
        registry=Subject(
            "bootstrap", "0.1.0", "b3a0" * 16, review="illustrative", size=11, size_of="concepts"
        ),
        system={
            "kind": "http",
            "spec": "http://127.0.0.1:8080/resolve",
            "decision_rule": "denotary-contract/1",
        },
        identity=IDENTITY,
        threshold=f"{THRESHOLD}",
        outcomes=outcomes,
        planned=count,
        rows=measured,
        measures=measures(),
        panels=PANELS,
        cards=CARDS,
        facts=FACTS,
        series=measurement.series,
        cases=found,
        plan=(PlanLine("Authoritative risk", "all", 560, 3083, "assigned cases: about 12,600 judgements"),),
        mechanisms=tuple(
            Mechanism(
                code, title, sum(c.family in families for c in found), "" if families else "no case is for it"
            )
            for code, (title, families) in MECHANISMS.items()
        ),
        causes=causes(found),
        limitations=(
            "1,000 cases cannot certify a rate of 0.1 %: without a failure the bound is about 0.3 %",
        ),
        illustrative=("No native reviewer has read the registry or the suite.",),
        latency=Latency(calls=count, median=0.0312, p95=0.118, p99=0.402, maximum=30.0, retried=6),
        inputs={"run/plan.jsonl": "1f" * 32, "run/sealed.jsonl": "2e" * 32},
    )
    return replace(report, **changes)
