"""The Reconciliation API 0.2, read-only: what OpenRefine and its kin send."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from denotary.resolver.web.bodies import read_form
from denotary.resolver.web.native import json_response
from denotary.resolver.web.problems import ProblemError
from denotary.resolver.web.reconciling import (
    IDENTIFIER_SPACE,
    MOST,
    SCHEMA_SPACE,
    candidates,
    common_manifest,
    suggestions,
    whole,
)

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from denotary.resolver.web.served import Served

PATH = "/reconcile"
SUGGESTED = 10
"""Entities that a search box gets if it does not say how many."""
KEYS = {"query", "type", "limit", "properties", "type_strict"}


class ReconcileV02:
    """The handlers of version 0.2."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self.reconcile, methods=["GET", "POST"]),
            Route(f"{PATH}/suggest/entity", self.suggest),
        ]

    async def reconcile(self, request: Request) -> Response:
        """Answer the queries of a form; without any, say what this service is."""
        queries = await read_form(request, "queries")
        if queries is None:
            return json_response(self._manifest(str(request.base_url).rstrip("/")))
        try:
            batch = json.loads(queries)
        except (ValueError, RecursionError):
            batch = None
        if not isinstance(batch, dict):
            raise ProblemError(HTTPStatus.BAD_REQUEST, "the field queries is no JSON object")
        if len(batch) > self._served.limits.batch:
            raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"{len(batch):,} queries are too many")
        return json_response({key: self._result(key, query) for key, query in batch.items()})

    def _result(self, key: str, query: Any) -> dict[str, Any]:
        if not isinstance(query, dict) or not query.keys() <= KEYS:
            detail = f"a query has no keys but {', '.join(sorted(KEYS))}"
            raise ProblemError(
                HTTPStatus.BAD_REQUEST, detail, hint=f"query {key.encode('ascii', 'replace')[:40]!r}"
            )
        text, properties = query.get("query", ""), query.get("properties") or []
        if not isinstance(text, str) or not (text or properties):
            raise ProblemError(HTTPStatus.BAD_REQUEST, "a query has a text in query, or properties")
        asked = query.get("type") or []
        types = [asked] if isinstance(asked, str) else [item for item in asked if isinstance(item, str)]
        disposition, found = candidates(
            self._served,
            text,
            types=() if query.get("type_strict") == "should" else types,
            limit=whole(query.get("limit"), MOST),
            checked=not properties,
        )
        for item in found:
            item["features"] = [{"id": item["id"], "value": item["value"]} for item in item["features"]]
        return {"result": found, "disposition": disposition}

    def _manifest(self, base: str) -> dict[str, Any]:
        return common_manifest(self._served) | {
            "versions": ["0.2"],
            "identifierSpace": IDENTIFIER_SPACE,
            "schemaSpace": SCHEMA_SPACE,
            "view": {"url": f"{base}/v1/concepts/{{{{id}}}}"},
            "suggest": {"entity": {"service_url": base, "service_path": f"{PATH}/suggest/entity"}},
        }

    async def suggest(self, request: Request) -> Response:
        """Return entities for a search box."""
        limit = request.query_params.get("limit", "")
        size = whole(int(limit[:6]) if limit.isascii() and limit.isdigit() else None, SUGGESTED)
        return json_response(suggestions(self._served, request.query_params.get("prefix", ""), size))
