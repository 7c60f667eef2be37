"""A fake service on the loopback interface, and a way to ask a system one text."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from denotary.systems.base import BlockingSystem, CallFailure, Request


class Fake:
    """Answers with what ``reply`` returns: (status, body), and keeps what was asked."""

    def __init__(self) -> None:
        self.reply: Callable[[str, str, bytes], tuple[int, Any]] = lambda *_: (404, {})
        self.asked: list[tuple[str, str, bytes]] = []
        self.headers: list[dict[str, str]] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                fake.asked.append((self.command, self.path, body))
                fake.headers.append(dict(self.headers))
                status, content = fake.reply(self.command, self.path, body)
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = _serve  # noqa: N815 - names of the standard library

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()


@pytest.fixture
def fake() -> Iterator[Fake]:
    served = Fake()
    yield served
    served.server.shutdown()
    served.server.server_close()


@pytest.fixture
def answers() -> Callable[..., Any]:
    """Ask texts in one call; return the decoded answers, or (outcome, problem) for a failure."""

    def ask(system: Any, *texts: str | None, language: str | None = "en") -> list[Any]:
        requests = [
            Request(
                f"c{n}#0",
                {
                    "record_id": f"r{n}",
                    **({"text_b64": "/w=="} if text is None else {"text": text}),
                    "language": language,
                    "registry_version": "1.0.0",
                },
            )
            for n, text in enumerate(texts)
        ]
        if isinstance(system, BlockingSystem):
            return [_plain(_called(system, request)) for request in requests]

        async def talk() -> list[Any]:
            await system.open()
            try:
                return list(await system.ask(requests))
            except CallFailure as failure:
                return [failure] * len(requests)
            finally:
                await system.close()

        return [_plain(each) for each in asyncio.run(talk())]

    return ask


def _called(system: BlockingSystem, request: Request) -> Any:
    try:
        return system.call(request)
    except CallFailure as failure:
        return failure


def _plain(given: Any) -> Any:
    return (given.outcome, given.problem) if isinstance(given, CallFailure) else json.loads(given.raw)
