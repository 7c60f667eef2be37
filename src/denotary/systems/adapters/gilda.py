"""gilda, over HTTP (``POST /ground``, ``/ground_multi``) or as a grounder in this process: one rule for both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from denotary.errors import InputError
from denotary.systems.adapters.asked import AdaptedSystem, Exchange, each
from denotary.systems.adapters.inprocess import AdaptedFunction
from denotary.systems.adapters.reading import broken, listing, mapping, name, number, share
from denotary.systems.adapters.rules import answer, declared
from denotary.systems.wire import public_url, under

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.systems.adapters.asked import Send
    from denotary.systems.adapters.rules import DecisionRule
    from denotary.systems.base import CallFailure

CodeForm = Literal["curie", "id"]
Ties = Literal["first", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How gilda's list of scored matches is read.

    Attributes:
        code: ``curie`` for ``db:id`` of a term, ``id`` for its id alone.
        prefix: put before it to make a concept code.
        ties: whether the first of several terms with the best score is asserted, as ``ground_best`` does.
        pinned: registry version that the owner declares the resource to be.
    """

    code: CodeForm = "curie"
    prefix: str = ""
    ties: Ties = "first"
    pinned: str | None = None

    def read(self, request: Mapping[str, Any], given: Any) -> dict[str, Any]:
        """Return the answer that a list of matches is.

        Raises:
            CallFailure: it is no such list.
        """
        candidates = [self._scored(mapping(item, "bad_candidates")) for item in listing(given)]
        if not candidates:
            return answer(request, None, candidates=candidates, version=self.pinned)
        code, score = candidates[0]
        tied = {other for other, equal in candidates if equal == score} != {code}
        if tied and self.ties == "ambiguous":
            return answer(request, None, reason="ambiguous", candidates=candidates, version=self.pinned)
        return answer(request, code, confidence=share(score, 1.0), candidates=candidates, version=self.pinned)

    def _scored(self, match: dict[str, Any]) -> tuple[str, float]:
        term = mapping(match.get("term"), "bad_candidates")
        code = name(term.get("id"))
        if self.code == "curie":
            code = f"{name(term.get('db'))}:{code}"
        return self.prefix + code, number(match.get("score"))

    def rule(self, spec: str) -> DecisionRule:
        """Return the declaration of this reading.

        Raises:
            InputError: an option has a value that it cannot have.
        """
        if self.code not in {"curie", "id"} or self.ties not in {"first", "ambiguous"}:
            raise InputError("gilda: expected code=curie or id, and ties=first or ambiguous")
        tied = "several terms share the best score"
        first = self.ties == "first"
        return declared(
            "gilda",
            spec,
            "gilda: the first match, as ground_best has it; without a match, abstain"
            if first
            else "gilda: the match with the best score; where several terms share it, or none matches, abstain",
            parameters={"code": self.code, "prefix": self.prefix, "ties": self.ties, "pinned": self.pinned},
            dispositions={
                "a match": "concept",
                "no match": "abstain, not_expressible",
                tied: "concept, the first of them" if first else "abstain, ambiguous",
                "language": "not sent",
            },
        )


@dataclass(frozen=True, slots=True)
class GildaService:
    """gilda's own server."""

    url: str
    reading: Reading
    batch_size: int

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask one text by ``/ground``, several by ``/ground_multi``."""
        if self.batch_size == 1:
            given = await send(Exchange.json(under(self.url, "ground"), {"text": requests[0]["text"]}))
            return [self.reading.read(requests[0], given)]
        content = [{"text": request["text"]} for request in requests]
        lists = await send(Exchange.json(under(self.url, "ground_multi"), content))
        if not isinstance(lists, list) or len(lists) != len(requests):
            raise broken("missing_item")
        return [
            each(lambda r=r, found=found: self.reading.read(r, found))  # type: ignore[misc]
            for r, found in zip(requests, lists, strict=True)
        ]


def gilda(
    target: Any = None,
    *,
    code: CodeForm = "curie",
    prefix: str = "",
    ties: Ties = "first",
    pinned: str | None = None,
    batch_size: int = 1,
    headers: Mapping[str, str] | None = None,
) -> AdaptedSystem | AdaptedFunction:
    """Return gilda as a system.

    Args:
        target: the URL of its server, a ``gilda.Grounder``, or None for the grounder that gilda comes with.
        code: ``curie`` or ``id``, see :class:`Reading`.
        prefix: put before each code.
        ties: ``first`` or ``ambiguous``, see :class:`Reading`.
        pinned: registry version that the owner declares the resource to be.
        batch_size: texts in one request; for a URL only.
        headers: sent with each request; never recorded.

    Raises:
        InputError: an option cannot be used, or gilda is not installed.
    """
    reading = Reading(code, prefix, ties, pinned)
    if isinstance(target, str):
        if batch_size < 1:
            raise InputError(f"expected a batch size of at least 1, found {batch_size}")
        rule = reading.rule(public_url(target))
        return AdaptedSystem(GildaService(target, reading, batch_size), rule, headers=headers)
    if target is None:
        target = _shipped()
    rule = reading.rule(f"gilda:{type(target).__module__}.{type(target).__qualname__}")

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        matches = target.ground(request["text"])
        plain = [{"term": {"db": m.term.db, "id": m.term.id}, "score": m.score} for m in matches]
        return reading.read(request, plain)

    return AdaptedFunction(resolve, rule)


def _shipped() -> Any:
    try:
        from gilda.api import grounder
    except ImportError as error:
        raise InputError(
            "gilda is not installed", hint="pip install gilda, or give the URL of its server"
        ) from error
    return grounder
