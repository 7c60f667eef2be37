"""Reading a request's body: strict JSON, except that a lone surrogate is let through to be refused by its name."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import parse_qs

import msgspec

from denotary.resolver.web.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

_DECODER = msgspec.json.Decoder()


async def read_object(request: Request) -> dict[str, Any]:
    """Return the JSON object that a request carries.

    Raises:
        ProblemError: the body is no JSON object, or not JSON by its declared media type.
    """
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise ProblemError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected a body of media type application/json"
        )
    return parsed(await request.body())


def parsed(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body.

    Raises:
        ProblemError: it holds none.
    """
    try:
        found = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = _leniently(body)
    if not isinstance(found, dict):
        raise ProblemError(HTTPStatus.BAD_REQUEST, "expected a JSON object")
    return found


def _leniently(body: bytes) -> Any:
    # The standard library reads a lone surrogate, which is a text that the lane refuses, not a malformed request.
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ProblemError(HTTPStatus.BAD_REQUEST, "the body is not JSON in UTF-8") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


async def read_form(request: Request, name: str) -> str | None:
    """Return a field of an urlencoded form, or of the query string if the body has none; None without it.

    Raises:
        ProblemError: the field stands twice, or is not UTF-8.
    """
    body = (await request.body()).decode("latin-1") if request.method == "POST" else ""
    for source in (body, request.url.query):
        try:
            values = parse_qs(source, keep_blank_values=True, errors="strict", max_num_fields=16).get(name)
        except ValueError:
            raise ProblemError(HTTPStatus.BAD_REQUEST, "the form is not urlencoded UTF-8") from None
        if values:
            if len(values) > 1:
                raise ProblemError(HTTPStatus.BAD_REQUEST, f"the field {name} stands {len(values)} times")
            return values[0]
    return None
