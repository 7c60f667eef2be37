"""The page on two systems in a real browser; needs Chromium as ``test_chromium`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from chromium import choose, column, every, find, log, requests, visit
from hostile_text import HOSTILE
from sample_comparison import build
from test_comparison_page import marked

from denotary.reports.comparison_page import html

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser


def test_cases_are_found_by_what_became_of_them(chrome: Chrome, folder: Path) -> None:
    report = build(300)
    assert report.cases is not None
    visit(chrome, folder, html(report), "comparison.html")
    assert requests(chrome) == [(folder / "comparison.html").as_uri()]
    assert log(chrome, "browser") == []
    by_change = {
        name: {c.record_id for c in report.cases if c.change == name} for name in ("regressed", "improved")
    }
    assert set(column(chrome, "#browser table", 0)[: len(by_change["regressed"])]) == by_change["regressed"]
    for name, wanted in by_change.items():
        choose(chrome, "#browser select[name=change]", name)
        assert find(chrome, "#browser .count").text == f"{len(wanted)} of 300 cases"
        assert set(column(chrome, "#browser table", 0)) == wanted
    every(chrome, "#browser button.open")[0].click()
    assert "Before" in find(chrome, "#browser .case-detail").text


@pytest.mark.parametrize("name", ["script", "end of script", "attribute", "svg"])
def test_no_injected_script_runs(chrome: Chrome, folder: Path, name: str) -> None:
    attack = HOSTILE[name].replace("alert(1)", "window.taken=1")
    visit(chrome, folder, html(marked(build(60), attack)), "hostile-comparison.html")
    for button in every(chrome, "#browser button.open")[:3]:
        button.click()
    assert chrome.execute_script("return window.taken") is None
    assert log(chrome, "browser") == []
