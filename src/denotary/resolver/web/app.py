"""The ASGI application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from denotary.errors import InputError
from denotary.resolver.web.guard import Guard
from denotary.resolver.web.native import Native
from denotary.resolver.web.openapi import description
from denotary.resolver.web.problems import ProblemError, on_crash, on_http_error, on_problem
from denotary.resolver.web.reconcile_v02 import ReconcileV02
from denotary.resolver.web.reconcile_v1 import ReconcileV1

if TYPE_CHECKING:
    from denotary.resolver.web.served import Served


def application(served: Served) -> Starlette:
    """Return the ASGI application of a service; any server of ASGI runs it.

    Args:
        served: what is served. Its lane stays open as long as the application is used.
    """
    native = Native(served, lambda: description(served))
    return Starlette(
        routes=[*native.routes(), *ReconcileV1(served).routes(), *ReconcileV02(served).routes()],
        middleware=[
            # Whoever asks from a page of another origin may read what is public anyway; the API demands it.
            Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["GET", "POST"]),
            Middleware(Guard, served=served),
        ],
        exception_handlers={
            ProblemError: on_problem,
            InputError: on_problem,
            HTTPException: on_http_error,
            Exception: on_crash,
        },
    )
