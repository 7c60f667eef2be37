"""The routes under ``/v1``: resolve, look up, compare; and health and metrics beside them."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from denotary.errors import InputError
from denotary.resolver.web.bodies import read_object
from denotary.resolver.web.metrics import exposition
from denotary.resolver.web.problems import ProblemError, details, of_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from denotary.resolver.web.served import Served

_ENCODE = msgspec.json.Encoder().encode


def json_response(content: Any) -> Response:
    """Return a response that carries a JSON document."""
    return Response(_ENCODE(content), media_type="application/json")


class Native:
    """The handlers of one service."""

    def __init__(self, served: Served, describe: Callable[[], dict[str, Any]]) -> None:
        self._served, self._describe = served, describe
        self._resolve, self._counts = served.lane.resolve, served.counts

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/v1/resolve", self.resolve, methods=["POST"]),
            Route("/v1/resolve-batch", self.resolve_batch, methods=["POST"]),
            Route("/v1/manifest", self.manifest),
            Route("/v1/concepts/{code:path}", self.concept),
            Route("/v1/expressions/{id:path}", self.expression),
            Route("/v1/registry/{version}/diff", self.diff),
            Route("/openapi.json", self.openapi),
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
        ]

    async def resolve(self, request: Request) -> Response:
        """Answer one request, or a batch where the object has ``items``: the one address that ``certify`` asks."""
        content = await read_object(request)
        if "items" in content:
            return self._batch(content["items"])
        return json_response(self._answer(content))

    async def resolve_batch(self, request: Request) -> Response:
        """Answer requests in their order."""
        content = await read_object(request)
        return self._batch(content.get("items"))

    def _batch(self, items: Any) -> Response:
        limit = self._served.limits.batch
        if not isinstance(items, list):
            raise ProblemError(HTTPStatus.BAD_REQUEST, "expected items: a list of requests")
        if len(items) > limit:
            detail = f"{len(items):,} items; at most {limit:,} are answered at once"
            raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
        return json_response({"items": [self._item(item) for item in items]})

    def _item(self, item: Any) -> dict[str, Any]:
        """Answer one item of a batch: its own problem stands in its place and spoils no other."""
        if not isinstance(item, dict):
            return {"problem": details(HTTPStatus.BAD_REQUEST, "expected a JSON object")}
        try:
            return self._answer(item)
        except (ProblemError, InputError) as error:
            problem = of_error(error)
        name = item.get("record_id")
        return {"problem": problem} | ({"record_id": name} if _is_encodable(name) else {})

    def _answer(self, item: dict[str, Any]) -> dict[str, Any]:
        if "record_id" in item and not _is_encodable(item["record_id"]):
            raise ProblemError(HTTPStatus.BAD_REQUEST, "record_id is a string of whole characters")
        answer = self._resolve(item)
        self._counts["answer", answer["disposition"]] += 1
        return answer

    async def manifest(self, request: Request) -> Response:
        """Say which snapshot answers, under which rules and limits."""
        del request
        snapshot, limits = self._served.snapshot, self._served.limits
        return json_response(
            {
                "registry": snapshot.name,
                "registry_version": snapshot.version,
                "registry_hash": f"sha256:{snapshot.hash}",
                "profile": snapshot.profile,
                "unicode": snapshot.unicode,
                "languages": sorted(snapshot.languages),
                "lanes": ["exact"],
                "comparable_versions": sorted(self._served.earlier),
                "limits": {
                    "body_bytes": limits.body,
                    "batch_items": limits.batch,
                    "requests_a_second": limits.rate,
                },
            }
        )

    async def concept(self, request: Request) -> Response:
        """Return a concept by its code."""
        return self._found("concept", self._served.concept(request.path_params["code"]))

    async def expression(self, request: Request) -> Response:
        """Return an expression by its id, with its review."""
        return self._found("expression", self._served.expressions.get(request.path_params["id"]))

    def _found(self, kind: str, record: Any) -> Response:
        if record is None:
            hint = (
                ""
                if self._served.registry
                else "a compiled file holds no definitions; serve the registry's folder"
            )
            raise ProblemError(HTTPStatus.NOT_FOUND, f"there is no such {kind}", hint=hint)
        return json_response(record)

    async def diff(self, request: Request) -> Response:
        """Return what differs between an earlier snapshot and the loaded one."""
        from denotary.registry import diff

        old = self._served.earlier.get(request.path_params["version"])
        if old is None or self._served.registry is None:
            hint = "start the service with --earlier FOLDER"
            raise ProblemError(HTTPStatus.NOT_FOUND, "no snapshot of that version is loaded", hint=hint)
        return json_response(diff(old, self._served.registry))

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI description."""
        del request
        return json_response(self._describe())

    async def health(self, request: Request) -> Response:
        """Say that the process answers."""
        del request
        return json_response({"status": "ok", "registry": self._served.snapshot.id})

    async def metrics(self, request: Request) -> Response:
        """Return the counts in the text format of Prometheus; no text of a caller is among them."""
        del request
        return Response(exposition(self._served.counts), media_type="text/plain; version=0.0.4")


def _is_encodable(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    # The check by ASCII is ten times as fast, and nearly every id is ASCII.
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)
