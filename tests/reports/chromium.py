"""Reading a page in Chromium."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement


def visit(chrome: Chrome, folder: Path, text: str, name: str = "report.html") -> None:
    """Open a page from its file, with empty logs, and wait until its script is done."""
    from selenium.webdriver.support.ui import WebDriverWait

    path = folder / name
    path.write_text(text, encoding="utf-8")
    log(chrome, "browser")
    log(chrome, "performance")
    chrome.get(path.as_uri())
    WebDriverWait(chrome, 120).until(
        lambda d: d.execute_script("return document.documentElement.dataset.ready")
    )


def log(chrome: Chrome, kind: str) -> list[dict[str, Any]]:
    """Return the entries of a log since it was last read."""
    found: list[dict[str, Any]] = chrome.get_log(kind)  # type: ignore[no-untyped-call]
    return found


def find(chrome: Chrome, selector: str) -> WebElement:
    return chrome.find_element("css selector", selector)


def every(chrome: Chrome, selector: str) -> list[WebElement]:
    return chrome.find_elements("css selector", selector)


def column(chrome: Chrome, table: str, place: int) -> list[str]:
    """Return the text of one column's visible cells, without the small print and without tables within the table."""
    code = (
        "return [...document.querySelector(arguments[0]).tBodies].flatMap(b => [...b.rows])"
        ".filter(r => r.checkVisibility() && !r.matches('.slices'))"
        ".map(r => [...r.cells[arguments[1]].childNodes].filter(n => n.nodeName !== 'SMALL'))"
        ".map(nodes => nodes.map(n => n.textContent).join('').trim())"
    )
    found: list[str] = chrome.execute_script(code, table, place)
    return found


def choose(chrome: Chrome, selector: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(find(chrome, selector)).select_by_value(value)


def requests(chrome: Chrome) -> list[str]:
    messages = [json.loads(entry["message"])["message"] for entry in log(chrome, "performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def emulate(chrome: Chrome, *, width: int = 1300, scheme: str = "light", media: str = "") -> None:
    metrics = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
