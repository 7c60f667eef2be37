"""Connections on which no whole request comes: closed after a time. The server itself waits without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio


class Heads(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """The server's protocol, with a time in which the line and headers of a request must have come.

    It runs from the opening of the connection and, on one that is kept alive, from the first byte of a further
    request. The body has a time of its own, see :class:`denotary.resolver.web.guard.Guard`.
    """

    seconds: float = 0.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; stop the clock where the headers are whole."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._timer is None and not self.transport.is_closing():
            self._timer = self.loop.call_later(self.seconds, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def waiting(seconds: float) -> type[Any]:
    """Return the protocol with its time in seconds."""
    return type("Heads", (Heads,), {"seconds": seconds})
