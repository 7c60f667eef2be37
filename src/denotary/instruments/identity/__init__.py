"""The identity instrument: when may a system assert one concept code for a text, and when must it refuse?

``INSTRUMENT`` is what the entry point offers. ``cases`` types input and gold, ``families`` says which gold
each of the twenty-two families allows, ``check`` and ``sets`` find what is wrong, ``quotas`` and
``feasibility`` count against quotas, ``answers`` encodes calls and decodes replies, ``measures``, ``facts``
and ``series`` declare what is measured, and ``conformance`` writes the exhaustive suite of a registry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.instruments.identity.instrument import INSTRUMENT

__all__ = ["INSTRUMENT"]


def __getattr__(name: str) -> Any:
    """Import the instrument when it is first asked for."""
    if name != "INSTRUMENT":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from denotary.instruments.identity.instrument import INSTRUMENT

    return INSTRUMENT
