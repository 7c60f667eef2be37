"""A run: every planned call of a suite asked of one system, logged so that it can be resumed and rebuilt.

``ask`` plans, asks, logs and seals (it resumes where the folder holds the same run); ``load_run`` reads a
folder back as a ``Run``; ``plan`` lists the calls; ``rebuild`` decodes the raw log again and
``seal_differences`` compares a folder with its seal, both for verification. ``terminal_progress`` shows a run
while it goes on.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.runs.asking import RunInterrupted, ask
    from denotary.runs.loading import load_run
    from denotary.runs.planning import plan
    from denotary.runs.progress import terminal_progress
    from denotary.runs.rebuilding import rebuild
    from denotary.runs.records import Identity
    from denotary.runs.run import Run
    from denotary.runs.sealing import seal_differences

__all__ = [
    "Identity",
    "Run",
    "RunInterrupted",
    "ask",
    "load_run",
    "plan",
    "rebuild",
    "seal_differences",
    "terminal_progress",
]

_HOMES = {
    "Identity": "records",
    "Run": "run",
    "RunInterrupted": "asking",
    "ask": "asking",
    "load_run": "loading",
    "plan": "planning",
    "rebuild": "rebuilding",
    "seal_differences": "sealing",
    "terminal_progress": "progress",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
