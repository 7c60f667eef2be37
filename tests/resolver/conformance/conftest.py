"""A server for a resolver, while a block runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def serve(loopback: ModuleType) -> Callable[..., Any]:
    """Serve a function from payload to (status, content) while a block runs; gives the address."""

    @contextmanager
    def serve_(respond: Callable[[Any], tuple[int, Any]]) -> Iterator[str]:
        def handler(payload: Any) -> Any:
            status, content = respond(payload)
            return loopback.reply(content, status)

        server = loopback.Loopback(handler)
        try:
            yield server.url
        finally:
            server.stop()

    return serve_
