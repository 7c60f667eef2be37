"""The semantic lane of the reference resolver: experimental evidence, with authority only where certified.

:func:`fit` learns a head over an encoder's vectors and hashed n-grams from labelled expressions; :func:`calibrate`
chooses the acceptance threshold with a guarantee from records that fit never saw; :class:`SemanticLane` answers
requests of the HTTP contract and refuses everything until a threshold is certified.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.resolver.semantic.calibrating import calibrate
    from denotary.resolver.semantic.fitting import fit
    from denotary.resolver.semantic.lane import SemanticLane

__all__ = ["SemanticLane", "calibrate", "fit"]

_HOMES = {"SemanticLane": "lane", "calibrate": "calibrating", "fit": "fitting"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
