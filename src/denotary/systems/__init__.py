"""The black box under test: what asks it, and nothing about what a right answer is.

``python`` (a callable), ``http`` (single requests or batches), ``command`` (a process that speaks JSON
lines), ``replay`` (a file of answers), ``exact`` (the reference resolver's exact lane), and ``from_spec`` for
all of them by a string. A system turns requests into raw replies or failures; runs decode, retry, time and
log them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.systems.callables import python
    from denotary.systems.endpoint import http
    from denotary.systems.process import command
    from denotary.systems.replaying import replay
    from denotary.systems.specs import exact, from_spec

__all__ = ["command", "exact", "from_spec", "http", "python", "replay"]

_HOMES = {
    "command": "process",
    "exact": "specs",
    "from_spec": "specs",
    "http": "endpoint",
    "python": "callables",
    "replay": "replaying",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
