"""Python objects of other libraries as systems: a router with named routes, a classifier with ``predict_proba``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.systems.adapters.reading import broken, name, number, share
from denotary.systems.adapters.rules import answer, declared, refusals, unsendable
from denotary.systems.base import MAX_REPLY, CallFailure, raised
from denotary.systems.callables import reply_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from denotary.systems.adapters.rules import DecisionRule
    from denotary.systems.base import Reply, Request, SystemDescriptor

    Resolve = Callable[[dict[str, Any]], dict[str, Any]]


class AdaptedFunction:
    """A function that asks an object of another library and reads its answer by a declared rule.

    Args:
        resolve: gets the payload, returns an answer of the contract.
        descriptor: what the run's identity says of it, decision rule included.
    """

    def __init__(self, resolve: Resolve, descriptor: DecisionRule) -> None:
        self.descriptor: SystemDescriptor = descriptor
        self.components: Mapping[str, str | tuple[str, ...]] = {
            "expresses": refusals(descriptor.dispositions)
        }
        self._resolve = resolve

    def call(self, request: Request) -> Reply:
        """Return the reply to one request.

        Raises:
            CallFailure: the object raised, or its answer cannot be read.
        """
        refused = unsendable(request.payload, self.descriptor)
        if refused is not None:
            return reply_of(refused, MAX_REPLY)
        try:
            result = self._resolve(request.payload)
        except CallFailure:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a black box raises is an outcome of its case
            raise raised(error) from None
        return reply_of(result, MAX_REPLY)


def semantic_router(router: Any, *, prefix: str = "", pinned: str | None = None) -> AdaptedFunction:
    """Return a router of semantic-router as a system; its thresholds are its own, and are not set here.

    Args:
        router: called with a text, returns a choice with ``name`` and, in some versions, a score.
        prefix: put before a route's name to make a concept code.
        pinned: registry version that the owner declares the routes to be made from.
    """
    settings = {
        setting: getattr(router, setting, None)
        for setting in ("confidence_threshold", "score_threshold", "top_k")
    }
    encoder = getattr(router, "encoder", None)
    rule = declared(
        "semantic-router",
        f"semantic-router:{type(router).__module__}.{type(router).__qualname__}",
        "semantic-router: the name of the route that the router returns; without a name, abstain",
        parameters={
            **settings,
            "encoder": getattr(encoder, "name", None),
            "encoder_threshold": getattr(encoder, "score_threshold", None),
            "prefix": prefix,
            "pinned": pinned,
        },
        dispositions={
            "a route": "concept",
            "no route": "abstain, not_expressible",
            "a threshold that is not among the parameters": "not set: the router may then never refuse",
            "language": "not sent",
        },
    )

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        choice = router(request["text"])
        if choice is None or getattr(choice, "name", None) is None:
            return answer(request, None, version=pinned)
        code = prefix + name(choice.name)
        score = getattr(choice, "confidence", None)
        if score is None:
            score = getattr(choice, "similarity_score", None)
        if score is None:
            return answer(request, code, version=pinned)
        value = number(_plain(score))
        # A cosine may be negative, or lie a rounding error above 1; that is no confidence.
        confidence = value if 0 <= value <= 1 else None
        return answer(request, code, confidence=confidence, version=pinned)

    return AdaptedFunction(resolve, rule)


def classifier(
    model: Any, *, threshold: float, prefix: str = "", pinned: str | None = None, limit: int = 10
) -> AdaptedFunction:
    """Return a classifier with ``predict_proba`` and ``classes_`` as a system.

    Args:
        model: takes a list of texts, as a pipeline with a vectoriser does.
        threshold: least probability of an assertion; 0 means 0, and every text gets a code.
        prefix: put before a class to make a concept code.
        pinned: registry version that the owner declares the classes to be.
        limit: most candidates in an answer.
    """
    rule = declared(
        "classifier",
        f"classifier:{type(model).__module__}.{type(model).__qualname__}",
        "classifier: the class with the highest probability, if that is at least the threshold; else abstain",
        parameters={"threshold": threshold, "prefix": prefix, "pinned": pinned, "limit": limit},
        dispositions={
            "a class at or above the threshold": "concept",
            "all classes below": "abstain, not_expressible",
            "language": "not sent",
        },
    )

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        (row,) = model.predict_proba([request["text"]])
        labels = [prefix + name(str(label)) for label in model.classes_]
        shares = [number(_plain(value)) for value in row]
        if len(labels) != len(shares) or not labels:
            raise broken("bad_candidates")
        # Equal probabilities stand in the order of their codes, so that the answer has one form.
        ranked = sorted(zip(labels, shares, strict=True), key=lambda pair: (-pair[1], pair[0]))[:limit]
        code, score = ranked[0]
        if score < threshold:
            return answer(request, None, candidates=ranked, version=pinned)
        return answer(request, code, confidence=share(score, 1.0), candidates=ranked, version=pinned)

    return AdaptedFunction(resolve, rule)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
