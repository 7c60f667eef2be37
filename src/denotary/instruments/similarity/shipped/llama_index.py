"""LlamaIndex's ``SemanticSimilarityEvaluator``: an answer passes that is alike enough to the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.similarity.shipped.component import Component, Decision, version_of

if TYPE_CHECKING:
    from denotary.instruments.similarity.shipped.component import Embed

PACKAGE = "llama-index-core"
EXTRA = "gate-llama-index"


def evaluator(embed: Embed) -> Component:
    """Return the evaluator at its default threshold; the first text is the reference, the second the answer.

    Args:
        embed: texts to vectors.

    Raises:
        InputError: the extra ``gate-llama-index`` is not installed.
    """
    version = version_of(PACKAGE, EXTRA)
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.evaluation import SemanticSimilarityEvaluator

    class Plugged(BaseEmbedding):  # type: ignore[misc] # the library is an extra, untyped here
        def _get_query_embedding(self, query: str) -> list[float]:
            return embed([query])[0]

        def _get_text_embedding(self, text: str) -> list[float]:
            return embed([text])[0]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return embed([query])[0]

    made = SemanticSimilarityEvaluator(embed_model=Plugged())

    def decide(first: str, second: str) -> Decision:
        return Decision(approved=bool(made.evaluate(response=second, reference=first).passing))

    cutoff = float(made._similarity_threshold)  # noqa: SLF001 - the component has no public name for it
    return Component(
        name="llama-index",
        component="llama_index.core.evaluation.SemanticSimilarityEvaluator",
        package=PACKAGE,
        version=version,
        rule=f"score >= {cutoff:g}",
        cutoff=cutoff,
        read_from="_similarity_threshold",
        decide=decide,
    )
