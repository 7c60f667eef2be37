"""Annotation: what judges said of a suite's cases, kept as raw votes, and how far they agree.

``load_judging`` reads the judgements beside a suite and refuses a broken chain, a vote on a record that is
not the one judged, or a guideline that is not there. ``agreement`` measures how far the answers to the same
items agree, with intervals over independent units. ``Judgement`` is one vote; ``Judging`` holds all of them.
A vote of kind ``generated`` is no annotator's: nothing here turns it into a review.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.annotation.agreeing import Item, agreement
    from denotary.annotation.loading import Judging, load_judging
    from denotary.annotation.records import Agreement, Excluded, Judgement, Revised

__all__ = ["Agreement", "Excluded", "Item", "Judgement", "Judging", "Revised", "agreement", "load_judging"]

_HOMES = {
    "Agreement": "records",
    "Excluded": "records",
    "Item": "agreeing",
    "Judgement": "records",
    "Judging": "loading",
    "Revised": "records",
    "agreement": "agreeing",
    "load_judging": "loading",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
