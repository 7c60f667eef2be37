"""The Reconciliation API 1.0-draft, read-only."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from denotary.resolver.web.bodies import read_object
from denotary.resolver.web.native import json_response
from denotary.resolver.web.problems import ProblemError
from denotary.resolver.web.reconcile_v02 import ReconcileV02
from denotary.resolver.web.reconciling import MOST, candidate, candidates, common_manifest, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from denotary.resolver.web.served import Served

PATH = "/reconcile/1"
KEYS = {"type", "limit", "lang", "dir", "conditions"}
EXACT = "ExactMatch"
"""The one qualifier that this service has: it is all that the lane does."""


class ReconcileV1:
    """The handlers of version 1.0-draft."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self.manifest),
            Route(f"{PATH}/match", self.match, methods=["POST"]),
            Route(f"{PATH}/suggest/entity", ReconcileV02(self._served).suggest),
        ]

    async def manifest(self, request: Request) -> Response:
        """Say what this service is."""
        base = str(request.base_url).rstrip("/")
        return json_response(
            common_manifest(self._served)
            | {
                "versions": ["1.0-draft"],
                "view": {"url": f"{base}/v1/concepts/{{id}}"},
                "suggest": {"entity": True, "property": False, "type": False},
                "standardizedScore": True,
            }
        )

    async def match(self, request: Request) -> Response:
        """Answer queries in their order, each by itself."""
        queries = (await read_object(request)).get("queries")
        if not isinstance(queries, list):
            raise ProblemError(HTTPStatus.BAD_REQUEST, "expected queries: a list")
        if len(queries) > self._served.limits.batch:
            raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"{len(queries):,} queries are too many")
        return json_response({"results": [self._result(query) for query in queries]})

    def _result(self, query: Any) -> dict[str, Any]:
        if not isinstance(query, dict) or not query.keys() <= KEYS:
            raise ProblemError(HTTPStatus.BAD_REQUEST, f"a query has no keys but {', '.join(sorted(KEYS))}")
        conditions = query.get("conditions")
        if not isinstance(conditions, list) or not conditions or not all(map(_is_condition, conditions)):
            raise ProblemError(
                HTTPStatus.BAD_REQUEST, "a query has conditions, each with matchType and propertyValue"
            )
        if not all(item.get("matchQualifier", EXACT) == EXACT for item in conditions):
            return {"candidates": [], "disposition": "NOT_EXPRESSIBLE"}
        texts = [item["propertyValue"] for item in conditions if item["matchType"] == "name"]
        codes = [item["propertyValue"] for item in conditions if item["matchType"] == "id"]
        return self._codes(codes[0]) if codes and not texts else self._named(query, texts, len(conditions))

    def _named(self, query: Mapping[str, Any], texts: list[Any], conditions: int) -> dict[str, Any]:
        if not texts or not isinstance(texts[0], str):
            return {"candidates": [], "disposition": "NOT_EXPRESSIBLE"}
        kind, language = query.get("type"), query.get("lang")
        disposition, found = candidates(
            self._served,
            texts[0],
            language=language if isinstance(language, str) else None,
            types=[kind] if isinstance(kind, str) else [],
            limit=whole(query.get("limit"), MOST),
            checked=conditions == 1,
        )
        return {"candidates": found, "disposition": disposition}

    def _codes(self, code: Any) -> dict[str, Any]:
        """A concept asked for by its code is that concept, whatever else is said of it."""
        known = isinstance(code, str) and self._served.lane.is_code(code)
        return {"candidates": [candidate(self._served, code, match=True)] if known else []}


def _is_condition(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and item.get("matchType") in {"name", "id", "property"}
        and "propertyValue" in item
    )
