"""Finding gates in source code: places where a similarity score is compared with a cutoff and something is decided.

:func:`scan` walks a tree of Python, TypeScript and JavaScript and returns every :class:`Site` with its score, cutoff,
value, comparison and direction. ``names`` says which identifiers speak of similarity, ``python_sites`` and
``python_values`` read Python by its own parser, ``script_sites`` reads the others by tree-sitter (extra ``scan``),
``beside`` looks for tests that hold a polarity case, ``sarif`` writes findings for code-scanning tools.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.instruments.similarity.scan.records import Found, Site
    from denotary.instruments.similarity.scan.walking import scan

__all__ = ["Found", "Site", "scan"]

_HOMES = {"Found": "records", "Site": "records", "scan": "walking"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
