"""A server on the loopback interface that does what a test tells it, byte by byte."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

Step = bytes | float | None
"""Bytes are sent, a number is seconds to wait, None cuts the connection."""
Handler = Callable[[Any], Sequence[Step]]


def reply(content: Any, status: int = 200, **headers: str) -> list[Step]:
    """Return the steps of an ordinary reply; ``content`` is bytes or anything that JSON can express."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    head = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}"]
    head += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ["\r\n".join(head).encode() + b"\r\n\r\n" + body]


class Loopback:
    """Serves one handler in a thread of its own; the handler gets each request's decoded JSON."""

    def __init__(self, handler: Handler) -> None:
        self.requests: list[Any] = []
        self.headers: list[str] = []
        self._handler = handler
        self._refusing = False
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._ready.wait(60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/resolve"

    def refuse(self) -> None:
        """From now on take no connection, and cut each that is open after its next reply."""
        self._refusing = True
        if threading.current_thread() is self._thread:
            self._server.close()
            return
        closed = threading.Event()
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(closed.set)
        assert closed.wait(60)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        self._ready.set()
        try:
            self._loop.run_forever()
            self._server.close()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        finally:
            self._loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._serve_one(reader, writer) and not self._refusing:
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(
            int(line.split(":")[1])
            for line in head.split("\r\n")
            if line.lower().startswith("content-length")
        )
        request = json.loads(await reader.readexactly(length))
        self.headers.append(head)
        self.requests.append(request)
        for step in self._handler(request):
            if step is None:
                return False
            if isinstance(step, bytes):
                writer.write(step)
                await writer.drain()
            else:
                await asyncio.sleep(step)
        return True
