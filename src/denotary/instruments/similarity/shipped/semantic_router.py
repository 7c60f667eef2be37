"""semantic-router: a query takes the route whose utterance it is most like, if a threshold lets it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from denotary.instruments.similarity.shipped.component import Component, Decision, version_of

if TYPE_CHECKING:
    from denotary.instruments.similarity.shipped.component import Embed

PACKAGE = "semantic-router"
EXTRA = "gate-semantic-router"


def router(embed: Embed) -> Component:
    """Return a router at its default threshold; the first text is the one utterance of the only route.

    Args:
        embed: texts to vectors.

    Raises:
        InputError: the extra ``gate-semantic-router`` is not installed.
    """
    version = version_of(PACKAGE, EXTRA)
    from semantic_router import IndexedRouter, Route
    from semantic_router.encoders import DenseEncoder

    class Plugged(DenseEncoder):  # type: ignore[misc] # the library is an extra, untyped here
        def __call__(self, docs: list[Any]) -> list[list[float]]:
            return embed(docs)

        async def acall(self, docs: list[Any]) -> list[list[float]]:
            return embed(docs)

    plugged = Plugged(name="plugged")

    @lru_cache(maxsize=1)  # pairs of one anchor follow each other
    def made(utterance: str) -> IndexedRouter:
        return IndexedRouter(routes=[Route(name="anchor", utterances=[utterance])], encoder=plugged)

    def decide(first: str, second: str) -> Decision:
        choice = made(first)(second)
        return Decision(approved=choice is not None and choice.name is not None)

    cutoff = made("one text").confidence_threshold
    return Component(
        name="semantic-router",
        component="semantic_router.IndexedRouter",
        package=PACKAGE,
        version=version,
        rule="any score" if cutoff is None else f"confidence >= {cutoff:g}",
        cutoff=None if cutoff is None else float(cutoff),
        read_from="confidence_threshold",
        decide=decide,
        remark=""
        if cutoff is not None
        else "At its default it has no threshold: every query takes the route.",
    )
