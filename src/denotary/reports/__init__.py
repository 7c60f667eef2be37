"""Reports: one self-contained HTML page, and the summary that the command line prints.

Everything arrives in a :class:`Report`; nothing here computes a measure or takes a decision. ``html(report)`` returns
the page, ``terminal(report, stream)`` prints the summary, ``words`` holds the sentences that every projection of a
verdict shares, ``figures`` draws the SVG. Public names: ``Report`` and its parts (``model``), ``html``, ``terminal``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.reports.console import terminal
    from denotary.reports.model import (
        Card,
        CaseView,
        CauseLine,
        Causes,
        Latency,
        Mechanism,
        Panel,
        PlanLine,
        Report,
        Subject,
    )
    from denotary.reports.page import html

__all__ = [
    "Card",
    "CaseView",
    "CauseLine",
    "Causes",
    "Latency",
    "Mechanism",
    "Panel",
    "PlanLine",
    "Report",
    "Subject",
    "html",
    "terminal",
]

_HOME = {"html": "page", "terminal": "console"}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for: jinja2 and rich stay out of ``import denotary``."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'model')}"), name)
