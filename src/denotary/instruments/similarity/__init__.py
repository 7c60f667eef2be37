"""The similarity instrument: does a gate that compares two texts by a score read their meaning or their wording?

``INSTRUMENT`` is what the entry point offers; ``suite_building`` makes a suite of a corpus, ``system`` makes a system
of an encoder and a cutoff. ``corpus`` loads matched anchors and users' own pairs, ``overlap`` is the lexical axis,
``manipulation`` is the check that a corpus must pass before any score of it is looked at. ``scan`` finds gates in
source code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.instruments.similarity.instrument import INSTRUMENT

__all__ = ["INSTRUMENT"]


def __getattr__(name: str) -> Any:
    """Import the instrument when it is first asked for."""
    if name != "INSTRUMENT":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from denotary.instruments.similarity.instrument import INSTRUMENT

    return INSTRUMENT
