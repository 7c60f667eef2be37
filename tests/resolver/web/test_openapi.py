"""The service against its own OpenAPI description: schemathesis makes requests from it and checks every answer."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from denotary.registry import load_registry
from denotary.resolver import ExactLane
from denotary.resolver.web import Limits, Served, application

schemathesis = pytest.importorskip("schemathesis")

OPERATIONS = (
    ("POST", "/v1/resolve"),
    ("POST", "/v1/resolve-batch"),
    ("GET", "/v1/manifest"),
    ("GET", "/v1/concepts/{code}"),
    ("GET", "/v1/expressions/{id}"),
    ("GET", "/v1/registry/{version}/diff"),
    ("GET", "/healthz"),
)


@pytest.fixture(scope="module")
def described() -> Iterator[Any]:
    """The description as the service itself publishes it."""
    registry = load_registry("bundled:bootstrap")
    with ExactLane(registry) as lane:
        app = application(Served(lane, registry, {}, Limits(batch=20)))
        yield schemathesis.openapi.from_asgi("/openapi.json", app)


def test_no_operation_is_left_out(described: Any) -> None:
    found = {(one.ok().method.upper(), one.ok().path) for one in described.get_all_operations()}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described(described: Any, method: str, path: str, mode: str) -> None:
    operation = described[path][method]
    if mode == "negative" and not operation.body:
        pytest.skip("nothing in this request could be wrong")
    strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode))

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=strategy)
    def check(case: Any) -> None:
        # A text of the wrong type gets an answer, INVALID_INPUT, and a batch puts the problem of one item in its
        # place: so a body that violates the schema may be answered with 200.
        case.call_and_validate(excluded_checks=[schemathesis.checks.negative_data_rejection])

    check()
