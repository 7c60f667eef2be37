"""The HTML report: bytes and CPU seconds, for a thousand cases and for a million of which the page holds what fits.

Every case has five scored candidates, and its text, answer and candidates stand on the page.

The peer is one self-contained Plotly page with four of the report's figures and no table, text or case, if Plotly is
installed; it is not among the peers that are installed by default, since it weighs more than everything else here.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import _identity
import msgspec
from _harness import Peer, compare, main

import denotary as dn
from denotary import systems
from denotary.certify.judged import judge
from denotary.certify.reporting import report
from denotary.reports import html
from denotary.suites.records import Security, SuiteLock

if TYPE_CHECKING:
    from denotary.reports import Report
    from denotary.suites.suite import Suite

CASES = 1_000
MILLION = 1_000_000
LISTED = 5_000
LIMITS = {CASES: 400_000, MILLION: 1_500_000}
"""Most bytes of a page, by number of cases."""
SECONDS = 1.0
"""Most CPU seconds for a thousand cases."""


def public_suite(size: int) -> Suite:
    """Return a frozen public suite, so that its cases stand on the page."""
    made = _identity.suite(size // _identity.SIZE)
    lock = SuiteLock(
        schema="denotary.suite-lock/1",
        name="synthetic",
        version="1.0.0",
        instrument="identity",
        registry_hash=made.registry.hash,
        files={},
        cases=len(made.cases),
        units=len(set(made.units)),
        records_hash="0" * 64,
        hash="2" * 64,
    )
    manifest = msgspec.structs.replace(made.manifest, role="public-diagnostic")
    public = Security(visibility="public")
    cases = tuple(msgspec.structs.replace(case, security=public) for case in made.cases)
    return replace(made, lock=lock, manifest=manifest, cases=cases)


def made_report(size: int) -> Report:
    """Ask a system that answers as drawn, measure and judge, and return the report."""
    suite = public_suite(size)
    texts = [getattr(case, "input").text for case in suite.cases]  # noqa: B009 - the envelope does not type it
    drawn = {text: answer.body for text, answer in zip(texts, _identity.answers(suite), strict=True)}

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        body = drawn[request["text"]]
        if body is None:
            return {}
        candidates = [{"concept_code": code, "score": score} for code, score in body["candidates"]]
        decision = {name: body[name] for name in ("type", "reason", "confidence")}
        return {"decision": decision | {"concept_code": body["code"]}, "candidates": candidates}

    with tempfile.TemporaryDirectory() as folder:
        run = dn.ask(systems.python(resolve), suite, Path(folder) / "run")
        made = report(judge(dn.measure(run, resamples=0), "c3"))
    # A suite that may not be shown makes a page without its cases.
    assert made.cases is not None
    assert len(made.cases) == size
    return made


def with_plotly(made: Report) -> str:
    """Return a page of four figures, its engine inline."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    series = {s.series: s.rows for s in made.series if s.slice == "all"}
    whole = [row for row in made.rows if row.slice == "all" and row.numerator is not None]
    figure = make_subplots(rows=2, cols=2)
    figure.add_trace(
        go.Scatter(x=[r.value for r in whole], y=[r.measure for r in whole], mode="markers"), 1, 1
    )
    curve = series["risk_coverage"]
    figure.add_trace(go.Scatter(x=[r[1] for r in curve], y=[r[2] for r in curve]), 1, 2)
    bins = [r for r in series["reliability"] if r[2]]
    figure.add_trace(go.Scatter(x=[r[3] for r in bins], y=[r[4] for r in bins], mode="markers"), 2, 1)
    cells = series["confusion"]
    heat = go.Heatmap(x=[r[1] for r in cells], y=[r[0] for r in cells], z=[r[3] for r in cells])
    figure.add_trace(heat, 2, 2)
    text: str = figure.to_html(include_plotlyjs=True)
    return text


def check(ours: str, name: str, theirs: str) -> None:
    """Both are whole pages; what they show is not the same."""
    assert "</html>" in ours, name
    assert "</html>" in theirs, name


def size_of(cases: int, text: str) -> dict[str, Any]:
    """Print and return the bytes of a page against the goal."""
    size = len(text.encode())
    met = size <= LIMITS[cases]
    print(f"  {cases:>9,} cases {size:>11,} bytes, goal {LIMITS[cases]:,} {'met' if met else 'MISSED'}")
    return {"cases": cases, "bytes": size, "goal": LIMITS[cases], "met": met}


def build() -> list[dict[str, Any]]:
    """Time and weigh the page."""
    thousand = made_report(CASES)
    peers = []
    if find_spec("plotly"):
        peers.append(
            Peer("Plotly, engine inline", lambda: with_plotly(thousand), note="four figures, no table")
        )
    record = compare(f"HTML report of {CASES:,} cases", lambda: html(thousand), peers, check)
    record["goal_seconds"] = SECONDS
    record["met"] = record["cpu_seconds"] <= SECONDS
    print(f"  goal {SECONDS:g} s {'met' if record['met'] else 'MISSED'}")
    sizes = [size_of(CASES, html(thousand))]
    million = replace(made_report(LISTED), cases_total=MILLION, planned=MILLION)
    sizes.append(size_of(MILLION, html(million)))
    if peers:
        theirs = len(with_plotly(thousand).encode())
        print(f"  Plotly, engine inline {theirs:>13,} bytes, {theirs / sizes[0]['bytes']:.1f} x")
        record["plotly_bytes"] = theirs
    else:
        print("  Plotly is not installed here, so its page is not measured")
    return [record | {"sizes": sizes}]


if __name__ == "__main__":
    main(build)
