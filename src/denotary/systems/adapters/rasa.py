"""Rasa: ``POST /model/parse`` gives an intent; refusal is an intent too, by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from denotary.systems.adapters.asked import AdaptedSystem, Exchange
from denotary.systems.adapters.reading import listing, mapping, name, number, share
from denotary.systems.adapters.rules import answer, declared
from denotary.systems.wire import public_url, under

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denotary.systems.adapters.asked import Send
    from denotary.systems.base import CallFailure


@dataclass(frozen=True, slots=True)
class Rasa:
    """Which intents refuse, and from which confidence on another one is read as an assertion."""

    url: str
    fallback: tuple[str, ...]
    threshold: float
    prefix: str
    pinned: str | None
    batch_size: int = 1

    async def ask(
        self, send: Send, requests: Sequence[dict[str, Any]]
    ) -> Sequence[dict[str, Any] | CallFailure]:
        """Ask one text."""
        (request,) = requests
        where = under(self.url, "model/parse")
        given = mapping(await send(Exchange.json(where, {"text": request["text"]})))
        ranking = [mapping(item, "bad_candidates") for item in listing(given.get("intent_ranking", []))]
        scored = [(name(item.get("name")), number(item.get("confidence"))) for item in ranking]
        candidates = [(self.prefix + code, score) for code, score in scored if code not in self.fallback]
        intent = mapping(_intent(given), "no_decision")
        # An empty text has no intent: the name is null.
        if intent.get("name") is None or intent["name"] in self.fallback:
            return [answer(request, None, candidates=candidates, version=self.pinned)]
        code, score = self.prefix + name(intent["name"]), number(intent.get("confidence"))
        confidence = share(score, 1.0)
        if score < self.threshold:
            return [answer(request, None, candidates=candidates, version=self.pinned)]
        return [answer(request, code, confidence=confidence, candidates=candidates, version=self.pinned)]


def _intent(given: dict[str, Any]) -> Any:
    """Return the intent of a parsed message; of such a message the text alone is required, so it may hold none."""
    found = given.get("intent")
    return {} if found is None and isinstance(given.get("text"), str) else found


def rasa(
    url: str,
    *,
    fallback: Sequence[str] = ("nlu_fallback",),
    threshold: float = 0.0,
    prefix: str = "",
    pinned: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> AdaptedSystem:
    """Return a Rasa server as a system.

    Args:
        url: of the server.
        fallback: the intents that mean a refusal.
        threshold: least confidence of an assertion; 0 leaves the decision to the server.
        prefix: put before each intent to make a concept code.
        pinned: registry version that the owner declares the model to be trained for.
        headers: sent with each request; never recorded.

    Raises:
        InputError: the URL cannot be used.
    """
    rule = declared(
        "rasa",
        public_url(url),
        "Rasa: the intent, unless it is a fallback intent or its confidence is below the threshold; else abstain",
        parameters={
            "fallback": ",".join(fallback),
            "threshold": threshold,
            "prefix": prefix,
            "pinned": pinned,
        },
        dispositions={
            "any other intent": "concept",
            "a fallback intent, or none": "abstain, not_expressible: low confidence and ambiguity are one intent",
            "language": "not sent: a model has one",
        },
    )
    return AdaptedSystem(Rasa(url, tuple(fallback), threshold, prefix, pinned), rule, headers=headers)
