"""The Reconciliation Service API, versions 0.2 and 1.0-draft (W3C Entity Reconciliation Community Group).

0.2: a form field ``queries`` with ``{"q0": {"query", "limit", "type"}}`` gives ``{"q0": {"result": [...]}}``.
1.0-draft: ``POST {url}/match`` with ``{"queries": [{"conditions": [...], "lang", ...}]}`` gives
``{"results": [{"candidates": [...]}]}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlencode

import msgspec

from denotary.errors import InputError
from denotary.systems.adapters.asked import FORM, AdaptedSystem, Exchange, each
from denotary.systems.adapters.reading import broken, listing, mapping, name, number, share
from denotary.systems.adapters.rules import answer, declared
from denotary.systems.wire import public_url, under

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.systems.adapters.asked import Send
    from denotary.systems.base import CallFailure

Version = Literal["0.2", "1.0-draft"]
FIRST = "first candidate with match:true, in the order of the service"
"""The rule: what the service itself marks as the match; several marks are no decision of the client's."""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What is asked of a reconciliation service and how its candidates are read."""

    url: str
    version: Version
    batch_size: int
    limit: int
    type_id: str | None
    prefix: str
    scale: float | None
    pinned: str | None

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask one batch."""
        given = await send(self._old(requests) if self.version == "0.2" else self._new(requests))
        lists = self._lists(mapping(given), len(requests))
        return [
            each(lambda request=request, found=found: self._read(request, found))  # type: ignore[misc]
            for request, found in zip(requests, lists, strict=True)
        ]

    def _old(self, requests: Sequence[dict[str, Any]]) -> Exchange:
        queries = {f"q{n}": {"query": r["text"], **self._common()} for n, r in enumerate(requests)}
        form = urlencode({"queries": msgspec.json.encode(queries)}).encode()
        return Exchange("POST", self.url, form, FORM)

    def _new(self, requests: Sequence[dict[str, Any]]) -> Exchange:
        queries = [
            {
                **self._common(),
                "conditions": [{"matchType": "name", "propertyValue": request["text"]}],
                **({"lang": request["language"]} if request.get("language") else {}),
            }
            for request in requests
        ]
        return Exchange.json(under(self.url, "match"), {"queries": queries})

    def _common(self) -> dict[str, Any]:
        return {"limit": self.limit, **({"type": self.type_id} if self.type_id else {})}

    def _lists(self, given: dict[str, Any], count: int) -> list[Any]:
        if self.version == "0.2":
            results = [given.get(f"q{n}") for n in range(count)]
            return [found.get("result") if isinstance(found, dict) else None for found in results]
        results = listing(given.get("results"))
        if len(results) != count:
            raise broken("missing_item")
        return [found.get("candidates") if isinstance(found, dict) else None for found in results]

    def _read(self, request: Mapping[str, Any], found: Any) -> dict[str, Any]:
        candidates: list[tuple[str, float]] = []
        chosen: tuple[str, float | None] | None = None
        for item in listing(found, "missing_item"):
            item = mapping(item, "bad_candidates")  # noqa: PLW2901 - the same item, now known to be an object
            code = self.prefix + name(item.get("id"))
            score = None if item.get("score") is None else number(item["score"])
            if score is not None:
                candidates.append((code, score))
            if chosen is None and item.get("match") is True:
                chosen = code, score
        if chosen is None:
            return answer(request, None, candidates=candidates, version=self.pinned)
        code, score = chosen
        confidence = None if score is None else share(score, self.scale)
        return answer(request, code, confidence=confidence, candidates=candidates, version=self.pinned)


def reconciliation(
    url: str,
    *,
    version: Version = "0.2",
    batch_size: int = 1,
    limit: int = 10,
    type_id: str | None = None,
    prefix: str = "",
    scale: float | None = None,
    pinned: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> AdaptedSystem:
    """Return a reconciliation service as a system.

    Args:
        url: of the service; for 1.0-draft without ``/match``.
        version: of the protocol.
        batch_size: queries in one request.
        limit: most candidates a query.
        type_id: the type that candidates must have.
        prefix: put before each candidate's id to make a concept code.
        scale: the highest score, if scores are to be read as confidences: 100 for ``standardizedScore``.
        pinned: registry version that the service's owner declares it to serve.
        headers: sent with each request; never recorded.

    Raises:
        InputError: the URL, the batch size or the scale cannot be used.
    """
    if batch_size < 1 or limit < 1:
        raise InputError("expected a batch size and a limit of at least 1")
    if scale is not None and scale <= 0:
        raise InputError("expected a scale above 0")
    rule = declared(
        "openrefine" if version == "0.2" else "reconcile1",
        public_url(url),
        f"reconciliation {version}: {FIRST}; without one, abstain",
        parameters={"limit": limit, "type": type_id, "prefix": prefix, "scale": scale, "pinned": pinned},
        dispositions={
            "a candidate with match:true": "concept",
            "no candidate": "abstain, not_expressible",
            "candidates without match:true": "abstain, not_expressible",
            "language": "not sent" if version == "0.2" else "sent as lang",
        },
    )
    dialogue = Reconciliation(url, version, batch_size, limit, type_id, prefix, scale, pinned)
    return AdaptedSystem(dialogue, rule, headers=headers)


def openrefine(url: str, **options: Any) -> AdaptedSystem:
    """Return a service that OpenRefine can use (Reconciliation 0.2); options as of :func:`reconciliation`."""
    return reconciliation(url, version="0.2", **options)
