"""The table of gates in a real browser: filter, sort, keyboard, and how it fits its column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from chromium import choose, column, every, find, visit

from denotary.reports import Report, html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

RESULTS = "[...document.querySelectorAll('#gate-table tr[data-slice]')].filter(r => r.checkVisibility())"


def results(chrome: Chrome) -> list[tuple[str, str, str]]:
    """Return gate, slice and verdict of the results that can be seen, those behind a gate as well."""
    code = (
        f"return {RESULTS}.map(r => [r.closest('#gate-table > tbody').rows[0].cells[1].firstChild.textContent,"
        " r.dataset.slice, r.dataset.verdict])"
    )
    return [(gate, name, verdict) for gate, name, verdict in chrome.execute_script(code)]


def opened_gates(chrome: Chrome) -> int:
    return len(every(chrome, "#gate-table details[open]"))


def test_gates_are_filtered_to_a_slice_and_a_verdict_and_what_matches_is_opened(
    opened: Chrome, report: Report
) -> None:
    assert opened_gates(opened) == 0
    gates = {(g.title, g.slice, g.verdict.lower()) for g in report.verdict.gates}
    alone = results(opened)
    assert len(alone) < len(gates)
    choose(opened, "#gates select[data-column=slice]", "language=hi")
    assert set(results(opened)) == {g for g in gates if g[1] == "language=hi"}
    assert len(column(opened, "#gate-table", 1)) == len({g[0] for g in gates if g[1] == "language=hi"})
    choose(opened, "#gates select[data-column=verdict]", "fail")
    assert set(results(opened)) == {g for g in gates if g[1:] == ("language=hi", "fail")}
    assert find(opened, "#gates output").text.endswith(f" of {len(gates)} results")
    choose(opened, "#gates select[data-column=slice]", "")
    assert set(results(opened)) == {g for g in gates if g[2] == "fail"}
    choose(opened, "#gates select[data-column=verdict]", "")
    assert opened_gates(opened) == 0
    assert results(opened) == alone


def test_a_gate_stays_whose_slices_of_that_verdict_are_left_out(
    chrome: Chrome, folder: Path, make: Callable[..., Report]
) -> None:
    report = make(60)
    one = report.verdict.gates[0]
    many = [
        msgspec.structs.replace(one, slice=f"concept=c{i:03d}", verdict="FAIL" if i < 200 else "PASS")
        for i in range(300)
    ]
    verdict = msgspec.structs.replace(report.verdict, gates=tuple(many))
    visit(chrome, folder, html(replace(report, verdict=verdict)), "many.html")
    choose(chrome, "#gates select[data-column=verdict]", "pass")
    assert results(chrome) == []
    assert "In verdict.json only: 150 more slices of this gate." in find(chrome, "#gate-table").text


def test_the_keyboard_opens_the_slices_of_a_gate(opened: Chrome) -> None:
    from selenium.webdriver.common.keys import Keys

    before = len(results(opened))
    find(opened, "#gate-table summary").send_keys(Keys.ENTER)
    assert opened_gates(opened) == 1
    assert len(results(opened)) > before


def test_the_slices_of_a_gate_are_sorted_by_themselves(opened: Chrome) -> None:
    order = column(opened, "#gate-table", 1)
    find(opened, "#gate-table summary").click()
    heading = find(opened, "#gate-table .slices th:nth-child(2)")
    for reverse in (False, True):
        opened.execute_script("arguments[0].click()", heading)
        names = [name for _, name, _ in results(opened)]
        behind = opened.execute_script(
            "return [...document.querySelector('#gate-table .slices tbody').rows].map(r => r.dataset.slice)"
        )
        assert behind == sorted(behind, reverse=reverse)
        assert set(behind) <= set(names)
    assert column(opened, "#gate-table", 1) == order


@pytest.mark.parametrize("width", [900, 1025, 1160, 1200, 1300])
def test_the_table_of_gates_fits_its_column(
    opened: Chrome, emulated: Callable[..., None], width: int
) -> None:
    emulated(width=width)
    opened.execute_script("for (const d of document.querySelectorAll('#gate-table details')) d.open = true")
    region = "document.querySelector('#gate-table').parentNode"
    assert opened.execute_script(f"return {region}.scrollWidth - {region}.clientWidth") == 0
    cells = "[...document.querySelectorAll('#gate-table td, #gate-table th')]"
    cut = f"{cells}.filter(c => c.scrollWidth > c.clientWidth).map(c => c.textContent)"
    assert opened.execute_script(f"return {cut}") == []
