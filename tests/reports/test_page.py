"""The page as a document: self-contained, accessible, complete."""

import base64
import hashlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from page_reader import IMPLIED, Page

from denotary import words
from denotary.reports import PlanLine, Report, html
from denotary.reports.operating import operating


def test_the_page_is_a_document_with_its_language_and_one_main(page: Page, page_text: str) -> None:
    assert page_text.lstrip().startswith("<!doctype html>")
    assert page.of("html")[0]["lang"] == "en"
    assert [len(page.of(tag)) for tag in ("main", "nav", "h1", "header")] == [1] * 4
    assert sum("id" not in attributes for attributes in page.of("title")) == 1
    assert page.of("a")[0] == {"class": "skip", "href": "#main"}


def test_only_end_tags_that_html_lets_one_leave_out_are_absent(page: Page) -> None:
    assert page.open == []
    assert set(page.unclosed) <= IMPLIED


def test_ids_are_unique_and_every_reference_has_its_target(page: Page) -> None:
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    wanted = {
        target.lstrip("#")
        for _, attributes in page.tags
        for name in ("href", "aria-labelledby", "for")
        for target in attributes.get(name, "").split()
    }
    assert wanted
    assert wanted <= set(ids)


def test_nothing_is_loaded_from_anywhere(page: Page, page_text: str) -> None:
    for tag, attributes in page.tags:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form", "video", "audio"}
        assert "src" not in attributes
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    style = page_text.split("<style>")[1].split("</style>", maxsplit=1)[0]
    assert "@import" not in style
    assert re.findall(r"url\(([^)]*)\)", style) == ["#arrow-head"]


def source(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_security_policy_names_exactly_this_style_and_this_script(page: Page, page_text: str) -> None:
    policy = next(m["content"] for m in page.of("meta") if m.get("http-equiv") == "Content-Security-Policy")
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
    style = page_text.split("<style>")[1].split("</style>", maxsplit=1)[0]
    script = page_text.rsplit("<script>", 1)[1].split("</script>", maxsplit=1)[0]
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == [f"'{source(script)}'"]
    assert rules["style-src"] == [f"'{source(style)}'"]
    assert set(rules) == {
        *("default-src", "script-src", "style-src", "base-uri", "form-action"),
        *("require-trusted-types-for", "trusted-types"),
    }
    assert sorted(s.get("type", "") for s in page.of("script")) == ["", "application/x-denotary"]


def test_headings_go_down_one_step_at_a_time(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_every_drawing_is_named_and_described_and_says_what_it_does_not_show(
    page: Page, page_text: str
) -> None:
    drawings = [s for s in page.of("svg") if s.get("role") == "img"]
    assert len(drawings) == len(page.of("figure")) == len(page.of("figcaption")) > 12
    assert all(len(s["aria-labelledby"].split()) == 2 for s in drawings)
    assert page_text.count("<b>Not shown.</b> ") == len(drawings)
    assert all(s.get("aria-hidden") == "true" for s in page.of("svg") if s.get("role") != "img")


def test_every_scrolling_region_can_be_reached_and_is_named(page: Page) -> None:
    regions = [a for _, a in page.tags if "scroll" in a.get("class", "").split()]
    assert regions
    assert all(a["tabindex"] == "0" and a["role"] == "region" and a["aria-label"] for a in regions)


def test_the_decision_and_its_reason_come_first_in_words_and_shape(page: Page, page_text: str) -> None:
    head = page_text.split("<header")[1].split("</header>", maxsplit=1)[0]
    assert 'href="#i-fail"' in head
    assert page.text("h1") == words.DECISIONS["BLOCK"]
    body = page.text("main")
    order = [
        "Block the release",
        "Failed: Retrieval: Recall@5",
        "Qualification only.",
        "Illustrative.",
        "At production threshold",
    ]
    places = [body.index(text) for text in order]
    assert places == sorted(places)
    assert places[-1] < 1200


@pytest.mark.parametrize(("decision", "icon"), [("PROMOTE", "pass"), ("INSUFFICIENT", "insufficient")])
def test_each_decision_has_a_shape_of_its_own(report: Report, decision: str, icon: str) -> None:
    other = msgspec.structs.replace(report.verdict, decision=decision)
    head = html(replace(report, verdict=other)).split("<header")[1].split("</header>")[0]
    assert f'href="#i-{icon}"' in head
    assert words.DECISIONS[decision] in head


def test_the_operating_sentence_is_printed(page: Page, report: Report) -> None:
    assert operating(report) in page.text("p")
    assert "t = 0.62, coverage is" in operating(report)


def test_there_is_no_aggregate_score(page: Page) -> None:
    text = page.text("main").lower()
    assert re.findall(r"[^.]*(?:overall|total|aggregate|combined) score[^.]*\.", text) == [
        " there is no overall score."
    ]
    assert "accuracy" not in text.replace("accuracy_", "")


def test_each_panel_is_a_section_of_its_own(page: Page, report: Report) -> None:
    sections = [s["id"] for s in page.of("section") if s.get("id", "").startswith("panel-")]
    assert len(sections) == len(report.panels)
    headings = page.texts["h2"]
    for panel in report.panels:
        assert headings.count(panel.title) == 1


def test_every_result_is_printed_with_everything_a_reader_needs(page_text: str, report: Report) -> None:
    table = page_text.split('<table id="gate-table"')[1].split('<section id="needed"', maxsplit=1)[0]
    rows = re.findall(
        r'<tr data-slice="([^"]*)" data-verdict="(\w+)">(.*?)(?=<tr|</tbody>)', table, re.DOTALL
    )
    found = {(name, re.sub(r"<[^>]+>", "|", row)): verdict for name, verdict, row in rows}
    assert len(rows) == len(report.verdict.gates)
    for gate in report.verdict.gates:
        failures = gate.numerator if gate.side == "upper" else (gate.denominator or 0) - (gate.numerator or 0)
        wanted = [words.VERDICTS[gate.verdict]]
        if gate.limit is not None:
            upper = gate.side == "upper"
            wanted += [f"|{failures:,} of {gate.denominator:,}|", words.bound(gate.bound, upper=upper)]
            wanted += [words.interval(gate.low, gate.high), f"{gate.units:,} seed"]
            assert f"<small>limit {words.bound(gate.limit, upper=upper)}</small>" in table
        assert any(
            name == gate.slice and verdict == gate.verdict.lower() and all(text in row for text in wanted)
            for (name, row), verdict in found.items()
        )
    assert "seeds it requires" in table
    assert "measured on corpus <bdi>first-thousand</bdi> 0.1.0" in page_text


def test_one_row_stands_for_each_gate_and_its_slices_are_behind_it(page_text: str, report: Report) -> None:
    table = page_text.split('<table id="gate-table"')[1].split('<section id="needed"', maxsplit=1)[0]
    asked = Counter(gate.gate for gate in report.verdict.gates)
    titles = {gate.gate: gate.title for gate in report.verdict.gates}
    many = [gate for gate, count in asked.items() if count > 1]
    assert many
    assert table.count('<tr class="slices"><td colspan="6"><details class="behind"><summary>') == len(many)
    for gate in asked:
        assert len(re.findall(rf'<th scope="row">{re.escape(titles[gate])}<small>', table)) == 1
    for gate in many:
        own = [g for g in report.verdict.gates if g.gate == gate]
        assert f"<summary>{len(own)} slices: {words.tally_sentence(own)}</summary>" in table


def test_of_very_many_results_those_that_need_attention_are_printed_and_the_others_counted(
    make: Callable[..., Report],
) -> None:
    report = make(60)
    whole = report.verdict.gates[0]
    many = [
        msgspec.structs.replace(whole, slice=f"concept=c{i:03d}", verdict="FAIL" if i in (7, 299) else "PASS")
        for i in range(300)
    ]
    verdict = msgspec.structs.replace(report.verdict, gates=(*many, whole))
    plan = tuple(PlanLine(f"g{i}", "all", i, 1000) for i in range(100))
    text = html(replace(report, verdict=verdict, plan=plan))
    rows = re.findall(r'<tr data-slice="([^"]+)" data-verdict="(\w+)"', text)
    assert len(rows) == 150
    assert {("all", whole.verdict.lower()), ("concept=c007", "fail"), ("concept=c299", "fail")} <= set(rows)
    assert "In verdict.json only: 151 more slices of this gate." in text
    assert "<summary>301 slices: " in text
    assert "60 more, which lack less" in text
    assert ">g39<" in text
    assert ">g40<" not in text


def test_each_measure_says_what_it_hides(page_text: str, report: Report) -> None:
    for measure in report.measures:
        assert words.sentence_case(measure.hides) in page_text


def test_what_is_no_headline_alone_has_the_others_beside_it(page_text: str, report: Report) -> None:
    whole = {row.measure: row for row in report.rows if row.slice == "all"}
    named = {measure.id: measure.title for measure in report.measures}
    assert any(measure.beside for measure in report.measures)
    for measure in report.measures:
        if measure.beside:
            values = ", ".join(f"{named[other]} {words.row_value(whole[other])}" for other in measure.beside)
            assert f"Never alone; beside it: {values}." in page_text


def test_the_mean_over_languages_stands_between_the_pooled_figure_and_the_worst(
    page_text: str, report: Report
) -> None:
    table = page_text.partition('<table class="plain across">')[2].partition("</table>")[0]
    rows = {(row.measure, row.slice): row for row in report.rows}
    pooled, mean, worst = (rows["faar", name] for name in ("all", "language:macro", "language:worst"))
    languages = [row for row in report.rows if row.measure == "faar" and row.slice.startswith("language=")]
    assert worst.value == max(row.value or 0.0 for row in languages)
    values = [words.row_value(pooled), words.percent(mean.value), words.row_value(worst)]
    assert [table.index(f"<td>{value}<") for value in values] == sorted(
        table.index(f"<td>{value}<") for value in values
    )
    assert f"<bdi>{worst.note.partition('=')[2]}</bdi>" in table
    assert words.row_bound(worst) in table
    assert "Never a headline: the pooled figure goes by the largest language" in page_text
    assert words.sentence_case(mean.note) in page_text


def test_a_panel_is_not_offered_by_what_no_slice_is_on(page: Page) -> None:
    offered = {a["data-axis"] for a in page.of("details") if "data-axis" in a}
    assert offered == {"language", "concept", "family", "pair"}


def test_outcomes_sum_to_the_plan_or_the_page_says_that_they_do_not(page_text: str, report: Report) -> None:
    assert "the classes sum to the plan" in page_text
    assert "the classes do not sum to the plan" in html(replace(report, planned=1001))


def test_mechanisms_that_no_case_exercises_are_named(page: Page) -> None:
    assert "2 of 9 mechanisms are exercised by no case" in page.text("main")
    assert page.text("main").count("not exercised") == 2


def test_root_causes_are_counted_by_who_named_them(page_text: str, report: Report) -> None:
    causes = report.causes
    assert causes is not None
    section = page_text.partition('id="causes"')[2].partition("</section>")[0]
    assert f"the cause of {causes.set} was set by a person" in section
    assert "12 refusals where a code was due" in section
    for line in causes.lines:
        cells = "".join(f'<td class="n">{n}' for n in (line.cases, line.set, line.proposed, line.units))
        assert line.code in section
        assert cells in section
    assert section.count("only by the suite's correction ledger".replace("'", "&#39;")) <= 1
    assert "correction ledger" in section


def test_an_instrument_without_causes_has_no_such_section(make: Callable[..., Report]) -> None:
    assert 'id="causes"' not in html(make(40, causes=None))


def test_undeclared_components_are_printed_as_such(page: Page) -> None:
    assert sum(a.get("class") == "undeclared" for a in page.of("dd")) == 1


def test_latency_is_marked_as_no_part_of_the_certificate(page: Page, report: Report) -> None:
    assert "It is not part of the certificate" in page.text("main")
    assert "Latency" not in html(replace(report, latency=None)).split("<main")[1].split("<script")[0]


def test_a_sealed_suite_shows_no_case(
    make: Callable[..., Report], data: Callable[[str], dict[str, Any]]
) -> None:
    report = make(200)
    assert report.cases is not None
    text = html(replace(report, cases=None))
    assert "The suite is sealed: no case, answer or id stands in this report." in text
    assert data(text)["cases"] is None
    assert not any(case.record_id in text or case.text in text for case in report.cases)


def test_a_measure_of_an_undeclared_panel_is_shown_all_the_same(make: Callable[..., Report]) -> None:
    report = make(60)
    text = html(replace(report, panels=report.panels[:1]))
    assert '<h2 id="h-panel-2">Identity</h2>' in text
    assert "AssignmentRisk" in text


def test_a_series_without_a_figure_is_printed_as_a_table(make: Callable[..., Report]) -> None:
    from denotary.measures.records import Series

    odd = Series(
        instrument="i",
        series="odd_one",
        slice="all",
        columns=("a", "b", "n"),
        rows=(("x", "y", 3), ("z", "y", 4)),
    )
    text = html(replace(make(60), series=(odd,)))
    table = text.split("<summary>Odd one</summary>")[1].split("</table>")[0]
    assert re.sub(r"<[^>]+>", " ", table).split()[-4:] == ["x", "3", "z", "4"]


def test_a_report_with_nothing_in_it_is_still_a_page(report: Report, parse: Callable[[str], Page]) -> None:
    bare = msgspec.structs.replace(
        report.verdict, gates=(), decision="INSUFFICIENT", reason="no gate was evaluated"
    )
    empty = replace(
        report, verdict=bare, rows=(), measures=(), panels=(), facts=(), series=(), cases=(), plan=(), mechanisms=(),
        limitations=(), illustrative=(), latency=None, inputs={}, outcomes={}, planned=0, identity={}, system={},
        threshold="",
    )  # fmt: skip
    page = parse(html(empty))
    assert "No gate was evaluated." in page.text("main")
    assert "observed AssignmentRisk is not measured" in page.text("main")


def test_the_page_is_the_same_whatever_the_hash_seed(page_text: str) -> None:
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); import sample; from denotary.reports import html; "
        "print(hashlib.sha256(html(sample.build()).encode()).hexdigest())"
    )
    from pathlib import Path

    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "4242", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.stdout.strip() == hashlib.sha256(page_text.encode()).hexdigest()


def test_the_room_loads_neither_jinja2_nor_rich() -> None:
    code = "import sys, denotary.reports, denotary.words; print(*sys.modules)"
    loaded = set(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
    )
    assert not loaded & {"jinja2", "rich", "markupsafe", "numpy"}
