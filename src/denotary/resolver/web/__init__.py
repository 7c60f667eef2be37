"""The resolver over HTTP: the house's own contract, and the Reconciliation API for clients that speak it.

:func:`application` builds the ASGI application over an open lane; :func:`serve` runs it until it is told to stop.
``native`` holds the routes under ``/v1``, ``reconcile_v02`` and ``reconcile_v1`` those of the two versions of the
Reconciliation API, ``guard`` what a caller may not exceed, ``problems`` the one form of an error (RFC 9457),
``contract`` the shapes that the OpenAPI description is made from. Needs the extra ``serve``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denotary.resolver.web.app import application
    from denotary.resolver.web.served import Limits, Served
    from denotary.resolver.web.serving import serve

__all__ = ["Limits", "Served", "application", "serve"]

_HOMES = {"Limits": "served", "Served": "served", "application": "app", "serve": "serving"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that importing the room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
