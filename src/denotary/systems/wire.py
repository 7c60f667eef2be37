"""The wire to an HTTP service: one request out, one body of bounded size back, failures as three exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from denotary.errors import InputError
from denotary.systems.base import CallFailure, ConnectFailure, TransientFailure
from denotary.systems.waiting import retry_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes after which the same request may succeed."""


def public_url(url: str) -> str:
    """Return an absolute URL without user info, query and fragment, as a run's identity may show it.

    Raises:
        InputError: it is not an absolute http or https URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InputError(f"not a URL: {error}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InputError("expected an absolute URL", hint="for example http://127.0.0.1:8080/resolve")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    where = host if port is None else f"{host}:{port}"
    return f"{parts.scheme}://{where}{parts.path}"


def under(url: str, path: str, query: Mapping[str, str] | None = None) -> str:
    """Return the URL of something under a base: the path is appended to the base's own, the query to its query.

    ``https://example.org/api?key=1`` with ``match`` gives ``https://example.org/api/match?key=1``.

    Args:
        url: the base; a slash at the end of its path makes no difference.
        path: relative, escaped where that is needed.
        query: parameters, not escaped.
    """
    parts = urlsplit(url)
    more = "&".join(filter(None, (parts.query, urlencode(query or {}))))
    return parts._replace(path=f"{parts.path.rstrip('/')}/{path}", query=more, fragment="").geturl()


class Wire:
    """A connection pool.

    Redirects are refused and proxy settings of the environment are not used, so that what is asked is what the
    run names. A compressed reply could unfold to any size, so none is asked for and none is unpacked.

    Args:
        headers: sent with each request; never recorded.
        connect_timeout: seconds until a service that does not accept the connection counts as unreachable.
    """

    def __init__(self, headers: Mapping[str, str] | None = None, *, connect_timeout: float = 10.0) -> None:
        self._headers = {"Accept-Encoding": "identity", **(headers or {})}
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

    async def send(self, method: str, url: str, content: bytes | None, kind: str, limit: int) -> bytes:
        """Return the body of the response.

        Args:
            method: of HTTP.
            url: absolute.
            content: the body, or None for a request without one.
            kind: media type of the body.
            limit: longest response in bytes.

        Raises:
            CallFailure: there is no response, or none of success.
        """
        import httpx

        if self._client is None:
            raise CallFailure("not_open")
        headers = {} if content is None else {"Content-Type": kind}
        request = self._client.build_request(method, url, content=content, headers=headers)
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


class Wired:
    """A system that asks over a wire: it is opened and closed with it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def open(self) -> None:
        """Open the connection pool."""
        await self._wire.open()

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()


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
