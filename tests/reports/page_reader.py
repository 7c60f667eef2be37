"""Reading a page back: its elements, its text, and the data that its script reads."""

import base64
import json
import zlib
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "br", "input", "wbr", "hr", "img"}
IMPLIED = {"td", "th", "tr", "li", "dt", "dd", "option"}
"""Elements whose end tag may be absent."""


@dataclass
class Page(HTMLParser):
    """A parsed page: every start tag with its attributes, and the text within each kind of element."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    unclosed: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self.open and (top := self.open.pop()) != tag:
            self.unclosed[top] += 1

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts.setdefault(tag, []).append(data)

    def of(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag: str = "body") -> str:
        return " ".join("".join(self.texts.get(tag, [])).split())

    def skeleton(self) -> list[tuple[str, tuple[str, ...]]]:
        """Every element and the names of its attributes: what no text may change."""
        return [(tag, tuple(attributes)) for tag, attributes in self.tags]


def read(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    return page


def data_of(text: str) -> dict[str, Any]:
    """Return what script reads on a page."""
    packed = text.split('id="page-data">')[1].split("<", maxsplit=1)[0]
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b85decode(packed.replace(",", "<"))))
    return found
