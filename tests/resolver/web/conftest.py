"""A service over the bundled registry, asked in the same process."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from denotary.registry import load_registry
from denotary.resolver import ExactLane
from denotary.resolver.web import Limits, Served, application


@pytest.fixture
def serving() -> Iterator[Callable[..., TestClient]]:
    """Return a function from limits and earlier snapshots to a client of a service over the bundled registry."""
    registry = load_registry("bundled:bootstrap")
    with ExactLane(registry) as lane:

        def client(earlier: Any = None, **limits: Any) -> TestClient:
            served = Served(lane, registry, earlier or {}, Limits(**limits))
            return TestClient(application(served), raise_server_exceptions=False)

        yield client


@pytest.fixture
def client(serving: Callable[..., TestClient]) -> TestClient:
    """A client of a service with the usual limits."""
    return serving()
