"""Filling the report."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary.certify import judge
from denotary.certify.reporting import latency, report
from denotary.measures import measure
from denotary.reports.operating import operating
from denotary.runs.log import answered_line, asked_line
from denotary.runs.replies import Arrival


def test_the_report_carries_what_was_judged(promoted: Any) -> None:
    made = report(promoted.judged)
    judged = promoted.judged
    assert made.verdict is judged.verdict
    assert made.rows is judged.measurement.rows
    assert (made.suite.name, made.suite.size, made.suite.units) == (
        "bakery-conformance",
        91,
        len(set(judged.run.suite.units)),
    )
    assert (made.registry.name, made.registry.size, made.registry.size_of) == ("bakery", 3, "concepts")
    assert made.planned == sum(made.outcomes.values()) == 91
    assert made.identity["languages"] == "en, de"
    assert made.identity["reranker"] == ""
    assert made.illustrative == ()
    assert made.latency is not None
    assert made.latency.calls == 182
    assert {row.panel for row in made.rows} <= {panel.id for panel in made.panels}
    # A measure over pairs has no row where the suite has no such pair.
    over = {item.id for item in made.measures if item.over}
    assert {row.measure for row in made.rows} | over == {item.id for item in made.measures}


def test_open_gates_say_what_they_have_and_need(promoted: Any) -> None:
    made = report(judge(promoted.judged.measurement, "c1"))
    (risk,) = [line for line in made.plan if (line.gate, line.slice) == ("Assignment risk", "all")]
    assert risk.need == 299
    assert (risk.have, risk.note) == (0, "299 more seeds that enter the denominator, none failing")
    assert report(promoted.judged).plan == ()


def test_public_cases_are_shown_and_a_sealed_suite_shows_none(promoted: Any) -> None:
    judged = promoted.judged
    shown = report(judged).cases
    assert shown is not None
    assert len(shown) == 91
    manifest = msgspec.structs.replace(judged.run.suite.manifest, role="sealed-certification")
    sealed = replace(judged, run=replace(judged.run, suite=replace(judged.run.suite, manifest=manifest)))
    assert report(sealed).cases is None


def test_an_illustrative_suite_and_registry_are_called_so(promoted: Any) -> None:
    suite = promoted.judged.run.suite
    marked = replace(
        suite,
        manifest=msgspec.structs.replace(suite.manifest, review="illustrative"),
        registry=replace(
            suite.registry, header=msgspec.structs.replace(suite.registry.header, review="illustrative")
        ),
    )
    told = report(replace(promoted.judged, run=replace(promoted.judged.run, suite=marked))).illustrative
    assert len(told) == 2
    assert "bakery-conformance" in told[0]
    assert "bakery" in told[1]


def test_latency_counts_every_call_of_a_batch(tmp_path: Path) -> None:
    def answered(*calls: str, seconds: float, attempts: int = 1) -> bytes:
        return answered_line([Arrival(call, b"{}") for call in calls], seconds=seconds, attempts=attempts)

    path = tmp_path / "calls.jsonl"
    path.write_bytes(
        asked_line(("a", "b"), reasked=False)
        + answered("a", "b", seconds=2.0, attempts=2)
        + asked_line(("c",), reasked=False)
        + asked_line(("c",), reasked=True)
        + answered("c", seconds=1.0)
    )
    found = latency(path)
    assert found is not None
    assert (found.calls, found.median, found.maximum, found.retried, found.reasked) == (3, 2.0, 2.0, 2, 1)
    path.write_bytes(asked_line(("a",), reasked=False))
    assert latency(path) is None


def test_measuring_again_changes_nothing_on_the_page(promoted: Any) -> None:
    again = judge(measure(promoted.judged.run), "registry-exact")
    assert report(again) == report(promoted.judged)


@pytest.mark.parametrize(
    "name", ["certificate.json", "report.html", "rows.jsonl", "junit.xml", "gates.sarif", "summary.md"]
)
def test_no_document_names_a_place_on_this_machine(promoted: Any, name: str) -> None:
    assert str(promoted.root).encode() not in (promoted.out / name).read_bytes()


def test_the_summary_prints_the_operating_point_of_the_report(promoted: Any) -> None:
    sentences = operating(report(promoted.judged))
    assert "At production threshold" in sentences
    assert "UnknownFAR beside it" in sentences
    printed = (promoted.out / "summary.md").read_text()
    assert f"- operating point: {sentences}" in printed
