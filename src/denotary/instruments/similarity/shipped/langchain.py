"""LangChain's ``EmbeddingsRedundantFilter``: of two documents that are too alike one is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.similarity.shipped.component import Component, Decision, version_of

if TYPE_CHECKING:
    from denotary.instruments.similarity.shipped.component import Embed

PACKAGE = "langchain-community"
EXTRA = "gate-langchain"


def redundant_filter(embed: Embed) -> Component:
    """Return the filter at its default threshold; two documents are the whole collection that it filters.

    Args:
        embed: texts to vectors.

    Raises:
        InputError: the extra ``gate-langchain`` is not installed.
    """
    version = version_of(PACKAGE, EXTRA)
    from langchain_community.document_transformers import EmbeddingsRedundantFilter
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings

    class Plugged(Embeddings):  # type: ignore[misc] # the library is an extra, untyped here
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return embed(texts)

        def embed_query(self, text: str) -> list[float]:
            return embed([text])[0]

    made = EmbeddingsRedundantFilter(embeddings=Plugged())

    def decide(first: str, second: str) -> Decision:
        documents = [
            Document(page_content=text, metadata={"place": place})
            for text, place in ((first, "first"), (second, "second"))
        ]
        left = [document.metadata["place"] for document in made.transform_documents(documents)]
        return Decision(approved=len(left) == 1, kept=left[0] if len(left) == 1 else "")

    cutoff = float(made.similarity_threshold)
    return Component(
        name="langchain",
        component="langchain_community.document_transformers.EmbeddingsRedundantFilter",
        package=PACKAGE,
        version=version,
        rule=f"similarity > {cutoff:g}",
        cutoff=cutoff,
        read_from="similarity_threshold",
        decide=decide,
        remark="langchain-community is being sunset; the filter was asked in the version named here.",
    )
