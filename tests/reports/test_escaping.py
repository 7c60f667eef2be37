"""Hostile text changes nothing but text."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hostile_text import HOSTILE, marked
from page_reader import Page

from denotary.reports import Report, html
from denotary.text import visible


@pytest.fixture(scope="module")
def small(make: Callable[..., Report]) -> Report:
    return make(120)


@pytest.fixture(scope="module")
def harmless(small: Report, parse: Callable[[str], Page]) -> Page:
    return parse(html(marked(small, "QQ")))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_changes_no_element_and_no_attribute(
    small: Report, harmless: Page, parse: Callable[[str], Page], name: str
) -> None:
    page = parse(html(marked(small, HOSTILE[name])))
    assert page.skeleton() == harmless.skeleton()
    assert page.unclosed == harmless.unclosed


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_shown_as_what_it_is(small: Report, parse: Callable[[str], Page], name: str) -> None:
    page = parse(html(marked(small, HOSTILE[name])))
    seen = " ".join(visible(HOSTILE[name]).split())
    assert seen in page.text("h2") + page.text("main")
    assert seen in page.text("title")


@pytest.mark.parametrize("name", ["bidi", "controls", "invisible", "surrogate"])
def test_no_hidden_character_reaches_the_page_or_its_data(
    small: Report, data: Callable[[str], dict[str, Any]], name: str
) -> None:
    text = html(marked(small, HOSTILE[name]))
    text.encode()
    hidden = {c for c in HOSTILE[name] if visible(c) != c} - {"\n"}
    assert hidden
    assert not hidden & set(text)
    found = msgspec.json.encode(data(text)).decode()
    assert not hidden & set(found)
    assert f"⟨U+{ord(max(hidden)):04X}⟩" in found


def test_data_that_script_reads_cannot_leave_its_element(small: Report) -> None:
    text = html(marked(small, HOSTILE["end of script"]))
    assert text.count("</script>") == 2
    assert "<!--" not in text


def test_template_syntax_in_a_text_is_not_run(small: Report) -> None:
    text = html(marked(small, HOSTILE["template"]))
    assert "{{ 7 * 7 }}" in text
    assert "49{%" not in text
