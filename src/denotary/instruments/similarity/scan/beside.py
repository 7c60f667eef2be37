"""Whether the tests beside a gate hold a polarity case: two like texts of which one turns the meaning round."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from denotary.instruments.similarity.overlap import overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from denotary.instruments.similarity.scan.records import Site

TEST: Final = re.compile(
    r"(^|/)(tests?|__tests__|spec)/|(^|/)test_[^/]*\.py$|_test\.py$|\.(test|spec)\.[cm]?[jt]sx?$"
)
LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.){8,300})"|\'((?:[^\'\\\n]|\\.){8,300})\'')
TURNS: Final = re.compile(
    r"\b(?:not|no|never|none|without|cannot|neither|nor|unless|except|\w+n't|before|after|must|may|all|only|\d[\d.,]*)\b",
    re.IGNORECASE,
)
"""Words by which two like texts part company; an antonym is not among them, so that a case of one is not seen."""
LIKE: Final = 0.5
"""Least overlap of two texts that are a pair."""
MOST: Final = 400
"""Texts of one test file that are compared."""


def polarity_tests(sources: Mapping[str, str]) -> Callable[[Site], tuple[str, ...]]:
    """Return a function from a gate to the tests that name its module and hold such a pair."""
    holding = {
        path: set(re.findall(r"\w+", text))
        for path, text in sources.items()
        if TEST.search(path) and _has_pair(text)
    }

    def beside(site: Site) -> tuple[str, ...]:
        stem = PurePosixPath(site.path).name.split(".")[0]
        named = stem if stem not in {"__init__", "index"} else PurePosixPath(site.path).parent.name
        return tuple(sorted(path for path, words in holding.items() if path == site.path or named in words))

    return beside


def _has_pair(text: str) -> bool:
    texts = sorted({one or other for one, other in LITERAL.findall(text)})[:MOST]
    texts = [item for item in texts if " " in item]
    for place, one in enumerate(texts):
        for other in texts[place + 1 :]:
            if _turned(one) != _turned(other) and overlap(one, other) >= LIKE:
                return True
    return False


def _turned(text: str) -> list[str]:
    return sorted(found.lower() for found in TURNS.findall(text))
