"""The page in a real browser, opened from a file: no request, no injected script, filter, sort, keyboard, print.

It needs Chromium, its driver and selenium; without them these tests fail, they do not skip.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

import pytest
from chromium import choose, column, every, find, log, requests, visit
from hostile_text import HOSTILE, marked

from denotary.reports import Report, html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

pytestmark = pytest.mark.browser

ATTACK = '</script><script>window.taken=1</script><img src=x onerror=\'window.taken=1\'>" onfocus="window.taken=1" '


def test_the_page_asks_for_nothing_and_reports_no_error(opened: Chrome, folder: Path) -> None:
    assert requests(opened) == [(folder / "report.html").as_uri()]
    assert log(opened, "browser") == []


@pytest.mark.parametrize("attack", [ATTACK, *HOSTILE.values()])
def test_no_injected_script_runs(
    chrome: Chrome, folder: Path, make: Callable[..., Report], attack: str
) -> None:
    visit(chrome, folder, html(marked(make(60), attack)), "hostile.html")
    for button in every(chrome, "#browser button.open")[:3]:
        button.click()
    assert chrome.execute_script("return window.taken") is None
    assert (
        chrome.execute_script("return document.querySelectorAll('img, iframe, script:not([id])').length") == 1
    )
    assert requests(chrome) == [(folder / "hostile.html").as_uri()]
    assert log(chrome, "browser") == []


def test_the_policy_stops_a_script_that_is_written_into_the_file(
    chrome: Chrome, folder: Path, page_text: str
) -> None:
    edited = page_text.replace(
        "</main>", "<script>window.taken=1</script><b onclick='0' style='color:red'>x</b></main>"
    )
    visit(chrome, folder, edited, "edited.html")
    assert chrome.execute_script("return window.taken") is None
    assert any("Content Security Policy" in entry["message"] for entry in log(chrome, "browser"))


def test_a_table_is_sorted_by_number_both_ways_with_empty_cells_last(opened: Chrome) -> None:
    heading = find(opened, "#gate-table th:nth-child(4)")
    button = heading.find_element("css selector", "button")
    for direction, order in (("ascending", 1), ("descending", -1)):
        button.click()
        cells = column(opened, "#gate-table", 3)
        numbers = [float(c.split()[0]) for c in cells if c != "–"]
        assert numbers == sorted(numbers, key=lambda value: order * value)
        assert all(c == "–" for c in cells[len(numbers) :])
        assert heading.get_attribute("aria-sort") == direction


def test_cases_are_filtered_searched_and_cleared(opened: Chrome, report: Report) -> None:
    assert report.cases is not None
    count = find(opened, "#browser .count")
    assert count.text == "1,000 of 1,000 cases"
    assert column(opened, "#browser table", 1)[0] == "Wrong"
    choose(opened, "#browser select[name=language]", "hi")
    choose(opened, "#browser select[name=outcome]", "wrong")
    wanted = [c for c in report.cases if c.language == "hi" and c.outcome == "wrong"]
    assert count.text == f"{len(wanted)} of 1,000 cases"
    assert set(column(opened, "#browser table", 0)) == {c.record_id for c in wanted}
    find(opened, "#browser .clear").click()
    find(opened, "#browser input[type=search]").send_keys("ft-0042")
    assert column(opened, "#browser table", 0) == ["FT-0042"]


def test_cases_are_sorted_and_more_are_shown_on_demand(opened: Chrome, report: Report) -> None:
    assert report.cases is not None
    opened.find_element("xpath", "//*[@id='browser']//button[@aria-label='Sort by Confidence']").click()
    shown = [float(c) for c in column(opened, "#browser table", 5)]
    stated = sorted(c.confidence for c in report.cases if c.confidence is not None)
    assert shown == pytest.approx(stated[:50], abs=1e-4)
    more = find(opened, "#browser .more")
    opened.execute_script("arguments[0].click()", more)
    assert len(every(opened, "#browser tbody tr")) == 100
    assert opened.switch_to.active_element.text == column(opened, "#browser table", 0)[50]


def test_the_keyboard_reaches_everything_and_enter_opens_a_case(opened: Chrome, report: Report) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    def press(key: str) -> WebElement:
        ActionChains(opened).send_keys(key).perform()
        return opened.switch_to.active_element

    assert press(Keys.TAB).text == "Skip to the decision"
    press(Keys.ENTER)
    assert opened.execute_script("return document.activeElement.id") == "main"
    seen = set()
    for _ in range(400):
        element = press(Keys.TAB)
        seen.add(element.tag_name)
        if element.get_attribute("class") == "open":
            break
    assert {"summary", "select", "button", "input", "div"} <= seen
    case = opened.switch_to.active_element
    assert case.get_attribute("aria-expanded") == "false"
    assert opened.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press(Keys.ENTER)
    assert case.get_attribute("aria-expanded") == "true"
    detail = find(opened, "tr.case-detail").text
    assert report.cases is not None
    view = next(c for c in report.cases if c.record_id == case.text)
    for text in (
        view.answer,
        *view.codes,
        view.unit,
        view.family.replace("_", " "),
        *(code for code, _ in view.candidates),
        *(str(round(score, 3)) for _, score in view.candidates if score),
    ):
        assert text in detail
    assert "Lineage" in detail
    press(Keys.ENTER)
    assert case.get_attribute("aria-expanded") == "false"
    assert not every(opened, "tr.case-detail")


def test_a_case_leads_to_the_one_it_was_made_from(opened: Chrome, report: Report) -> None:
    assert report.cases is not None
    view = next(c for c in report.cases if c.parent)
    find(opened, "#browser input[type=search]").send_keys(view.record_id)
    find(opened, "#browser button.open").click()
    opened.find_element("xpath", f"//tr[@class='case-detail']//button[text()='{view.parent}']").click()
    opened_case = opened.switch_to.active_element
    assert opened_case.text == view.parent
    assert opened_case.get_attribute("aria-expanded") == "true"
    assert view.record_id in find(opened, "tr.case-detail").text


def test_a_case_shows_the_cause_that_a_person_set_before_the_proposed_one(
    opened: Chrome, report: Report
) -> None:
    assert report.cases is not None
    view = next(c for c in report.cases if c.cause)
    choose(opened, "#browser select[name=cause]", view.cause)
    set_ = [c.record_id for c in report.cases if c.cause == view.cause]
    assert set(column(opened, "#browser table", 0)) == set(set_)
    button = opened.find_element("xpath", f"//div[@id='browser']//button[text()='{view.record_id}']")
    button.click()
    rows = opened.find_elements(
        "xpath", "//tr[@class='case-detail']//h4[text()='Root cause']/following-sibling::table[1]/tbody/tr"
    )
    shown = [[cell.text for cell in row.find_elements("css selector", "td")] for row in rows]
    (code, evidence), *_ = view.root_causes
    assert shown == [["set", view.cause, view.cause_note], ["proposed, further", code, evidence]]


def test_a_scorecard_shows_its_measures_and_leads_to_its_cases(opened: Chrome, report: Report) -> None:
    card = opened.find_element("xpath", "//details[@class='card'][.//bdi[@class='group'][text()='hi']]")
    opened.execute_script("arguments[0].open = true", card)
    rows = [r for r in report.rows if r.slice == "language=hi" and r.value is not None]
    lines = card.find_elements("css selector", "table.score tbody tr")
    assert len(lines) == len(rows)
    titles = {m.id: m.title for m in report.measures}
    heads = [line.find_element("css selector", "th").text.removesuffix(" †") for line in lines]
    first = next(c.measures for c in report.cards if c.axis == "language")
    assert heads[: len(first)] == [titles[name] for name in first]
    card.find_element("css selector", ".to-cases").click()
    assert report.cases is not None
    hindi = sum(c.language == "hi" for c in report.cases)
    assert find(opened, "#browser .count").text == f"{hindi} of 1,000 cases"


def test_a_scorecard_of_a_concept_names_its_neighbours(opened: Chrome, report: Report) -> None:
    (pair,) = {r.slice for r in report.rows if r.slice.startswith("pair=")}
    group, other = pair.removeprefix("pair=").split(" → ")
    card = opened.find_element("xpath", f"//details[@class='card'][.//bdi[@class='group'][text()='{group}']]")
    opened.execute_script("arguments[0].open = true", card)
    heads = [cell.text for cell in card.find_elements("css selector", "table.score tbody th")]
    assert [head.removesuffix(" †") for head in heads[:2]] == [
        "Hard-negative confusion",
        f"Hard-negative confusion → {other}",
    ]


def test_a_panel_is_shown_by_group(opened: Chrome, report: Report) -> None:
    details = find(opened, "#panel-4 details.by-group[data-axis=language]")
    opened.execute_script("arguments[0].open = true", details)
    table = "#panel-4 details.by-group[data-axis=language] table"
    languages = {r.slice.partition("=")[2] for r in report.rows if r.slice.startswith("language=")}
    assert set(column(opened, table, 0)) == languages
    heads = [h.text.strip() for h in every(opened, f"{table} thead th")]
    assert heads[1:] == ["UnknownFAR", "Ambiguity forced", "Mixed collapse"]


@pytest.mark.parametrize("width", [360, 400, 700, 1300])
def test_no_width_is_overrun(opened: Chrome, emulated: Callable[..., None], width: int) -> None:
    emulated(width=width)
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width


def test_dark_and_print_have_their_colours(opened: Chrome, emulated: Callable[..., None]) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    emulated(scheme="light")
    assert opened.execute_script(ground) == "rgb(252, 251, 248)"
    emulated(scheme="dark")
    assert opened.execute_script(ground) == "rgb(21, 23, 25)"
    emulated(scheme="dark", media="print")
    assert opened.execute_script(ground) == "rgb(255, 255, 255)"
    assert opened.execute_script("return getComputedStyle(document.body).color") == "rgb(29, 30, 32)"


def test_the_page_prints_with_the_tables_behind_its_figures(opened: Chrome, folder: Path) -> None:
    made = opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    pdf = base64.b64decode(made["data"])
    (folder / "report.pdf").write_bytes(pdf)
    assert pdf.startswith(b"%PDF")
    assert 8 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) <= 60
    assert opened.execute_script("return [...document.querySelectorAll('details.behind')].every(d => d.open)")


def test_without_script_the_decision_gates_and_failures_are_there(
    chrome: Chrome, folder: Path, page_text: str, emulated: Callable[..., None]
) -> None:
    del emulated
    path = folder / "plain.html"
    path.write_text(page_text, encoding="utf-8")
    chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    chrome.get(path.as_uri())
    text = find(chrome, "main").text
    for wanted in ("Block the release", "At production threshold", "need script in a browser", "FT-0"):
        assert wanted in text
    assert not find(chrome, "#browser").is_displayed()
    assert not find(chrome, "#gates .filters").is_displayed()
    find(chrome, "#gate-table summary").click()
    assert find(chrome, "#gate-table details table").is_displayed()


def test_with_script_nothing_is_said_of_its_absence(opened: Chrome) -> None:
    assert "need script in a browser" not in find(opened, "main").text


def test_a_picture_of_it_can_be_taken(opened: Chrome, folder: Path) -> None:
    path = folder / "report.png"
    assert opened.save_screenshot(str(path))
    assert path.stat().st_size > 20_000
