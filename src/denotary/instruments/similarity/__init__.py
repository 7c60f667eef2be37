"""The similarity instrument: does a gate that compares two texts by a score read their meaning or their wording?

``audit`` measures it of a ``Configuration`` on the corpus that ``load_corpus`` gives: ``named`` makes one of an encoder
by its name, ``encoded`` of an encoder object, ``pair_score`` of a function of two texts; ``gate`` reads a rule.

``INSTRUMENT`` is what the entry point offers; ``suite_building`` makes a suite of a corpus, ``system`` makes a system
of an encoder and a cutoff. ``overlap`` is the lexical axis, ``manipulation`` is the check that a corpus must pass
before any score of it is looked at. ``scan`` finds gates in source code. Names resolve late.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.instruments.similarity.auditing import audit
    from denotary.instruments.similarity.configurations import Configuration, encoded, named
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.gates import gate
    from denotary.instruments.similarity.instrument import INSTRUMENT
    from denotary.instruments.similarity.pair_scores import pair_score

_HOMES = {
    "INSTRUMENT": "instrument",
    "Configuration": "configurations",
    "audit": "auditing",
    "encoded": "configurations",
    "gate": "gates",
    "load_corpus": "corpus",
    "named": "configurations",
    "pair_score": "pair_scores",
}
__all__ = [
    "INSTRUMENT",
    "Configuration",
    "audit",
    "encoded",
    "gate",
    "load_corpus",
    "named",
    "pair_score",
]


def __getattr__(name: str) -> Any:
    """Import the home of a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
