"""The demonstration report, its page, and a reader of pages."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from page_reader import Page, data_of, read
from sample import build

from denotary.reports import Report, html


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
