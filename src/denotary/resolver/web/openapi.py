"""The OpenAPI description of a service, made from the types of its contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from denotary import __version__
from denotary.resolver.web.contract import Batch, FailedItem, ProblemDetails, ResolveAnswer, ResolveRequest

if TYPE_CHECKING:
    from denotary.resolver.web.served import Served

_TYPES = (Batch, FailedItem, ProblemDetails, ResolveAnswer, ResolveRequest)
_PROBLEMS = {
    "400": "malformed",
    "404": "there is none",
    "408": "the body did not come in time",
    "409": "that registry version is not loaded",
    "413": "too long",
    "415": "not JSON",
    "429": "too many requests",
}


def description(served: Served) -> dict[str, Any]:
    """Return the description of the routes under ``/v1``, as OpenAPI 3.1."""
    _, components = msgspec.json.schema_components(_TYPES, ref_template="#/components/schemas/{name}")
    # What the types cannot say: one of the two forms of a text, and the limit of this service.
    components["ResolveRequest"]["oneOf"] = [
        {"required": ["text"], "properties": {"text": {"type": "string"}}, "not": {"required": ["text_b64"]}},
        {"required": ["text_b64"], "properties": {"text": {"type": "null"}}},
    ]
    components["Batch"]["properties"]["items"]["maxItems"] = served.limits.batch
    components["BatchAnswer"] = {
        "type": "object",
        "required": ["items"],
        "properties": {
            "items": {"type": "array", "items": {"anyOf": [_ref("ResolveAnswer"), _ref("FailedItem")]}}
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": f"denotary: {served.snapshot.name}", "version": __version__},
        "paths": {
            "/v1/resolve": {"post": _post("Resolve one text", "ResolveRequest", "ResolveAnswer")},
            "/v1/resolve-batch": {"post": _post("Resolve texts in their order", "Batch", "BatchAnswer")},
            "/v1/manifest": {"get": _get("Which snapshot answers, under which rules and limits")},
            "/v1/concepts/{code}": {"get": _get("A concept by its code", "code")},
            "/v1/expressions/{id}": {"get": _get("An expression by its id", "id")},
            "/v1/registry/{version}/diff": {"get": _get("What differs from an earlier snapshot", "version")},
            "/healthz": {"get": _get("Whether the process answers")},
        },
        "components": {"schemas": components},
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _post(summary: str, request: str, answer: str) -> dict[str, Any]:
    return {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(request)}}},
        "responses": {"200": _body("the answer", _ref(answer))}
        | _problems("400", "408", "409", "413", "415"),
    }


def _get(summary: str, parameter: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {
        "summary": summary,
        "responses": {"200": _body("found", {"type": "object"})} | (_problems("404") if parameter else {}),
    }
    if parameter:
        found["parameters"] = [
            {"name": parameter, "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    return found


def _body(about: str, schema: dict[str, Any], kind: str = "application/json") -> dict[str, Any]:
    return {"description": about, "content": {kind: {"schema": schema}}}


def _problems(*statuses: str) -> dict[str, Any]:
    return {
        status: _body(_PROBLEMS[status], _ref("ProblemDetails"), "application/problem+json")
        for status in (*statuses, "429")
    }
