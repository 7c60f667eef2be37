"""The sentences that operators put around a text."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from denotary.text.languages import primary_subtag

_DATA: Final = Path(__file__).parent / "data"
_SCRIPT: Final = 4
"""Letters of the subtag of a script."""
_EXTENDED: Final = 3
"""Letters of the subtag of an extended language, such as that of zh-yue."""


@cache
def phrases() -> dict[str, Any]:
    """Return the tables of ``phrases.toml``."""
    return tomllib.loads((_DATA / "phrases.toml").read_text("utf-8"))


@cache
def contexts() -> dict[str, dict[str, Any]]:
    """Return the tables of ``long.toml`` by primary subtag of a language; their status is unreviewed."""
    return tomllib.loads((_DATA / "long.toml").read_text("utf-8"))


def context(tag: str) -> dict[str, Any]:
    """Return the filler, negation and quotation of a language; empty if none are known in it.

    Args:
        tag: its tag. Where the tag names another script or language than the sentences are written in, by itself or by
            its region, none are known: sentences in two scripts would be another text than the tag says.
    """
    found = contexts().get(primary_subtag(tag), {})
    for part in tag.split("-")[1:]:
        if len(part) == 1:
            break
        other_script = len(part) == _SCRIPT and part.isalpha() and part.title() != found.get("script")
        extended = len(part) == _EXTENDED and part.isalpha()
        if other_script or extended or part.upper() in found.get("other_script_in", ()):
            return {}
    return found
