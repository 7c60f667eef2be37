"""The page on two systems: what stands on it, what never does, and that text stays text."""

import re
from dataclasses import fields, replace
from typing import Any

import msgspec
import pytest
from hostile_text import HOSTILE
from page_reader import IMPLIED, Page, data_of, read
from sample_comparison import MEASURES, ROWS, SENTENCE, build, row
from test_page import source

from denotary import words
from denotary.reports.browser import CHANGES
from denotary.reports.comparison_model import ComparisonReport
from denotary.reports.comparison_page import html
from denotary.reports.model import CaseView
from denotary.text import visible


@pytest.fixture(scope="module")
def sample() -> ComparisonReport:
    return build()


@pytest.fixture(scope="module")
def text(sample: ComparisonReport) -> str:
    return html(sample)


@pytest.fixture(scope="module")
def parsed(text: str) -> Page:
    return read(text)


def section(text: str, name: str) -> str:
    return text.split(f'<section id="{name}"')[1].split("</section>", maxsplit=1)[0]


def test_it_is_a_document_whose_references_have_targets(parsed: Page) -> None:
    ids = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    wanted = {
        target.lstrip("#")
        for _, attributes in parsed.tags
        for name in ("href", "aria-labelledby", "for")
        for target in attributes.get(name, "").split()
    }
    assert wanted <= set(ids)
    assert [len(parsed.of(tag)) for tag in ("main", "nav", "h1", "header")] == [1] * 4
    assert parsed.open == []
    assert set(parsed.unclosed) <= IMPLIED


def test_it_loads_nothing_and_allows_its_own_style_and_script_alone(parsed: Page, text: str) -> None:
    for tag, attributes in parsed.tags:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form"}
        assert {"src", "style"}.isdisjoint(attributes)
        assert attributes.get("href", "#").startswith("#")
    policy = next(m["content"] for m in parsed.of("meta") if m.get("http-equiv") == "Content-Security-Policy")
    script = text.rsplit("<script>", 1)[1].split("</script>", maxsplit=1)[0]
    assert "default-src 'none'" in policy
    assert f"script-src '{source(script)}'" in policy


def test_decision_and_recertification_come_first(parsed: Page, sample: ComparisonReport) -> None:
    assert parsed.text("h1") == words.DECISIONS["BLOCK"]
    body = parsed.text("main")
    order = [
        "meridian 2.5.0",
        "Block the release",
        "Recertification.",
        words.sentence_case(SENTENCE),
        "1,000 cases",
    ]
    places = [body.index(part) for part in order]
    assert places == sorted(places)
    assert "2 stand in the base's suite alone" in body
    assert sample.verdict.decision == "BLOCK"


def test_components_that_demand_recertification_stand_first_and_digests_are_cut(text: str) -> None:
    found = section(text, "recertification")
    named = re.findall(r'<th scope="row">([^<]+)<td class="state">', found)
    assert named == ["Semantic model", "Tokenizer", "System version", "Prompt"]
    assert "ab" * 6 + "…" in found
    assert "ab" * 32 not in found


def test_every_line_gives_both_systems_counts_p_its_floor_and_both_bounds(text: str) -> None:
    found = section(text, "panel-2")
    line = next(part for part in found.split("<tr>") if '<th scope="row">Authoritative risk' in part)
    cells = " ".join(re.sub(r"<[^>]+>", " ", line).split())
    for part in ("64 of 1,000", "before 5 of 1,000", "+5.9 pp", "floor", " 60 1 939 "):
        assert part in cells
    assert "2 cases without a counterpart" in cells
    assert "61 discordant units" in cells


def test_what_has_no_value_is_named_and_not_drawn_as_zero(text: str) -> None:
    languages = section(text, "languages")
    assert "Not comparable, which is not equal: 1 slice." in languages
    assert "ja" not in re.findall(r"<text[^>]*>([^<]*)</text>", languages)


def test_every_figure_says_what_it_does_not_show(parsed: Page, text: str) -> None:
    drawings = [s for s in parsed.of("svg") if s.get("role") == "img"]
    assert len(drawings) == 4
    assert text.count("<b>Not shown.</b> ") == len(drawings)
    assert all(len(s["aria-labelledby"].split()) == 2 for s in drawings)


def test_cases_that_became_worse_stand_first(text: str, sample: ComparisonReport) -> None:
    assert sample.cases is not None
    shown = data_of(text)["cases"]["change"]
    assert shown == sorted(shown, key=CHANGES.index)
    worse = sum(case.change == "regressed" for case in sample.cases)
    assert 0 < worse == shown.count("regressed")
    first = re.findall(r'<th scope="row">(FT-\d+)', section(text, "cases"))
    assert len(first) == min(20, worse)
    assert set(first) <= {case.record_id for case in sample.cases if case.change == "regressed"}


def test_a_sealed_suite_shows_no_case(sample: ComparisonReport) -> None:
    text = html(replace(sample, cases=None, cases_total=None))
    assert data_of(text)["cases"] is None
    assert "FT-0" not in text
    assert "The suite is sealed" in section(text, "cases")


def marked(report: ComparisonReport, mark: str) -> ComparisonReport:
    """Return the report with a text put into every field that somebody else fills."""
    assert report.cases is not None
    kept = ("outcome", "answer_kind", "change", "before", "family", "parent")

    def case(view: CaseView) -> CaseView:
        texts: dict[str, Any] = {
            f.name: f"{mark}{getattr(view, f.name)}"
            for f in fields(view)
            if isinstance(getattr(view, f.name), str) and f.name not in kept
        }
        return replace(view, **texts)

    gates = tuple(
        msgspec.structs.replace(g, title=f"{mark}{g.title}", reason=mark, needed=mark)
        for g in report.verdict.gates
    )
    lines: tuple[Any, ...] = tuple(
        msgspec.structs.replace(r, note=mark, said=mark, hides=mark) for r in report.rows
    )
    return replace(
        report, tool=mark, base=mark, new=mark, recertification=mark, rows=lines, cases=tuple(map(case, report.cases)),
        verdict=msgspec.structs.replace(report.verdict, gates=gates, reason=mark, instead=(mark,)),
        suites=tuple(replace(s, name=mark, version=mark) for s in report.suites),
        registries=tuple(replace(s, name=mark, version=mark) for s in report.registries),
        components=tuple(replace(c, base=mark, new=mark) for c in report.components),
        left_out=tuple(replace(left, why=mark, ids=(mark,)) for left in report.left_out),
        facts=tuple(msgspec.structs.replace(f, detail=mark) for f in report.facts),
        migration=(mark,), limitations=(mark,), inputs={mark: mark},
    )  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_changes_no_element_and_is_shown(sample: ComparisonReport, name: str) -> None:
    harmless = read(html(marked(sample, "QQ")))
    text = html(marked(sample, HOSTILE[name]))
    found = read(text)
    assert found.skeleton() == harmless.skeleton()
    assert found.unclosed == harmless.unclosed
    assert " ".join(visible(HOSTILE[name]).split()) in found.text("main")
    assert text.count("</script>") == 2


def test_equal_reports_give_equal_pages(sample: ComparisonReport, text: str) -> None:
    assert html(build()) == text
    assert sample == build()


def test_of_very_many_slices_the_worst_are_printed(sample: ComparisonReport) -> None:
    many = tuple(row("assignment_risk", f"language=l{i:02}", 0, 0, i, 100) for i in range(40))
    found = section(html(replace(sample, rows=(*ROWS[:3], *many))), "languages")
    named = re.findall(r'<tr><th scope="row">[^<]*(l\d\d)', found)
    assert named[0] == "l39"
    assert len(set(named)) == 30
    assert "l05" not in named


def test_a_diagnostic_is_listed_last(sample: ComparisonReport) -> None:
    rows = (
        row("assignment_risk", "all", 1, 0, 5, 9),
        row("unknown_far", "all", 1, 0, 5, 9, panel="identity"),
    )
    named = (msgspec.structs.replace(MEASURES[0], diagnostic=True), *MEASURES[1:])
    found = section(html(replace(sample, rows=rows, measures=named)), "panel-2")
    assert found.index("Codes on unknown") < found.index("Authoritative risk")
