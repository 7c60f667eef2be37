"""An HTTP endpoint as the system under test: single requests, or batches as ``{"items": [...]}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from denotary.errors import InputError
from denotary.systems.base import (
    MAX_REPLY,
    CallFailure,
    ConnectFailure,
    Reply,
    SystemDescriptor,
    TransientFailure,
)
from denotary.systems.batches import items_of
from denotary.systems.waiting import retry_after

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import httpx

    from denotary.systems.base import Request

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes after which the same request may succeed."""


def http(
    url: str,
    *,
    batch_size: int = 1,
    headers: Mapping[str, str] | None = None,
    limit: int = MAX_REPLY,
    connect_timeout: float = 10.0,
) -> HttpSystem:
    """Return an HTTP endpoint as a system.

    Args:
        url: where to ``POST``; redirects are refused and proxy settings of the environment are not used, so
            that what is asked is what the run names.
        batch_size: largest number of requests in one ``POST``; 1 sends the single form.
        headers: sent with each request, for example an authorisation; never recorded.
        limit: longest reply to one request in bytes.
        connect_timeout: seconds until an endpoint that does not accept the connection counts as unreachable.

    Raises:
        InputError: the URL is not an absolute http or https one, or the batch size is below 1.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InputError(f"not a URL: {error}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InputError("expected an absolute URL", hint="for example http://127.0.0.1:8080/resolve")
    if batch_size < 1:
        raise InputError(f"expected a batch size of at least 1, found {batch_size}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    where = host if port is None else f"{host}:{port}"
    descriptor = SystemDescriptor(kind="http", spec=f"{parts.scheme}://{where}{parts.path}")
    return HttpSystem(
        url, descriptor, batch_size, headers=headers, limit=limit, connect_timeout=connect_timeout
    )


class HttpSystem:
    """An HTTP endpoint; built by :func:`http`."""

    def __init__(
        self,
        url: str,
        descriptor: SystemDescriptor,
        batch_size: int,
        *,
        headers: Mapping[str, str] | None,
        limit: int,
        connect_timeout: float,
    ) -> None:
        self.descriptor = descriptor
        self.batch_size = batch_size
        self._url = url
        # A compressed reply could unfold to any size, so none is asked for and none is unpacked.
        self._headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", **(headers or {})}
        self._limit = limit
        self._connect_timeout = connect_timeout
        self._client: httpx.AsyncClient | None = None

    async def open(self) -> None:
        """Open the connection pool."""
        import httpx

        self._client = httpx.AsyncClient(
            headers=self._headers,
            timeout=httpx.Timeout(None, connect=self._connect_timeout),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
            trust_env=False,
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def ask(self, requests: Sequence[Request]) -> Sequence[Reply | CallFailure]:
        """Return one reply or failure per request, from one ``POST``.

        Raises:
            CallFailure: the whole ``POST`` failed.
        """
        if self.batch_size == 1:
            (request,) = requests
            return [Reply(await self._post(request.payload, self._limit))]
        body = await self._post(
            {"items": [request.payload for request in requests]}, self._limit * len(requests)
        )
        return items_of(body, [request.payload["record_id"] for request in requests], self._limit)

    async def _post(self, content: dict[str, Any], limit: int) -> bytes:
        import httpx

        if self._client is None:
            raise CallFailure("not_open")
        request = self._client.build_request("POST", self._url, content=msgspec.json.encode(content))
        try:
            response = await self._client.send(request, stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            late = isinstance(error, httpx.ConnectTimeout)
            raise ConnectFailure("connect_timeout" if late else "connection_refused") from None
        except httpx.HTTPError:
            raise TransientFailure("connection_lost") from None
        try:
            _refuse_status(response.status_code, response.headers.get("Retry-After"))
            return await _body(response, limit)
        except httpx.HTTPError:
            raise CallFailure("truncated", outcome="invalid_output") from None
        finally:
            await response.aclose()


def _refuse_status(status: int, wait: str | None) -> None:
    if 200 <= status < 300:  # noqa: PLR2004 - the class of HTTP success
        return
    if status in AGAIN:
        raise TransientFailure(f"http_{status}", retry_after=retry_after(wait))
    raise CallFailure("redirect_refused" if 300 <= status < 400 else f"http_{status}")  # noqa: PLR2004 - the class of redirects


async def _body(response: httpx.Response, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_raw():
        size += len(part)
        if size > limit:
            raise CallFailure("too_large", outcome="invalid_output")
        parts.append(part)
    return b"".join(parts)
