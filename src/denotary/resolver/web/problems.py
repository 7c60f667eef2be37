"""The one form of an error over HTTP: problem details, RFC 9457."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from denotary.resolver.requests import VersionNotLoadedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.exceptions import HTTPException
    from starlette.requests import Request

    from denotary.errors import InputError


class ProblemError(Exception):
    """A request that gets a problem instead of an answer."""

    def __init__(self, status: HTTPStatus, detail: str, *, hint: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.hint = status, detail, hint


def details(status: HTTPStatus, detail: str, hint: str = "") -> dict[str, Any]:
    """Return problem details; their type is about:blank, so that the title is that of the status."""
    found: dict[str, Any] = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": detail,
    }
    return found | ({"hint": hint} if hint else {})


def response(
    status: HTTPStatus, detail: str, hint: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """Return the response to what went wrong."""
    return carrying(details(status, detail, hint), headers)


def carrying(found: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """Return the response that carries problem details."""
    body = msgspec.json.encode(found)
    return Response(body, found["status"], headers, media_type="application/problem+json")


def of_error(error: Exception) -> dict[str, Any]:
    """Return the details of a request that was refused; the messages of these errors never quote a text."""
    if isinstance(error, ProblemError):
        return details(error.status, error.detail, error.hint)
    wrong: InputError = error  # type: ignore[assignment]
    status = HTTPStatus.CONFLICT if isinstance(error, VersionNotLoadedError) else HTTPStatus.BAD_REQUEST
    return details(status, wrong.message, wrong.hint or "")


async def on_problem(request: Request, error: Exception) -> Response:
    """Answer a request that was refused."""
    del request
    return carrying(of_error(error))


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer a path or a method that is not served."""
    del request
    found: HTTPException = error  # type: ignore[assignment]
    status = HTTPStatus(found.status_code)
    return response(status, status.description or status.phrase, headers=found.headers)


async def on_crash(request: Request, error: Exception) -> Response:
    """Answer where the service itself failed; what failed is in its log and not in the answer."""
    del request, error
    return response(HTTPStatus.INTERNAL_SERVER_ERROR, "the service failed; its log says where")
