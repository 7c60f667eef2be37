"""The reference resolver. Its exact lane has authority, because a reviewer stands behind every answer.

:class:`ExactLane` answers requests of the HTTP contract from a frozen registry, in memory or from a compiled
file (``resolve``, ``resolve_batch``); :func:`exact_lane_system` gives the same as a plain callable, which is
what a system under test is. The reason of every refusal, and the keys of a request, are in their docstrings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.resolver.exact import ExactLane
    from denotary.resolver.system import exact_lane_system

__all__ = ["ExactLane", "exact_lane_system"]

_HOMES = {"ExactLane": "exact", "exact_lane_system": "system"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
