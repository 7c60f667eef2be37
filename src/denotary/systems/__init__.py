"""The black box under test: what asks it, and nothing about what a right answer is.

``python`` (a callable), ``http`` (single requests or batches), ``command`` (a process that speaks JSON
lines), ``replay`` (a file of answers), ``exact`` (the reference resolver's exact lane), and ``from_spec`` for
all of them by a string. Systems that do not speak the contract have adapters with a declared decision rule:
``openrefine``, ``reconciliation``, ``fhir``, ``annif``, ``rasa``, ``gilda``, ``semantic_router``, ``classifier``,
``template``. A system turns requests into raw replies or failures; runs decode, retry, time and
log them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.systems.adapters.annif import annif
    from denotary.systems.adapters.fhir import fhir
    from denotary.systems.adapters.gilda import gilda
    from denotary.systems.adapters.inprocess import classifier, semantic_router
    from denotary.systems.adapters.rasa import rasa
    from denotary.systems.adapters.reconciliation import openrefine, reconciliation
    from denotary.systems.adapters.template import template
    from denotary.systems.callables import python
    from denotary.systems.endpoint import http
    from denotary.systems.process import command
    from denotary.systems.replaying import replay
    from denotary.systems.specs import exact, from_spec

__all__ = [
    "annif",
    "classifier",
    "command",
    "exact",
    "fhir",
    "from_spec",
    "gilda",
    "http",
    "openrefine",
    "python",
    "rasa",
    "reconciliation",
    "replay",
    "semantic_router",
    "template",
]

_HOMES = {
    "annif": "adapters.annif",
    "classifier": "adapters.inprocess",
    "command": "process",
    "exact": "specs",
    "fhir": "adapters.fhir",
    "from_spec": "specs",
    "gilda": "adapters.gilda",
    "http": "endpoint",
    "openrefine": "adapters.reconciliation",
    "python": "callables",
    "rasa": "adapters.rasa",
    "reconciliation": "adapters.reconciliation",
    "replay": "replaying",
    "semantic_router": "adapters.inprocess",
    "template": "adapters.template",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
