"""What stands before every route: the size and time of a body, the rate of a caller, and the count of responses.

Written as plain ASGI, which costs a request a few microseconds; a middleware that builds response objects costs tens.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Final

from denotary.resolver.web.problems import response

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from denotary.resolver.web.served import Served

_CLOSE: Final = {"connection": "close"}
MOST_CALLERS = 10_000
"""Addresses that are remembered; with more, those that have a full bucket are forgotten first."""


class Bucket:
    """A token bucket for each caller: ``rate`` tokens a second, at most twice as many at once."""

    def __init__(self, rate: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._most = max(1.0, 2 * rate)
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> float:
        """Take one token; return 0, or the seconds until there is one."""
        now = self._clock()
        left, seen = self._left.get(caller, (self._most, now))
        left = min(self._most, left + (now - seen) * self._rate)
        if len(self._left) >= MOST_CALLERS and caller not in self._left:
            self._forget(now)
        if left < 1:
            self._left[caller] = (left, now)
            return (1 - left) / self._rate
        self._left[caller] = (left - 1, now)
        return 0.0

    def _forget(self, now: float) -> None:
        full = [
            who for who, (left, seen) in self._left.items() if left + (now - seen) * self._rate >= self._most
        ]
        for who in full or list(self._left)[: MOST_CALLERS // 2]:
            del self._left[who]


class Guard:
    """Refuses bodies that are too long or too slow and callers that are too fast, and counts what was answered."""

    def __init__(self, app: ASGIApp, served: Served) -> None:
        self._app, self._served = app, served
        self._bucket = Bucket(served.limits.rate) if served.limits.rate else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        counted = self._counting(scope, send)
        caller = (scope.get("client") or ("unknown", 0))[0]
        wait = self._bucket.take(caller) if self._bucket and scope["path"] != "/healthz" else 0.0
        if wait:
            headers = {"retry-after": str(max(1, round(wait + 0.5)))}
            refusal = response(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", headers=headers)
            await refusal(scope, receive, counted)
            return
        try:
            async with asyncio.timeout(self._served.limits.read):
                body = await self._body(scope, receive)
        except TimeoutError:
            # What of the body still comes must not be read as a further request.
            late = response(HTTPStatus.REQUEST_TIMEOUT, "the body did not come in time", headers=_CLOSE)
            await late(scope, receive, counted)
            return
        if body is None:
            limit = self._served.limits.body
            detail = f"the body is longer than {limit:,} bytes"
            await response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)(scope, receive, counted)
            return
        await self._app(scope, _replay(body, receive), counted)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the body, or None if it is too long; where its length is declared, without reading it."""
        limit = self._served.limits.body
        declared = dict(scope["headers"]).get(b"content-length", b"")
        if declared.isdigit() and int(declared[:20]) > limit:
            return None
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b""
            part = message.get("body", b"")
            size += len(part)
            if size > limit:
                return None
            parts.append(part)
            if not message.get("more_body"):
                return b"".join(parts)

    def _counting(self, scope: Scope, send: Send) -> Send:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                # The handler's name, never the path: that is the caller's text.
                route = getattr(scope.get("endpoint"), "__qualname__", "none")
                self._served.counts["response", route, str(message["status"])] += 1
            await send(message)

        return counted


def _replay(body: bytes, receive: Receive) -> Receive:
    done = False

    async def again() -> Message:
        nonlocal done
        if done:
            return await receive()
        done = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
