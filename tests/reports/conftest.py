"""The demonstration report, its page, and a reader of pages."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from chromium import emulate, visit
from page_reader import Page, data_of, read
from sample import build

from denotary.reports import Report, html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def make() -> Callable[..., Report]:
    """See ``sample.build``."""
    return build


@pytest.fixture(scope="session")
def report() -> Report:
    return build()


@pytest.fixture(scope="session")
def page_text(report: Report) -> str:
    return html(report)


@pytest.fixture(scope="session")
def page(page_text: str) -> Page:
    return read(page_text)


@pytest.fixture(scope="session")
def parse() -> Callable[[str], Page]:
    return read


@pytest.fixture(scope="session")
def data() -> Callable[[str], dict[str, Any]]:
    return data_of


@pytest.fixture(scope="session")
def chrome() -> Iterator[Chrome]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,1000"):
        options.add_argument(argument)
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    options.binary_location = binary
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_page_load_timeout(120)
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def opened(chrome: Chrome, folder: Path, page_text: str) -> Chrome:
    visit(chrome, folder, page_text)
    return chrome


@pytest.fixture
def emulated(chrome: Chrome) -> Iterator[Callable[..., None]]:
    def apply(**wanted: Any) -> None:
        emulate(chrome, **wanted)

    yield apply
    emulate(chrome)
    chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
