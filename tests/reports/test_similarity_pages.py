"""Pages of similarity audits in a real browser: no request but their own file, no error, no injected script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from chromium import log, requests

from denotary.instruments.similarity.auditing import audit
from denotary.instruments.similarity.configurations import baseline
from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.pages import INDEX, write_pages

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser
ATTACK = "</bdi><script>window.taken=1</script><img src=x onerror='window.taken=1'>"


def test_the_pages_ask_for_nothing_and_run_nothing(chrome: Chrome, tmp_path: Path) -> None:
    found = audit(baseline("token-jaccard"), load_corpus())
    hostile = msgspec.structs.replace(found, configuration=ATTACK, corpus=ATTACK)
    for path in write_pages([found, hostile], [ATTACK], tmp_path):
        log(chrome, "browser")
        log(chrome, "performance")
        chrome.get(path.as_uri())
        assert requests(chrome) == [path.as_uri()]
        assert log(chrome, "browser") == []
        assert chrome.execute_script("return window.taken") is None
        assert chrome.execute_script("return document.querySelectorAll('svg[role=img]').length") >= 4
    chrome.get((tmp_path / INDEX).as_uri())
    chrome.find_element("css selector", "tbody a").click()
    assert chrome.current_url.endswith("/token-jaccard.html")
