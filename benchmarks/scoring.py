"""Scoring a million answers to 200,000 seeds: the whole identity panel by language, concept and family.

Ours is the join of cases and answers, read from the sealed file of a run, and every measure in every slice with its
interval and bound. The peer is what one would write with pandas and statsmodels: the same columns, a group-by for each
rate and axis, Wilson intervals and exact bounds. It has no pairs, no candidates' ranks, no calibration and no bounds
for units with siblings, so it does less than half of the work.

What this does not show. The time depends on what else the machine does: on a busy one the same code was seen
between 9.8 and 17.5 CPU seconds, on either side of its limit. Answers are decoded as they are read, as
``load_run`` has it. Nothing is resampled here: on a busy machine 1,000 resamples of the 145 sums behind the
statistics took 2.1 CPU seconds for 200,000 units and 0.15 for the 10,000 of a language, so that 10,000 with 20
languages come to about 50, above the goal of 40, and macro means come on top.
"""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import _identity
import pandas as pd
from _harness import Peer, compare, limited, main
from statsmodels.stats.proportion import proportion_confint

from denotary.instruments.identity.answers import outcome
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.measures import MEASURES
from denotary.instruments.identity.table import table
from denotary.measures.engine import evaluate
from denotary.measures.records import Rate, Ratio
from denotary.runs.sealed_answers import SealedAnswers

if TYPE_CHECKING:
    from denotary.measures.records import Row
    from denotary.suites.suite import Suite

SEEDS, SLICE = 200_000, 10_000
SECONDS, MEGABYTES = 12.0, 2_500.0
ENOUGH = 100
"""Counts that must be compared with the peer's at least."""
AXES = ("language", "concept", "family")
SHARED = (
    "faar", "assignment_risk", "assignment_coverage", "correct_known_coverage", "hncr", "abstention_precision",
    "abstention_recall", "unknown_far", "ambiguity_forced", "underspecified_forced", "mixed_collapse",
    "unanswered_share", "timeout_share",
)  # fmt: skip
"""Measures that the peer computes too."""

Counts = dict[tuple[str, str], tuple[int, int]]


def read(path: Path) -> SealedAnswers:
    """Return the answers of a sealed file."""
    return SealedAnswers(path, path.read_bytes())


def score(suite: Suite, path: Path) -> tuple[Row, ...]:
    joined = table(suite, read(path))
    return evaluate(MEASURES, joined, instrument="identity", unit_kind="seed", resamples=0)


def counts(rows: tuple[Row, ...]) -> Counts:
    return {(row.measure, row.slice): (row.numerator or 0, row.denominator or 0) for row in rows}


def frame(suite: Suite, path: Path) -> pd.DataFrame:
    """Return the joined table as one would write it: one dictionary a case."""
    given = {answer.case_id: answer for answer in read(path)}
    lines = []
    for case in identity_cases(suite):
        answer = given[case.record_id]
        body = answer.body or {}
        assigned = body.get("type") == "concept"
        single = case.gold.disposition == "SINGLE"
        lines.append(
            {
                "language": case.language_slice,
                "concept": case.gold.acceptable_concept_codes[0]
                if single
                else case.construction.concept_neighbourhood,
                "family": case.construction.primary_family,
                "disposition": case.gold.disposition,
                "status": answer.status,
                "assigned": assigned,
                "refused": answer.status == "answered" and not assigned,
                "unanswered": answer.status != "answered",
                "right_assignment": assigned and outcome(case.gold, answer.status, answer.body) == "right",
                "wrong_assignment": assigned and outcome(case.gold, answer.status, answer.body) == "wrong",
                "has_neighbours": bool(case.gold.forbidden_neighbor_codes),
                "neighbour_assigned": body.get("code") in case.gold.forbidden_neighbor_codes,
            }
        )
    return pd.DataFrame(lines)


def composed(suite: Suite, path: Path) -> Counts:
    """Compute the shared measures with a group-by for each of them and each axis."""
    data = frame(suite, path)
    found: Counts = {}
    for measure in MEASURES:
        if measure.id not in SHARED or not isinstance(measure, (Rate, Ratio)):
            continue
        inside, event = (data.eval(translated(text)) for text in parts(measure))
        chosen = data.assign(inside=inside, event=event & inside)[["inside", "event", *AXES]]
        for axis in ("all", *AXES):
            if axis not in measure.slices:
                continue
            groups = chosen.assign(all="all") if axis == "all" else chosen
            sums = groups.groupby(axis)[["event", "inside"]].sum()
            held = sums[sums["inside"] > 0]
            proportion_confint(held["event"], held["inside"], 0.05, method="wilson")
            proportion_confint(held["event"], held["inside"], 0.10, method="beta")
            for name, row in sums.iterrows():
                key = measure.id, "all" if axis == "all" else f"{axis}={name}"
                found[key] = int(row["event"]), int(row["inside"])
    return found


def parts(measure: Rate | Ratio) -> tuple[str, str]:
    """Return the denominator and the numerator of a measure as texts over a case."""
    if isinstance(measure, Rate):
        return measure.among, measure.event
    return f"({measure.among}) AND ({measure.denominator})", measure.numerator


def translated(text: str) -> str:
    """Return a SQL text as pandas reads it."""
    words = {"AND": "and", "OR": "or", "NOT": "not", "=": "==", "<>": "!=", "TRUE": "assigned == assigned"}
    spaced = text.replace("(", "( ").replace(")", " )")
    return " ".join(words.get(word, word) for word in spaced.split())


def build() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        whole, part = Path(folder) / "whole.jsonl", Path(folder) / "part.jsonl"
        large, small = _identity.suite(SEEDS), _identity.suite(SLICE)
        _identity.write(large, whole)
        _identity.write(small, part)
        expected = counts(score(small, part))

        def check(rows: tuple[Row, ...], name: str, other: Counts) -> None:
            """The peer works on a slice: its counts must be ours on that slice."""
            assert rows
            assert len(other) > ENOUGH, name
            assert {key: expected[key] for key in other} == other, name

        peer = Peer(
            "pandas groupby + statsmodels",
            lambda: composed(small, part),
            scale=SEEDS / SLICE,
            note=f"{len(SHARED)} of {len(MEASURES)} measures, no pairs, ranks, calibration or siblings' bounds",
        )
        record = limited(
            compare("score 1,000,000 answers", lambda: score(large, whole), [peer], check), SECONDS
        )
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  peak memory {megabytes:,.0f} MB, limit {MEGABYTES:,.0f} {'met' if megabytes <= MEGABYTES else 'MISSED'}"
    )
    return [
        {**record, "peak_rss_mb": megabytes, "limit_rss_mb": MEGABYTES, "rss_met": megabytes <= MEGABYTES}
    ]


if __name__ == "__main__":
    main(build)
